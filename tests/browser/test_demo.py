"""The demo in one tab: the steps of the README, word for word, and the visitor's own table."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from feltwork.simulation.floors import room
from feltwork.simulation.stage import PASSWORD
from tests.browser.demo import demo
from tests.browser.visitor import SIZES, serious

README = Path(__file__).parents[2] / "README.md"
PEOPLE = {person.id.title() for person in room().people}
#: A claim may take a few rounds of the simulation, and PINs are hashed slowly on purpose.
_PATIENCE_MS = 60_000


def steps() -> list[list[str]]:
    """The marked words of every step, in order: **press this** and `type or see this`."""
    text = README.read_text(encoding="utf-8")
    text = text[text.index("\n1. ") : text.index("\nThen press")]
    numbered = re.split(r"^\d\. ", text, flags=re.MULTILINE)[1:]
    return [re.findall(r"\*\*.+?\*\*|`.+?`", re.sub(r"\s+", " ", step)) for step in numbered]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with demo() as url:
        yield url


@pytest.fixture
def tab(address: str, chromium: Browser) -> Iterator[Page]:
    """One tab on the home page."""
    context = chromium.new_context(base_url=address, **SIZES["table"])
    page = context.new_page()
    page.set_default_timeout(_PATIENCE_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/")
    yield page
    context.close()
    assert errors == []


def pattern(words: str) -> re.Pattern[str]:
    """The words alone, or what begins with them if they end with three dots."""
    return re.compile("^" + re.escape(words.removesuffix("…")) + ("" if words.endswith("…") else "$"))


def pressable(page: Page, words: str) -> Locator:
    """A button or link, by its exact words or by the person that it stands for."""
    page.wait_for_load_state()
    if words in PEOPLE:
        return page.locator(
            "button[data-demo-badge]:visible, button[data-badge]:visible", has_text=words
        ).first
    target = page.get_by_role("button", name=pattern(words)).or_(
        page.get_by_role("link", name=pattern(words))
    )
    # Other tables of the simulation win too: what stands beside an award is that of our table.
    sign_link = page.locator(".owe", has_text="C3").get_by_role("link", name=pattern(words))
    return (sign_link if words == "See the sign" else target).first


def follow(page: Page, marked: str) -> None:
    """Press what is bold, type digits, and see everything else."""
    words = marked.strip("*`")
    if marked.startswith("**"):
        pressable(page, words).click()
    elif words.isdigit():
        expect(page.locator("#badge-pin")).to_be_focused()
        page.keyboard.type(words)
    else:
        text = re.compile(re.escape(words.removesuffix("…")), re.IGNORECASE)
        expect(page.locator("body")).to_contain_text(text, use_inner_text=True, timeout=_PATIENCE_MS)


def test_the_readme_in_one_tab(tab: Page) -> None:
    readme_steps = steps()
    assert len(readme_steps) == 4
    for number, step in enumerate(readme_steps, 1):
        assert len(step) >= 4, f"step {number} names what to press and what to see"
        for marked in step:
            follow(tab, marked)
    assert tab.context.pages == [tab]


@pytest.mark.whole
def test_the_visitors_own_table_comes_first_and_can_be_dealt(tab: Page) -> None:
    pressable(tab, "Deal at your own table").click()
    pressable(tab, "Dana").click()
    expect(tab.locator("h1")).to_have_text("C2")
    assert serious(tab) == []
    expect(tab.locator(".seat.lit").first).to_be_visible()  # chips come every few seconds
    pressable(tab, "START GAME").click()
    pressable(tab, "END GAME").click()
    expect(pressable(tab, "START GAME")).to_be_enabled()

    pressable(tab, "All tables").click()
    tables = tab.locator(".door .figure")
    expect(tables.first).to_have_text("C2")
    assert tables.all_inner_texts().count("C2") == 1
    expect(tab.locator("main")).to_contain_text("The simulation deals the other tables.")
    tables.get_by_text("C1", exact=True).click()
    expect(tab.locator("main")).to_contain_text("The simulation deals table C1.")
    expect(tab.locator("#main-key")).to_be_disabled()
    pressable(tab, "Deal at your own table").click()
    expect(tab.locator("h1")).to_have_text("C2")


def test_names_fit_beside_a_second_jackpot_and_a_password_is_shown_where_it_is_asked_for(tab: Page) -> None:
    tab.goto("/sign-in?next=/dealer/sevens/B4")
    pressable(tab, "Dana").click()
    expect(tab.locator(".board")).to_have_count(2)
    clipped = (
        "buttons => buttons.filter(one => one.scrollHeight > one.clientHeight).map(one => one.textContent)"
    )
    assert tab.locator(".hand").evaluate_all(clipped) == []
    tab.goto("/sign-in/office?next=/me")
    expect(tab.locator("[data-form]")).to_contain_text(PASSWORD)
    tab.get_by_label("Badge").fill("B-ann")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.keyboard.press("Enter")
    expect(tab.locator("form", has_text="Current password")).to_contain_text(PASSWORD)
