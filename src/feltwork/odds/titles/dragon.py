"""The Dragon jackpot: how the winning baccarat hand was made."""

from fractions import Fraction

from feltwork.odds.atoms import Atoms
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import DOLLARS, WAGER
from feltwork.odds.figures.figure import Family, decimal
from feltwork.odds.meters import long_run
from feltwork.odds.pricing import Price, price
from feltwork.odds.title_odds import CountedBet, LetterError, TitleOdds
from feltwork.odds.titles.mini_baccarat.counts import METHOD, SIDES, count_decks
from feltwork.odds.titles.mini_baccarat.shoe_removals import baccarat_without_one
from feltwork.titles import registry
from feltwork.titles.cards.card import Card

LISTED = {"paytable": ("1", "2", "3"), "decks": ("8",), "side": (*SIDES, "either")}


def _atoms(decks: str, side: str) -> Atoms:
    return kept_atoms(
        f"dragon-{decks}-{side}",
        lambda: count_decks(int(decks)).dragon(side),
        of=("feltwork.odds.titles.mini_baccarat.counts",),
    )


def _removals(decks: str, side: str) -> dict[Card, Atoms]:
    return {card: counts.dragon(side) for card, counts in baccarat_without_one(int(decks)).items()}


def _price(paytable: str, decks: str, side: str) -> Price:
    """Price the jackpot for bettors on a side, or for the table as a whole."""
    return price(registry.paytable("dragon", "jackpot", paytable), _atoms(decks, side))


def _hold(*, paytable: str, decks: str, side: str, contribution: str, seed: str) -> Fraction:
    return long_run.hold_with(_price(paytable, decks, side), contribution, seed)


def _mean_meter(*, paytable: str, decks: str, side: str, contribution: str, seed: str) -> Fraction:
    return long_run.mean_meter(
        _price(paytable, decks, side),
        level="jackpot",
        contribution=Fraction(contribution),
        seed=Fraction(seed),
    )


def _nine_over_zero_with_naturals(decks: int) -> Fraction:
    atoms = count_decks(decks).dragon("either")
    return Fraction(sum(deals for names, deals in atoms.items() if "win_by_9" in names), sum(atoms.values()))


def _needs_two_contributions() -> str:
    """Compute the contributions that the two figures printed for paytable 1 would need."""
    priced = _price("1", "8", "either")
    seeds = {"jackpot": Fraction(10_000)}
    written = long_run.contribution_for(priced, hold=Fraction(2290, 10_000), seeds=seeds)
    naturals = _nine_over_zero_with_naturals(8) - priced.hit_frequency
    counted = written - 10 * naturals
    average = 98_101 * priced.mean_share("jackpot") - 10_000 * priced.whole_share_probability("jackpot")
    as_written, with_naturals, by_average = (
        decimal(100 * contribution, 4) for contribution in (written, counted, average)
    )
    return (
        f"it needs a contribution of {as_written}% as written and {with_naturals}% with naturals, "
        f"while the average beside it needs {by_average}%"
    )


def _hold_by_printed_odds(side: str, printed: int) -> Fraction:
    """Compute the hold of paytable 2 with the letter's printed odds of the top row."""
    chance = _price("2", "8", side).whole_share_probability("jackpot")
    hold = _hold(paytable="2", decks="8", side=side, contribution="0.20", seed="10000")
    return hold + 10_000 * (chance - Fraction(1, printed))


def _needs_another_share(side: str, printed: int, average: int) -> str:
    """Compute how often the 25% row of paytable 2 must hit for the average printed beside the odds."""
    top = Fraction(1, printed)
    suited = 4 * ((10_000 * top + Fraction(1, 5)) / average - top)
    chance = _price("2", "8", side).probability(1)
    return (
        f"with the odds printed for the top row, one in {printed:,}, it needs the 25% row once in "
        f"{round(1 / suited):,} deals, and that row hits once in {round(1 / chance):,}; odds from a "
        "simulation would differ by as much"
    )


