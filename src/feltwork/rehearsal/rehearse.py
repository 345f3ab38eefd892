"""A rehearsal from start to finish: every file through its entry points."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from feltwork.rehearsal.expectation import differences
from feltwork.rehearsal.runner import EntryPoint, Runner, RunReport
from feltwork.rehearsal.script import Script
from feltwork.rehearsal.site import OpenSite, Site
from feltwork.rehearsal.table_devices import TableDevices
from feltwork.site.servers.temporary import TemporaryServers

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
        async with site.service(books) as opened:
            report.runs.append(await _run(site, opened, report.script, point))
    report.disagreements = _disagreements(report.runs)


async def _run(site: Site, opened: OpenSite, script: Script, point: EntryPoint) -> RunReport:
    began = time.monotonic()
    report = RunReport(entry_point=point)
    try:
        async with asyncio.timeout(_RUN_SECONDS):
            if point == "http":
                await Runner(script, opened.client, None).run(report)
            else:
                await _run_with_devices(site, opened, script, report)
            report.audit = await opened.client.audit()
            report.verifier = await site.verify(opened.database)
    except TimeoutError:
        last = report.results[-1]["step"] if report.results else 0
        report.failed_step = last + 1
        report.differences = [f"the step did not end within {_RUN_SECONDS:.0f} s"]
    report.seconds = time.monotonic() - began
    return report


async def _run_with_devices(site: Site, opened: OpenSite, script: Script, report: RunReport) -> None:
    async with site.bookkeeper(opened.database, [link.id for link in script.floor.links]):
        devices = TableDevices(site.nats_url, script.floor, opened.client)
        try:
            await Runner(script, opened.client, devices).run(report)
        finally:
            await devices.close()


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
