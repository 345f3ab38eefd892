"""Crazy 4 Poker: counts, optimal play, prices."""

from fractions import Fraction
from functools import cache, lru_cache, partial

from feltwork.odds.figures.families import BASE, BET, ROUNDS, solved
from feltwork.odds.figures.figure import Family, decimal
from feltwork.odds.four_card.class_pays import ClassPays, pays_by_class
from feltwork.odds.lazy_numpy import np
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import (
    BaseGame,
    CountedBet,
    DrawnHand,
    LetterError,
    SolvedGame,
    TitleOdds,
    net_results,
    nothing_folded,
)
from feltwork.odds.titles.crazy_4 import alike, solve, strategy
from feltwork.odds.titles.crazy_4.counts import best_four_atoms, cached_counts
from feltwork.odds.titles.crazy_4.solve import PLAY_WINS, bad_beat_atoms, cached_bases, solution
from feltwork.odds.titles.crazy_4.with_base import bad_beat_with_base, queens_up_with_base
from feltwork.titles import registry
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS, FourCardCategory
from feltwork.titles.jackpots.four_card.rules import names as four_card_names
from feltwork.titles.paytables.paytable import Paytable

METHOD = (
    "optimal play over all 3,986,646,103,440 deals: dealer hands swept upward by value, those disjoint from "
    "the player's five by inclusion-exclusion"
)
UNQUALIFIED = {"super_bonus_unqualified": ("compare", "push")}
BEST_FOUR_DRAWN = DrawnHand((5,), four_card_names, ("feltwork.titles.jackpots.four_card.rules",))
BEST_FOUR = "all 2,598,960 five-card hands ranked by their best four"


@lru_cache(maxsize=64)
def _solve(pays: ClassPays, unqualified: solve.Unqualified) -> SolvedGame:
    play = solve.solve(cached_bases(), pays, unqualified=unqualified)
    margin = strategy.margin(cached_counts(), cached_bases(), play, unqualified=unqualified)
    return SolvedGame(
        strategy=tuple(strategy.in_words(margin)),
        figures={
            "house edge": play.house_edge,
            "element of risk": play.element_of_risk,
            "fold frequency": play.fold_frequency,
            "raise frequency": play.raise_frequency,
            "Super Bonus hit frequency": play.super_bonus_hit_frequency,
            "variance": play.variance,
        },
        outcomes=net_results(play.distribution),
    )


def _solve_paytable(super_bonus: Paytable, super_bonus_unqualified: str) -> SolvedGame:
    return _solve(pays_by_class(super_bonus), "push" if super_bonus_unqualified == "push" else "compare")


def _solve_base(super_bonus: str, super_bonus_unqualified: str) -> SolvedGame:
    paytable = registry.paytable("crazy_4", "super_bonus", super_bonus)
    return _solve_paytable(paytable, super_bonus_unqualified)


def _three_of_a_kind_or_better() -> Fraction:
    atoms = best_four_atoms()
    rows = {"three_of_a_kind", "straight_flush", "four_of_a_kind"}
    return Fraction(sum(deals for names, deals in atoms.items() if names & rows), sum(atoms.values()))


def _bad_beat_from_two_decks(paytable: str) -> Fraction:
    """Price a Bad Beat as if each hand came from its own deck and equal kinds always beat each other."""
    atoms = best_four_atoms()
    total = sum(atoms.values())
    chances = dict.fromkeys(FourCardCategory, Fraction(0))
    for names, deals in atoms.items():
        kinds = [kind for kind in reversed(FourCardCategory) if kind.name.lower() in names]
        chances[kinds[0] if kinds else FourCardCategory.HIGH_CARD] += Fraction(deals, total)
    table = registry.paytable("crazy_4", "bad_beat", paytable)
    edge = Fraction(1)
    for category in (kind for kind in FourCardCategory if kind >= FourCardCategory.TWO_PAIR):
        better = sum((chances[kind] for kind in FourCardCategory if kind > category), Fraction(0))
        beaten = chances[category] ** 2 + 2 * chances[category] * better
        edge -= beaten * price(table, {names_of(Hand(category, (2,)), ROWS): 1}).fixed_return
    return edge


#: Number of straight flushes that the letter's edges of Queens Up leave out.
_LEFT_OUT = 8
#: The edges of Queens Up as printed.
_QUEENS_UP = {"C4P-09": "3.07%", "C4P-10": "4.53%", "C4P-11": "5.33%", "C4P-12": "6.79%"}


