"""What-if, simulation, figures, verdicts and certificates, as their commands give them."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from feltwork.library.extras import says_what_it_needs
from feltwork.library.inputs import Options, PaytableInput, Value, option_texts
from feltwork.library.odds import chosen_paytable
from feltwork.odds.certificate import Issue, base_certificate, certificate
from feltwork.odds.figures import catalog
from feltwork.odds.figures.figure import Figure
from feltwork.odds.simulate import SimulatedGame
from feltwork.odds.simulate import simulate as simulate_game
from feltwork.odds.verify import Verdict, verdicts
from feltwork.odds.what_if.answer import WhatIfAnswer
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.what_if import what_if as answer
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import Card, parse_cards
from feltwork.titles.hands.category import Hand
from feltwork.titles.hands.five_card import best_five
from feltwork.titles.hands.four_card import best_four
from feltwork.titles.title import Game


@says_what_it_needs
def what_if(
    title: str, bet: str = "", paytable: PaytableInput = "", *, fields: Mapping[str, Value] | None = None
) -> WhatIfAnswer:
    """Return everything that follows from a paytable and the terms in ``fields``.

    The fields are those of the workbench, such as ``{"seed.jackpot": 25000, "pays.flush": "6 for 1"}``.
    """
    return answer(question_from(chosen_paytable(title, bet, paytable), option_texts(fields)))


@says_what_it_needs
def simulate(
    game: str, *, rounds: int = 100_000, seed: int = 1, strategy: Literal["exact", "simple"] = "exact"
) -> SimulatedGame:
    """Deal, play and settle random rounds of one seat that makes every bet."""
    return simulate_game(registry.game(game), rounds=rounds, seed=seed, strategy=strategy)


@says_what_it_needs
def figures(*patterns: str) -> list[Figure]:
    """Return the exact figures whose ids match a pattern such as ``crazy_4/*``; without one, all of them."""
    return [catalog.figure(identifier) for identifier in catalog.matching(patterns)]


@says_what_it_needs
def verify() -> list[Verdict]:
    """Return the verdict on every figure that the letters print."""
    return verdicts()


@says_what_it_needs
def certify(
    title: str,
    bet: str = "",
    paytable: PaytableInput = "",
    *,
    options: Options | None = None,
    fields: Mapping[str, Value] | None = None,
    author: str = "",
    date: str = "",
) -> dict[str, Any]:
    """Return the certificate of a paytable, or of a base game when neither a bet nor a paytable is given."""
    issue = Issue(author, date)
    if not bet and not paytable and isinstance(registry.title(title), Game):
        return base_certificate(title, option_texts(options), issue)
    chosen = chosen_paytable(title, bet, paytable)
    return certificate(chosen, option_texts(options), option_texts(fields), issue)


def games() -> tuple[str, ...]:
    """Return the names of the games."""
    return tuple(game.name for game in registry.games())


def best_hand(cards: str | Iterable[Card], *, size: Literal[4, 5] = 5) -> Hand:
    """Return the best poker hand of four or five cards among the cards, such as ``"As Kd 4c 7h 2s"``."""
    try:
        held = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
        if len(set(held)) < len(held):
            raise ValueError("a card is named twice")
        return best_five(held) if size == 5 else best_four(held)
    except ValueError as error:
        raise ProblemsError([Problem("cards", str(error), "write cards like 'As Td 2c'")]) from error
