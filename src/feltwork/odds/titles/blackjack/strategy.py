"""Blackjack: the optimal answer to any decision at a table."""

from fractions import Fraction

from feltwork.hands.points import blackjack_value
from feltwork.odds.title_odds import Advice, Paytables, TableOptions
from feltwork.odds.titles.blackjack.rules import Rules
from feltwork.titles.title import Decide, Decision

#: The tables are counted for these house options only.
SOLVED_OPTIONS: TableOptions = {
    "resplit_aces": False,
    "hit_split_aces": False,
    "blackjack_pays": "3 to 2",
    "dealer_peeks": True,
}


def rules_of(options: TableOptions) -> Rules:
    """Translate the house options of a table into counting rules."""
    return Rules(
        decks=int(options["decks"]),
        soft_17="hit" if options["soft_17"] == "hit" else "stand",
        double_after_split=bool(options["double_after_split"]),
        max_hands=int(options["resplit_to"]),
        surrender=options["surrender"] == "late",
    )


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
    # A split hand is worth what the same cards are unsplit; the table lists the choices it still has.
    values = hand_advice.values
    worth = {choice: Fraction(values[choice]) for choice in decision.choices if choice in values}
    return Advice(max(worth, key=lambda choice: worth[choice]), worth)


def player(paytables: Paytables, options: TableOptions) -> Decide:
    """Solve every up card at once, and remember each hand that has been decided."""
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
