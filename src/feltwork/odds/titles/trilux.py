"""TriLux: the player's first two cards and the dealer's up card."""

from collections.abc import Mapping

from feltwork.odds.atoms import Atoms, count_sights
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.shoe_removals import DRAWN, sights_without_one
from feltwork.odds.title_odds import CountedBet, TitleOdds
from feltwork.titles import registry
from feltwork.titles.cards.card import Card


def _atoms(decks: str) -> Atoms:
    return kept_atoms(
        f"trilux-{decks}",
        lambda: count_sights(int(decks), (2, 1), registry.jackpot("trilux").names),
        of=("feltwork.odds.atoms", "feltwork.titles.jackpots.trilux"),
    )


def _removals(decks: str) -> Mapping[Card, Atoms]:
    return sights_without_one(int(decks), (2, 1), registry.jackpot("trilux").names)


ODDS = TitleOdds(
    bets={
        "jackpot": CountedBet(
            atoms=_atoms,
            removals=_removals,
            method=DRAWN,
            options={"decks": ("6", "8")},
            figures=("hit_frequency", "top_odds", "fixed_return", "break_even_meter"),
        )
    },
)
