"""The five-card link: all five cards dealt, or hole cards and flop; the same hands either way."""

from feltwork.odds.atoms import Atoms, count_hands
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import priced
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import CountedBet, DrawnHand, TitleOdds
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

COUNTED_BY = ("feltwork.odds.atoms", "feltwork.titles.jackpots.five_card")
METHOD = "all 2,598,960 five-card hands, named by the rules; folded hands still qualify"


def count_five_cards() -> Atoms:
    """Count every five-card hand."""
    names = registry.jackpot("five_card").names
    return count_hands(5, lambda cards: names((cards,)))


def atoms() -> Atoms:
    """Load the counts, or count them once."""
    return kept_atoms("five_cards", count_five_cards, of=COUNTED_BY)


def _on_game(paytable: str, game: str) -> Price:
    """Price the link on a game that shows five cards."""
    if not registry.fits(registry.jackpot("five_card"), "", registry.game(game)):
        raise ProblemsError(
            [Problem(game, "does not show five cards", "try game=crazy_4 or game=holdem_bonus")]
        )
    return price(registry.paytable("five_card", "jackpot", paytable), atoms())


ODDS = TitleOdds(
    bets={
        "jackpot": CountedBet(
            atoms=atoms,
            method=METHOD,
            drawn=DrawnHand((5,), registry.jackpot("five_card").names, COUNTED_BY),
        )
    },
    figures=priced(
        "five_card/{paytable}",
        ("hit_frequency", "fixed_return"),
        _on_game,
        listed={
            "paytable": registry.library("five_card").ids_of("jackpot"),
            "game": ("crazy_4", "holdem_bonus"),
        },
        method=METHOD,
    ),
)
