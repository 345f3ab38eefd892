"""The command that runs the fault test: `python -m lab.torture`."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltwork.cli.arguments import AsData

if TYPE_CHECKING:
    pass

FLAT_OUT = "flat-out"
_JUMPS_SECONDS = (-86_400, -3_600, -30, 30, 3_600, 86_400)


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
    from lab.fault_test.run import Torture

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


if __name__ == "__main__":
    typer.run(torture_floor)
