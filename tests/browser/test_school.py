"""The school in a real browser: a dealer settles a round, a player decides, mistakes are answered."""

import re

import pytest
from playwright.sync_api import Page, expect

from feltwork.site.school.drills import Drill
from feltwork.site.school.exercise import deal
from feltwork.site.school.trainer import train
from feltwork.site.web.rendering import catalog
from tests.browser.conftest import Visit
from tests.browser.visitor import serious
from tests.web.house import House
from tests.web.test_school import dealt


@pytest.fixture
def tab(visit: Visit) -> Page:
    return visit(screen="desk")


def settle(page: Page, seat: int, bet: str, amount: str) -> None:
    page.click(f'.chip[data-seat="{seat}"][data-bet="{bet}"]')
    page.fill("input[name=returned]", amount)
    page.click("#pay button")


def test_mistakes_are_answered_with_the_paragraph_and_a_whole_round_is_settled_right(tab: Page) -> None:
    exercise = deal("crazy_4", 5)
    tab.goto("/school/dealer/crazy_4?seed=5")
    last, first = exercise.questions[-1], exercise.questions[0]
    settle(tab, last.seat, last.bet, "1")
    tab.wait_for_selector("#correction.wrong")
    assert tab.inner_text("#verdict").startswith("Not yet")
    assert "WSGC submission 3119 of 2023-06-14" in tab.inner_text("#paragraphs")
    settle(tab, first.seat, first.bet, "123.45")
    expect(tab.locator("#done")).to_have_text(re.compile("^1 /"))
    assert tab.inner_text("#verdict").startswith("No:")
    tab.goto("/school")
    expect(tab.locator("#score-right")).to_have_text("0 / 2")
    assert "order of the bets" in tab.inner_text("#weak")
    tab.goto("/school/dealer/crazy_4?seed=5")
    for place, question in enumerate(exercise.questions, 1):
        settle(tab, question.seat, question.bet, f"{exercise.result(question).returned / 1_000_000:.2f}")
        expect(tab.locator("#done")).to_have_text(re.compile(f"^{place} /"))
        assert "Right" in tab.inner_text("#verdict")
    assert "Every answer correct" in tab.inner_text("#result")
    assert serious(tab) == []


def test_the_player_learns_what_a_mistake_costs(tab: Page) -> None:
    seed = max(range(40), key=lambda seed: train("crazy_4", seed, ["fold"]).cost)
    tab.goto(f"/school/player/crazy_4?seed={seed}")
    assert serious(tab) == []
    tab.get_by_role("link", name="Fold", exact=True).click()
    text = tab.inner_text(".decided")
    assert re.search(r"costs\s+[1-9]", text)
    assert "Best play: 3x" in text
    assert serious(tab) == []
    tab.goto("/school")
    expect(tab.locator("#score-right")).to_have_text("0 / 1")


def answer_exercise(page: Page, house: House) -> None:
    """Answer every question of the exercise on the screen as the rules say."""
    page.wait_for_url(re.compile(r"/school/exercises/[0-9]+$"))
    exercise = dealt(house, int(page.url.rpartition("/")[2]))
    assert isinstance(exercise, Drill)
    for place, question in enumerate(exercise.questions, 1):
        page.click(f'.question:not([hidden]) [data-choice="{question.right}"]')
        expect(page.locator("#done")).to_have_text(f"{place} / {len(exercise.questions)}")
        expect(page.locator("#correction.right")).to_be_visible()


def complete(page: Page, house: House, course: str) -> None:
    """Read every lesson of a course, then answer until it is complete."""
    page.goto("/school")
    page.click(f'a[href="/school/courses/{course}"]')
    for lesson in (2, 3):
        assert serious(page) == []
        page.click(f'a[href="?lesson={lesson}"]')
        page.wait_for_url(re.compile(f"lesson={lesson}$"))
    page.click("[data-begin]")
    message = catalog.gettext("The course is complete. Your certificate is in the school.")
    while True:
        answer_exercise(page, house)
        assert serious(page) == []
        if page.inner_text("#row") == message:
            return
        with page.expect_navigation():
            page.click("#over [data-begin]")


def test_a_course_is_read_and_completed_in_another_language(visit: Visit, house: House) -> None:
    catalog.select_language("zh")
    page = visit("/school/courses/misdeal?language=zh", person="emil", screen="tablet")
    for message in ("Count the cards. Is this a misdeal?", "Next lesson", "Go to the exercises"):
        expect(page.locator("main")).to_contain_text(catalog.gettext(message))
    complete(page, house, "misdeal")
    expect(page.locator("#result")).to_have_text(catalog.gettext("Every answer correct, in the right order."))
    page.goto("/school")
    expect(page.locator("main")).to_contain_text(catalog.gettext("completed"))
    catalog.select_language("en")
