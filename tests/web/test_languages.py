"""Languages: what a screen is shown in, whose choice decides, and what every translation must be."""

import asyncio
import re
from collections.abc import Iterator

import httpx
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from fontTools.ttLib import TTFont

from feltwork import money
from feltwork.site.web.app import application
from feltwork.site.web.rendering import catalog
from feltwork.site.web.settings import Settings
from tests.web.house import House
from tools import extract_messages, subset_fonts

LANGUAGES = ("es", "zh")
#: A placeholder, or a mark of HTML.
_KEPT = re.compile(r"%\(\w+\)s|</?[a-z][^>]*>")
#: Of what people read on screens.
_LEAST_TRANSLATED = 0.99


@pytest.fixture(scope="module", autouse=True)
def floor(house: House) -> None:
    house.open("tongues")


def shown(client: httpx.Client, path: str, accepts: str = "", **cookies: str) -> str:
    """The language of a page."""
    headers = {"Accept": "text/html", "Accept-Language": accepts}
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    match = re.search(r'<html lang="([^"]+)">', client.get(path, headers=headers).text)
    assert match is not None
    return match[1]


def translation(name: str) -> Catalog:
    with (catalog.LOCALE / name / "LC_MESSAGES" / "feltwork.po").open("rb") as opened:
        return read_po(opened, locale=name)


def forms(value: object) -> tuple[str, ...]:
    return tuple(filter(None, value)) if isinstance(value, list | tuple) else (str(value),)


def test_a_browser_gets_its_language_where_there_is_a_catalog(house: House) -> None:
    for accepts, expected in (("es-MX, en;q=0.5", "es-US"), ("zh-CN", "zh-Hans"), ("fr", "en"), ("", "en")):
        assert shown(house.nobody, "/sign-in", accepts) == expected


def test_an_address_chooses_the_language_of_a_screen_and_a_cookie_keeps_it(house: House) -> None:
    with httpx.Client(base_url=house.url) as screen:
        assert shown(screen, "/signs/tongues?language=zh", "es") == "zh-Hans"
        assert screen.cookies["feltwork_language"] == "zh"
        assert shown(screen, "/signs/tongues", "es", feltwork_language="zh") == "zh-Hans"
    with httpx.Client(base_url=house.url) as other:
        assert shown(other, "/sign-in?language=../../etc", "es") == "es-US"
        assert "feltwork_language" not in other.cookies, "there is no such language"
        assert shown(other, "/sign-in", "es", feltwork_language="xx") == "es-US"
        # A browser may send cookies that others have set, with names that no standard allows.
        assert shown(other, "/sign-in", "es", **{"a/b": "1", "feltwork_language": "zh"}) == "zh-Hans"


def test_a_person_reads_their_own_language_on_every_screen(house: House) -> None:
    dana = house.of("dana")
    assert shown(dana, "/me", "zh") == "zh-Hans", "the screen decides while nothing is chosen"
    try:
        assert house.done("dana", "/api/v1/me/language", {"language": "es"})["language"] == "es"
        assert shown(dana, "/me", "zh", **dict(dana.cookies)) == "es-US"
        assert shown(dana, "/dealer", "zh", **dict(dana.cookies)) == "es-US"
        assert shown(house.of("sam"), "/me", "en") == "en", "others are not concerned"
    finally:
        house.done("dana", "/api/v1/me/language", {"language": ""})
    assert shown(dana, "/me", "zh") == "zh-Hans"
    assert house.post("dana", "/api/v1/me/language", {"language": "not one"}).status_code == 422


def test_printed_documents_are_in_english() -> None:
    catalog.select_language("es")
    try:
        assert catalog.gettext("Sign in") == "Entrar"
        with catalog.in_english():
            assert catalog.gettext("Sign in") == "Sign in"
        assert catalog.gettext("Sign in") == "Entrar"
    finally:
        catalog.select_language("en")


def screen_messages(name: str) -> Iterator[Message]:
    for message in translation(name):
        if message.id and extract_messages.is_on_screens(message):
            yield message


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_screen_is_translated_and_the_catalog_is_up_to_date(name: str) -> None:
    messages = list(screen_messages(name))
    translated_messages = [message for message in messages if message.string and all(forms(message.string))]
    assert len(messages) > 1_800
    assert len(translated_messages) >= _LEAST_TRANSLATED * len(messages), (
        f"{len(messages) - len(translated_messages)} are not translated"
    )
    file = catalog.LOCALE / name / "LC_MESSAGES" / "feltwork.po"
    assert file.read_text(encoding="utf-8") == extract_messages.written(extract_messages.translation(name)), (
        "run tools/extract_messages.py"
    )


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_translation_keeps_every_placeholder_and_mark(name: str) -> None:
    wrong = [
        (message.id, form)
        for message in translation(name)
        if message.id and message.string
        for form in forms(message.string)
        if sorted(_KEPT.findall(form))
        not in [sorted(_KEPT.findall(english)) for english in forms(message.id)]
    ]
    assert wrong == []


