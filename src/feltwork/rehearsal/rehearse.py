"""A rehearsal from start to finish: every file through its entry points."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from feltwork.bookkeeper.process import BookkeeperSettings
from feltwork.rehearsal.expectation import differences
from feltwork.rehearsal.network import running
from feltwork.rehearsal.runner import EntryPoint, Runner, RunReport, run_steps
from feltwork.rehearsal.script import Script
from feltwork.rehearsal.site import OpenSite, Site
from feltwork.rehearsal.table_devices import TableDevices
from feltwork.servers.temporary import TemporaryServers

Via: TypeAlias = Literal["http", "nats", "both"]
#: How long one file may take at one entry point before it fails.
_RUN_SECONDS = 300.0


@dataclass(kw_only=True)
class FileReport:
    """One file through its entry points."""

    script: Script
    runs: list[RunReport] = field(default_factory=list)
    #: Differences between the results of the two entry points.
    disagreements: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether every run passed and all of them agree."""
        return not self.disagreements and all(run.passed for run in self.runs)

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results of the first run."""
        return self.runs[0].results


async def rehearse(
    servers: TemporaryServers, scripts: Sequence[Script], via: Via, on_report: Callable[[FileReport], None]
) -> None:
    """Run every file on running servers; report each file when it is done."""
    site = Site(servers)
    await site.start()
    try:
        for script in scripts:
            report = FileReport(script=script)
            await run_file(site, report, via)
            on_report(report)
    finally:
        await site.finish()


async def run_file(site: Site, report: FileReport, via: Via) -> None:
    """Run one file through its entry points and compare them."""
    points: Sequence[EntryPoint] = ("http", "nats") if via == "both" else (via,)
    for point, books in zip(points, await site.databases(report.script, len(points)), strict=True):
        async with AsyncExitStack() as stack:
            opened = {
                place: await stack.enter_async_context(site.service(run_books))
                for place, run_books in books.items()
            }
            report.runs.append(await _run(site, opened, report.script, point))
    report.disagreements = _disagreements(report.runs)


async def _run(site: Site, opened: Mapping[str, OpenSite], script: Script, point: EntryPoint) -> RunReport:
    began = time.monotonic()
    report = RunReport(entry_point=point)
    try:
        async with asyncio.timeout(_RUN_SECONDS):
            async with AsyncExitStack() as stack:
                runners = await _runners(stack, site, opened, script, point)
                await run_steps(script.steps, runners, report)
            audits = [await open_site.client.audit() for open_site in opened.values()]
            report.audit = {
                **audits[0],
                "ok": all(audit["ok"] for audit in audits),
                "problems": [problem for audit in audits for problem in audit["problems"]],
            }
            report.verifier = await site.verify(*(open_site.database for open_site in opened.values()))
    except TimeoutError:
        last = report.results[-1]["step"] if report.results else 0
        report.failed_step = last + 1
        report.differences = [f"the step did not end within {_RUN_SECONDS:.0f} s"]
    report.seconds = time.monotonic() - began
    return report


async def _runners(
    stack: AsyncExitStack,
    site: Site,
    opened: Mapping[str, OpenSite],
    script: Script,
    point: EntryPoint,
) -> dict[str, Runner]:
    """Build the runner of every place, with the bookkeepers and table controllers that the run needs."""
    network, logs = None, {"": site.nats_url}
    if script.sites:
        network, logs = await stack.enter_async_context(running(site, script, opened))
    elif point == "nats":
        settings = BookkeeperSettings(dsn=site.writer_dsn(opened[""].database), url=site.nats_url)
        links = [link.id for link in script.floor.links]
        await stack.enter_async_context(site.bookkeeper(settings, links))
    runners = {}
    for place, part in script.places.items():
        client, devices = opened[place].client, None
        if point == "nats" and place in logs:
            devices = TableDevices(logs[place], part.floor, client)
            stack.push_async_callback(devices.close)
        runners[place] = Runner(part, client, devices, network)
    return runners


def _disagreements(runs: Sequence[RunReport]) -> list[str]:
    """Describe the differences between two runs of one file, step by step."""
    if len(runs) < 2:
        return []
    run, other = runs
    about = f"{run.entry_point} and {other.entry_point} differ"
    disagreements = []
    for first, second in zip(run.results, other.results, strict=False):
        texts = list(differences(first, second)) or list(differences(second, first))
        disagreements += [f"step {first['step']}: {about}: {text}" for text in texts]
    if len(run.results) != len(other.results):
        disagreements.append(f"{about}: {len(run.results)} steps and {len(other.results)} steps")
    return disagreements
