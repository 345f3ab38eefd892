"""Compare what the product does with the record, and exit with 1 if anything differs; or write the record.

Run it before a refactoring and after: a place that differs is named. The full text is in build/same.
"""

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from tools.same import record
from tools.same.contracts import contracts
from tools.same.evening import evening
from tools.same.floors import findings, fingerprints, papers
from tools.same.odds import figures, play, what_if
from tools.same.record import Section
from tools.same.rehearsals import rehearsals
from tools.same.rounds import rounds

#: The longest first, so that no process waits long for another.
SECTIONS: dict[str, Section] = {
    "rehearsals": rehearsals,
    "rounds": rounds,
    "play": play,
    "papers": papers,
    "what_if": what_if,
    "figures": figures,
    "evening": evening,
    "contracts": contracts,
    "findings": findings,
    "fingerprints": fingerprints,
}
#: What takes a minute at most.
QUICK = ("contracts", "evening", "findings", "fingerprints")
_SHOWN = 20


def main() -> int:
    """Run the sections side by side, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="just same", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the record")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=", ".join(SECTIONS))
    options = parser.parse_args()
    chosen = options.only or (QUICK if options.quick else SECTIONS)
    start, cores = time.perf_counter(), len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        runs = [
            pool.submit(record.run, name, section) for name, section in SECTIONS.items() if name in chosen
        ]
        count = sum(report(future.result(), is_recording=options.record) for future in as_completed(runs))
    print(f"{count} places differ; {time.perf_counter() - start:.0f} s")
    return 1 if count else 0


def report(run: record.Run, *, is_recording: bool) -> int:
    """Write the record of a section, or print where it differs; return how often."""
    if is_recording:
        record.write(record.RECORD / f"{run.section}.txt", run.lines.items())
    differences = list(record.differences(record.read(run.section), run.lines))
    print(
        f"{run.section}: {len(run.lines)} places, {len(differences)} differ, {run.seconds:.1f} s", flush=True
    )
    for difference in differences[:_SHOWN]:
        print(difference)
    if len(differences) > _SHOWN:
        print(f"and {len(differences) - _SHOWN} more")
    return len(differences)


if __name__ == "__main__":
    sys.exit(main())
