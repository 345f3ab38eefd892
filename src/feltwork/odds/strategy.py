"""The optimal decision for any hand: the same question that a table asks a player, answered exactly."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from feltwork.cards.card import TEN, Card
from feltwork.hands.points import blackjack_value
from feltwork.odds.blackjack import parlay
from feltwork.odds.blackjack.rules import Rules
from feltwork.odds.crazy_4 import strategy as crazy_4
from feltwork.odds.crazy_4.solve import Unqualified
from feltwork.odds.figures import five_card_games, four_card_games
from feltwork.odds.four_card.classes import pays_by_class
from feltwork.odds.holdem_bonus.solve import CRITERIA, Criterion
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.title import Decide, Decision, OptionValue


@dataclass(frozen=True, slots=True)
class Advice:
    """The best choice, and what each choice is worth in units of the first wager.

    Of choices worth the same, the one that stakes less is best.
    """

    best: str
    worth: Mapping[str, Fraction]

    def cost_of(self, choice: str) -> Fraction:
        """What a choice gives away against the best one."""
        return self.worth[self.best] - self.worth[choice]


def advise(game: str, decision: Decision, paytables: Mapping[str, Paytable]) -> Advice:
    """Answer a table's question; ``paytables`` are those of the table."""
    if game not in _ANSWERS:
        raise ProblemsError(unsolved(game, decision.options))
    return _ANSWERS[game](decision, paytables)


def optimal(game: str, paytables: Mapping[str, Paytable]) -> Decide:
    """A player who never errs."""
    return lambda decision: advise(game, decision, paytables).best


def _crazy_4(decision: Decision, paytables: Mapping[str, Paytable]) -> Advice:
    unqualified: Unqualified = "push" if decision.options["super_bonus_unqualified"] == "push" else "compare"
    found = crazy_4.advise(
        four_card_games.crazy_4_kept(),
        _indices(decision.cards),
        super_bonus=pays_by_class(paytables["super_bonus"]),
        unqualified=unqualified,
    )
    names = {0: "fold", 1: "1x", 2: "2x", 3: "3x"}
    return Advice(names[found.stake], {names[stake]: worth for stake, worth in found.worth.items()})


def _six_five_four(decision: Decision, paytables: Mapping[str, Paytable]) -> Advice:
    from feltwork.odds.six_five_four import strategy

    shown = decision.sees["dealer"]
    kept = shown[-1].index if shown[-1].rank < TEN else None
    discards = [card.index for card in shown if card.rank >= TEN]
    bonus = pays_by_class(paytables["ante_bonus"])
    found = strategy.advise(_indices(decision.cards), kept=kept, discards=discards, ante_bonus=bonus)
    return Advice("play" if found.plays else "fold", {"fold": found.fold, "play": found.play})


def _holdem_bonus(decision: Decision, _paytables: Mapping[str, Paytable]) -> Advice:
    from feltwork.odds.holdem_bonus import strategy

    hole, board = _indices(decision.cards), _indices(decision.sees["board"])
    criterion = _criterion(str(decision.options["ante_wins_with"]))
    if decision.name == "flop":
        found = strategy.before_flop(hole, criterion, five_card_games.holdem_kept())
    elif decision.name == "turn":
        found = strategy.after_flop(hole, board, criterion)
    else:
        # A Turn bet already made shifts both choices alike, so that leaving it out changes no comparison.
        found = strategy.after_turn(hole, board, criterion, turn_bet=0)
    return Advice(found.best, found.worth)


def _criterion(name: str) -> Criterion:
    return next(known for known in CRITERIA if known == name)


def _blackjack(decision: Decision, _paytables: Mapping[str, Paytable]) -> Advice:
    from feltwork.odds.blackjack import tables

    rules = blackjack_rules(decision.options)
    hand = [blackjack_value(card) for card in decision.cards]
    up = blackjack_value(decision.sees["dealer"][0])
    if decision.name == "house_money":
        left = Fraction(parlay.choose(hand, up, rules).value)
        return Advice("leave" if left > 0 else "take", {"take": Fraction(0), "leave": left})
    # A split hand is worth what the same cards unsplit are; which choices it has left, the table itself says.
    values = tables.advise(hand, up, rules).values
    worth = {choice: Fraction(values[choice]) for choice in decision.choices if choice in values}
    return Advice(max(worth, key=lambda choice: worth[choice]), worth)


#: What the tables are counted for; other choices of the house are not solved.
_SOLVED_OPTIONS = {
    "resplit_aces": False,
    "hit_split_aces": False,
    "blackjack_pays": "3 to 2",
    "dealer_peeks": True,
}


def unsolved(game: str, options: Mapping[str, OptionValue]) -> list[Problem]:
    """Everything that keeps a table's questions from being answered exactly."""
    if game not in _ANSWERS:
        return [Problem(game, "has no solved strategy", f"choose from: {', '.join(_ANSWERS)}")]
    return [
        Problem(
            f"options.{name}", f"{options[name]} is not solved", f"ask with {name} = {str(solved).lower()}"
        )
        for name, solved in (_SOLVED_OPTIONS.items() if game == "blackjack" else ())
        if options[name] != solved
    ]


def blackjack_rules(options: Mapping[str, OptionValue]) -> Rules:
    """The house options of a blackjack table as counting needs them."""
    problems = unsolved("blackjack", options)
    if problems:
        raise ProblemsError(problems)
    return Rules(
        decks=int(options["decks"]),
        soft_17="hit" if options["soft_17"] == "hit" else "stand",
        double_after_split=bool(options["double_after_split"]),
        max_hands=int(options["resplit_to"]),
        surrender=options["surrender"] == "late",
    )


def _indices(cards: tuple[Card, ...]) -> list[int]:
    return [card.index for card in cards]


_ANSWERS: dict[str, Callable[[Decision, Mapping[str, Paytable]], Advice]] = {
    "crazy_4": _crazy_4,
    "six_five_four": _six_five_four,
    "holdem_bonus": _holdem_bonus,
    "blackjack": _blackjack,
}
SOLVED = tuple(_ANSWERS)
