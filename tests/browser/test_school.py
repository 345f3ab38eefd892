"""The school in a real browser: a dealer settles a round, a player decides, mistakes are answered."""

import re

import pytest
from playwright.sync_api import Page, expect

from feltwork.school.exercise import deal
from feltwork.school.trainer import train
from tests.browser.conftest import Visit
from tests.browser.visitor import serious

GAMES = ("blackjack", "caribbean_stud", "crazy_4", "holdem_bonus", "mini_baccarat", "six_five_four")


@pytest.fixture
def tab(visit: Visit) -> Page:
    return visit(screen="desk")


def settle(page: Page, seat: int, bet: str, amount: str) -> None:
    page.click(f'.chip[data-seat="{seat}"][data-bet="{bet}"]')
    page.fill("input[name=returned]", amount)
    page.click("#pay button")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_round_is_settled_right(tab: Page, game: str) -> None:
    exercise = deal(game, 11)
    tab.goto(f"/school/dealer/{game}?seed=11")
    assert serious(tab) == []
    for place, question in enumerate(exercise.questions, 1):
        due = exercise.result(question).returned / 1_000_000
        settle(tab, question.seat, question.bet, f"{due:.2f}")
        expect(tab.locator("#done")).to_have_text(re.compile(f"^{place} /"))
        assert "Right" in tab.inner_text("#verdict")
    assert "Every bet correct" in tab.inner_text("#result")
    assert serious(tab) == []


def test_a_wrong_amount_and_a_wrong_order_are_answered_with_the_paragraph(tab: Page) -> None:
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
    assert "Crazy 4 Poker" in tab.inner_text("#paragraphs")
    tab.goto("/school")
    expect(tab.locator("#score-right")).to_have_text("0 / 2")
    assert "order of the bets" in tab.inner_text("#weak")
    assert serious(tab) == []


def test_the_player_learns_what_a_mistake_costs(tab: Page) -> None:
    seed = max(range(40), key=lambda seed: train("crazy_4", seed, ["fold"]).cost)
    tab.goto(f"/school/player/crazy_4?seed={seed}")
    assert serious(tab) == []
    tab.get_by_role("link", name="fold", exact=True).click()
    told = tab.inner_text(".decided")
    assert re.search(r"costs\s+[1-9]", told)
    assert "Best play: 3x" in told
    assert serious(tab) == []
    tab.goto("/school")
    expect(tab.locator("#score-right")).to_have_text("0 / 1")


@pytest.mark.parametrize("game", ["blackjack", "holdem_bonus", "six_five_four"])
def test_a_round_is_played_to_its_end(tab: Page, game: str) -> None:
    tab.goto(f"/school/player/{game}")
    for _ in range(30):
        choices = tab.locator("nav[aria-label=Choices] a")
        if not choices.count():
            break
        choices.last.click() if game != "blackjack" else choices.first.click()
    assert "Your decisions cost" in tab.inner_text("main")
    assert serious(tab) == []
