"""How fast Feltwork counts: hands per second beside other evaluators, whole solutions beside plain C++.

    uv run python bench/odds.py [--quick] [--json]

Everything is measured in one run, after compilation, and the best of a few repetitions is kept. On a machine
that others use too, CPU seconds are the fairer number: wall seconds include the time that others took.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import eval7
import numba
import numpy as np
import phevaluator
import pokerkit
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from feltwork.cards.card import DECK
from feltwork.hands.five_card import best_five
from feltwork.odds.atoms import count_sights
from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.kernels.five_card import hand_value
from feltwork.odds.titles.blackjack import tables
from feltwork.odds.titles.blackjack.rules import Rules
from feltwork.odds.titles.caribbean_stud import cover_all_atoms
from feltwork.odds.titles.crazy_4 import counts as crazy_4
from feltwork.odds.titles.crazy_4.solve import prepare
from feltwork.odds.titles.crazy_4.solve import solve as solve_crazy_4
from feltwork.odds.titles.holdem_bonus import counts as holdem_bonus
from feltwork.odds.titles.holdem_bonus.solve import CRITERIA
from feltwork.odds.titles.holdem_bonus.solve import solve as solve_holdem_bonus
from feltwork.odds.titles.mini_baccarat import counts as baccarat
from feltwork.odds.titles.six_five_four import counts as six_five_four
from feltwork.odds.titles.six_five_four.solve import class_totals
from feltwork.odds.titles.six_five_four.solve import solve as solve_six_five_four
from feltwork.titles import registry

HERE = Path(__file__).parent
COMPILER = "g++"
FLAGS = ("-O2", "-pthread")
NO_COMPILER = "no g++ found: install it (on Debian or Ubuntu: apt install g++) to compare with C++"
AIM = 1.5
SEED = 7
#: Decks on which every kernel is compiled in a blink, the types being those of the full deck.
SMALL_DECK = tuple(range(20, 36))
SIX_DECKS = Rules(6, "stand")

Totals = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Seconds:
    """The best of several repetitions, by the clock and by the processor."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Speed:
    """How many hands an evaluator takes in a second."""

    evaluator: str
    cards: int
    hands: int
    per_second: float
    agrees: bool


@dataclass(frozen=True, slots=True)
class Solution:
    """One full solution: everything that Feltwork computes, and what it must equal in C++."""

    name: str
    warm_up: Callable[[], object]
    run: Callable[[], Totals]
    program: str = ""
    read: Callable[[str], Totals] = lambda _: {}
    #: How often a full run and a quick run repeat it.
    repetitions: tuple[int, int] = (5, 2)


@dataclass(frozen=True, slots=True)
class Result:
    """A measured solution; ratios are ours to C++."""

    name: str
    repetitions: int
    ours: Seconds
    cpp: Seconds | None = None
    same_totals: bool | None = None
    wall_ratio: float | None = None
    cpu_ratio: float | None = None


# Hands per second


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


def hands_per_second(evaluate: Callable[[Any], object], hands: Sequence[Any], repetitions: int) -> float:
    """One call for each hand, the hands being made ready before."""
    best = float("inf")
    for _ in range(repetitions):
        started = time.process_time()
        for hand in hands:
            evaluate(hand)
        best = min(best, time.process_time() - started)
    return len(hands) / best


def batch_per_second(hands: NDArray[np.int64], repetitions: int) -> float:
    """Our kernel on many hands in one call."""
    best = float("inf")
    for _ in range(repetitions):
        started = time.process_time()
        hand_values(hands)
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


