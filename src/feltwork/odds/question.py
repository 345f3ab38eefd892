"""A player's decision from cards given as text, and the value of each choice."""

from collections.abc import Mapping

from feltwork.odds.strategy import advise, solved
from feltwork.odds.title_odds import Advice, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import Card, parse_cards
from feltwork.titles.cards.shoe import dealt_too_often
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.sample_round import open_round
from feltwork.titles.title import Game, OptionValue


def advice_for(game: Game, cards: str, sees: Mapping[str, str], options: Mapping[str, str]) -> Advice:
    """Return advice on the decision that a table requests with these cards."""
    decision_inputs = odds_of(game.name).asks
    if decision_inputs is None:
        known = ", ".join(name for name in solved() if odds_of(name).asks)
        raise ProblemsError([Problem(game.name, "this game has no solved strategy", f"choose from: {known}")])
    problems: list[Problem] = []
    chosen, paytables = _options(game, options, problems)
    hand = _cards("CARDS", cards, decision_inputs.cards, problems)
    seen_cards = {
        place: _cards(place, sees.get(place, ""), counts, problems)
        for place, counts in decision_inputs.sees.items()
    }
    for place in set(sees) - set(decision_inputs.sees):
        what, remedy = (
            "this does not apply: the player does not see cards there in this game",
            f"use one of: {', '.join(decision_inputs.sees) or 'no --sees'}",
        )
        problems.append(Problem(place, what, remedy))
    dealt = (*hand, *(card for group in seen_cards.values() for card in group))
    for card in dealt_too_often(dealt, int(chosen.get("decks", 1))):
        problems.append(
            Problem(
                str(card), "this card appears more times than the shoe allows", "correct the duplicate card"
            )
        )
    if problems:
        raise ProblemsError(problems)
    try:
        return advise(game.name, decision_inputs.question(hand, seen_cards, chosen), paytables)
    except ProblemsError:
        raise
    except ValueError as error:
        raise ProblemsError(
            [Problem("CARDS", str(error), "give cards with which a decision is still open")]
        ) from error


def _cards(where: str, text: str, counts: tuple[int, ...], problems: list[Problem]) -> tuple[Card, ...]:
    try:
        cards = parse_cards(text)
    except ValueError as error:
        problems.append(Problem(where, str(error), "write cards like 'As Td 2c'"))
        return ()
    if len(cards) not in counts:
        what = f"the number of cards is {len(cards)}; it must be {numbers(counts)}"
        problems.append(Problem(where, what, "give all the cards"))
    return cards


def numbers(counts: tuple[int, ...]) -> str:
    """Format the allowed numbers of cards: ``1 or 2``, ``0 to 35``."""
    if counts == tuple(range(counts[0], counts[-1] + 1)) and len(counts) > 2:
        return f"{counts[0]} to {counts[-1]}"
    return " or ".join(map(str, counts))


def _options(
    game: Game, options: Mapping[str, str], problems: list[Problem]
) -> tuple[dict[str, OptionValue], dict[str, Paytable]]:
    """Return the house options and paytables of the table; a paytable is chosen by the name of its bet."""
    opened = open_round(game, 1, jackpots_of_table=0)
    chosen, paytables = dict(opened.options), dict(opened.paytables)
    known = {option.name: {str(value).lower(): value for value in option.values} for option in game.options}
    for name, value in options.items():
        if name in game.paytable_bets and name not in known:
            paytables[name] = registry.paytable(game.name, name, value)
        elif value in known.get(name, {}):
            chosen[name] = known[name][value]
        else:
            choices = ", ".join(f"{name}={choice}" for choice in known.get(name, ()))
            every = ", ".join([*known, *game.paytable_bets])
            problems.append(Problem(name, f"cannot be {value!r}", f"use one of: {choices or every}"))
    return chosen, paytables
