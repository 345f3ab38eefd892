"""Mini-baccarat: Player, Banker, Tie and the Dragon Bonus."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

from feltwork.odds.atoms import Atoms
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import BET, WAGER
from feltwork.odds.figures.figure import Family
from feltwork.odds.pricing import Price, net_pay, price, returned
from feltwork.odds.title_odds import BaseGame, CountedBet, SolvedGame, TitleOdds, WithBase
from feltwork.odds.titles.mini_baccarat.counts import METHOD, SIDES, count_decks
from feltwork.odds.titles.mini_baccarat.shoe_removals import baccarat_without_one
from feltwork.titles.cards.card import Card
from feltwork.titles.games.mini_baccarat.rules import NATURAL_TIE, SIDE_PAYS
from feltwork.titles.paytables.paytable import Odds, Paytable, Push, Row

TIE_PAYS = ("8", "9")
BASE_BETS = (*SIDES, "tie")
COUNTED_BY = ("feltwork.odds.titles.mini_baccarat.counts",)
DECKS = ("8", "6", "4", "1")


def _winner_atoms(decks: str) -> Atoms:
    return kept_atoms(f"baccarat-{decks}", lambda: count_decks(int(decks)).winners(), of=COUNTED_BY)


def _dragon_bonus_atoms(decks: str, side: str) -> Atoms:
    return kept_atoms(
        f"dragon_bonus-{decks}-{side}", lambda: count_decks(int(decks)).dragon_bonus(side), of=COUNTED_BY
    )


def _dragon_bonus_removals(decks: str, side: str) -> dict[Card, Atoms]:
    return {card: counts.dragon_bonus(side) for card, counts in baccarat_without_one(int(decks)).items()}


def _base_price(bet: str, decks: str, tie_pays: str) -> Price:
    """Price Player, Banker or Tie; a tie returns the stakes of both sides."""
    pays = SIDE_PAYS.get(bet, Odds(int(tie_pays), 1, stake_returned=True))
    rows = (Row(bet, pays, ""),) if bet == "tie" else (Row(bet, pays, ""), Row("tie", Push(), ""))
    return price(Paytable("base", "mini_baccarat", bet, rows), _winner_atoms(decks))


def _dragon_bonus_with_base(paytable: Paytable, decks: str, side: str) -> WithBase:
    """Return the exact covariance with a bet on the same side: every row is a win of it or a natural tie."""
    base, atoms = _base_price(side, decks, TIE_PAYS[0]), _dragon_bonus_atoms(decks, side)
    win = net_pay(base.paytable.rows[0])
    own = products = Fraction(0)
    for names, deals in atoms.items():
        row = paytable.row_for(names)
        if row is not None:
            own += deals * returned(row)
            products += deals * returned(row) * (win if names != NATURAL_TIE else 0)
    total = sum(atoms.values())
    covariance = products / total + base.house_edge * own / total
    return WithBase(covariance=covariance, base_variance=base.variance)


def _base_figure(kind: str, *, bet: str, decks: str) -> Fraction:
    value: Fraction = getattr(_base_price(bet, decks, TIE_PAYS[0]), kind)
    return value


def _solve(decks: str, tie_pays: str) -> SolvedGame:
    prices = {bet: _base_price(bet, decks, tie_pays) for bet in BASE_BETS}
    return SolvedGame(
        strategy=("No decision after the wager: the drawing table plays both hands.",),
        figures={
            f"{label}, {bet}": value
            for bet, priced in prices.items()
            for label, value in (("house edge", priced.house_edge), ("variance", priced.variance))
        },
        outcomes=tuple(
            replace(line, hand=bet if line.hand == bet else f"{bet}: {line.hand}")
            for bet, priced in prices.items()
            for line in priced.row_returns()
        ),
    )


ODDS = TitleOdds(
    bets={
        "dragon_bonus": CountedBet(
            atoms=_dragon_bonus_atoms,
            removals=_dragon_bonus_removals,
            method=METHOD,
            options={"decks": DECKS, "side": SIDES},
            figures=BET,
            with_base=_dragon_bonus_with_base,
            listed={"paytable": ("1", "2", "3"), "decks": ("4", "6", "8"), "side": SIDES},
        )
    },
    base_game=BaseGame(solve=_solve, method=METHOD, options={"decks": DECKS, "tie_pays": TIE_PAYS}),
    figures=tuple(
        Family(
            path=f"mini_baccarat/{{bet}}/{kind}",
            unit=unit,
            method=METHOD,
            compute=partial(_base_figure, kind),
            listed={"bet": BASE_BETS, "decks": DECKS[::-1]},
        )
        for kind, unit in (("house_edge", WAGER), ("variance", "wagers squared"))
    ),
)
