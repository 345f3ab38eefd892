"""The message catalog: all text of templates and scripts is in it, and every page takes its text from it."""

import json
import re
from calendar import month_name
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from babel.messages.jslexer import tokenize
from babel.messages.pofile import write_po
from babel.numbers import format_percent
from jinja2 import nodes

from feltwork.odds.figures import shipped_reports
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.what_if import what_if
from feltwork.site.school import exercise
from feltwork.site.school.lessons import taught
from feltwork.site.school.walkthrough import worked_lessons
from feltwork.site.web.rendering import catalog
from feltwork.site.web.rendering.bet_reasons import reason
from feltwork.site.web.rendering.figure_format import percent
from feltwork.site.web.rendering.odds_texts import odds_text
from feltwork.site.web.rendering.templating import environment, sentence
from feltwork.titles import registry
from tests.web.house import PIN, House
from tools import extract_messages

WEB = catalog.LOCALE.parent
TEMPLATES = sorted(WEB.rglob("*.html"))
SCRIPTS = sorted(path for path in WEB.rglob("*.js") if "vendor" not in path.parts)
_WORD = re.compile(r"[A-Za-z]{2,}")
_SHOWN = ("alt", "aria-label", "placeholder", "title")
#: Proper nouns and codes.
_NAMES = {"Feltwork", "CSV", "JSON", "XLSX", "ADJ"}
_CLASSES = {"large gold"}
#: Technical strings of scripts that look like text: HTTP headers, keys, class lists.
_TECHNICAL = re.compile(
    r"Content-Type|Accept|Idempotency-Key|GET|POST|Enter|Escape|JPH|RUN|GEN-10|[A-Za-z]*Error|PIN"
    r"|(?:panel|button|stack|primary| )+"
)


