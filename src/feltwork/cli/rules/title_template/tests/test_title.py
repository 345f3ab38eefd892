"""The worked rounds, the paytables and the exact figures of My Title."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from feltwork_my_title.odds import GAME

from feltwork.odds.report import base_report, bet_reports
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.notation import round_from
from feltwork.titles.settle import settle
from feltwork.titles.worked_rounds import WorkedRound, differences, worked_rounds

NAME = "my_title"
ROUNDS = tuple(worked_rounds(NAME))
BONUS = {"straight_flush": 6, "pair": 4, "straight": 2}


@pytest.mark.parametrize("worked", ROUNDS, ids=lambda worked: worked.file)
def test_worked_round_replays(worked: WorkedRound) -> None:
    """The cards and wagers of a worked round give its settlement."""
    assert worked.expect
    assert differences(worked) == []


def test_every_row_is_worked() -> None:
    """Each row of each paytable is paid in a worked round."""
    library = registry.library(NAME)
    rows = {row.hand for key in library for row in library[key].rows}
    seats = [seat for worked in ROUNDS for seat in settle(round_from(worked.data)).seats]
    assert rows <= {bet.why.split(" pays ")[0] for seat in seats for bet in seat.bets.values()}


def classified() -> Counter[str]:
    """Classify all two-card hands independently of the rules."""
    counts: Counter[str] = Counter()
    for first, second in combinations([(rank, suit) for rank in range(2, 15) for suit in "cdhs"], 2):
        flush, apart = first[1] == second[1], abs(first[0] - second[0])
        if apart in (1, 12):
            counts["straight_flush" if flush else "straight"] += 1
        else:
            counts["nothing" if apart else "pair"] += 1
    return counts


def test_the_bonus_is_exact() -> None:
    """The paytable's house edge equals that of the independent count."""
    counts = classified()
    returned = sum(Fraction(counts[row] * (pays + 1), 1326) for row, pays in BONUS.items())
    (report,) = bet_reports(registry.paytable(NAME, "bonus", "1"), {})
    assert {line.hand: line.deals for line in report.lines} == counts
    assert report.figures["house edge"] == 1 - returned


def test_the_base_game_is_exact() -> None:
    """Every deal is counted, and the house edge is the published figure."""
    report = base_report(NAME, {})
    assert sum(line.deals for line in report.lines) == 1326 * 1225
    assert f"{float(report.figures['house edge']):.4%}" == "5.4144%"


def test_deals_of_one_outcome_are_settled_alike() -> None:
    """The solver settles one deal for each outcome: random deals must agree with it."""
    opened, size = GAME.opened({}, {}), GAME.sizes[0]
    examples = {}
    for cards in GAME.counts["examples"].tolist():
        dealt = tuple(DECK[card] for card in cards)
        key = GAME.outcome(GAME.value(dealt[:size]), GAME.value(dealt[size:]))
        examples[key] = GAME.results(opened, dealt)
    dice = random.Random(4)
    for _ in range(500):
        dealt = tuple(dice.sample(DECK, sum(GAME.sizes)))
        key = GAME.outcome(GAME.value(dealt[:size]), GAME.value(dealt[size:]))
        assert GAME.results(opened, dealt) == examples[key], dealt
