"""The optimal decision for any hand: the exact answer to what a table asks a player."""

from collections.abc import Mapping

from feltwork.odds.title_odds import Advice, Paytables, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.title import Decide, Decision, OptionValue

#: The games whose decisions are solved.
SOLVED = tuple(name for name in registry.names() if odds_of(name).advise)


def advise(game: str, decision: Decision, paytables: Paytables) -> Advice:
    """Answer a decision with the paytables of the table."""
    answer = odds_of(game).advise if game in SOLVED else None
    problems = unsolved(game, decision.options)
    if answer is None or problems:
        raise ProblemsError(problems)
    return answer(decision, paytables)


def optimal(game: str, paytables: Paytables) -> Decide:
    """Return a player who always takes the best choice."""
    return lambda decision: advise(game, decision, paytables).best


def unsolved(game: str, options: Mapping[str, OptionValue]) -> list[Problem]:
    """List everything that keeps a table's decisions from being answered exactly."""
    if game not in SOLVED:
        return [Problem(game, "has no solved strategy", f"choose from: {', '.join(SOLVED)}")]
    return [
        Problem(f"options.{name}", f"{options[name]} is not solved", f"set {name} = {str(value).lower()}")
        for name, value in odds_of(game).solved_options.items()
        if options[name] != value
    ]