class _Text(HTMLParser):
    """The text and the shown attributes of a template."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._quiet += tag in ("style", "script", "code")
        self.found += [value for name, value in attrs if name in _SHOWN and value]

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in ("style", "script", "code")

    def handle_data(self, data: str) -> None:
        if not self._quiet:
            self.found.append(data)


def untranslated(source: str) -> list[str]:
    """Text of a template outside `{% trans %}` and `_()`."""
    tree = environment().parse(source)
    html, texts = "", []
    for block in tree.find_all(nodes.Block):
        if block.name in ("look", "size"):  # style classes
            block.body = []
    for output in tree.find_all(nodes.Output):
        for part in output.nodes:
            html += part.data if isinstance(part, nodes.TemplateData) else "\0"
    for constant in _constants(tree):
        # Any other constant is a name of the data or a style class.
        if re.match(r"[A-Z][a-z]+|[a-z]+ [a-z]", constant) and constant not in _NAMES | _CLASSES:
            texts.append(constant)
    parser = _Text()
    parser.feed(html)
    return [text.strip() for text in (*parser.found, *texts) if set(_WORD.findall(text)) - _NAMES]


def _constants(node: nodes.Node) -> Iterator[str]:
    """String constants of expressions, without those that are translated or compared."""
    if isinstance(node, nodes.Call) and getattr(node.node, "name", "") in ("_", "gettext", "ngettext"):
        return
    if isinstance(node, nodes.Compare | nodes.Getitem | nodes.Extends | nodes.Import | nodes.Include):
        return
    if isinstance(node, nodes.Dict) and all(isinstance(pair.value, nodes.Const) for pair in node.items):
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    for child in node.iter_child_nodes():
        yield from _constants(child)


def untranslated_strings(source: str) -> list[str]:
    """String literals of a script that look like text and are not an argument of `t()`."""
    texts, before = [], ("", "")
    for token in tokenize(source, jsx=False, template_string=True):
        if token.type in ("string", "template_string") and before != ("t", "("):
            text = re.sub(r"\$\{.*\}", "", token.value)[1:-1]
            is_text = re.match(r"[A-Z][a-z]+", text) or re.search(r"^[a-z]+ [a-z]+( |$)", text)
            if is_text and not _TECHNICAL.fullmatch(text):
                texts.append(text)
        before = (before[1], token.value)
    return texts


def test_the_checks_find_text_outside_the_catalog() -> None:
    assert untranslated("<p>Choose a seat</p>{{ _('Pit') }}{% trans %}Tap {{ x }}{% endtrans %}") == [
        "Choose a seat"
    ]
    assert untranslated('<input placeholder="Reason">') == ["Reason"]
    assert untranslated('{{ "Refused" if x else y }}') == ["Refused"]
    script = 't("Try again."); say("Try again."); say(`Seat ${x}`)'
    assert untranslated_strings(script) == ["Try again.", "Seat "]


def test_no_template_or_script_has_a_sentence_outside_the_catalog() -> None:
    texts_by_file = {path.name: untranslated(path.read_text(encoding="utf-8")) for path in TEMPLATES}
    texts_by_file |= {path.name: untranslated_strings(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    assert len(texts_by_file) > 50
    assert {name: texts for name, texts in texts_by_file.items() if texts} == {}


def test_the_message_template_is_fresh() -> None:
    assert extract_messages.TEMPLATE.read_text(encoding="utf-8") == extract_messages.text(), (
        "run tools/extract_messages.py"
    )


#: Pages with who opens them.
PAGES = (
    ("/", ""),
    ("/", "dana"),
    ("/sign-in", ""),
    ("/sign-in/office", ""),
    ("/sign-in/office/return", ""),
    ("/signs", ""),
    ("/signs/texts", ""),
    ("/dealer", "dana"),
    ("/dealer/texts/T9", "dana"),
    ("/pit", "sam"),
    ("/cage", "cara"),
    ("/cage/texts/{confirmed}", "cara"),
    ("/floor", "sam"),
    ("/manager", "eve"),
    ("/meters/texts", "sam"),
    ("/awards/{award}/win-page", "sam"),
    ("/office", "ann"),
    ("/office/proposals", "ann"),
    ("/office/links/texts?day=ALL", "ann"),
    ("/office/reports/funds", "ann"),
    ("/office/reports/reconciliation?day=ALL", "ann"),
    ("/audit", "otto"),
    ("/audit/verdict", "otto"),
    ("/audit/links/texts", "otto"),
    ("/audit/rounds/T9/1", "otto"),
    ("/rules/WA-24", ""),
    ("/school", ""),
    ("/school", "dana"),
    ("/school/courses/crazy_4", ""),
    ("/school/courses/two_jackpots", "dana"),
    ("/school/dealer/misdeal?seed=3", ""),
    ("/school/trainees", "sam"),
    ("/verdicts", ""),
)


@pytest.fixture(scope="module")
def award(house: House, confirmed: str) -> str:
    """A claim on a link with a sign."""
    house.start("texts", "T9")
    return house.claim("texts", "T9")


@pytest.fixture(scope="module")
def confirmed(house: House) -> str:
    """An award that waits at the cage."""
    house.open("texts")
    house.start("texts", "T8")
    claimed = house.claim("texts", "T8")
    assert house.confirm("texts", claimed, "sam", "eve").status_code == 200
    return claimed


@pytest.fixture(scope="module")
def pseudo_locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language whose every message is the English one between brackets."""
    messages = extract_messages.catalog()
    messages.locale = "eo"
    for message in messages:
        if message.id:
            forms = message.id if isinstance(message.id, tuple) else (message.id,)
            wrapped = tuple(f"⟦{form}⟧" for form in forms)
            message.string = wrapped if len(wrapped) > 1 else wrapped[0]
    folder = tmp_path_factory.mktemp("locale")
    file = folder / "eo" / "LC_MESSAGES" / "feltwork.po"
    file.parent.mkdir(parents=True)
    with file.open("wb") as opened:
        write_po(opened, messages)
    return folder


