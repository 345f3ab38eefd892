"""Figures of the games out of a shoe: baccarat, blackjack and the jackpots on them."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial

from feltwork.odds import baccarat, shoe_bets
from feltwork.odds.atoms import Atoms
from feltwork.odds.blackjack import parlay
from feltwork.odds.blackjack.rules import Rules
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import DOLLARS, WAGER, priced
from feltwork.odds.figures.figure import Family
from feltwork.odds.meters import long_run
from feltwork.odds.pricing import Price, price
from feltwork.paytables.paytable import Odds
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.games.mini_baccarat.rules import SIDE_PAYS

COUNTED = "every ordered six-card deal counted by point values; suits from each suit's own cards"
HOLD = "1 - fixed return - contribution - each seed times the chance of its 100 % prize"
DRAWN = "every draw of the cards the bet looks at, named by the rules"
TIE_PAYS = Odds(8, 1, stake_returned=True)


def winner_atoms(decks: str) -> Atoms:
    """Deals by the side that won."""
    return kept_atoms(f"baccarat-{decks}", lambda: baccarat.count_decks(int(decks)).winners())


def base_edge(*, bet: str, decks: str) -> Fraction:
    """The house edge of Player, Banker or Tie."""
    atoms = winner_atoms(decks)
    deals = sum(atoms.values())
    pays = TIE_PAYS if bet == "tie" else SIDE_PAYS[bet]
    won = atoms[frozenset({bet})]
    pushed = 0 if bet == "tie" else atoms[frozenset({"tie"})]
    return Fraction(deals - pushed - won, deals) - Fraction(won, deals) * Fraction(pays.wins, pays.per)


def dragon_bonus_atoms(decks: str, side: str) -> Atoms:
    """What the Dragon Bonus on one side calls the deals."""
    name = f"dragon_bonus-{decks}-{side}"
    return kept_atoms(name, lambda: baccarat.count_decks(int(decks)).dragon_bonus(side))


def dragon_bonus(paytable: str, decks: str, side: str) -> Price:
    """The Dragon Bonus on one side."""
    return price(
        registry.paytable("mini_baccarat", "dragon_bonus", paytable), dragon_bonus_atoms(decks, side)
    )


def dragon_atoms(decks: str, side: str) -> Atoms:
    """What the Dragon jackpot calls the deals that a side wins, or either."""
    name = f"dragon-{decks}-{side}"
    return kept_atoms(name, lambda: baccarat.count_decks(int(decks)).dragon(side))


def dragon(paytable: str, decks: str, side: str) -> Price:
    """The Dragon jackpot for bettors of a side, or for the table as a whole."""
    return price(registry.paytable("dragon", "jackpot", paytable), dragon_atoms(decks, side))


@cache
def kept(title: str, decks: int) -> Atoms:
    """The counts of a bet on the first cards out of a shoe."""
    if title == "blackjack":
        return kept_atoms(f"house_money-{decks}", lambda: shoe_bets.house_money(decks))
    return kept_atoms(f"{title}-{decks}", lambda: shoe_bets.blackjack_jackpot(title, decks))


def house_money(paytable: str, decks: str) -> Price:
    """House Money, every win taken at once."""
    return price(registry.paytable("blackjack", "house_money", paytable), kept("blackjack", int(decks)))


def jackpot(title: str, paytable: str, decks: str) -> Price:
    """A blackjack jackpot that looks at the dealer's up card."""
    return price(registry.paytable(title, "jackpot", paytable), kept(title, int(decks)))


def house_money_with_parlay(*, paytable: str, decks: str, soft_17: str) -> Fraction:
    """House Money with the best use of the proceeds."""
    rules = Rules(decks=int(decks), soft_17="hit" if soft_17 == "hit" else "stand")
    certified = parlay.certified_edge(rules, paytable)
    if certified is None:
        certified = Fraction(parlay.certify(rules, paytable)["house_edge"])
    return certified


def _hold(priced: Price, contribution: str, seed: str) -> Fraction:
    """The hold with one seed for each meter, written with commas."""
    levels = priced.paytable.levels
    seeds = [Fraction(amount) for amount in seed.split(",")]
    if len(seeds) != len(levels):
        what = f"paytable {priced.paytable.id} has {len(levels)} meters"
        raise ProblemsError([Problem("seed", what, "give one seed for each")])
    return long_run.hold(
        priced, contribution=Fraction(contribution), seeds=dict(zip(levels, seeds, strict=True))
    )