def _queens_up_left_out(paytable: str) -> Fraction:
    """Price Queens Up with eight straight flushes unpaid."""
    priced = price(registry.paytable("crazy_4", "queens_up", paytable), best_four_atoms())
    deals = dict(priced.deals)
    place = next(at for at, row in enumerate(priced.paytable.rows) if row.hand == "straight_flush")
    return Price(
        priced.paytable, {**deals, place: deals[place] - _LEFT_OUT, None: deals[None] + _LEFT_OUT}
    ).house_edge


@cache
def _no_threshold_wins_so_often() -> str:
    """Compute how often Play wins if every hand at or above some value is played."""
    values, bases = cached_counts().values, cached_bases()
    wins = bases.weighted[list(PLAY_WINS)].sum(axis=0)
    total = int(bases.multiplicity.sum()) * bases.dealer_hands
    best_first = np.argsort(-values, kind="stable")
    last_of_value = np.append(np.diff(values[best_first]) != 0, True)
    shares = {Fraction(int(won), total) for won in np.cumsum(wins[best_first], dtype=np.int64)[last_of_value]}
    below = max(share for share in shares if share < Fraction(48055, 100_000))
    above = min(share for share in shares if share >= Fraction(48065, 100_000))
    between = [share for share in shares if below < share < above]
    assert not between, between
    return (
        'Play wins 47.34% under optimal play, and no rule of the form "play this hand or better" wins as '
        f"often as printed: the nearest win {decimal(below * 100, 5)}% and {decimal(above * 100, 5)}%"
    )


ODDS = TitleOdds(
    bets={
        "super_bonus": CountedBet(
            atoms=best_four_atoms, method=METHOD, solve=_solve_paytable, play_options=UNQUALIFIED
        ),
        # Optimal play never folds a hand that a row could pay.
        "queens_up": CountedBet(
            atoms=best_four_atoms,
            method=BEST_FOUR,
            figures=BET,
            play_options={"queens_up_on_fold": ("false", "true")},
            with_base=queens_up_with_base,
            drawn=BEST_FOUR_DRAWN,
        ),
        "bad_beat": CountedBet(
            atoms=bad_beat_atoms, method=METHOD, figures=BET, with_base=bad_beat_with_base
        ),
    },
    base_game=BaseGame(
        solve=_solve_base,
        method=METHOD,
        options={"super_bonus": registry.library("crazy_4").ids_of("super_bonus"), **UNQUALIFIED},
    ),
    figures=(
        *solved("crazy_4/base", BASE, solution, listed={}, method=METHOD),
        Family(
            path="crazy_4/super_bonus/hit_frequency",
            unit=ROUNDS,
            method=METHOD,
            compute=lambda: solution().super_bonus_hit_frequency,
            listed={},
        ),
        Family(
            path="crazy_4/base/hit_frequency",
            unit=ROUNDS,
            method=f"{METHOD}; how often Play wins",
            compute=lambda: solution().win_frequency,
            listed={},
            is_listed=False,
        ),
    ),
    advise=strategy.advise,
    asks=strategy.ASKS,
    player=strategy.player,
    alike=alike.alike,
    folded=dict.fromkeys(("four_card", "five_card"), nothing_folded),
    letter_errors={
        ("crazy_4/super_bonus/hit_frequency", "2.36%"): LetterError(
            "straights and flushes were left out: it is how often three of a kind or better is dealt",
            _three_of_a_kind_or_better,
        ),
        **{
            (f"crazy_4/queens_up/{paytable}/house_edge", printed): LetterError(
                f"2,072 straight flushes were counted as {2_072 - _LEFT_OUT:,}",
                partial(_queens_up_left_out, paytable),
            )
            for paytable, printed in _QUEENS_UP.items()
        },
        ("crazy_4/base/hit_frequency", "48.06%"): LetterError(_no_threshold_wins_so_often),
        ("crazy_4/bad_beat/BBB-02/house_edge", "17.3%"): LetterError(
            "the two hands were dealt from separate decks, and equal kinds always beat each other",
            lambda: _bad_beat_from_two_decks("BBB-02"),
        ),
        ("crazy_4/bad_beat/BBB-01/hit_frequency", "6.59%"): LetterError(
            "impossible next to its own edge: every hit returns at least 21 units, so the edge would be "
            "below -38%"
        ),
    },
)
