"""The command that plays a card room in virtual time with faults, and audits it."""

import gc
import json
import sys
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData
from lab.card_room.runner import run_rooms

_SHOWN = 5


def simulate_card_room(
    seeds: Annotated[str, typer.Option(help="One seed, or the first and the last: 1..200.")] = "1..20",
    tables: Annotated[int, typer.Option(min=1, max=200, help="How many tables play.")] = 3,
    minutes: Annotated[int, typer.Option(min=1, help="How many minutes each seed plays.")] = 15,
    as_data: AsData = False,
) -> None:
    """Play a card room in virtual time with lost messages and crashes; audit every cent.

    The same seed plays the same events on every machine. The exit status is 1 if a seed ends with a
    difference or does not drain; the seed is printed, so it can be repeated.
    """
    first, last = _range(seeds)
    # Books have no reference cycles: collecting after every 700 new objects would take a fifth of the time.
    gc.set_threshold(500_000)
    report = run_rooms(range(first, last + 1), tables=tables, minutes=minutes)
    for result in report.failed:
        for text in (*result.differences, *result.stuck)[:_SHOWN]:
            sys.stderr.write(f"seed {result.seed}: {text}\n")
    if as_data:
        typer.echo(json.dumps(report.plain))
    else:
        for result in report.results[:_SHOWN]:
            typer.echo(f"seed {result.seed} ends at {result.tail[:16]}")
        if len(report.results) > _SHOWN:
            typer.echo(f"… and {len(report.results) - _SHOWN} more")
        totals = report.plain
        typer.echo(
            f"{totals['seeds']} seeds, {totals['site_hours']} site-hours, {totals['awards']} awards, "
            f"{totals['messages']} messages, {totals['crashes']} crashes: "
            f"{totals['differences']} differences, {totals['stuck']} stuck "
            f"({totals['site_hours_per_cpu_second']} site-hours per second of processor time)"
        )
    if report.failed:
        repeat = f"--seeds {report.failed[0].seed} --tables {tables} --minutes {minutes}"
        sys.stderr.write(f"repeat it: python -m lab.vopr {repeat}\n")
        raise typer.Exit(1)


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("..")
    try:
        numbers = int(first), int(last or first)
    except ValueError:
        numbers = (1, 0)
    if numbers[0] > numbers[1]:
        raise typer.BadParameter(f"{text!r} is no range of seeds: write 7, or 1..200")
    return numbers


if __name__ == "__main__":
    typer.run(simulate_card_room)
