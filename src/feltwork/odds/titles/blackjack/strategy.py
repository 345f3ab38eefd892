"""Blackjack: the optimal answer to any decision at a table."""

from collections.abc import Mapping
from fractions import Fraction

from feltwork.odds.title_odds import Advice, Asks, Cards, Paytables, TableOptions
from feltwork.odds.titles.blackjack.rules import rules_of
from feltwork.titles.games.blackjack.hand_play import Spot
from feltwork.titles.hands.points import blackjack_total, blackjack_value
from feltwork.titles.title import Decide, Decision


def advise(decision: Decision, _paytables: Paytables) -> Advice:
    """Answer a table's decision, the House Money choice included."""
    from feltwork.odds.titles.blackjack import tables

    rules = rules_of(decision.options)
    hand = [blackjack_value(card) for card in decision.cards]
    hand_advice = tables.advise(hand, blackjack_value(decision.sees["dealer"][0]), rules)
    if decision.name == "house_money":
        # Proceeds left on the hand win or lose what the hand does.
        left = Fraction(hand_advice.value)
        return Advice("leave" if left > 0 else "take", {"take": Fraction(0), "leave": left})
    # A split hand is valued like the same cards unsplit; the table lists the choices it still has.
    values = hand_advice.values
    worth = {choice: Fraction(values[choice]) for choice in decision.choices if choice in values}
    is_split = bool(decision.sees.get("other_hands"))
    return Advice(max(worth, key=lambda choice: worth[choice]), worth, exact=not is_split)


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Return the decision on a hand that was not split."""
    spot = Spot(cards[:2], 1, options)
    choices = spot.choices() if len(cards) == 2 else ("hit", "stand")
    if not choices or blackjack_total(cards)[0] >= 21:
        raise ValueError("this hand has no decision left; give a hand below 21 that can still act")
    return Decision(seat=1, name="hand", choices=choices, cards=cards, sees=sees, options=options)


ASKS = Asks(tuple(range(2, 22)), {"dealer": (1,)}, question)


def player(paytables: Paytables, options: TableOptions) -> Decide:
    """Solve every up card in advance, and return a player that caches each decided hand."""
    from feltwork.odds.titles.blackjack import tables

    rules = rules_of(options)
    for up in range(1, 11):
        tables.table(rules, up)
    decided: dict[tuple[object, ...], str] = {}

    def decide(decision: Decision) -> str:
        values = sorted([blackjack_value(card) for card in decision.cards])
        key = (decision.name, decision.choices, blackjack_value(decision.sees["dealer"][0]), *values)
        if key not in decided:
            decided[key] = advise(decision, paytables).best
        return decided[key]

    return decide
