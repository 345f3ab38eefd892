"""The command that plays a simulated floor: `python -m lab.floor`."""

import asyncio
import json
import random
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltwork.cli.arguments import AsData, Keys, NatsUrl
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.simulation.floor_runner import LiveFloor

FLAT_OUT = "flat-out"
#: The signal that makes a floor's clocks jump; harmless to other processes.
CLOCK_SIGNAL = signal.SIGURG
_JUMPS_SECONDS = (-86_400, -3_600, -30, 30, 3_600, 86_400)


def play_floor(
    log: NatsUrl = "nats://127.0.0.1:4222",
    service: Annotated[
        str, typer.Option(envvar="FELTWORK_SERVICE", help="The URL of the service, for the simulated pit.")
    ] = "",
    floor: Annotated[str, typer.Option(help="A floor file, or a built-in floor.")] = "lantern",
    tables: Annotated[str, typer.Option(help="Only these tables, separated by commas.")] = "",
    keys: Keys = None,
    seed: Annotated[int, typer.Option(help="The same seed deals the same rounds.")] = 1,
    speed: Annotated[str, typer.Option(help=f"Rounds per minute at each table, or {FLAT_OUT}.")] = "6",
    rounds: Annotated[int | None, typer.Option(help="Stop after this many rounds at each table.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Stop after this many seconds.")] = None,
    force_hit: Annotated[str, typer.Option(help="Deal a hit first: LEVEL, LINK:LEVEL or TABLE:LEVEL.")] = "",
    hit_every: Annotated[float, typer.Option(help="Seconds between dealt hits; 0 is by chance.")] = 0,
    tally: Annotated[Path | None, typer.Option(help="A file that records messages.")] = None,
    site_domain: Annotated[str, typer.Option(help="The site's JetStream domain, from a leaf node.")] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Play solved games exactly; slower start.")] = False,
    as_data: AsData = False,
) -> None:
    """Play a simulated floor with real rules and shuffled shoes over the public protocol and API.

    On Ctrl-C, every table finishes its round.
    """
    from feltwork.simulation.floor_runner import connector, live_floor
    from feltwork.simulation.floors import room
    from feltwork.simulation.stage import simulated_casino
    from feltwork.simulation.tally import Tally
    from feltwork.telemetry.tracing import start_tracing

    start_tracing("table")
    house = simulated_casino(room(floor))
    only = tuple(name for name in tables.split(",") if name)
    if unknown := sorted(set(only) - set(house.floor.table_by_id)):
        known = ", ".join(house.floor.table_by_id)
        problem = Problem("--tables", f"there is no {', '.join(unknown)}", f"choose from: {known}")
        raise ProblemsError([problem])
    live = live_floor(
        house,
        connector(log, keys),
        seed=seed,
        rounds_per_minute=_speed(speed),
        service=service,
        only=only,
        tally=Tally.writing(tally) if tally else None,
        site_domain=site_domain,
        exact=exact,
    )
    if force_hit:
        live.force_hit(force_hit)
    counters = asyncio.run(_play(live, rounds, seconds, hit_every))
    if as_data:
        typer.echo(json.dumps(counters))
    else:
        typer.echo(f"{counters['rounds']} rounds, {counters['wagers']} wagers, {counters['claims']} claims")
    if not counters["rounds"]:
        typer.echo(
            f"nothing was played: check that NATS at {log} is running and the links are open", err=True
        )


async def _play(
    live: "LiveFloor", rounds: int | None, seconds: float | None, hit_every: float
) -> dict[str, Any]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, live.stop)
    loop.add_signal_handler(CLOCK_SIGNAL, lambda: _jump_clocks(live))
    late = loop.call_later(seconds, live.stop) if seconds is not None else None
    hits = asyncio.create_task(_force_hits(live, hit_every)) if hit_every else None
    try:
        return await live.run(rounds=rounds)
    finally:
        for beside in (late, hits):
            if beside:
                beside.cancel()


def _jump_clocks(live: "LiveFloor") -> None:
    """Change the clock of every table."""
    microseconds = 1_000_000 * random.choice(_JUMPS_SECONDS)
    for table in live.tables.values():
        table.clock_offset += microseconds


async def _force_hits(live: "LiveFloor", every: float) -> None:
    """Repeatedly deal a hit at a random table and level."""
    from feltwork.simulation.controller_driver import Hit

    while True:
        await asyncio.sleep(every)
        table = live.dice.choice(list(live.tables.values()))
        if not table.wanted:
            link = live.dice.choice(list(table.links.values()))
            table.want(Hit(link.id, live.dice.choice(link.level_names)))


def _speed(text: str) -> float:
    try:
        return 0.0 if text == FLAT_OUT else max(0.001, float(text))
    except ValueError as error:
        problem = Problem("--speed", f"{text!r} is not a number", f"write rounds per minute, or {FLAT_OUT}")
        raise ProblemsError([problem]) from error


if __name__ == "__main__":
    typer.run(play_floor)
