"""What-if beside long runs of the simulated floor: mean jackpot, time to hit, risk of running dry.

    uv run python bench/what_if.py [--quick] [--json]

Each run is a floor that plays itself by its own rules, shoes, players and dealers, its contributions and
awards booked by the rules of the books. Seeds are fixed, so that every machine finds the same figures; a
tenth as long with ``--quick``. The exit status says whether every figure lies within its interval.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork.compliance.floor import Floor
from feltwork.money import DOLLAR
from feltwork.odds.meters.sampling import BATCHES
from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.figure_labels import label
from feltwork.simulation.floors import room
from tests.simulation.long_run import LongRun

SEED = 2026
STEPS = 100


@dataclass(frozen=True, kw_only=True)
class FloorCase:
    """A link of the Lantern room, as it is or with other pays, meters and tables."""

    name: str
    link: str
    rounds: int
    pays: Mapping[str, str] = field(default_factory=dict)
    meters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    tables: tuple[str, ...] = ()

    def floor(self) -> Floor:
        """The room with that link changed."""
        lantern = room()
        return replace(lantern, links=tuple(map(self._changed, lantern.links)))

    def _changed(self, link: Any) -> Any:
        if link.id != self.link:
            return link
        meters = tuple(replace(meter, **self.meters.get(meter.level, {})) for meter in link.meters)
        return replace(
            link, paytable=edited(link.paytable, self.pays), meters=meters, tables=self.tables or link.tables
        )


CASES = (
    FloorCase(
        name="a draft: straight, flush and full house take the minor",
        link="five-card",
        rounds=100_000,
        pays=dict.fromkeys(("straight", "flush", "full_house"), "100% of minor"),
        meters={"minor": {"seed": 8 * DOLLAR, "reserve": 800}},
        tables=("S1", "CS1"),
    ),
    FloorCase(
        name="the five-card link of the Lantern room, ML03, its minor seeded with 100 dollars, reserve 4%",
        link="five-card",
        rounds=60_000,
        meters={"minor": {"seed": 100 * DOLLAR, "reserve": 400}},
    ),
)


def played(case: FloorCase, *, quick: bool, quiet: bool) -> dict[str, Any]:
    """One case from beginning to end."""
    run = LongRun(case.floor(), case.link, seed=SEED)
    rounds = case.rounds // (10 if quick else 1)
    for _ in track(range(STEPS), description=case.name, console=Console(stderr=True), disable=quiet):
        run.play(rounds // STEPS)
    assert sum(run.state.balances.values()) == 0, "every cent is accounted for"
    return {
        "name": case.name,
        "rounds": run.rounds,
        "wagers": run.wagers,
        "hits": {level: len(hits) for level, hits in run.taken.items()},
        "figures": [
            {
                "name": f"{level}.{comparison.name}",
                "what_if": float(comparison.told.value),
                "floor": comparison.seen.value,
                "within": comparison.seen.within,
                "agrees": comparison.agrees,
            }
            for level, hits in run.taken.items()
            if len(hits) > BATCHES
            for comparison in run.compared(level)
        ],
    }


def _show(case: Mapping[str, Any]) -> None:
    hits = ", ".join(f"{count:,} {level}" for level, count in case["hits"].items())
    table = Table(title=f"{case['name']}: {case['rounds']:,} rounds, {case['wagers']:,} wagers, hits: {hits}")
    for column in ("figure", "what-if", "floor", "within (99.9%)", "agrees"):
        table.add_column(column, justify="left" if column == "figure" else "right")
    for figure in case["figures"]:
        numbers = (f"{figure[name]:,.4f}" for name in ("what_if", "floor", "within"))
        level = figure["name"].partition(".")[0]
        table.add_row(f"{level}: {label(figure['name'])}", *numbers, "yes" if figure["agrees"] else "NO")
    Console(width=140).print(table)


def main() -> None:
    """Run every case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth as long")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--case", type=int, choices=range(1, len(CASES) + 1), help="only this one")
    options = parser.parse_args()
    cases = CASES if options.case is None else CASES[options.case - 1 : options.case]
    results = [played(case, quick=options.quick, quiet=options.json) for case in cases]
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        for case in results:
            _show(case)
    sys.exit(0 if all(figure["agrees"] for case in results for figure in case["figures"]) else 1)


if __name__ == "__main__":
    main()
