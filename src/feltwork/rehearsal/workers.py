"""Rehearsal files spread over processes, each with its own servers."""

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.util import Finalize
from pathlib import Path

from feltwork.rehearsal.rehearse import FileReport, Via, run_file
from feltwork.rehearsal.runner import RunReport
from feltwork.rehearsal.script import Script, read_script
from feltwork.rehearsal.servers import rehearsal_servers
from feltwork.rehearsal.site import Site

#: New objects between garbage collections.
_COLLECT_AT = 50_000


class Worker:
    """One process: an event loop and a site, reused from file to file."""

    def __init__(self) -> None:
        self._servers = rehearsal_servers()
        self._loop = asyncio.Runner()
        self._site = Site(self._servers)

    def open(self) -> None:
        """Start the servers and create the schema."""
        self._servers.start()
        self._loop.run(self._site.start())
        # The program itself is never garbage, and a rehearsal creates little.
        gc.freeze()
        gc.set_threshold(_COLLECT_AT)

    def run(self, file: str, via: Via) -> FileReport:
        """Run one file through its entry points."""
        report = FileReport(script=read_script(Path(file)))
        self._loop.run(run_file(self._site, report, via))
        return report

    def close(self) -> None:
        """Stop the servers."""
        try:
            self._loop.run(self._site.finish())
            self._loop.close()
        finally:
            self._servers.stop()


#: The worker of this process.
_workers: list[Worker] = []


def rehearse_in_processes(
    scripts: Sequence[Script], via: Via, on_report: Callable[[FileReport], None], processes: int
) -> None:
    """Run the files in several processes; report each in the order of the files."""
    # The program is imported once, in a process without threads, and forked from there.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_open_worker)
    try:
        runs = [pool.submit(_run, script.name, via) for script in scripts]
        for script, run in zip(scripts, runs, strict=True):
            run_reports, disagreements = run.result()
            on_report(FileReport(script=script, runs=run_reports, disagreements=disagreements))
    finally:
        pool.shutdown(cancel_futures=True)


def _open_worker() -> None:
    # An interrupt reaches the whole process group; the parent ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    worker = Worker()
    Finalize(None, worker.close, exitpriority=1)
    worker.open()
    _workers.append(worker)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _run(file: str, via: Via) -> tuple[list[RunReport], list[str]]:
    report = _workers[0].run(file, via)
    return report.runs, report.disagreements
