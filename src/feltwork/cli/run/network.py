"""The command for a hub's staff: the amounts that sites owe, and the two-person commands of a network."""

from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltwork import money
from feltwork.cli.arguments import AsData, Dsn, given, print_json
from feltwork.cli.run.serve import Pair, Second, present
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.operations.network.hub_views import NetworkView
    from feltwork.operations.two_person import TwoPersonCommand

_AMOUNTS = frozenset({"limit", "amount"})
_NUMBERS = frozenset({"entry", "number"})


def network(
    do: Annotated[str, typer.Argument(metavar="list|COMMAND", help="What to do.")] = "list",
    pairs: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE", help="Its fields; amounts in dollars, floor=FILE."),
    ] = None,
    dsn: Dsn = "",
    by: Pair = "",
    approved_by: Second = "",
    reason: Annotated[str, typer.Option(help="Why it is done.")] = "",
    as_data: AsData = False,
) -> None:
    """List the sites of a hub, or carry out one of its two-person commands.

    It prompts for PINs: `list` needs only --by, commands also --approved-by. Where security keys are
    required, use the Network screen instead. Example: feltwork network settle_site link=aces site=north
    number=7 amount=12500.00 --reason "bank statement of Monday" --by 17 --approved-by 23
    """
    from feltwork.operations.context import connected
    from feltwork.operations.network.hub_views import network as network_view
    from feltwork.operations.people.proposals import carry_out_together
    from feltwork.web.settings import read_settings

    command = None if do == "list" else _command(do, pairs or [], reason)
    with connected(given(dsn), read_settings(dsn=dsn).policy, place="command line") as op:
        first = replace(present(op, by, "--by"), name=f"feltwork network {do}")
        if command is not None:
            second = present(op, approved_by, "--approved-by")
            result = carry_out_together(first, second.actor, command)
            if as_data:
                print_json(asdict(result))
            else:
                typer.echo(f"{do}: booked")
            return
        view = network_view(first)
    _print(view, as_data=as_data)


def _command(do: str, pairs: list[str], reason: str) -> "TwoPersonCommand":
    from pydantic import ValidationError

    from feltwork.operations.two_person import REGISTRY, parse_command

    commands = {
        str(command_type.__dataclass_fields__["command"].default): command_type
        for command_type in REGISTRY
        if command_type.__module__.endswith(".network")
    }
    if do not in commands:
        raise ProblemsError([Problem(do, "is not known", f"choose from: list, {', '.join(commands)}")])
    names = [field.name for field in fields(commands[do]) if field.name != "command"]
    body: dict[str, Any] = {"command": do, "reason": reason}
    for pair in pairs:
        name, _, value = pair.partition("=")
        body[name] = _value(name, value)
    try:
        return parse_command(body)
    except ValidationError as error:
        wrong = ", ".join(sorted({str(detail["loc"][-1]) for detail in error.errors()}))
        remedy = f"it takes: {', '.join(names)}"
        raise ProblemsError(
            [Problem(f"network {do}", f"is missing or not readable: {wrong}", remedy)]
        ) from error


def _value(name: str, value: str) -> object:
    try:
        if name in _AMOUNTS:
            return money.parse(value)
        if name in _NUMBERS:
            return int(value)
    except ValueError as error:
        raise ProblemsError([Problem(f"{name}={value}", "is no number", "write it like 12500.00")]) from error
    if name == "floor":
        return Path(value).read_text(encoding="utf-8")
    return value.split(",") if name == "sites" else value


def _print(view: "NetworkView", *, as_data: bool) -> None:
    if as_data:
        print_json([{**asdict(link), "sites": [_plain(site) for site in link.sites]} for link in view.links])
        return
    for link in view.links:
        state = "open" if link.takes_wagers else f"stopped: {', '.join(link.stops) or 'not open'}"
        typer.echo(f"{link.link}  {state}, entry {link.entry}, sites owe {money.dollars(link.owed)}")
        for site in link.sites:
            why = "left" if site.has_left else ", ".join(site.stops) or "in play"
            why = why if site.is_in_contact or site.has_left else f"{why}, no contact"
            typer.echo(
                f"  {site.site}  owes {money.dollars(site.owes)} of {money.dollars(site.limit)}, {why}"
            )
    typer.echo(f"{len(view.links)} network links")


def _plain(site: Any) -> dict[str, object]:
    at = site.summed_at
    return {**asdict(site), "summed_at": at.isoformat() if at else None}
