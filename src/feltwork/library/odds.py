"""Exact odds of bets and base games, and the value of every choice for a hand."""

from collections.abc import Mapping

from feltwork.library.extras import says_what_it_needs
from feltwork.library.inputs import Options, PaytableInput, option_texts, paytable, read_paytable
from feltwork.odds.figures.shipped_reports import base_report, bet_report
from feltwork.odds.question import advice_for
from feltwork.odds.report import FigureReport
from feltwork.odds.title_odds import Advice
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game


@says_what_it_needs
def odds(
    title: str, bet: str = "", paytable: PaytableInput = "", *, options: Options | None = None
) -> FigureReport:
    """Return the odds of a bet, or of the base game when neither a bet nor a paytable is given.

    ``paytable`` is the id of a released paytable, or a draft: an object, a dictionary, TOML or JSON.
    """
    if not bet and not paytable and isinstance(registry.title(title), Game):
        return base_report(title, option_texts(options))
    return bet_report(chosen_paytable(title, bet, paytable), option_texts(options))


@says_what_it_needs
def advise(
    game: str, cards: str, *, sees: Mapping[str, str] | None = None, options: Options | None = None
) -> Advice:
    """Return the exact value of each choice for a hand, and the best one.

    ``sees`` names other cards that the player sees, such as ``{"dealer": "6d"}``.
    """
    return advice_for(registry.game(game), cards, sees or {}, option_texts(options))


def chosen_paytable(title: str, bet: str, source: PaytableInput) -> Paytable:
    """Return the released paytable with this id, or the draft if it is for this bet."""
    if isinstance(source, str) and not any(mark in source for mark in "{=\n"):
        return paytable(title, bet, source)
    draft = read_paytable(source)
    if (draft.title, draft.bet) != (title, bet or draft.bet):
        what = f"it is a paytable of {draft.title}/{draft.bet}"
        raise ProblemsError([Problem("paytable", what, f"ask for {draft.title!r} and {draft.bet!r}")])
    return draft
