"""Bundles of a simulated network, as the export writes them: one of the hub and one of each site."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from feltwork.books.audit.export import FORMAT, paytables_of
from feltwork.books.audit.export_boundaries import fold_awards, is_waiting
from feltwork.books.audit.network_boundaries import hub_state
from feltwork.books.links.versions import text_of
from feltwork.ledger.chain import GENESIS, Chained
from feltwork.progressive.network.site_books import SiteBooks
from feltwork.progressive.network.sums import counters_of
from feltwork.simulation.network import people
from feltwork.simulation.network.nodes import SimulatedMember
from feltwork.simulation.network.scenario import scenario_of
from feltwork.simulation.network.world import NetworkWorld

_EMPTY = ("round_ends", "earlier_rounds", "evidence", "earlier_proposals", "day_heads")
_NOTHING: dict[str, Any] = {
    name: {} for name in ("balances", "caps", "amounts", "awards", "inflow", "settled")
}
_START = {"number": 0, "hash": GENESIS, "body": "", "version": "", **_NOTHING}


def eventful_world() -> NetworkWorld:
    """A network that has not begun: of the seeds, the one with most kinds of facts in a few minutes.

    Awards are paid, a claim is cleared, one before it has arrived; sites settle and change version.
    """
    scenario = scenario_of(8, 2)
    world = NetworkWorld(replace(scenario, faults=replace(scenario.faults, rolled_back=0.0)), 4)
    people.start(world)
    return world


def write_bundles(world: NetworkWorld, folder: Path) -> list[Path]:
    """Write the bundle of the hub and then those of the sites; the first is the hub's."""
    hub = world.hub.books
    levels = sorted(hub.state.link.level_names)
    sums = [
        {
            "link": row.link,
            "number": number,
            "site": row.site,
            "entry": row.entry,
            "hash": row.hash,
            "version": row.version,
            "wagers": row.wagers,
            "counters": counters_of(row, levels),
        }
        for number, rows in world.hub.journal.rows.items()
        for row in rows
    ]
    caps = {name: cap for name in levels if (cap := hub.state.cap(name)) >= 0}
    closing = {
        **_closing(world.hub.journal.entries, hub.state.balances, hub.state.link.fingerprint),
        "caps": caps,
        "network": hub_state(hub),
    }
    written = [folder / "HUB"]
    _write(world, written[0], world.hub.journal.entries, closing, {"sums": sums})
    for name, member in world.sites.items():
        written.append(folder / name)
        write_site(world, folder / name, member)
    return written


def write_site(world: NetworkWorld, folder: Path, member: SimulatedMember) -> None:
    """Write the bundle of a site."""
    books, entries = member.books, member.journal.entries
    played = any(chained.entry.kind in ("PassedOn", "VersionAdopted") for chained in entries)
    version = books.state.link.fingerprint if played else ""
    closing = {**_closing(entries, books.state.balances, version), "network": site_state(books)}
    started = {
        (played_round.started.table, played_round.started.round): played_round.started
        for played_round in world.played
        if played_round.site == member.name and played_round.started is not None
    }
    rounds = []
    for chained in entries:
        if chained.entry.kind == "PassedOn":
            for table, number in json.loads(chained.entry.fact)["rounds"].items():
                start = started[table, int(number)]
                place = {
                    "link": start.link,
                    "entry": chained.number,
                    "table_id": table,
                    "number": start.round,
                }
                row = {**place, "started_at": start.at, "wager": start.wager, "seats": list(start.seats)}
                rounds.append(row)
    _write(world, folder, entries, closing, {"rounds": rounds})


def site_state(books: SiteBooks) -> dict[str, Any]:
    """What the export says of a site after its last entry."""
    own = books.sum(books.hub)
    return {
        "site": books.site,
        "joined": books.joined,
        "wagers": own.wagers,
        "counters": counters_of(own, sorted(books.state.link.level_names)),
        "settlements": books.settlements,
    }


def _closing(entries: Iterable[Chained], balances: Mapping[str, int], version: str) -> dict[str, Any]:
    inflow: dict[str, int] = defaultdict(int)
    at_entry: dict[int, dict[str, int]] = {}
    facts = []
    last = None
    for last in entries:
        if last.entry.kind == "Locked":
            at_entry[last.number] = dict(inflow)
        elif last.entry.kind != "Released":
            for posting in last.entry.postings:
                if posting.account.partition("/")[0] in ("meter", "reserve"):
                    inflow[posting.account] += posting.amount
        facts.append((last.number, json.loads(last.entry.fact)))
    assert last is not None
    awards = fold_awards(facts, at_entry.__getitem__, shares_prizes=False)
    return {
        **_NOTHING,
        "number": last.number,
        "hash": last.hash,
        "body": last.body,
        "balances": {account: amount for account, amount in balances.items() if amount},
        "version": version,
        "awards": {name: award for name, award in awards.items() if is_waiting(award)},
        "inflow": {account: amount for account, amount in inflow.items() if amount},
    }


def _write(
    world: NetworkWorld,
    folder: Path,
    entries: Iterable[Chained],
    closing: dict[str, Any],
    files: dict[str, list[dict[str, Any]]],
) -> None:
    folder.mkdir(parents=True)
    link = world.scenario.link
    versions: list[dict[str, Any]] = [
        {
            "link": version.id,
            "fingerprint": version.fingerprint,
            "body": text_of(version),
            "divides_shares": False,
        }
        for version in world.scenario.versions
    ]
    rows = [
        {
            "link": link.id,
            "number": chained.number,
            "previous": chained.previous,
            "hash": chained.hash,
            "booked_at": datetime.fromtimestamp(chained.entry.at / 1e6, UTC).isoformat(
                timespec="microseconds"
            ),
            "body": chained.body,
            "fact": chained.entry.fact,
        }
        for chained in entries
    ]
    everything = {"entries": rows, "rounds": [], "versions": versions, "paytables": paytables_of(versions)}
    everything |= {name: [] for name in _EMPTY} | files
    digests = {
        f"{name}.jsonl": write_lines(folder / f"{name}.jsonl", some) for name, some in everything.items()
    }
    nowhere = {"number": 0, "hash": GENESIS}
    manifest = {
        "format": FORMAT,
        "period": "ALL",
        "links": {link.id: {"kind": link.kind, "opening": _START, "closing": closing}},
        "evidence": {"opening": nowhere, "closing": nowhere},
        "files": digests,
        "site_key": "",
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def write_lines(path: Path, rows: Iterable[Any]) -> str:
    """Write rows as lines of JSON; the hash of the file."""
    text = "".join(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return sha256(text.encode()).hexdigest()
