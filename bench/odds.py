"""How fast Feltwork counts: hands per second beside other evaluators, whole solutions beside plain C++.

    uv run python bench/odds.py [--quick]

All is measured in one run, after compilation, in seconds of the processor; the best of a few runs is kept.
The exit status is 1 if evaluators order hands differently, or C++ counts other integers.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import eval7
import numba
import numpy as np
import phevaluator
import pokerkit
from numpy.typing import NDArray

from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.kernels.five_card import hand_value
from feltwork.odds.titles.crazy_4 import counts as crazy_4
from feltwork.odds.titles.crazy_4.solve import prepare
from feltwork.odds.titles.crazy_4.solve import solve as solve_crazy_4
from feltwork.odds.titles.holdem_bonus import counts as holdem_bonus
from feltwork.odds.titles.holdem_bonus.solve import CRITERIA
from feltwork.odds.titles.holdem_bonus.solve import solve as solve_holdem_bonus
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.hands.five_card import best_five

HERE = Path(__file__).parent
COMPILE = ("g++", "-O2", "-pthread", "-o")
SEED = 7
#: A deck on which every kernel is compiled in a blink, the types being those of the full deck.
SMALL_DECK = tuple(range(20, 36))
HOLDEM_COLUMNS = ("decisions", "won", "lost", "won_three_tens", "won_straight", "won_flush")

Totals = dict[str, list[int]]


@numba.njit
def hand_values(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Values of many hands, one per row."""
    values = np.empty(hands.shape[0], np.int64)
    for row in range(hands.shape[0]):
        values[row] = hand_value(hands[row])
    return values


def random_hands(count: int, size: int) -> NDArray[np.int64]:
    """Hands of so many different cards, the same on every run."""
    decks = np.tile(np.arange(52, dtype=np.int8), (count, 1))
    shuffled = np.random.default_rng(SEED).permuted(decks, axis=1)
    return np.ascontiguousarray(shuffled[:, :size], dtype=np.int64)


def rate(evaluate: Callable[[Any], object], hands: Sequence[Any], repetitions: int) -> float:
    """Calls a second, one for each hand."""
    best = float("inf")
    for _ in range(repetitions):
        started = time.process_time()
        for hand in hands:
            evaluate(hand)
        best = min(best, time.process_time() - started)
    return len(hands) / best


def order_of(values: Sequence[Any]) -> list[int]:
    """Each value's place among all values: evaluators agree when these are equal."""
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return [places[value] for value in values]


def evaluators(size: int) -> list[tuple[str, int, Callable[[NDArray[np.int64]], Any], Callable[[Any], Any]]]:
    """Name, share of the hands it gets, how it wants a hand, and how it values one: higher is better."""
    eval7_cards = [eval7.Card(str(card)) for card in DECK]
    # Bound once: the package looks its functions up anew each time they are asked for.
    pheval = phevaluator.evaluate_5cards if size == 5 else phevaluator.evaluate_7cards
    pheval_ids = [phevaluator.Card(str(card)).id_ for card in DECK]
    pokerkit_cards = [next(iter(pokerkit.Card.parse(str(card)))) for card in DECK]
    return [
        ("Feltwork kernel, one by one", 1, lambda row: row, hand_value),
        ("Feltwork rules", 10, lambda row: [DECK[card] for card in row], best_five),
        ("eval7", 1, lambda row: [eval7_cards[card] for card in row], eval7.evaluate),
        (
            "phevaluator",
            1,
            lambda row: [pheval_ids[card] for card in row],
            lambda hand: -pheval(*hand),
        ),
        (
            "pokerkit",
            10 if size == 5 else 100,
            lambda row: tuple(pokerkit_cards[card] for card in row),
            pokerkit.StandardHighHand.from_game,
        ),
    ]


