"""Commands that play a simulated floor and run the fault test."""

import asyncio
import json
import random
import signal
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltwork.cli.arguments import AsData, Keys, NatsUrl
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from rich.table import Table

    from feltwork.simulation.floor_runner import LiveFloor

FLAT_OUT = "flat-out"
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
    from feltwork.simulation.staff import simulated_casino
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
    counters = asyncio.run(_play(live, rounds, seconds, hit_every, quiet=as_data))
    if as_data:
        typer.echo(json.dumps(counters))
    else:
        typer.echo(f"{counters['rounds']} rounds, {counters['wagers']} wagers, {counters['claims']} claims")
    if not counters["rounds"]:
        typer.echo(
            f"nothing was played: check that NATS at {log} is running and the links are open", err=True
        )


def torture_floor(
    seconds: Annotated[float, typer.Option(help="How long to inject faults.")] = 25,
    seed: Annotated[int, typer.Option(help="The same seed injects the same faults in the same order.")] = 1,
    keep: Annotated[Path | None, typer.Option(help="A new folder for the logs and the export.")] = None,
    drop_one: Annotated[
        bool, typer.Option("--drop-one", help="Lose one round on purpose; the check must find it.")
    ] = False,
    adversarial: Annotated[
        bool, typer.Option("--adversarial", help="Attack as well, with stolen keys and a dishonest dealer.")
    ] = False,
    as_data: AsData = False,
) -> None:
    """Inject faults under load, then compare the books with the messages that tables sent.

    The test starts its own servers and removes them afterward. The exit status is 1 if anything is lost,
    duplicated or different; see docs/operating/reliability.md.
    """
    from feltwork.simulation.torture import Torture

    def say(text: str) -> None:
        sys.stderr.write(f"{text}\n")

    async def run() -> dict[str, Any]:
        # A signal must still stop everything that was started.
        this = asyncio.current_task()
        assert this is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
        return await Torture(
            seconds=seconds, seed=seed, say=say, keep=keep, drop_one=drop_one, adversarial=adversarial
        ).run()

    report = asyncio.run(run())
    if as_data:
        typer.echo(json.dumps(report))
    else:
        _print_report(report)
    if report["problems"]:
        raise typer.Exit(1)


async def _play(
    live: "LiveFloor", rounds: int | None, seconds: float | None, hit_every: float, *, quiet: bool
) -> dict[str, Any]:
    from feltwork.simulation.floor_runner import CLOCK_SIGNAL

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, live.stop)
    loop.add_signal_handler(CLOCK_SIGNAL, lambda: live.jump_clocks(1_000_000 * random.choice(_JUMPS_SECONDS)))
    display = None if quiet else asyncio.create_task(_show(live))
    try:
        return await live.run(rounds=rounds, seconds=seconds, hit_every=hit_every)
    finally:
        if display:
            display.cancel()


async def _show(live: "LiveFloor") -> None:
    """On a terminal, redraw the floor four times a second."""
    from rich.live import Live

    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    view = Live(_picture(live), console=console, auto_refresh=False) if console.is_terminal else None
    with view or nullcontext():
        while view:
            view.update(_picture(live), refresh=True)
            await asyncio.sleep(0.25)


def _picture(live: "LiveFloor") -> "Table":
    from rich.table import Table

    counters = live.counters()
    title = (
        f"{live.house.floor.site}: {counters['rounds']} rounds, "
        f"{counters['wagers']} wagers, {counters['claims']} claims"
    )
    table = Table(title=title, caption="\n".join(live.pit.news[-3:]) if live.pit else "")
    for name in ("table", "game", "link", "phase", "rounds", "wagers", "claims", ""):
        table.add_column(name, justify="right" if name in ("rounds", "wagers", "claims") else "left")
    for name, live_table in live.tables.items():
        numbers = map(str, (live_table.shown.rounds, live_table.shown.wagers, live_table.shown.claims))
        game = live_table.simulated.table.game.title
        table.add_row(
            name,
            game,
            ", ".join(live_table.links),
            live_table.shown.phase,
            *numbers,
            live_table.shown.last[:60],
        )
    return table


def _print_report(report: dict[str, Any]) -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    faults = Table(title=f"{report['fault_count']} faults, seed {report['seed']}")
    faults.add_column("fault")
    faults.add_column("times", justify="right")
    for kind, times in report["faults"].items():
        faults.add_row(kind, str(times))
    console.print(faults)
    for what in ("rounds", "wagers", "ends", "awards"):
        console.print(f"{what}: " + ", ".join(f"{number} {name}" for name, number in report[what].items()))
    console.print(f"meter differences: {report['meter_differences']}")
    if "attacks" in report:
        console.print(
            f"{report['attacks']} attacks of {report['kinds']} kinds: "
            f"{report['accepted']} accepted beyond the bounds, "
            f"{report['honest_lost']} honest messages lost, {report['alarms']} alarms open"
        )
    for problem in report["problems"]:
        console.print(f"wrong: {problem}")


def _speed(text: str) -> float:
    try:
        return 0.0 if text == FLAT_OUT else max(0.001, float(text))
    except ValueError as error:
        problem = Problem("--speed", f"{text!r} is not a number", f"write rounds per minute, or {FLAT_OUT}")
        raise ProblemsError([problem]) from error
