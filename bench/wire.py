"""What the wire costs: wagers from tables through JetStream into the books, beside its two engines bare.

All of it in one run on one machine: tables that publish (one process), a nats-server, a bookkeeper and
PostgreSQL. Bare (a) is a COPY of the same rounds and one meter update per batch; bare (b) is the same
messages published, taken and acknowledged with nobody to book them. `with_ends` sends START GAME and END
GAME of each round, twice as many messages for the same wagers. `--quick` takes a minute,
`--json` prints figures for programs.
"""

import argparse
import json
import os
import statistics
import sys
from typing import Any

from wire_box import a_box
from wire_measures import bare_copy, bare_wire, end_to_end, latency
from wire_tables import SEATS, TABLES


def measure(*, quick: bool) -> dict[str, Any]:
    """The main figures: end to end beside the bare engines, and the latency."""
    rounds, turns = (60_000, 2) if quick else (120_000, 5)
    figures: dict[str, Any] = {"seats": len(SEATS), "tables": TABLES, "rounds_per_turn": rounds}
    wholes, copies, wires = [], [], []
    with a_box() as box:
        box.keep()
        first = 1
        end_to_end(box, tables=TABLES, rounds=6_000, first=first)
        first += 6_000 // TABLES
        for _ in range(turns):
            wholes.append(end_to_end(box, tables=TABLES, rounds=rounds, first=first))
            first += rounds // TABLES
            copies.append(bare_copy(box, batch=1_000, seconds=2.0))
            wires.append(bare_wire(tables=TABLES, rounds=rounds // 2, sync_always=False))
        whole = end_to_end(box, tables=TABLES, rounds=rounds // 2, first=first, ends=True)
        first += rounds // 2 // TABLES
        whole["bare_jetstream"] = bare_wire(tables=TABLES, rounds=rounds // 2, sync_always=False, ends=True)
        figures["with_ends"] = whole
        figures["latency"] = latency(box, tables=TABLES, first=first, seconds=6 if quick else 15)
    median = statistics.median(whole["wagers_per_second"] for whole in wholes)
    bare = [min(pair) for pair in zip(copies, wires, strict=True)]
    ratios = [whole["wagers_per_second"] / slower for whole, slower in zip(wholes, bare, strict=True)]
    figures |= {
        "wagers_per_second": round(median),
        "turns": wholes,
        "bare_copy": round(statistics.median(copies)),
        "bare_jetstream": round(statistics.median(wires)),
        "ratio_to_the_slower": round(statistics.median(ratios), 3),
    }
    always = 15_000 if quick else 40_000
    with a_box(sync_always=True) as box:
        box.keep()
        figures["sync_always"] = end_to_end(box, tables=TABLES, rounds=always, first=1)
        figures["sync_always"]["bare_jetstream"] = bare_wire(tables=TABLES, rounds=always, sync_always=True)
        figures["sync_always"]["latency"] = latency(
            box, tables=TABLES, first=always // TABLES + 1, seconds=5 if quick else 15
        )
    return figures


def main() -> int:
    """Measure what is asked for, and leave nothing behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    for flag in ("quick", "json"):
        parser.add_argument(f"--{flag}", action="store_true")
    options = parser.parse_args()
    figures = measure(quick=options.quick)
    figures["load_average"] = os.getloadavg()[0]
    lines = "\n".join(f"{name}: {value}" for name, value in figures.items())
    print(json.dumps(figures) if options.json else lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