def _by_odds(side: str, printed: int) -> LetterError:
    return LetterError(
        f"the hold follows from the odds printed for the top row, one in {printed:,}",
        lambda: _hold_by_printed_odds(side, printed),
    )


_QUERY = "decks=8&side=either&contribution=0.20&seed=10000"
_QUERY_2 = "decks=8&side={}&contribution=0.20&seed=10000"
_AVERAGE = LetterError("no contribution gives both this and the advantage printed beside it")
_NATURALS = LetterError(
    "naturals were counted, which the row excludes, with six decks", lambda: _nine_over_zero_with_naturals(6)
)
_SIMULATED = LetterError(
    "no deck count gives it; the three figures printed for this one event disagree by as much as a "
    "simulation of about a billion rounds would"
)

ODDS = TitleOdds(
    bets={
        "jackpot": CountedBet(
            atoms=_atoms,
            removals=_removals,
            method=METHOD,
            options={"decks": ("8", "6"), "side": ("either", *SIDES)},
            figures=("hit_frequency", "top_odds"),
            listed=LISTED,
        )
    },
    figures=(
        Family(
            path="dragon/{paytable}/hold",
            unit=WAGER,
            method=f"{METHOD}; {long_run.HOLD}",
            compute=_hold,
            listed=LISTED,
            implied=lambda _: {"contribution": "0.20", "seed": "10000"},
            is_listed=False,
        ),
        Family(
            path="dragon/{paytable}/mean_meter",
            unit=DOLLARS,
            method=f"{METHOD}; (seed x chance of the whole meter + contribution) / mean share",
            compute=_mean_meter,
            listed=LISTED,
            implied=lambda _: {"contribution": "0.20", "seed": "10000"},
            is_listed=False,
        ),
    ),
    letter_errors={
        ("dragon/1/hit_frequency?decks=8&side=either", "3.47%"): _NATURALS,
        ("dragon/1-5/hit_frequency?decks=8&side=either", "3.47%"): _NATURALS,
        ("dragon/2/hit_frequency?decks=8&side=player", "16.99%"): LetterError(
            "the digits were truncated instead of rounded",
            lambda: _price("2", "8", "player").hit_frequency,
            truncated=True,
        ),
        (f"dragon/1/hold?{_QUERY}", "22.90%"): LetterError(_needs_two_contributions),
        (f"dragon/1-5/hold?{_QUERY}", "22.90%"): LetterError(
            lambda: f'{_needs_two_contributions()}; and "to 1" cannot hold as much as "for 1"'
        ),
        (f"dragon/1/mean_meter?{_QUERY}", "$98,101"): _AVERAGE,
        (f"dragon/1-5/mean_meter?{_QUERY}", "$490,504"): _AVERAGE,
        (f"dragon/2/hold?{_QUERY_2.format('banker')}", "25.52%"): _by_odds("banker", 2_011_729),
        (f"dragon/2/hold?{_QUERY_2.format('player')}", "17.41%"): _by_odds("player", 855_757),
        (f"dragon/2/mean_meter?{_QUERY_2.format('banker')}", "$231,027"): LetterError(
            lambda: _needs_another_share("banker", 2_011_729, 231_027)
        ),
        (f"dragon/2/mean_meter?{_QUERY_2.format('player')}", "$104,044"): LetterError(
            lambda: _needs_another_share("player", 855_757, 104_044)
        ),
        ("dragon/1/top_odds?decks=8&side=either", "569,182"): _SIMULATED,
        ("dragon/1-5/top_odds?decks=8&side=either", "569,182"): _SIMULATED,
        ("dragon/2/top_odds?decks=8&side=banker", "2,011,729"): _SIMULATED,
        ("dragon/2/top_odds?decks=8&side=player", "855,757"): _SIMULATED,
    },
)
