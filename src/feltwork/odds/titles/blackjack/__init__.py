"""Blackjack: optimal play under any house options, and House Money priced with its decision."""

from fractions import Fraction
from functools import partial

from feltwork.odds.atoms import Atoms
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import WAGER, priced
from feltwork.odds.figures.figure import Family
from feltwork.odds.pricing import Price, price
from feltwork.odds.shoe_removals import DRAWN
from feltwork.odds.title_odds import BaseGame, CountedBet, SolvedGame, TitleOdds
from feltwork.odds.titles.blackjack import parlay, round_values, strategy
from feltwork.odds.titles.blackjack.rules import Rules, Soft17, rules_of
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable

METHOD = (
    "optimal play of the whole shoe by dynamic programming, error below 1e-12; a split hand is played as the "
    "same cards unsplit"
)
COUNTED_BY = ("feltwork.odds.atoms", "feltwork.titles.games.blackjack.rules")
OPTIONS = {
    option.name: tuple(str(value).lower() for value in option.values)
    for option in registry.game("blackjack").options
}
#: Options with House Money, which requires a dealer who peeks [HM.house_money.4].
PARLAY_OPTIONS = {name: values for name, values in OPTIONS.items() if name not in ("decks", "dealer_peeks")}


def _atoms(decks: str) -> Atoms:
    return kept_atoms(f"house_money-{decks}", lambda: parlay.house_money(int(decks)), of=COUNTED_BY)


def _paytable(identifier: str) -> Paytable:
    return registry.paytable("blackjack", "house_money", identifier)


def _house_money(paytable: str, decks: str) -> Price:
    """Price House Money with every win taken immediately."""
    return price(_paytable(paytable), _atoms(decks))


def _with_parlay(*, paytable: str, decks: str, soft_17: str) -> Fraction:
    rules = Rules(decks=int(decks), soft_17="hit" if soft_17 == "hit" else "stand")
    entry = parlay.certificate(rules, _paytable(paytable)) or parlay.certify(rules, _paytable(paytable))
    return Fraction(entry["house_edge"])


def _is_rederived(soft_17: Soft17) -> bool:
    rules = Rules(decks=6, soft_17=soft_17)
    return parlay.certify(rules, _paytable("1")) == parlay.certificate(rules, _paytable("1"))


def _solve(**options: str) -> SolvedGame:
    edge = round(-round_values.expected(rules_of(options)), 13)
    return SolvedGame(
        strategy=("Play every hand by its exact cards: `feltwork advise blackjack` values each choice.",),
        figures={"house edge": edge},
        error=round_values.ERROR,
    )


ODDS = TitleOdds(
    bets={
        "house_money": CountedBet(
            atoms=_atoms,
            method=DRAWN,
            options={"decks": OPTIONS["decks"]},
            play_options=PARLAY_OPTIONS,
            decide=parlay.decide,
        )
    },
    base_game=BaseGame(solve=_solve, method=METHOD, options=OPTIONS),
    figures=(
        *(
            family
            for paytable, decks in (("1", ("2", "4", "6", "8")), ("2", ("1",)))
            for family in priced(
                f"blackjack/house_money/{paytable}",
                ("house_edge",),
                partial(_house_money, paytable),
                listed={"decks": decks},
                method=f"{DRAWN}; every win taken",
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
    asks=strategy.ASKS,
    player=strategy.player,
    certificates={
        "blackjack/house_money parlay, soft 17 stand": partial(_is_rederived, "stand"),
        "blackjack/house_money parlay, soft 17 hit": partial(_is_rederived, "hit"),
    },
)
