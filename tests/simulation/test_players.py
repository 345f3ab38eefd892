"""Optimal players of the floor: on sampled rounds they choose what the exact odds call best."""

from collections import Counter
from dataclasses import replace

import pytest

from feltwork.odds import strategy
from feltwork.simulation import players
from feltwork.simulation.floor_runner import connector, live_floor
from feltwork.simulation.floors import room
from feltwork.simulation.simulated_table import SimulatedTable
from feltwork.simulation.stage import simulated_casino
from feltwork.titles.title import Decide, Decision
from feltwork.titles.transcript import transcript

LANTERN = room()


class Listening:
    """An optimal player whose answers are written down."""

    def __init__(self, best: Decide) -> None:
        self.best = best
        self.answered: list[tuple[Decision, str]] = []

    def __call__(self, decision: Decision) -> str:
        self.answered.append((decision, self.best(decision)))
        return self.answered[-1][1]


def answered(table: str, *, exact: bool, decisions: int) -> list[tuple[Decision, str]]:
    """What optimal players of a table were asked first, and what they chose."""
    known = LANTERN.table_by_id[table]
    listening = Listening(players.best_play(known, exact=exact))
    simulated = SimulatedTable(LANTERN, known, seed=table, best=listening)
    while len(listening.answered) < decisions:
        simulated.next()
    return listening.answered


@pytest.mark.whole
@pytest.mark.parametrize(
    ("table", "decisions", "names"),
    [
        ("C1", 800, {"play"}),
        ("S1", 80, {"play"}),
        ("H1", 250, {"flop", "turn", "river"}),
        ("CS1", 200, {"raise"}),
        ("B1", 2_000, {"hand", "house_money"}),
    ],
)
def test_exact_players_choose_what_the_odds_call_best(table: str, decisions: int, names: set[str]) -> None:
    """Every decision of every solved game, against the count of that very hand."""
    known = LANTERN.table_by_id[table]
    counts_by_decision: Counter[str] = Counter()
    for decision, choice in answered(table, exact=True, decisions=decisions):
        assert choice == strategy.advise(known.game.name, decision, known.paytables).best, decision
        counts_by_decision[decision.name] += 1
    assert set(counts_by_decision) == names
    assert min(counts_by_decision.values()) > 15


def test_every_floor_looks_up_the_exact_play_of_crazy_4() -> None:
    known = LANTERN.table_by_id["C2"]
    for decision, choice in answered("C2", exact=False, decisions=300):
        assert choice == strategy.advise("crazy_4", decision, known.paytables).best


def test_other_games_follow_the_rule_of_thumb_unless_asked() -> None:
    """Nobody decides anything at baccarat."""
    for name in ("S1", "H1", "B1", "CS1", "M1"):
        table = LANTERN.table_by_id[name]
        assert players.best_play(table) is table.game.rule_of_thumb
    baccarat = LANTERN.table_by_id["M1"]
    assert players.best_play(baccarat, exact=True) is baccarat.game.rule_of_thumb


def test_every_house_rule_of_blackjack_is_played_exactly() -> None:
    table = LANTERN.table_by_id["B1"]
    for rule in ({"resplit_aces": True}, {"blackjack_pays": "6 to 5"}, {"dealer_peeks": False}):
        changed = replace(table, options={**table.options, **rule})
        assert players.best_play(changed, exact=True) is not table.game.rule_of_thumb


@pytest.mark.whole
def test_a_live_floor_is_exact_where_it_is_asked_to_be() -> None:
    """The same seed: the first rounds of blackjack differ where the rule of thumb errs."""
    house, known = simulated_casino(LANTERN), LANTERN.table_by_id["B1"]

    def dealt(table: SimulatedTable) -> list[dict[str, object]]:
        return [transcript(table.next().round) for _ in range(200)]

    def live(*, exact: bool) -> SimulatedTable:
        floor = live_floor(house, connector("nats://127.0.0.1:1"), seed=4, only=("B1",), exact=exact)
        return floor.tables["B1"].simulated

    best = players.best_play(known, exact=True)
    exact = dealt(live(exact=True))
    assert exact == dealt(SimulatedTable(LANTERN, known, seed=4, best=best))
    assert exact != dealt(live(exact=False))