def blazing_hold(*, paytable: str, decks: str, contribution: str, seed: str) -> Fraction:
    """The hold of Blazing 7's."""
    return _hold(jackpot("blazing_7s", paytable, decks), contribution, seed)


def dragon_hold(*, paytable: str, decks: str, side: str, contribution: str, seed: str) -> Fraction:
    """The hold of the Dragon jackpot."""
    return _hold(dragon(paytable, decks, side), contribution, seed)


def dragon_mean_meter(*, paytable: str, decks: str, side: str, contribution: str, seed: str) -> Fraction:
    """The Dragon meter when it is hit, on average."""
    priced = dragon(paytable, decks, side)
    return long_run.mean_meter(
        priced, level="jackpot", contribution=Fraction(contribution), seed=Fraction(seed)
    )


_BLAZING_SEEDS = {"1": "2000", "2": "2000", "ML03": "2000,1000,500", "ML04": "2000,1000"}


def _blazing_defaults(chosen: Mapping[str, str]) -> dict[str, str]:
    return {"contribution": "0.24", "seed": _BLAZING_SEEDS[chosen["paytable"]]}


BONUS = {"paytable": ("1", "2", "3"), "decks": ("4", "6", "8"), "side": ("player", "banker")}
DRAGON = {"paytable": ("1", "2", "3"), "decks": ("8",), "side": ("player", "banker", "either")}
BLAZING = {"paytable": ("1", "2", "ML03", "ML04"), "decks": ("6", "8")}
TRILUX = {"paytable": ("6",), "decks": ("6", "8")}

FAMILIES = (
    Family(
        path="mini_baccarat/{bet}/house_edge",
        unit=WAGER,
        method=COUNTED,
        compute=base_edge,
        listed={"bet": ("player", "banker", "tie"), "decks": ("1", "4", "6", "8")},
    ),
    *priced(
        "mini_baccarat/dragon_bonus/{paytable}",
        ("house_edge", "hit_frequency"),
        dragon_bonus,
        listed=BONUS,
        method=COUNTED,
    ),
    *priced(
        "blackjack/house_money/1",
        ("house_edge",),
        partial(house_money, "1"),
        listed={"decks": ("2", "4", "6", "8")},
        method=DRAWN,
    ),
    *priced(
        "blackjack/house_money/2",
        ("house_edge",),
        partial(house_money, "2"),
        listed={"decks": ("1",)},
        method=DRAWN,
    ),
    Family(
        path="blackjack/house_money/{paytable}/house_edge_with_parlay",
        unit=WAGER,
        method=f"shipped certificate, re-derived by --recompute: {parlay.METHOD}",
        compute=house_money_with_parlay,
        listed={"paytable": ("1",), "decks": ("6",), "soft_17": ("stand", "hit")},
    ),
    *priced("dragon/{paytable}", ("hit_frequency", "top_odds"), dragon, listed=DRAGON, method=COUNTED),
    Family(
        path="dragon/{paytable}/hold",
        unit=WAGER,
        method=f"{COUNTED}; {HOLD}",
        compute=dragon_hold,
        listed=DRAGON,
        implied=lambda _: {"contribution": "0.20", "seed": "10000"},
        is_listed=False,
    ),
    Family(
        path="dragon/{paytable}/mean_meter",
        unit=DOLLARS,
        method=f"{COUNTED}; (seed x chance of the whole meter + contribution) / mean share",
        compute=dragon_mean_meter,
        listed=DRAGON,
        implied=lambda _: {"contribution": "0.20", "seed": "10000"},
        is_listed=False,
    ),
    *priced(
        "blazing_7s/{paytable}",
        ("hit_frequency",),
        partial(jackpot, "blazing_7s"),
        listed=BLAZING,
        method=DRAWN,
    ),
    Family(
        path="blazing_7s/{paytable}/hold",
        unit=WAGER,
        method=f"{DRAWN}; {HOLD}",
        compute=blazing_hold,
        listed=BLAZING,
        implied=_blazing_defaults,
    ),
    *priced(
        "trilux/{paytable}",
        ("hit_frequency", "top_odds", "fixed_return", "break_even_meter"),
        partial(jackpot, "trilux"),
        listed=TRILUX,
        method=DRAWN,
    ),
)
