"""Mini-baccarat: Player, Banker, Tie and the Dragon Bonus."""

from fractions import Fraction

from feltwork.odds.atoms import Atoms
from feltwork.odds.count_cache import kept_atoms
from feltwork.odds.figures.families import BET, WAGER
from feltwork.odds.figures.figure import Family
from feltwork.odds.pricing import RowReturn
from feltwork.odds.title_odds import BaseGame, CountedBet, SolvedGame, TitleOdds
from feltwork.odds.titles.mini_baccarat.counts import METHOD, SIDES, count_decks
from feltwork.paytables.paytable import Odds
from feltwork.titles.games.mini_baccarat.rules import SIDE_PAYS

TIE_PAYS = Odds(8, 1, stake_returned=True)
BASE_BETS = (*SIDES, "tie")
DECKS = ("8", "6", "4", "1")


def _winner_atoms(decks: str) -> Atoms:
    return kept_atoms(f"baccarat-{decks}", lambda: count_decks(int(decks)).winners())


def _dragon_bonus_atoms(decks: str, side: str) -> Atoms:
    return kept_atoms(f"dragon_bonus-{decks}-{side}", lambda: count_decks(int(decks)).dragon_bonus(side))


def _base_edge(*, bet: str, decks: str) -> Fraction:
    """Compute the house edge of Player, Banker or Tie."""
    atoms = _winner_atoms(decks)
    deals = sum(atoms.values())
    pays = TIE_PAYS if bet == "tie" else SIDE_PAYS[bet]
    won = atoms[frozenset({bet})]
    pushed = 0 if bet == "tie" else atoms[frozenset({"tie"})]
    return Fraction(deals - pushed - won, deals) - Fraction(won, deals) * Fraction(pays.wins, pays.per)


def _solve(decks: str) -> SolvedGame:
    atoms = _winner_atoms(decks)
    deals = sum(atoms.values())
    chances = {"/".join(names): (Fraction(count, deals), count) for names, count in atoms.items()}
    return SolvedGame(
        strategy=(),
        figures={f"house edge, {bet}": _base_edge(bet=bet, decks=decks) for bet in BASE_BETS},
        outcomes=tuple(
            RowReturn(name, "", chance, chance, count) for name, (chance, count) in chances.items()
        ),
    )


ODDS = TitleOdds(
    bets={
        "dragon_bonus": CountedBet(
            atoms=_dragon_bonus_atoms,
            method=METHOD,
            options={"decks": DECKS, "side": SIDES},
            figures=BET,
            listed={"paytable": ("1", "2", "3"), "decks": ("4", "6", "8"), "side": SIDES},
        )
    },
    base_game=BaseGame(solve=_solve, method=METHOD, options={"decks": DECKS}),
    figures=(
        Family(
            path="mini_baccarat/{bet}/house_edge",
            unit=WAGER,
            method=METHOD,
            compute=_base_edge,
            listed={"bet": BASE_BETS, "decks": DECKS[::-1]},
        ),
    ),
)
