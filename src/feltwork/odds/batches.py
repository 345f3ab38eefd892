"""Simulated rounds in batches: the rules play rounds that are decided and settled alike only once.

A title defines which rounds are alike. One round of each class goes through the title's own `play` and
`settle`; the others are only counted.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from feltwork.odds.lazy_numpy import np
from feltwork.titles.cards.card import DECK
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.round import Round
from feltwork.titles.title import Decide, Decision

if TYPE_CHECKING:
    import numpy.typing as npt

Strategy: TypeAlias = Literal["exact", "simple"]
Keys: TypeAlias = "npt.NDArray[np.int64]"
#: One row per round, one column per card in the order of the shoe.
Dealt: TypeAlias = "npt.NDArray[np.int64]"
BATCH = 50_000


@dataclass(frozen=True, slots=True)
class AlikeRounds:
    """Keys that identify alike rounds of one seat, from the first cards of the shoe."""

    cards: int
    #: Rounds with the same key are decided alike, by optimal play and by the rule of thumb.
    decided: Callable[[Dealt], Keys]
    #: Rounds with the same key and the same choices are settled alike.
    settled: Callable[[Dealt], Keys]


def classes(
    opened: Round, alike: AlikeRounds, *, rounds: int, seed: int, decide: Decide
) -> Iterator[tuple[Round, int]]:
    """Deal in batches and yield one played round of each class, with the number of rounds in the class."""
    from feltwork.odds.kernels.dealing import deal

    dice = np.random.default_rng(seed)
    choices: dict[int, int] = {}
    numbers: dict[tuple[str, ...], int] = {}
    known: dict[int, Round] = {}
    tally: Counter[int] = Counter()
    for start in range(0, rounds, BATCH):
        size = min(BATCH, rounds - start)
        draws = dice.integers(0, 52 - np.arange(alike.cards), size=(size, alike.cards))
        dealt = np.empty((size, alike.cards), dtype=np.int64)
        deal(draws, dealt)
        keys, first, inverse = np.unique(alike.decided(dealt), return_index=True, return_inverse=True)
        for key, place in zip(keys.tolist(), first.tolist(), strict=True):
            if key not in choices:
                round_choices = _choices(opened, dealt[place], decide)
                choices[key] = numbers.setdefault(round_choices, len(numbers))
        chosen = np.array([choices[key] for key in keys.tolist()])[inverse.ravel()]
        settled = alike.settled(dealt)
        both, first, counts = np.unique(
            settled * MOST_CHOICES + chosen, return_index=True, return_counts=True
        )
        for key, place, count in zip(both.tolist(), first.tolist(), counts.tolist(), strict=True):
            if key not in known:
                known[key] = _played(opened, dealt[place], decide)
            tally[key] += count
    for key, count in tally.items():
        yield known[key], count


#: Upper bound on the ways to choose in one round of any game.
MOST_CHOICES = 64


def _played(opened: Round, cards: Keys, decide: Decide) -> Round:
    return opened.game.play(opened, Shoe(DECK[card] for card in cards.tolist()), decide)


def _choices(opened: Round, cards: Keys, decide: Decide) -> tuple[str, ...]:
    choices: list[str] = []

    def note(decision: Decision) -> str:
        choices.append(decide(decision))
        return choices[-1]

    _played(opened, cards, note)
    return tuple(choices)
