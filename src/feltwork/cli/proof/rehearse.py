"""The command that runs rehearsal files."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from feltwork.cli.arguments import AsData, print_json

if TYPE_CHECKING:
    from feltwork.rehearsal.rehearse import FileReport, Via
    from feltwork.rehearsal.script import Script

#: The startup cost of a process (imports, servers, schema), in files.
_FILES_PER_PROCESS = 4


def rehearse(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Rehearsal files, TOML or JSON.", show_default=False),
    ],
    via: Annotated[
        Literal["http", "nats", "both"], typer.Option(help="The entry point; both compares the two.")
    ] = "http",
    html: Annotated[
        Path | None, typer.Option("--html", metavar="OUT", help="Write a report to file with the lab.")
    ] = None,
    processes: Annotated[
        int, typer.Option(min=0, help="How many files at a time; 0 leaves it to the program.")
    ] = 0,
    as_data: AsData = False,
) -> None:
    """Rehearse scripted user actions on a complete system that is discarded afterward.

    The exit status is 1 if a step does not meet its expectation, the entry points differ, or the books fail
    the audit or the independent verifier.
    """
    from feltwork.rehearsal.script import read_script

    scripts = [read_script(path) for path in files]
    reports: list[FileReport] = []

    def on_report(report: "FileReport") -> None:
        reports.append(report)
        if not as_data:
            _print(report)
        for problem in _problems(report):
            sys.stderr.write(f"{problem}\n")

    # One more than the number of cores, because a process often waits for its servers.
    most = (os.cpu_count() or 1) + 1
    _run(scripts, via, on_report, processes or min(most, len(scripts) // _FILES_PER_PROCESS))
    if as_data:
        results = {str(path): report.results for path, report in zip(files, reports, strict=True)}
        print_json(reports[0].results if len(reports) == 1 else results)
    if html is not None:
        from feltwork.rehearsal.html_report import html_report

        html.write_text(html_report(reports), encoding="utf-8")
    if not all(report.passed for report in reports):
        raise typer.Exit(1)


def _run(
    scripts: "Sequence[Script]", via: "Via", on_report: "Callable[[FileReport], None]", processes: int
) -> None:
    """Run a few files in this process, many in several processes."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if processes > 1:
        from feltwork.rehearsal.workers import rehearse_in_processes

        rehearse_in_processes(scripts, via, on_report, processes)
    else:
        _run_here(scripts, via, on_report)


def _run_here(scripts: "Sequence[Script]", via: "Via", on_report: "Callable[[FileReport], None]") -> None:
    """Start the servers while importing the rest of the program; always stop them."""
    from feltwork.rehearsal.servers import rehearsal_servers

    servers = rehearsal_servers()
    try:
        with ThreadPoolExecutor(1) as beside:
            started = beside.submit(servers.start)
            module = import_module("feltwork.rehearsal.rehearse")
        started.result()
        asyncio.run(module.rehearse(servers, scripts, via, on_report))
    finally:
        servers.stop()


def _print(report: "FileReport") -> None:
    seconds = sum(run.seconds for run in report.runs)
    typer.echo(f"{report.script.name}: {report.script.title}")
    for step, result in zip(report.script.steps, report.results, strict=False):
        by = ", ".join(step.by)
        typer.echo(f"  {result['step']:>2}  {result['do']:<11} {by:<12} {_told(result)}")
    points = " and ".join(run.entry_point for run in report.runs)
    typer.echo(f"  {'passed' if report.passed else 'FAILED'} via {points} in {seconds:.2f} s")


def _told(result: dict[str, object]) -> str:
    if not result["ok"] and "what" in result:
        return f"refused [{result['rule']}] {result['what']}"
    meters, awards = result.get("meters"), result.get("awards")
    assert isinstance(meters, dict)
    assert isinstance(awards, list)
    parts = [
        f"{link} {level} ${amount}" for link, levels in meters.items() for level, amount in levels.items()
    ]
    parts += [
        f"seat {award['seat']} {award['hand']} ${award['amount']} {award['status']}" for award in awards
    ]
    return "; ".join(parts)


def _problems(report: "FileReport") -> list[str]:
    """List every reason why a file did not pass."""
    name = report.script.name
    problems = []
    for run in report.runs:
        about = f"{name}, via {run.entry_point}"
        problems += [f"{about}, step {run.failed_step}: {difference}" for difference in run.differences]
        problems += [f"{about}, audit: {problem}" for problem in run.audit.get("problems", ())]
        problems += [f"{about}, verifier: {problem}" for problem in run.verifier]
    return problems + [f"{name}, {disagreement}" for disagreement in report.disagreements]
