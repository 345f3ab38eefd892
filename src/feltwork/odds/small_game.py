"""Exact play of a small game without kernels: one decision of one seat against hidden dealer cards.

The title defines the value of the cards under its rules and which deals are settled alike. Every deal is
counted by that class, with the seat's cards up to a renaming of suits; one deal of each class is then played
and settled by the title's own `play` and `settle`, once for each choice. This gives the best choice for any
pays.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from feltwork.odds.atoms import Atoms, suit_classes
from feltwork.odds.batches import AlikeRounds, Dealt, Keys, Strategy
from feltwork.odds.count_cache import Arrays, kept_arrays
from feltwork.odds.four_card.classes import suit_masks
from feltwork.odds.title_odds import (
    Advice,
    Asks,
    BaseGame,
    Cards,
    CountedBet,
    Paytables,
    SolvedGame,
    TableOptions,
    TitleOdds,
    net_results,
)
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round
from feltwork.titles.sample_round import STAKE, open_round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decide, Decision, Game

#: Value of a hand under the rules; the values of one game are comparable.
Value: TypeAlias = Any
#: Limit on pairs of hands; more require a kernel.
MOST_PAIRS = 10**9


@dataclass(frozen=True, slots=True)
class Result:
    """A deal played one way, in units of the first wager."""

    net: Fraction
    staked: Fraction
    folded: bool


@dataclass(frozen=True, slots=True)
class SmallGameSolution:
    """The best choice of each hand, in the order of the counts, and its price."""

    best: tuple[str, ...]
    house_edge: Fraction
    element_of_risk: Fraction
    fold_frequency: Fraction
    variance: Fraction
    distribution: Mapping[Fraction, int]


@dataclass(frozen=True)
class SmallGame:
    """A game that deals to a seat, then to the dealer, with one decision of the seat."""

    name: str
    #: Number of cards dealt to the seat and to the dealer.
    sizes: tuple[int, int]
    #: Value of the seat's or the dealer's cards under the rules.
    value: Callable[[Cards], Value]
    #: Outcome of the two values; deals with the same outcome are settled alike.
    outcome: Callable[[Value, Value], Hashable]
    #: The modules that the counts depend on.
    counted_by: tuple[str, ...]
    #: The place of the dealer's cards on the layout.
    place: str = "dealer"
    #: Deals by row names, for each bonus on a wager of the base game.
    bonuses: Mapping[str, Callable[[], Atoms]] = field(default_factory=dict)
    side_bets: Mapping[str, CountedBet] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The title's declaration."""
        return registry.game(self.name)

    @cached_property
    def counts(self) -> Arrays:
        """The ways and the dealer hands by class for each hand, and an example of each class."""
        return kept_arrays(f"{self.name}-play", self._count, of=(__name__, *self.counted_by))

    def _count(self) -> Arrays:
        seat_size, dealer_size = self.sizes
        hands = list(suit_classes(seat_size))
        assert len(hands) * comb(52, dealer_size) <= MOST_PAIRS, "a larger game needs a kernel"
        dealt = np.array(list(combinations(range(52), dealer_size)), dtype=np.int8)
        ranked = [self.value(tuple(DECK[card] for card in cards)) for cards in dealt.tolist()]
        values = sorted(set(ranked))
        number = {value: place for place, value in enumerate(values)}
        dealer_values = np.array([number[value] for value in ranked])
        classes: dict[Hashable, int] = {}
        class_of: dict[Value, npt.NDArray[np.int64]] = {}
        examples: dict[int, tuple[int, ...]] = {}
        rows = []
        for cards, _ in hands:
            own = self.value(cards)
            if own not in class_of:
                numbers = [classes.setdefault(self.outcome(own, other), len(classes)) for other in values]
                class_of[own] = np.array(numbers)
            held = [card.index for card in cards]
            apart = ~np.isin(dealt, held).any(axis=1)
            reached = class_of[own][dealer_values[apart]]
            rows.append(np.bincount(reached))
            for class_number in set(np.flatnonzero(rows[-1]).tolist()) - set(examples):
                examples[class_number] = (*held, *dealt[apart][np.argmax(reached == class_number)].tolist())
        outcomes = np.zeros((len(rows), len(classes)), dtype=np.int64)
        for place, row in enumerate(rows):
            outcomes[place, : len(row)] = row
        example_classes = sorted(examples)
        return {
            "hands": np.array([[card.index for card in cards] for cards, _ in hands], dtype=np.int8),
            "ways": np.array([ways for _, ways in hands], dtype=np.int64),
            "outcomes": outcomes[:, example_classes],
            "examples": np.array([examples[class_number] for class_number in example_classes], dtype=np.int8),
            "values": dealer_values.astype(np.int32),
            "classes": np.array([class_of[value] for value in values], dtype=np.int32),
        }

    def opened(self, paytables: Paytables, options: TableOptions) -> Round:
        """Return a round with the base game's wagers only."""
        opened = open_round(self.game, 1)
        side_bets = {wager.name for wager in self.game.wagers if wager.is_side_bet}
        wagers = {name: STAKE for name in max(self.game.openings, key=len) if name not in side_bets}
        seat = replace(opened.seats[0], wagers=wagers, jackpots=frozenset())
        tables, chosen = {**opened.paytables, **paytables}, {**opened.options, **options}
        return replace(opened, seats=(seat,), jackpots=(), paytables=tables, options=chosen)

    def results(self, opened: Round, cards: Cards) -> dict[str, Result]:
        """Play and settle a deal once for each choice; the smaller stake comes first."""
        decisions: list[Decision] = []

        def note(decision: Decision) -> str:
            decisions.append(decision)
            return decision.choices[0]

        self._played(opened, cards, note)
        assert len(decisions) == 1, "a small game asks once"
        assert not decisions[0].sees, "a small game shows nothing but the seat's own cards"
        return {
            choice: self._result(self._played(opened, cards, _always(choice)))
            for choice in decisions[0].choices
        }

    def _played(self, opened: Round, cards: Cards, decide: Decide) -> Round:
        round_ = self.game.play(opened, Shoe(cards), decide)
        assert (*round_.seats[0].cards, *round_.cards(self.place)) == cards, "cards are dealt in this order"
        return round_

    def _result(self, round_: Round) -> Result:
        (seat,), (settlement,) = round_.seats, settle(round_).seats
        return Result(
            Fraction(settlement.net, STAKE),
            Fraction(sum(seat.wagers.values()), STAKE),
            self.game.folded(round_, seat),
        )

    def solve(self, paytables: Paytables, options: TableOptions) -> SmallGameSolution:
        """Find the best choice for every hand and add up the results."""
        opened = self.opened(paytables, options)
        settled = [
            self.results(opened, tuple(DECK[card] for card in cards))
            for cards in self.counts["examples"].tolist()
        ]
        best, nets = [], Counter[Fraction]()
        staked, folded = Fraction(0), 0
        for ways, row in zip(self.counts["ways"].tolist(), self.counts["outcomes"].tolist(), strict=True):
            worth = _worth(row, settled)
            choice = max(worth, key=lambda name: worth[name])
            best.append(choice)
            for deals, results in zip(row, settled, strict=True):
                if deals:
                    result = results[choice]
                    nets[result.net] += ways * deals
                    staked += result.staked * ways * deals
                    folded += ways * deals * result.folded
        deals = sum(nets.values())
        mean = sum((net * count for net, count in nets.items()), Fraction(0)) / deals
        square = sum((net * net * count for net, count in nets.items()), Fraction(0)) / deals
        return SmallGameSolution(
            tuple(best), -mean, -mean * deals / staked, Fraction(folded, deals), square - mean * mean, nets
        )

    def advise(self, decision: Decision, paytables: Paytables) -> Advice:
        """Compute the exact value of each choice over all dealer hands."""
        opened = self.opened(paytables, decision.options)
        row = self.counts["outcomes"][self._place(decision.cards)].tolist()
        settled: list[dict[str, Result]] = [
            self.results(opened, tuple(DECK[card] for card in cards)) if deals else {}
            for cards, deals in zip(self.counts["examples"].tolist(), row, strict=True)
        ]
        worth = {choice: value / sum(row) for choice, value in _worth(row, settled).items()}
        return Advice(max(worth, key=lambda name: worth[name]), worth)

    @cached_property
    def _places(self) -> dict[tuple[int, ...], int]:
        hands = self.counts["hands"].tolist()
        return {_canonical(hand): place for place, hand in enumerate(hands)}

    def _place(self, cards: Cards) -> int:
        return self._places[_canonical([card.index for card in cards])]

    def player(self, paytables: Paytables, options: TableOptions) -> Decide:
        """Look up the best choice of each hand."""
        best = self.solve(paytables, options).best
        return lambda decision: best[self._place(decision.cards)]

    def alike(self, _paytables: Paytables, _options: TableOptions, _strategy: Strategy) -> AlikeRounds | None:
        """Classify simulated rounds by the seat's cards up to suits, and by the outcome."""
        seat_size, dealer_size = self.sizes
        if seat_size != dealer_size:
            return None
        # The codes of the sorted hands in the order of `combinations`.
        hands = np.array(list(combinations(range(52), seat_size))) @ 64 ** np.arange(seat_size)[::-1]

        def numbers(cards: Dealt) -> Keys:
            codes = np.sort(cards, axis=1) @ 64 ** np.arange(seat_size)[::-1]
            return np.asarray(self.counts["values"][np.searchsorted(hands, codes)])

        def decided(dealt: Dealt) -> Keys:
            from feltwork.odds.kernels.dealing import canonical_deals

            renamed = np.empty((len(dealt), 1), dtype=np.int64)
            canonical_deals(np.ascontiguousarray(dealt[:, :seat_size]), seat_size, renamed)
            return renamed[:, 0]

        def settled(dealt: Dealt) -> Keys:
            outcome_classes = self.counts["classes"][
                numbers(dealt[:, :seat_size]), numbers(dealt[:, seat_size:])
            ]
            return np.asarray(outcome_classes, dtype=np.int64)

        return AlikeRounds(seat_size + dealer_size, decided, settled)

    def question(self, cards: Cards, _sees: Mapping[str, Cards], options: TableOptions) -> Decision:
        """Return the game's decision for these cards."""
        decisions: list[Decision] = []

        def note(decision: Decision) -> str:
            decisions.append(decision)
            return decision.choices[0]

        rest = [card for card in DECK if card not in cards]
        self._played(self.opened({}, options), (*cards, *rest[: self.sizes[1]]), note)
        return decisions[0]

    def in_words(self, play: SmallGameSolution) -> tuple[str, ...]:
        """Describe each best choice by its frequency and by its lowest and highest hand."""
        lines = []
        ways, hands = self.counts["ways"].tolist(), self.counts["hands"].tolist()
        for choice in dict.fromkeys(play.best):
            chosen = [place for place, best in enumerate(play.best) if best == choice]
            values = [self.value(tuple(DECK[card] for card in hands[place])) for place in chosen]
            share = sum(ways[place] for place in chosen) / sum(ways)
            lines.append(f"{choice}: {share:.2%} of the hands, from {min(values)} to {max(values)}.")
        return tuple(lines)

    def odds(self) -> TitleOdds:
        """Declare the base game, its bonuses, its side bets and its decision."""
        tables = {name: registry.library(self.name).ids_of(name) for name in self.bonuses}
        method = (
            f"optimal play over every deal; each class of deals settled by the rules of {self.game.title}"
        )
        bonuses = {
            name: CountedBet(
                atoms=atoms, method=method, solve=self._with(name), play_options=self._switches()
            )
            for name, atoms in self.bonuses.items()
        }
        return TitleOdds(
            bets={**bonuses, **self.side_bets},
            base_game=BaseGame(solve=self._base, method=method, options={**tables, **self._switches()}),
            asks=Asks((self.sizes[0],), {}, self.question),
            advise=self.advise,
            player=self.player,
            alike=self.alike,
        )

    def _switches(self) -> dict[str, tuple[str, ...]]:
        return {
            option.name: tuple(str(value).lower() for value in option.values) for option in self.game.options
        }

    def _with(self, bonus: str) -> Callable[..., SolvedGame]:
        """Return a solver of the game for paytables of one bonus."""

        def solve(paytable: Paytable, **chosen: str) -> SolvedGame:
            return self._solved({bonus: paytable}, chosen)

        return solve

    def _base(self, **chosen: str) -> SolvedGame:
        paytables = {name: registry.paytable(self.name, name, chosen.pop(name)) for name in self.bonuses}
        return self._solved(paytables, chosen)

    def _solved(self, paytables: Paytables, chosen: Mapping[str, str]) -> SolvedGame:
        values = {
            option.name: {str(value).lower(): value for value in option.values}
            for option in self.game.options
        }
        play = self.solve(paytables, {name: values[name][value] for name, value in chosen.items()})
        return SolvedGame(
            strategy=self.in_words(play),
            figures={
                "house edge": play.house_edge,
                "element of risk": play.element_of_risk,
                "fold frequency": play.fold_frequency,
                "variance": play.variance,
            },
            outcomes=net_results(play.distribution),
        )


def _worth(row: list[int], settled: list[dict[str, Result]]) -> dict[str, Fraction]:
    """Add up each choice over the dealer's hands; among equal choices, the first stakes less."""
    reached = [(deals, results) for deals, results in zip(row, settled, strict=True) if deals]
    choices = reached[0][1]
    assert all(list(results) == list(choices) for _, results in reached), "hidden cards offer no choices"
    return {
        choice: sum((deals * results[choice].net for deals, results in reached), Fraction(0))
        for choice in choices
    }


def _canonical(cards: list[int]) -> tuple[int, ...]:
    """Return the rank sets of the suits, regardless of the suits' names."""
    return tuple(sorted(suit_masks(cards)))


def _always(choice: str) -> Decide:
    return lambda _decision: choice
