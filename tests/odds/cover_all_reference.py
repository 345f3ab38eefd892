"""The sweep behind Cover All in plain Python: slow, readable, and what the kernel is held against.

Ranks are dealt in the order A, 2, 3, .. K. A *state* says what the hands begun so far still need:

* `hands` counts hands begun, except full houses; `fillers` the arbitrary cards that they still lack;
* `triples` and `pairs` are halves of full houses, matched at the very end;
* `runs[n]` straights still need the next n ranks; `aces` straights hold an ace and wait for the ten;
* each suit is (flushes to be drawn at the end, cards used, ranks that its straight flush still needs,
  whether its ace waits for an ace-high straight flush). Cards used are followed only where a flush will be
  drawn, since nothing else asks for them.

Hands are counted as unordered sets. Straights under way are told apart by the cards they hold, so `n` of
them may take `n` chosen cards in n! ways; straights begun on this rank are told apart by this very card.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import comb, factorial
from typing import NamedTuple

from feltwork.odds.titles.caribbean_stud.counts import CORES, Cores, FinalState

Suit = tuple[int, int, int, int]
IDLE, RUN, CORE, STARTS, WAITS = range(5)


class State(NamedTuple):
    hands: int
    fillers: int
    triples: int
    pairs: int
    aces: int
    runs: tuple[int, int, int, int]
    suits: tuple[Suit, ...]


class CoreCards(NamedTuple):
    """What the core cards of one rank become."""

    weight: int
    hands: int = 0
    fillers: int = 0
    triples: int = 0
    pairs: int = 0


def _core_readings(cards: int, cores: Cores) -> Iterator[CoreCards]:
    if cards == 0:
        yield CoreCards(1)
    if cards == 2 and cores.houses:
        yield CoreCards(1, pairs=1)
    if cards == 3 and cores.houses:
        yield CoreCards(1, triples=1)
    if cards == 3 and cores.triple:
        yield CoreCards(cores.triple, hands=1, fillers=2)
    if cards == 4 and cores.quad:
        yield CoreCards(cores.quad, hands=1, fillers=1)
    if cards == 4 and cores.houses:
        yield CoreCards(3, pairs=2)


def _at_ten(state: State) -> State | None:
    """Aces that were put aside join from the ten on; None if a suit would need one card twice."""
    if any(need and waits for _, _, need, waits in state.suits):
        return None
    first, second, third, last = state.runs
    suits = tuple((flushes, used, 4 if waits else need, 0) for flushes, used, need, waits in state.suits)
    return state._replace(aces=0, runs=(first, second, third, last + state.aces), suits=suits)


def _dealt_suit(suit: Suit, role: int) -> Suit:
    flushes, used, need, waits = suit
    if flushes and (need or role != IDLE):
        used += 1
    need = 4 if role == STARTS else max(need - 1, 0)
    return flushes, used, need, 1 if role == WAITS else waits


def _successors(
    state: State, *, position: int, rank_count: int, limit: int, cores: Cores
) -> Iterator[tuple[State, int]]:
    """Every way to deal one rank, with its weight."""
    under_way = sum(state.runs)
    may_start = position <= rank_count - 5
    roles_of = [
        (IDLE,)
        if need
        else (IDLE, RUN, CORE, *((STARTS,) if may_start else ()), *((WAITS,) if position == 0 else ()))
        for _, _, need, _ in state.suits
    ]
    for roles in product(*roles_of):
        run_cards, core_cards = roles.count(RUN), roles.count(CORE)
        suited = roles.count(STARTS) + roles.count(WAITS)
        begun = run_cards - under_way
        if begun < 0 or (begun and not may_start):
            continue
        suits = tuple(sorted(_dealt_suit(suit, role) for suit, role in zip(state.suits, roles, strict=True)))
        if any(used + 5 * flushes > rank_count for flushes, used, _, _ in suits):
            continue
        weight = factorial(under_way) * comb(run_cards, begun) * cores.run**begun * cores.suited**suited
        for aside in range(begun + 1 if position == 0 else 1):
            for core in _core_readings(core_cards, cores):
                following = State(
                    hands=state.hands + begun + suited + core.hands,
                    fillers=state.fillers + core.fillers,
                    triples=state.triples + core.triples,
                    pairs=state.pairs + core.pairs,
                    aces=state.aces + aside,
                    runs=(*state.runs[1:], begun - aside),
                    suits=suits,
                )
                total = weight * comb(begun, aside) * core.weight
                if total and following.hands + max(following.triples, following.pairs) <= limit:
                    yield following, total


def final_states(
    category: str, *, limit: int, flushes: tuple[int, ...], rank_count: int = 13
) -> dict[FinalState, int]:
    """The same as `cover_all_counts.final_states`, states of equal kind added up."""
    cores = CORES[category]
    start = State(0, 0, 0, 0, 0, (0, 0, 0, 0), tuple((number, 0, 0, 0) for number in sorted(flushes)))
    states: dict[State, int] = {start: 1}
    for position in range(rank_count):
        following: defaultdict[State, int] = defaultdict(int)
        for state, count in states.items():
            begun = _at_ten(state) if position == rank_count - 4 else state
            if begun is None or sum(begun.runs) > 4:
                continue
            for successor, weight in _successors(
                begun, position=position, rank_count=rank_count, limit=limit, cores=cores
            ):
                following[successor] += weight * count
        states = dict(following)
    finished: defaultdict[FinalState, int] = defaultdict(int)
    for state, count in states.items():
        unfinished = state.aces or any(state.runs) or any(need or waits for _, _, need, waits in state.suits)
        if not unfinished and state.triples == state.pairs:
            first, second, third, fourth = (used for _, used, _, _ in state.suits)
            used_cards = (first, second, third, fourth)
            finished[FinalState(state.hands, state.fillers, state.triples, used_cards)] += count
    return dict(finished)