@pytest.fixture
def pseudo(pseudo_locale: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(catalog, "LOCALE", pseudo_locale)
    return "eo"


def _values(model: Any) -> Iterator[str]:
    """Every name and value of a JSON twin as text."""
    if isinstance(model, dict):
        for name, value in model.items():
            yield name
            yield from _values(value)
    elif isinstance(model, list):
        for value in model:
            yield from _values(value)
    else:
        yield str(model)


@pytest.mark.parametrize(("path", "person"), PAGES)
def test_every_word_of_a_page_is_translated_or_data(
    house: House, award: str, confirmed: str, pseudo: str, path: str, person: str
) -> None:
    client = house.of(person) if person else house.nobody
    address = path.format(award=award, confirmed=confirmed)
    data = client.get(address, headers={"Accept": "application/json"}).json()
    known = set(_WORD.findall(re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", " ".join(_values(data))).lower()))
    # Whose site it is, who is signed in and where, and how times are written.
    known |= {
        "test",
        "room",
        "dana",
        "sam",
        "cara",
        "ann",
        "otto",
        "eve",
        "pit",
        "pst",
        "pdt",
        *(name[:3].lower() for name in month_name),
        # Languages have the name that their speakers give them.
        *(language.name.lower() for language in catalog.languages()),
    }
    answer = client.get(address, headers={"Accept": "text/html", "Accept-Language": f"{pseudo}, en;q=0.5"})
    assert answer.status_code == 200
    assert f'<html lang="{pseudo}">' in answer.text
    parser = _Text()
    parser.feed(answer.text)
    words = _outside(" ".join(parser.found))
    assert {word for word in words if word.lower() not in known} == set()


def _outside(text: str) -> set[str]:
    """The words that no message has; brackets nest where a message holds another one."""
    while text != (text := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)):
        pass
    return {word for word in _WORD.findall(text) if word not in _NAMES}


_SAM = {"badge": "B-sam", "pin": PIN}
#: Screen, who presses, address, body: what each of them refuses.
REFUSALS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("sign-in", "", "/api/v1/sign-in", {"badge": "B-nobody", "pin": "2580", "place": "pit"}),
    ("dealer", "ann", "/api/v1/links/texts/tables/T9/hand", {"seat": 1, "hand": "four_aces"}),
    ("dealer", "dana", "/api/v1/links/texts/tables/T9/hand", {"seat": 7, "hand": "four_aces"}),
    ("dealer", "dana", "/api/v1/links/texts/tables/T9/hand", {"seat": 2, "hand": "five_aces"}),
    ("dealer", "dana", "/api/v1/tables/T9/end?link=texts", {}),
    ("dealer", "dana", "/api/v1/links/texts/tables/T9/correct", {"seat": 2, "wagered": False}),
    ("dealer", "dana", "/api/v1/links/texts/awards/{award}/confirm", {"badges": [_SAM], "amount": 1}),
    ("pit", "dana", "/api/v1/tables/T9/misdeal?link=texts", {"reason": "exposed card"}),
    ("pit", "sam", "/api/v1/tables/T9/misdeal?link=texts", {"reason": "exposed card"}),
    ("pit", "sam", "/api/v1/links/texts/awards/{confirmed}/void", {"reason": "wrong hand", "shown": _SAM}),
    ("cage", "sam", "/api/v1/links/texts/awards/{confirmed}/pay", {"form": "check"}),
    ("cage", "cara", "/api/v1/links/texts/awards/{award}/pay", {"form": "check"}),
    ("cage", "cara", "/api/v1/payouts/texts/{confirmed}/steps/seal", {"note": "done"}),
    ("school", "cara", "/api/v1/training/exercises", {"course": "crazy_4"}),
    ("me", "dana", "/api/v1/me/secret", {"what": "PIN", "old": PIN, "new": PIN}),
)


@pytest.mark.parametrize(("screen", "person", "path", "body"), REFUSALS)
def test_every_word_of_a_refusal_is_translated_or_data(
    house: House,
    award: str,
    confirmed: str,
    pseudo: str,
    screen: str,
    person: str,
    path: str,
    body: dict[str, Any],
) -> None:
    client = house.of(person) if person else house.nobody
    headers = {"Accept-Language": pseudo, "Idempotency-Key": house.key()}
    address = path.format(award=award, confirmed=confirmed)
    answer = client.post(address, json=body, headers=headers)
    assert answer.status_code in (401, 403, 409), (screen, answer.text)
    refused = answer.json()
    translation = refused["translated"]
    data = set(_WORD.findall(" ".join([address, *_values(body), person, "five aces"])))
    for name in ("detail", "remedy"):
        assert "⟦" not in refused[name], "programs read English"
        assert translation[name].startswith("⟦") or translation[name] != refused[name], translation
        assert _outside(translation[name]) - data == set(), translation
    assert _outside(translation["where"]) - data == set(), translation


def test_scripts_get_the_translations_of_the_page(house: House, pseudo: str) -> None:
    answer = house.nobody.get("/signs", headers={"Accept": "text/html", "Accept-Language": pseudo})
    assert "⟦Hit pending⟧".encode("ascii", "backslashreplace").decode() in answer.text
    english = house.nobody.get("/signs", headers={"Accept": "text/html", "Accept-Language": "de"})
    assert ('<html lang="en">' in english.text, 'id="messages"' in english.text) == (True, False)


def _reasons() -> Iterator[str]:
    """Why bets win and lose in many exercises of every course, and in the rounds of the lessons."""
    for course in taught():
        for seed in range(12):
            dealt = exercise.deal(course, seed)
            yield from (dealt.result(question).why for question in dealt.questions)
        for lesson in worked_lessons(course):
            yield from (step.result.why for step in lesson.steps if step.result)


def test_the_school_says_in_every_language_why_a_bet_wins_or_loses(pseudo: str) -> None:
    catalog.select_language(pseudo)
    try:
        reasons = {why: reason(why) for why in _reasons()}
    finally:
        catalog.select_language("en")
    assert len(reasons) > 200
    # Cards such as Th and the ids of paytables are no words.
    cards = re.compile(r"\b[2-9TJQKA][shdc]\b|\b[A-Z0-9]+-[0-9]+\b")
    assert {why: text for why, text in reasons.items() if _outside(cards.sub("", text))} == {}
    assert not [text for text in reasons.values() if re.search(r"[_/[]", text)], "keys of the data"


def test_a_reason_reads_well_in_english() -> None:
    assert reason("ace_king_suited pays 9 to 1 [HM.paytables.house-money-1, row 1]") == (
        "Ace king suited pays 9 to 1."
    )
    assert reason("nothing on crazy_4/queens_up/C4P-09") == "Nothing on queens up, paytable C4P-09."
    assert reason("8h Ah (19) beats the dealer's 17; 8d 7d Qs (25) is bust") == (
        "8h Ah (19) beats the dealer's 17; 8d 7d Qs (25) is bust."
    )


def test_the_verdicts_are_in_words_and_every_reason_is_translated(house: House, pseudo: str) -> None:
    page = house.nobody.get("/verdicts", headers={"Accept": "text/html", "Accept-Language": "en"}).text
    parser = _Text()
    parser.feed(re.sub(r'title="[^"]*"', "", page))
    keys = [
        text
        for text in parser.found
        if re.search(r"[a-z0-9]_[a-z]|\b[A-Z0-9]{2}\.[a-z]|[a-z]/[a-z]|\?", text)
    ]
    assert [key for key in keys if key.strip() != "?"] == []
    assert "Crazy 4 Poker, queens up, paytable C4P-09" in page
    headers = {"Accept": "application/json", "Accept-Language": pseudo}
    rows = house.nobody.get("/verdicts", headers=headers).json()["verdicts"]
    assert len(rows) > 60
    assert {row["why"] for row in rows if _outside(row["why"])} == set()
    assert {row["figure"] for row in rows if _outside(row["figure"])} == set()


def test_what_the_odds_of_every_bet_say_is_translated(pseudo: str) -> None:
    titles = json.loads(shipped_reports.FILE.read_text(encoding="utf-8")).values()
    bets = [report for title in titles for report in title["reports"] if not report["name"].endswith("/base")]
    lines = {line for bet in bets for line in (bet["method"], *bet["strategy"]) if "feltwork" not in line}
    losing = question_from(registry.paytable("four_card", "jackpot", "3"), {"contribution.jackpot": "90%"})
    capped = question_from(registry.paytable("four_card", "jackpot", "3"), {"cap.jackpot": "11000"})
    notes = {*what_if(losing).notes, *what_if(capped).notes}
    lines |= {note for note in notes if "closed form" not in note}
    catalog.select_language(pseudo)
    try:
        texts = {line: odds_text(line) for line in lines}
    finally:
        catalog.select_language("en")
    assert len(texts) > 25
    assert {line: text for line, text in texts.items() if not text.startswith("⟦")} == {}


@pytest.mark.parametrize(
    "text",
    [
        "5 failed sign-ins with the badge of Ann; the badge is locked there",
        "table C1 reports more than 70 rounds in an hour",
        "correct the device; the message is parked",
        "dana is signed on at table C2, not here",
        "messages of kind Health are not booked",
        "the balance of meter/five-card/mega is not the total of its entries",
    ],
)
def test_a_sentence_of_an_alarm_that_the_books_keep_is_translated(pseudo: str, text: str) -> None:
    catalog.select_language(pseudo)
    try:
        assert sentence(text).startswith("⟦")
        assert sentence("everything is done") == "Everything is done.", "people typed it"
    finally:
        catalog.select_language("en")


@pytest.mark.parametrize("name", ["en", "es", "zh"])
def test_percentages_are_written_as_babel_writes_them(name: str) -> None:
    catalog.select_language(name)
    try:
        written = percent(Fraction(18_834, 100_000), 2)
        pattern = format_percent(0.19, locale=catalog.locale()).replace("19", "18.83")
    finally:
        catalog.select_language("en")
    assert written == pattern
    texts = {
        form
        for message in catalog._catalog(catalog.LOCALE, name)
        for form in (message.string if isinstance(message.string, tuple | list) else [str(message.string)])
    }
    assert {text for text in texts if re.search(r"[0-9][ \xa0]%(?![(])", text)} == set()
