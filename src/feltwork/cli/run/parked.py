"""The command for table messages that could not be booked."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, Dsn, given, print_json
from feltwork.cli.run.serve import Pair, Second, present
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.site.books.two_person import TwoPersonCommand

_DO = ("list", "book", "dismiss")


def parked(
    do: Annotated[str, typer.Argument(metavar="list|book|dismiss", help="What to do.")] = "list",
    number: Annotated[int, typer.Argument(help="The number of a message, as `list` shows it.")] = 0,
    dsn: Dsn = "",
    by: Pair = "",
    approved_by: Second = "",
    reason: Annotated[str, typer.Option(help="Why it is booked or dismissed.")] = "",
    as_data: AsData = False,
) -> None:
    """List table messages that could not be booked; two people can book a message again or dismiss it.

    It prompts for PINs: `list` needs only --by, the others also --approved-by. Where security keys are
    required, use the office instead.
    """
    from feltwork.site.books.context import connected
    from feltwork.site.books.people.proposals import carry_out_together
    from feltwork.site.books.tables.parked import ParkedAnsweredView, parked_messages
    from feltwork.site.web.settings import read_settings

    command = _command(do, number, reason)
    with connected(given(dsn), read_settings(dsn=dsn).policy, place="command line") as op:
        first = replace(present(op, by, "--by"), name=f"feltwork parked {do}")
        if command is not None:
            second = present(op, approved_by, "--approved-by")
            answer = carry_out_together(first, second.actor, command)
            assert isinstance(answer, ParkedAnsweredView)
            if as_data:
                print_json(asdict(answer))
            else:
                typer.echo(f"message {answer.parked}: {answer.outcome}")
            return
        messages = parked_messages(first).messages
    if as_data:
        print_json([{**asdict(message), "parked_at": message.parked_at.isoformat()} for message in messages])
        return
    for message in messages:
        about = f"{message.kind} {message.round}" if message.kind else "unreadable"
        typer.echo(
            f"{message.number}  {message.link}, table {message.table}, {about}: {message.what}\n"
            f"  → {message.remedy}"
        )
    typer.echo(f"{len(messages)} parked")


def _command(do: str, number: int, reason: str) -> "TwoPersonCommand | None":
    from feltwork.site.books.two_person.parked import BookParked, DismissParked

    if do not in _DO:
        raise ProblemsError([Problem(do, "is not known", f"choose from: {', '.join(_DO)}")])
    if do == "list":
        return None
    if number < 1 or not reason:
        what = "the number of the message or the reason is missing"
        remedy = f"write it like: feltwork parked {do} 17 --reason 'the chips were returned'"
        raise ProblemsError([Problem(f"parked {do}", what, remedy)])
    return (BookParked if do == "book" else DismissParked)(parked=number, reason=reason)
