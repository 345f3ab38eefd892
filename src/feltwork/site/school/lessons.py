"""Dealer procedures and the paragraphs behind them, from the ``lessons.toml`` of a title."""

import tomllib
from dataclasses import dataclass
from functools import cache

from feltwork import sources
from feltwork.problem import Problem, ProblemsError
from feltwork.sources import Paragraph
from feltwork.titles import registry
from feltwork.titles.settlement import BetResult


@dataclass(frozen=True, slots=True)
class Lesson:
    """The paragraphs that apply to certain bets, an outcome and a reason."""

    cites: tuple[str, ...]
    bets: tuple[str, ...] = ()
    outcome: str = ""
    why: str = ""

    def teaches(self, bet: str, result: BetResult) -> bool:
        """Whether the lesson applies to a result."""
        return (
            (not self.bets or bet in self.bets)
            and self.outcome in ("", result.outcome)
            and self.why in result.why
        )


@dataclass(frozen=True, slots=True)
class Procedure:
    """The order in which a dealer settles the table, with its paragraphs."""

    #: Seats are numbered from the dealer's left.
    from_the_right: bool
    order: tuple[str, ...]
    #: The paragraphs that require collecting folded hands first, if any.
    folded_first: tuple[str, ...]
    #: Bets settled after everything else.
    last: tuple[str, ...]
    lessons: tuple[Lesson, ...]


@cache
def procedure(game: str) -> Procedure:
    """Load the procedure of a game."""
    file = registry.folder(game).joinpath("lessons.toml")
    if not file.is_file():
        known = ", ".join(taught())
        raise ProblemsError([Problem(game, "has no dealer lessons", f"choose from: {known}")])
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Procedure(
        from_the_right=data["seats"] == "from the right",
        order=tuple(sources.citations(data["order"])),
        folded_first=tuple(sources.citations(data.get("folded_first", ""))),
        last=tuple(data.get("last", ())),
        lessons=tuple(
            Lesson(
                cites=tuple(sources.citations(entry["cites"])),
                bets=tuple(entry.get("bets", ())),
                outcome=entry.get("outcome", ""),
                why=entry.get("why", ""),
            )
            for entry in data["lesson"]
        ),
    )


@cache
def taught() -> tuple[str, ...]:
    """Return the games that have lessons."""
    return tuple(
        game.name
        for game in registry.games()
        if registry.folder(game.name).joinpath("lessons.toml").is_file()
    )


def deciding(game: str, bet: str, result: BetResult) -> tuple[Paragraph, ...]:
    """Return the paragraphs behind a result: the paytable row first, then the rule of the bet."""
    lesson = next((lesson for lesson in procedure(game).lessons if lesson.teaches(bet, result)), None)
    cited = (*sources.citations(result.why), *(lesson.cites if lesson else ()))
    return cited_paragraphs(tuple(dict.fromkeys(cited)))


def cited_paragraphs(cited: tuple[str, ...]) -> tuple[Paragraph, ...]:
    """Return the paragraphs behind citations."""
    known = sources.paragraphs()
    return tuple(known[identifier] for identifier in cited)
