"""Mistakes that reproduce a printed figure: each is computed, so that anybody can see the number come out."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from feltwork.hands.category import Hand, names_of
from feltwork.hands.four_card import ROWS, FourCardCategory
from feltwork.odds import baccarat
from feltwork.odds.figures import four_card_games, shoe_games
from feltwork.odds.figures.figure import decimal
from feltwork.odds.meters import long_run
from feltwork.odds.pricing import price
from feltwork.titles import registry


@dataclass(frozen=True, slots=True)
class Mistake:
    """How a printed figure comes about, where the rules as written give another."""

    says: str | Callable[[], str]
    #: The value under the mistake; none where the figure is shown to be impossible instead.
    value: Callable[[], Fraction] | None = None
    #: The printed digits were cut off, not rounded.
    cuts_off: bool = False


def three_of_a_kind_or_better() -> Fraction:
    """How often the best four are three of a kind or better."""
    atoms = four_card_games.best_four_atoms()
    wanted = {"three_of_a_kind", "straight_flush", "four_of_a_kind"}
    return Fraction(sum(deals for names, deals in atoms.items() if names & wanted), sum(atoms.values()))


def bad_beat_from_two_decks(paytable: str) -> Fraction:
    """The Bad Beat edge if both hands came from decks of their own and equal kinds always beat each other."""
    atoms = four_card_games.best_four_atoms()
    total = sum(atoms.values())
    chances = {category: Fraction(0) for category in FourCardCategory}
    for names, deals in atoms.items():
        kinds = [kind for kind in reversed(FourCardCategory) if kind.name.lower() in names]
        category = kinds[0] if kinds else FourCardCategory.HIGH_CARD
        chances[category] += Fraction(deals, total)
    table = registry.paytable("crazy_4", "bad_beat", paytable)
    edge = Fraction(1)
    for category in (kind for kind in FourCardCategory if kind >= FourCardCategory.TWO_PAIR):
        better = sum((chances[kind] for kind in FourCardCategory if kind > category), Fraction(0))
        beaten = chances[category] ** 2 + 2 * chances[category] * better
        priced = price(table, {names_of(Hand(category, (2,)), ROWS): 1})
        edge -= beaten * priced.fixed_return
    return edge


def nine_over_zero_with_naturals(decks: int) -> Fraction:
    """How often a side wins nine over zero, naturals counted."""
    atoms = baccarat.count_decks(decks).dragon("either")
    return Fraction(sum(deals for names, deals in atoms.items() if "win_by_9" in names), sum(atoms.values()))


def dragon_needs_two_contributions() -> str:
    """Which contributions the two figures printed for Dragon paytable 1 would need."""
    priced = shoe_games.dragon("1", "8", "either")
    seeds = {"jackpot": Fraction(10_000)}
    hold = Fraction(2290, 10_000)
    written = long_run.contribution_for(priced, hold=hold, seeds=seeds)
    naturals = nine_over_zero_with_naturals(8) - priced.hit_frequency
    counted = written - 10 * naturals
    average = 98_101 * priced.mean_share("jackpot") - 10_000 * priced.whole_share_probability("jackpot")
    as_written, with_naturals, by_average = (
        decimal(100 * contribution, 4) for contribution in (written, counted, average)
    )
    return (
        f"it needs a contribution of {as_written} % as written and {with_naturals} % with naturals, "
        f"while the average beside it needs {by_average} %"
    )


def _both_columns() -> str:
    return f'{dragon_needs_two_contributions()}; and "to 1" cannot hold as much as "for 1"'


_AVERAGE = "no contribution gives both this and the advantage printed beside it"
_TRIPS = "straights and flushes were left out: it is how often three of a kind or better is dealt"
_NATURALS = "naturals were counted, which the row excludes, with six decks"
_SIMULATED = (
    "no deck count gives it; the three figures printed for this one event disagree by as much as a "
    "simulation of about a thousand million rounds would"
)

_QUERY = "decks=8&side=either&contribution=0.20&seed=10000"

#: By figure and printed text.
MISTAKES: dict[tuple[str, str], Mistake] = {
    ("crazy_4/super_bonus/hit_frequency", "2.36%"): Mistake(_TRIPS, three_of_a_kind_or_better),
    ("crazy_4/bad_beat/BBB-02/house_edge", "17.3%"): Mistake(
        "both hands were dealt from decks of their own, and equal kinds always beat each other",
        lambda: bad_beat_from_two_decks("BBB-02"),
    ),
    ("crazy_4/bad_beat/BBB-01/hit_frequency", "6.59%"): Mistake(
        "impossible beside its own edge: every hit returns at least 21 units, so that the edge would be "
        "below -38 %"
    ),
    ("dragon/1/hit_frequency?decks=8&side=either", "3.47%"): Mistake(
        _NATURALS, lambda: nine_over_zero_with_naturals(6)
    ),
    ("dragon/1-5/hit_frequency?decks=8&side=either", "3.47%"): Mistake(
        _NATURALS, lambda: nine_over_zero_with_naturals(6)
    ),
    ("dragon/2/hit_frequency?decks=8&side=player", "16.99%"): Mistake(
        "the digits were cut off instead of rounded",
        lambda: shoe_games.dragon("2", "8", "player").hit_frequency,
        cuts_off=True,
    ),
    (f"dragon/1/hold?{_QUERY}", "22.90%"): Mistake(dragon_needs_two_contributions),
    (f"dragon/1-5/hold?{_QUERY}", "22.90%"): Mistake(_both_columns),
    (f"dragon/1/mean_meter?{_QUERY}", "$98,101"): Mistake(_AVERAGE),
    (f"dragon/1-5/mean_meter?{_QUERY}", "$490,504"): Mistake(_AVERAGE),
    ("dragon/1/top_odds?decks=8&side=either", "569,182"): Mistake(_SIMULATED),
    ("dragon/1-5/top_odds?decks=8&side=either", "569,182"): Mistake(_SIMULATED),
    ("dragon/2/top_odds?decks=8&side=banker", "2,011,729"): Mistake(_SIMULATED),
    ("dragon/2/top_odds?decks=8&side=player", "855,757"): Mistake(_SIMULATED),
}
