"""Rounds dealt from seeded shuffles, and samples that are held against exact figures.

Cards come from ``random``, play and settlement from the rules; no counting kernel takes part in either.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from statistics import fmean, pstdev

from feltwork.money import DOLLAR
from feltwork.odds.figures import catalog
from feltwork.odds.pricing import Price
from feltwork.odds.sheet import sheet
from feltwork.titles import meter_pays, registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.settlement import BetResult, JackpotResult, SeatResult
from feltwork.titles.title import Decide, Decision, OptionValue

STAKE = 10 * DOLLAR
ERRORS = 3.5


def priced(title: str, bet: str, paytable: str, **options: str) -> Price:
    """A published paytable priced by the counts that its title declares."""
    return sheet(registry.paytable(title, bet, paytable), options).price


def table(
    game: str,
    wagers: Sequence[Sequence[str]],
    *,
    jackpots: Sequence[str] = (),
    variant: str = "",
    **options: OptionValue,
) -> Round:
    """A round before the deal: the wagers of each seat, jackpots that everybody bets, house options."""
    opened = open_round(registry.game(game), len(wagers))
    seats = tuple(
        Seat(number, dict.fromkeys(names, STAKE), jackpots=frozenset(jackpots))
        for number, names in enumerate(wagers, start=1)
    )
    tables = tuple(_on_table(name, variant) for name in jackpots)
    assert set(options) <= set(opened.options), "an option that the game has"
    return replace(opened, seats=seats, jackpots=tables, options={**opened.options, **options})


def _on_table(name: str, variant: str) -> TableJackpot:
    """A jackpot with empty meters, so that awards are fixed pays alone."""
    jackpot = registry.jackpot(name)
    paytable = registry.paytable(name, "jackpot", registry.library(name).ids_of("jackpot")[0])
    options = (*meter_pays.OPTIONS, *jackpot.options)
    return TableJackpot(
        jackpot=jackpot,
        paytable=paytable,
        wager=DOLLAR,
        meters=dict.fromkeys(paytable.levels, 0),
        options={option.name: option.default for option in options},
        variant=variant if variant in jackpot.views else jackpot.variants[0],
    )


def dealt(opened: Round, decide: Decide, *, rounds: int, seed: int, cards: int = 52) -> Iterator[Round]:
    """So many rounds, each from a fresh shuffle of which the first cards are enough."""
    dice = random.Random(seed)
    shoe = decks_of(int(opened.options["decks"]))
    for _ in range(rounds):
        yield opened.game.play(opened, Shoe(dice.sample(shoe, cards)), decide)


def mirrored(
    opened: Round, decide: Decide, *, rounds: int, seed: int, cards: int, hand: int
) -> Iterator[tuple[Round, Round]]:
    """Pairs of rounds in which player and dealer hold each other's cards, the first ``hand`` cards of each.

    What one wins the other loses more or less, so that the mean of a pair varies far less than one round.
    """
    dice = random.Random(seed)
    shoe = decks_of(int(opened.options["decks"]))
    for _ in range(rounds):
        drawn = dice.sample(shoe, cards)
        swapped = [*drawn[hand : 2 * hand], *drawn[:hand], *drawn[2 * hand :]]
        yield (
            opened.game.play(opened, Shoe(drawn), decide),
            opened.game.play(opened, Shoe(swapped), decide),
        )


def results(
    played: Round, *, bets: Mapping[str, str] | None = None, jackpots: Mapping[str, str] | None = None
) -> tuple[SeatResult, ...]:
    """The round settled with these paytables, the same cards and wagers each time."""
    name = played.game.name
    paytables = {bet: registry.paytable(name, bet, identifier) for bet, identifier in (bets or {}).items()}
    tables = tuple(
        _repaid(table, registry.paytable(table.jackpot.name, "jackpot", jackpots[table.jackpot.name]))
        for table in played.jackpots
        if jackpots and table.jackpot.name in jackpots
    )
    settled = settle(replace(played, paytables={**played.paytables, **paytables}, jackpots=tables))
    assert not settled.void
    return settled.seats


def _repaid(table: TableJackpot, paytable: Paytable) -> TableJackpot:
    return replace(table, paytable=paytable, meters=dict.fromkeys(paytable.levels, 0))


def first_choice(decision: Decision) -> str:
    """A player who folds, or takes the money and stands: for bets that no decision touches."""
    preferences = ("fold", "take", "stand")
    return next(choice for choice in preferences if choice in decision.choices)


class Samples:
    """One value per figure and round. Seats of a round share cards, so their mean is one value."""

    def __init__(self) -> None:
        self._values: dict[str, list[float]] = defaultdict(list)

    def add(self, identifier: str, *of_seats: float) -> None:
        self._values[identifier].append(fmean(of_seats))

    def add_bet(self, figure: str, bets: Sequence[BetResult], *, query: str = "") -> None:
        """House edge and hit frequency of a bet."""
        lost = [(bet.staked - bet.returned) / bet.staked for bet in bets]
        self.add(f"{figure}/house_edge{query}", *lost)
        self.add(f"{figure}/hit_frequency{query}", *(bet.outcome == "win" for bet in bets))

    def add_jackpot(self, figure: str, paid: Sequence[JackpotResult], *, query: str = "") -> None:
        """Hit frequency and fixed return of a jackpot with empty meters."""
        self.add(f"{figure}/hit_frequency{query}", *(result.hand is not None for result in paid))
        fixed = [(result.award + result.stake_returned) / result.wager for result in paid]
        self.add(f"{figure}/fixed_return{query}", *fixed)

    def keep(self, *kinds: str) -> "Samples":
        """Only the figures of these kinds: some bets list fewer."""
        samples = Samples()
        samples._values = {
            name: values for name, values in self._values.items() if name.partition("?")[0].endswith(kinds)
        }
        return samples

    def misses(self, exact: Mapping[str, Fraction | float] | None = None) -> dict[str, str]:
        """The figures whose exact value lies too far from the sample; unnamed ones are the catalogue's."""
        deviations = {}
        for name, values in self._values.items():
            expected = float(exact[name] if exact and name in exact else figure(name))
            mean, error = fmean(values), pstdev(values) / sqrt(len(values))
            assert error > 0, f"{name}: nothing varied"
            if abs(mean - expected) > ERRORS * error:
                deviations[name] = f"{mean:.6f}, not {expected:.6f}: {(mean - expected) / error:+.1f} errors"
        return deviations


def figure(identifier: str) -> Fraction:
    value = catalog.figure(identifier).value
    assert isinstance(value, Fraction)
    return value
