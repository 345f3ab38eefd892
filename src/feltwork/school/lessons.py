"""How a dealer settles a game, and which paragraphs decide: what the ``lessons.toml`` of a title says."""

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
    """One thing to know: for these bets, this outcome and this reason, these paragraphs decide."""

    cites: tuple[str, ...]
    bets: tuple[str, ...] = ()
    outcome: str = ""
    why: str = ""

    def teaches(self, bet: str, result: BetResult) -> bool:
        """Whether the result is of the kind that the lesson is about."""
        return (
            (not self.bets or bet in self.bets)
            and self.outcome in ("", result.outcome)
            and self.why in result.why
        )


@dataclass(frozen=True, slots=True)
class Procedure:
    """In which order a dealer goes over the table, with the paragraphs that say so."""

    #: Seats are numbered from the dealer's left.
    from_the_right: bool
    order: tuple[str, ...]
    #: The paragraphs that have folded hands collected before the others are settled; empty where none does.
    folded_first: tuple[str, ...]
    #: Bets that are settled when everything else is.
    last: tuple[str, ...]
    lessons: tuple[Lesson, ...]


@cache
def procedure(game: str) -> Procedure:
    """The procedure of a game."""
    file = registry.folder(game).joinpath("lessons.toml")
    if not file.is_file():
        known = ", ".join(taught())
        raise ProblemsError([Problem(game, "is not taught here", f"choose from: {known}")])
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Procedure(
        from_the_right=data["seats"] == "from the right",
        order=tuple(sources.citations(data["order"])),
        folded_first=tuple(sources.citations(data.get("folded_first", ""))),
        last=tuple(data.get("last", ())),
        lessons=tuple(
            Lesson(
                cites=tuple(sources.citations(one["cites"])),
                bets=tuple(one.get("bets", ())),
                outcome=one.get("outcome", ""),
                why=one.get("why", ""),
            )
            for one in data["lesson"]
        ),
    )


@cache
def taught() -> tuple[str, ...]:
    """The games that have lessons."""
    return tuple(
        game.name
        for game in registry.games()
        if registry.folder(game.name).joinpath("lessons.toml").is_file()
    )


def deciding(game: str, bet: str, result: BetResult) -> tuple[Paragraph, ...]:
    """The paragraphs that decide a result: the row of the paytable first, then the rule of the bet."""
    lesson = next((one for one in procedure(game).lessons if one.teaches(bet, result)), None)
    cited = (*sources.citations(result.why), *(lesson.cites if lesson else ()))
    return cited_paragraphs(tuple(dict.fromkeys(cited)))


def cited_paragraphs(cited: tuple[str, ...]) -> tuple[Paragraph, ...]:
    """The paragraphs behind citations."""
    known = sources.paragraphs()
    return tuple(known[one] for one in cited)