def measure_speeds(*, quick: bool) -> list[Speed]:
    """All evaluators on the same hands; each is also held against our kernel."""
    repetitions, count = (2, 20_000) if quick else (5, 200_000)
    speeds = []
    for size in (5, 7):
        many = random_hands(5 * count, size)
        hand_values(many[:10])
        speeds.append(
            Speed(
                "Feltwork kernel, many at once",
                size,
                len(many),
                batch_per_second(many, repetitions),
                agrees=True,
            )
        )
        for name, share, prepare_hand, evaluate in evaluators(size):
            rows = many[: count // share]
            hands = [prepare_hand(row) for row in rows]
            own_order = order_of(hand_values(rows[:2000]).tolist())
            agrees = order_of([evaluate(hand) for hand in hands[:2000]]) == own_order[: len(hands)]
            speeds.append(
                Speed(name, size, len(hands), hands_per_second(evaluate, hands, repetitions), agrees)
            )
    return speeds


# Full solutions


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


def run_six_five_four() -> Totals:
    """Counting with optimal play, and the price."""
    counts = six_five_four.count()
    pays = pays_by_class(registry.paytable("six_five_four", "ante_bonus", "1"))
    solution = solve_six_five_four(class_totals(counts), pays)
    return {"deals": [solution.deals]}


def run_holdem_bonus() -> Totals:
    """Counting with optimal turn and river bets, then all three criteria."""
    counts = holdem_bonus.count_outcomes()
    for criterion in CRITERIA:
        solve_holdem_bonus(counts, criterion)
    cells = np.array(counts.as_lists(), dtype=np.int64).sum(axis=0)
    totals = dict(zip(HOLDEM_COLUMNS, cells.sum(axis=(0, 1)).tolist(), strict=True))
    totals["turn_bets"], totals["river_bets"] = int(cells[1, :, 0].sum()), int(cells[:, 1, 0].sum())
    return {name: [total] for name, total in totals.items()}


HOLDEM_COLUMNS = ("decisions", "won", "lost", "won_three_tens", "won_straight", "won_flush")


def read_holdem_bonus(printed: str) -> Totals:
    """What the C++ program counted."""
    return {name: [total] for name, total in json.loads(printed).items() if name != "seconds"}


def run_baccarat() -> Totals:
    """One shoe of eight decks: the base bets, the Dragon Bonus and the Dragon on every side."""
    baccarat.count_shoe.cache_clear()
    baccarat.final_counts.cache_clear()
    counts = baccarat.count_decks(8)
    bets = [counts.winners(), *map(counts.dragon_bonus, baccarat.SIDES)]
    bets += map(counts.dragon, (*baccarat.SIDES, "either"))
    return {"deals": [sum(atoms.values()) for atoms in bets]}


def run_blackjack_jackpots() -> Totals:
    """Blazing 7's and TriLux out of six decks; the fresh function keeps earlier counts from helping."""
    deals = []
    for title in ("blazing_7s", "trilux"):
        names = registry.jackpot(title).names
        atoms = count_sights(6, (2, 1), lambda sight, names=names: names(sight))  # type: ignore[misc]
        deals.append(sum(atoms.values()))
    return {"deals": deals}


def run_blackjack() -> Totals:
    """Every hand and every split against all ten up cards of six decks."""
    for up in range(1, 11):
        tables.solve(SIX_DECKS.shoe(), up, SIX_DECKS)
    return {}


def run_cover_all() -> Totals:
    """Two to eight hands from the shipped certificate."""
    return {"deals": [sum(cover_all_atoms(str(hands)).values()) for hands in range(2, 9)]}


SOLUTIONS = (
    Solution(
        "Crazy 4",
        lambda: crazy_4.count(SMALL_DECK),
        run_crazy_4,
        program="crazy_4.cpp",
        read=read_crazy_4,
        repetitions=(15, 2),
    ),
    Solution(
        "Hold'em Bonus",
        lambda: holdem_bonus.count_outcomes(deck=SMALL_DECK),
        run_holdem_bonus,
        program="holdem_bonus.cpp",
        read=read_holdem_bonus,
        repetitions=(5, 1),
    ),
    Solution("6-5-4", lambda: six_five_four.count(SMALL_DECK), run_six_five_four, repetitions=(3, 1)),
    Solution("baccarat", run_baccarat, run_baccarat),
    Solution("7's and TriLux", lambda: None, run_blackjack_jackpots, repetitions=(3, 1)),
    Solution(
        "blackjack",
        lambda: tables.solve((2,) * 10, 5, SIX_DECKS),
        run_blackjack,
        repetitions=(3, 1),
    ),
    Solution("Cover All", run_cover_all, run_cover_all),
)


def timed(work: Callable[[], Totals]) -> tuple[Totals, Seconds]:
    """Run something in this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    totals = work()
    return totals, Seconds(time.perf_counter() - wall, time.process_time() - cpu)


def timed_program(binary: Path) -> tuple[str, Seconds]:
    """Run a compiled program, its start included."""

    def cpu() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    wall, before = time.perf_counter(), cpu()
    printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
    return printed, Seconds(time.perf_counter() - wall, cpu() - before)


def compiled(program: str, folder: Path) -> Path:
    """Compile a C++ program of this folder."""
    binary = folder / Path(program).stem
    subprocess.run([COMPILER, *FLAGS, "-o", binary, HERE / program], check=True)
    return binary


def best(seconds: Sequence[Seconds]) -> Seconds:
    """The least wall and the least CPU time seen."""
    return Seconds(min(timing.wall for timing in seconds), min(timing.cpu for timing in seconds))


def measure(solution: Solution, folder: Path | None, *, quick: bool) -> Result:
    """Ours and C++ in turn, so that a busy machine hurts both alike."""
    binary = compiled(solution.program, folder) if solution.program and folder else None
    solution.warm_up()
    repetitions = solution.repetitions[quick]
    own_times, cpp_times, same = [], [], True
    for _ in range(repetitions):
        totals, seconds = timed(solution.run)
        own_times.append(seconds)
        if binary:
            printed, seconds = timed_program(binary)
            cpp_times.append(seconds)
            same = same and solution.read(printed) == totals
    if not cpp_times:
        return Result(solution.name, repetitions, best(own_times))
    us, cpp = best(own_times), best(cpp_times)
    return Result(solution.name, repetitions, us, cpp, same, us.wall / cpp.wall, us.cpu / cpp.cpu)


def machine() -> dict[str, object]:
    """What the numbers depend on; nothing that names the machine."""
    return {
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "flags": " ".join((COMPILER, *FLAGS)),
    }


# Output


def speed_table(speeds: Sequence[Speed]) -> Table:
    """Hands per second for people, five and seven cards side by side."""
    table = Table("evaluator", "five cards", "seven cards", "same order", title="hands per CPU second")
    for column in table.columns[1:3]:
        column.justify = "right"
    for name in dict.fromkeys(speed.evaluator for speed in speeds):
        evaluator_speeds = [speed for speed in speeds if speed.evaluator == name]
        agrees = "yes" if all(speed.agrees for speed in evaluator_speeds) else "NO"
        table.add_row(name, *(f"{speed.per_second:,.0f}" for speed in evaluator_speeds), agrees)
    return table


def result_table(results: Sequence[Result]) -> Table:
    """Full solutions for people."""
    heads = ("wall", "CPU", "C++\nwall", "C++\nCPU", "ratio\nwall", "ratio\nCPU")
    table = Table("solution", *heads, "totals", title="seconds of full solutions")
    for column in table.columns[1:7]:
        column.justify = "right"
    for result in results:
        cpp = (f"{result.cpp.wall:.3f}", f"{result.cpp.cpu:.3f}") if result.cpp else ("", "")
        ratios = (f"{result.wall_ratio:.2f}", f"{result.cpu_ratio:.2f}") if result.cpp else ("", "")
        agreement = {None: "", True: "same", False: "DIFFER"}[result.same_totals]
        table.add_row(
            result.name, f"{result.ours.wall:.3f}", f"{result.ours.cpu:.3f}", *cpp, *ratios, agreement
        )
    return table


def show(report: dict[str, object], speeds: Sequence[Speed], results: Sequence[Result]) -> None:
    """Both tables and what they mean."""
    console = Console()
    console.print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in report.items() if value))
    console.print(speed_table(speeds), result_table(results))
    console.print("Seconds are taken after compilation, the best of some repetitions.")
    console.print(f"Ratio: ours to C++, aim at most {AIM}. Totals: do both count the same integers?")


def main() -> int:
    """Measure, print, and fail when anything that must be equal is not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="fewer hands and repetitions, under 40 seconds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    report = machine()
    report["missing"] = None if shutil.which(COMPILER) else NO_COMPILER
    results = []
    with (
        tempfile.TemporaryDirectory() as directory,
        Console(stderr=True).status("hands per second") as status,
    ):
        folder = None if report["missing"] else Path(directory)
        speeds = measure_speeds(quick=options.quick)
        for solution in SOLUTIONS:
            status.update(solution.name)
            results.append(measure(solution, folder, quick=options.quick))
    if options.json:
        lists = {
            "evaluations": [asdict(speed) for speed in speeds],
            "solutions": [asdict(result) for result in results],
        }
        print(json.dumps({**report, "ratio_aim": AIM, **lists}, indent=2))
    else:
        show(report, speeds, results)
    sound = all(speed.agrees for speed in speeds) and all(
        result.same_totals is not False for result in results
    )
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
