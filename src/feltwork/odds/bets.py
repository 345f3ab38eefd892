"""Every bet that a paytable pays, with the counts to price it from: any paytable, printed or drafted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from feltwork.odds.atoms import Atoms
from feltwork.odds.figures import five_card_games, four_card_games, shoe_games
from feltwork.odds.pricing import Price, price
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry


@dataclass(frozen=True, slots=True)
class CountedBet:
    """How a bet is counted: from which options, over what."""

    atoms: Callable[..., Atoms]
    method: str
    #: The options that change the counts, with the values they are offered with; the first is the default.
    options: Mapping[str, tuple[str, ...]]


SIDES = ("player", "banker")
BETS: Mapping[tuple[str, str], CountedBet] = {
    ("crazy_4", "queens_up"): CountedBet(four_card_games.best_four_atoms, four_card_games.RANKED, {}),
    ("crazy_4", "bad_beat"): CountedBet(four_card_games.bad_beat_atoms, four_card_games.SWEPT, {}),
    ("six_five_four", "queens_up"): CountedBet(four_card_games.best_four_atoms, four_card_games.RANKED, {}),
    ("four_card", "jackpot"): CountedBet(four_card_games.best_four_atoms, four_card_games.RANKED, {}),
    ("holdem_bonus", "bonus"): CountedBet(
        lambda: five_card_games.kept("hole_cards"), five_card_games.PAIRS, {}
    ),
    ("five_card", "jackpot"): CountedBet(
        lambda: five_card_games.kept("five_cards"), five_card_games.FIVE, {}
    ),
    ("holdem", "jackpot"): CountedBet(
        lambda: five_card_games.kept("hole_and_board"), five_card_games.SEVEN, {}
    ),
    ("caribbean_stud", "cover_all"): CountedBet(
        five_card_games.cover_all_atoms,
        five_card_games.COVERED,
        {"hands": tuple(map(str, range(2, 9)))},
    ),
    ("mini_baccarat", "dragon_bonus"): CountedBet(
        shoe_games.dragon_bonus_atoms, shoe_games.COUNTED, {"decks": ("8", "6", "4", "1"), "side": SIDES}
    ),
    ("dragon", "jackpot"): CountedBet(
        shoe_games.dragon_atoms, shoe_games.COUNTED, {"decks": ("8", "6"), "side": ("either", *SIDES)}
    ),
    ("blackjack", "house_money"): CountedBet(
        lambda decks: shoe_games.kept("blackjack", int(decks)),
        shoe_games.DRAWN,
        {"decks": ("6", "1", "2", "4", "8")},
    ),
    ("blazing_7s", "jackpot"): CountedBet(
        lambda decks: shoe_games.kept("blazing_7s", int(decks)), shoe_games.DRAWN, {"decks": ("6", "8")}
    ),
    ("trilux", "jackpot"): CountedBet(
        lambda decks: shoe_games.kept("trilux", int(decks)), shoe_games.DRAWN, {"decks": ("6", "8")}
    ),
}


def counted(title: str, bet: str) -> CountedBet:
    """How a bet is counted; a bet that is part of a base game has no counts of its own."""
    found = BETS.get((title, bet))
    if found is None:
        known = ", ".join(sorted(name for one, name in BETS if one == title))
        where, remedy = f"{title}/{bet}", f"choose from: {known}"
        if not known:
            remedy = "choose another title, or teach feltwork.odds.bets to count it"
            raise ProblemsError([Problem(where, "no bet of this title is counted here", remedy)])
        if registry.library(title).ids_of(bet):
            raise ProblemsError(
                [Problem(where, "is part of the base game and not counted by itself", remedy)]
            )
        raise ProblemsError([Problem(where, "there is no such bet", remedy)])
    return found


def reprice(paytable: Paytable, options: Mapping[str, str]) -> Price:
    """Price any paytable of a bet from its counts, exactly and in milliseconds."""
    bet = counted(paytable.title, paytable.bet)
    return price(paytable, bet.atoms(**chosen_options(bet, options)))


def chosen_options(bet: CountedBet, options: Mapping[str, str]) -> dict[str, str]:
    """The options in force: those given, and defaults for the others."""
    problems = [
        Problem(name, f"{value!r} does not fit here", f"use one of: {_told(bet, name)}")
        for name, value in options.items()
        if value not in bet.options.get(name, ())
    ]
    if problems:
        raise ProblemsError(problems)
    return {name: options.get(name, values[0]) for name, values in bet.options.items()}


def _told(bet: CountedBet, name: str) -> str:
    if name in bet.options:
        return ", ".join(f"{name}={value}" for value in bet.options[name])
    return ", ".join(bet.options) or "no options"
