"""Blackjack: optimal play, and House Money with and without its parlay."""

from fractions import Fraction
from functools import partial

from feltwork.odds.atoms import Atoms
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import WAGER, priced
from feltwork.odds.figures.figure import Family
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import CountedBet, TitleOdds
from feltwork.odds.titles.blackjack import parlay, strategy
from feltwork.odds.titles.blackjack.rules import Rules, Soft17
from feltwork.titles import registry

DRAWN = "every draw of the cards the bet looks at, named by the rules"


def _atoms(decks: str) -> Atoms:
    return kept_atoms(f"house_money-{decks}", lambda: parlay.house_money(int(decks)))


def _house_money(paytable: str, decks: str) -> Price:
    """Price House Money with every win taken at once."""
    return price(registry.paytable("blackjack", "house_money", paytable), _atoms(decks))


def _with_parlay(*, paytable: str, decks: str, soft_17: str) -> Fraction:
    rules = Rules(decks=int(decks), soft_17="hit" if soft_17 == "hit" else "stand")
    entry = parlay.certificate(rules, paytable) or parlay.certify(rules, paytable)
    return Fraction(entry["house_edge"])


def _is_rederived(soft_17: Soft17) -> bool:
    rules = Rules(decks=6, soft_17=soft_17)
    return parlay.certify(rules, "1") == parlay.certificate(rules, "1")


ODDS = TitleOdds(
    bets={
        "house_money": CountedBet(atoms=_atoms, method=DRAWN, options={"decks": ("6", "1", "2", "4", "8")})
    },
    figures=(
        *(
            family
            for paytable, decks in (("1", ("2", "4", "6", "8")), ("2", ("1",)))
            for family in priced(
                f"blackjack/house_money/{paytable}",
                ("house_edge",),
                partial(_house_money, paytable),
                listed={"decks": decks},
                method=DRAWN,
            )
        ),
        Family(
            path="blackjack/house_money/{paytable}/house_edge_with_parlay",
            unit=WAGER,
            method=f"shipped certificate, re-derived by --recompute: {parlay.METHOD}",
            compute=_with_parlay,
            listed={"paytable": ("1",), "decks": ("6",), "soft_17": ("stand", "hit")},
        ),
    ),
    advise=strategy.advise,
    player=strategy.player,
    solved_options=strategy.SOLVED_OPTIONS,
    certificates={
        "blackjack/house_money parlay, soft 17 stand": partial(_is_rederived, "stand"),
        "blackjack/house_money parlay, soft 17 hit": partial(_is_rederived, "hit"),
    },
)
