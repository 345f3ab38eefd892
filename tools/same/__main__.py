"""Record what the product does (--record), or compare it with the record and exit with 1 if anything differs.

`just same` in a checkout before a change and after it proves that a refactoring changes nothing. The full
text of a run is in build/same.
"""

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from tools.same import record
from tools.same.contracts import contracts
from tools.same.floors import findings, fingerprints, papers
from tools.same.record import Section

#: The longest first, so that no process waits for another.
SECTIONS: dict[str, Section] = {
    "papers": papers,
    "findings": findings,
    "fingerprints": fingerprints,
    "contracts": contracts,
}
#: What runs in a minute, for every commit.
QUICK = ("contracts", "fingerprints", "findings")
_SHOWN = 20


def main(arguments: list[str] | None = None) -> int:
    """Run the sections side by side, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="just same", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the record instead")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    parser.add_argument("--only", nargs="+", choices=sorted(SECTIONS), metavar="SECTION", help="only these")
    options = parser.parse_args(arguments)
    chosen = options.only or (QUICK if options.quick else SECTIONS)
    start, count = time.perf_counter(), 0
    with ProcessPoolExecutor(
        len(os.sched_getaffinity(0)), multiprocessing.get_context("spawn"), max_tasks_per_child=1
    ) as pool:
        runs = [pool.submit(record.run, name, SECTIONS[name]) for name in SECTIONS if name in chosen]
        for finished in as_completed(runs):
            count += _report(finished.result(), is_recording=options.record)
            sys.stdout.flush()
    print(f"{count} places differ, in {time.perf_counter() - start:.0f} s")
    return 1 if count else 0


def _report(run: record.Run, *, is_recording: bool) -> int:
    """Write the record of a section, or print where it differs; return how often."""
    if is_recording:
        record.write(run.lines, run.section)
    differences = list(record.differences(record.read(run.section), run.lines))
    print(f"{run.section}: {len(run.lines)} places, {len(differences)} differ, {run.seconds:.1f} s")
    for difference in differences[:_SHOWN]:
        print(difference)
    if len(differences) > _SHOWN:
        print(f"... and {len(differences) - _SHOWN} more; build/same/{run.section}.txt has every value")
    return len(differences)


if __name__ == "__main__":
    sys.exit(main())