@pytest.mark.parametrize("name", LANGUAGES)
def test_unreviewed_messages_are_marked_and_whoever_reads_them_is_told(house: House, name: str) -> None:
    choice = next(language for language in catalog.languages() if language.id == name)
    assert choice.unreviewed == sum(message.fuzzy for message in translation(name) if message.id)
    answer = house.nobody.get("/sign-in", headers={"Accept": "text/html", "Accept-Language": name})
    warning = "No native speaker has reviewed this translation yet. Where in doubt, the English text decides."
    text = str(translation(name)[warning].string)
    assert (text in answer.text) == (choice.unreviewed > 0)


def test_the_chinese_font_has_every_character_of_the_catalog() -> None:
    for weight in subset_fonts.WEIGHTS:
        has = TTFont(subset_fonts.file_of(weight)).getBestCmap()
        missing = {character for character in subset_fonts.characters() if ord(character) not in has}
        assert missing == set(), "run tools/subset_fonts.py"


@pytest.mark.parametrize("name", LANGUAGES)
def test_amounts_are_written_as_the_language_writes_numbers(name: str) -> None:
    catalog.select_language(name)
    try:
        number = format_decimal(1234567.89, format="#,##0.00", locale=catalog.locale())
    finally:
        catalog.select_language("en")
    assert money.dollars(1_234_567_890_000) == f"${number}"


def test_every_text_of_a_script_is_in_the_catalog() -> None:
    known = {form for message in extract_messages.catalog() if message.id for form in forms(message.id)}
    used = re.compile(r'\bt\(\s*"((?:[^"\\]|\\.)*)"')
    scripts = [path for path in catalog.LOCALE.parent.rglob("*.js") if "vendor" not in path.parts]
    assert len(scripts) > 20
    missing = {
        (path.name, text)
        for path in scripts
        for text in used.findall(re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.M))
        if text not in known
    }
    assert missing == set()


@pytest.mark.parametrize(
    "path",
    [
        "/school",
        "/school/courses/crazy_4",
        "/school/dealer/misdeal?seed=3",
        "/verdicts",
        "/workbench",
        "/rules/WA-24",
    ],
)
def test_every_page_shows_the_name_of_the_site(house: House, path: str) -> None:
    site = house.of("dana").get("/me", headers={"Accept": "application/json"}).json()["site"]
    text = house.nobody.get(path, headers={"Accept": "text/html"}).text
    assert f'<span class="site">{site}</span>' in text
    assert re.search(rf"<title>[^<]+ — {site}</title>", text)
    missing = house.nobody.get("/nowhere", headers={"Accept": "text/html"})
    assert missing.status_code == 404
    assert (f'<span class="site">{site}</span>' in missing.text, site != "Feltwork") == (True, True)


def test_a_page_that_is_not_there_shows_the_name_of_the_site_before_any_other_was_shown(house: House) -> None:
    app = application(Settings(dsn=house.dsn))

    async def first_page() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url=house.url) as client,
        ):
            return await client.get("/nowhere", headers={"Accept": "text/html"})

    missing = asyncio.run(first_page())
    site = house.of("dana").get("/me", headers={"Accept": "application/json"}).json()["site"]
    assert (missing.status_code, f'<span class="site">{site}</span>' in missing.text) == (404, True)


#: One word for one thing, as the glossary has it in English.
TERMS = {
    "es": {
        "meters?": "contador",
        "sites?": "local",
        "links?": "enlace",
        "reserves?": "reserva",
    },
    "zh": {
        "meters?": "奖池",
        "sites?": "场所",
        "links?": "联线",
        "reserves?": "储备金",
        "floor files?": "楼面文件",
        "incidents?": "事件",
        "jackpots?": "大奖",
    },
}
#: Messages in which the word is a name, or another thing: a link of the web, a command.
_OTHERWISE = re.compile(r"^Link to this draft$|--site-key")


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_term_has_one_translation(name: str) -> None:
    wrong = [
        (message.id, form)
        for message in screen_messages(name)
        for term, word in TERMS[name].items()
        for form in forms(message.string)
        if re.search(rf"(?<![%(\w]){term}\b", " ".join(forms(message.id)), re.IGNORECASE)
        if form and word not in form.lower() and not _OTHERWISE.search(" ".join(forms(message.id)))
    ]
    assert wrong == []