def measure_evaluators(count: int, repetitions: int) -> bool:
    """All evaluators on the same hands; whether each puts them in the order of our kernel."""
    sound = True
    for size in (5, 7):
        many = random_hands(5 * count, size)
        hand_values(many[:10])
        together = len(many) * rate(hand_values, [many], repetitions)
        print(f"{size} cards, Feltwork kernel, many at once: {together:,.0f} hands a second")
        for name, share, prepare_hand, evaluate in evaluators(size):
            rows = many[: count // share]
            hands = [prepare_hand(row) for row in rows]
            own_order = order_of(hand_values(rows[:2000]).tolist())
            agrees = order_of([evaluate(hand) for hand in hands[:2000]]) == own_order
            per_second = rate(evaluate, hands, repetitions)
            print(f"{size} cards, {name}: {per_second:,.0f} hands a second" + "; OTHER ORDER" * (not agrees))
            sound = sound and agrees
    return sound


def run_crazy_4() -> Totals:
    """Counting, optimal play and its price."""
    counts = crazy_4.count()
    pays = pays_by_class(registry.paytable("crazy_4", "super_bonus", "C4P-09"))
    solve_crazy_4(prepare(counts), pays)
    times = counts.multiplicity.astype(np.int64)
    return {"totals": (counts.outcomes @ times).tolist(), "beaten": (counts.dealer_beaten @ times).tolist()}


def read_crazy_4(printed: str) -> Totals:
    """What the C++ program counted."""
    lines = [line.split() for line in printed.splitlines()]
    return {name: [int(number) for number in numbers] for name, *numbers in lines if name != "seconds"}


def run_holdem_bonus() -> Totals:
    """Counting with optimal turn and river bets, then all three criteria."""
    counts = holdem_bonus.count_outcomes()
    for criterion in CRITERIA:
        solve_holdem_bonus(counts, criterion)
    cells = np.array(counts.as_lists(), dtype=np.int64).sum(axis=0)
    totals = dict(zip(HOLDEM_COLUMNS, cells.sum(axis=(0, 1)).tolist(), strict=True))
    totals["turn_bets"], totals["river_bets"] = int(cells[1, :, 0].sum()), int(cells[:, 1, 0].sum())
    return {name: [total] for name, total in totals.items()}


def read_holdem_bonus(printed: str) -> Totals:
    """What the C++ program counted."""
    return {name: [total] for name, total in json.loads(printed).items() if name != "seconds"}


def timed_program(binary: Path) -> tuple[str, float]:
    """Run a compiled program: what it prints, and its seconds, its start included."""

    def cpu() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = cpu()
    printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
    return printed, cpu() - before


def compare(
    program: str, run: Callable[[], Totals], read: Callable[[str], Totals], folder: Path, repetitions: int
) -> bool:
    """Ours and C++ in turn, so that a busy machine hurts both alike; whether both count the same."""
    binary = folder / program
    subprocess.run([*COMPILE, binary, HERE / f"{program}.cpp"], check=True)
    ours, theirs, same = [], [], True
    for _ in range(repetitions):
        before = time.process_time()
        totals = run()
        ours.append(time.process_time() - before)
        printed, seconds = timed_program(binary)
        theirs.append(seconds)
        same = same and read(printed) == totals
    us, cpp = min(ours), min(theirs)
    print(f"{program}: {us:.3f} s, C++ {cpp:.3f} s, ratio {us / cpp:.2f}" + "; OTHER TOTALS" * (not same))
    return same


def main() -> int:
    """Measure, print, and fail when anything that must be equal is not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer hands and repetitions")
    quick = parser.parse_args().quick
    sound = measure_evaluators(20_000 if quick else 200_000, 2 if quick else 5)
    crazy_4.count(SMALL_DECK)
    holdem_bonus.count_outcomes(deck=SMALL_DECK)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sound &= compare("crazy_4", run_crazy_4, read_crazy_4, folder, 2 if quick else 15)
        sound &= compare("holdem_bonus", run_holdem_bonus, read_holdem_bonus, folder, 1 if quick else 5)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
