"""Blazing 7's: the player's first two cards and the dealer's up card."""

from collections.abc import Mapping
from fractions import Fraction

from feltwork.odds.atoms import Atoms, count_sights
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import WAGER
from feltwork.odds.figures.figure import Family
from feltwork.odds.meters import long_run
from feltwork.odds.pricing import price
from feltwork.odds.shoe_removals import DRAWN, sights_without_one
from feltwork.odds.title_odds import CountedBet, TitleOdds
from feltwork.titles import registry
from feltwork.titles.cards.card import Card

SEEDS = {"1": "2000", "2": "2000", "ML03": "2000,1000,500", "ML04": "2000,1000"}
DECKS = {"decks": ("6", "8")}


def _atoms(decks: str) -> Atoms:
    return kept_atoms(
        f"blazing_7s-{decks}",
        lambda: count_sights(int(decks), (2, 1), registry.jackpot("blazing_7s").names),
        of=("feltwork.odds.atoms", "feltwork.titles.jackpots.blazing_7s"),
    )


def _removals(decks: str) -> Mapping[Card, Atoms]:
    return sights_without_one(int(decks), (2, 1), registry.jackpot("blazing_7s").names)


def _hold(*, paytable: str, decks: str, contribution: str, seed: str) -> Fraction:
    priced = price(registry.paytable("blazing_7s", "jackpot", paytable), _atoms(decks))
    return long_run.hold_with(priced, contribution, seed)


def _defaults(chosen: Mapping[str, str]) -> dict[str, str]:
    return {"contribution": "0.24", "seed": SEEDS[chosen["paytable"]]}


ODDS = TitleOdds(
    bets={
        "jackpot": CountedBet(
            atoms=_atoms,
            removals=_removals,
            method=DRAWN,
            options=DECKS,
            figures=("hit_frequency",),
        )
    },
    figures=(
        Family(
            path="blazing_7s/{paytable}/hold",
            unit=WAGER,
            method=f"{DRAWN}; {long_run.HOLD}",
            compute=_hold,
            listed={"paytable": tuple(SEEDS), **DECKS},
            implied=_defaults,
        ),
    ),
)
