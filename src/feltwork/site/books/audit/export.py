"""The export: the books of a day, or all of them, as plain files that anyone can verify independently."""

import hashlib
import json
import tarfile
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from psycopg.rows import dict_row

from feltwork.site.books.audit.site_key import SiteKey
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.queries import statement
from feltwork.site.progressive.chain import GENESIS, Tail
from feltwork.site.progressive.link import NO_CAP, Link
from feltwork.site.progressive.state import SETTLED
from feltwork.titles import registry

FORMAT = "feltwork-books/3"
#: Values of an award that is not locked.
_NOTHING_LOCKED = {"amount": None, "locked": False, "from_meter": 0, "from_house": 0, "seed": 0, "reserve": 0}
_WAITING = ("claimed", "confirmed")
_FILES = {
    "entries": "export_entries",
    "rounds": "export_rounds",
    "earlier_rounds": "export_earlier_rounds",
    "round_ends": "export_round_ends",
    "evidence": "export_evidence",
    "day_heads": "export_day_heads",
    "earlier_proposals": "export_earlier_proposals",
}


def export(
    connection: Connection, target: Path, period: Period, key: SiteKey | None = None
) -> dict[str, Any]:
    """Write a bundle (folder or ``.tar``) from one snapshot, signed if given a key; return the manifest."""
    if target.suffix == ".tar":
        with TemporaryDirectory() as folder:
            manifest = _write(connection, Path(folder), period, key)
            _pack(Path(folder), target)
        return manifest
    target.mkdir(parents=True)
    return _write(connection, target, period, key)


def _pack(folder: Path, target: Path) -> None:
    """Pack an archive without owners and dates, so the same files always give the same bytes."""
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(folder.iterdir()):
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            with path.open("rb") as file:
                archive.addfile(member, file)


def _write(connection: Connection, folder: Path, period: Period, key: SiteKey | None) -> dict[str, Any]:
    about: dict[str, Any] = {"since": period.since, "until": period.until}
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute("SET LOCAL timezone = 'UTC'")
        rows = connection.execute(statement("export_ends"), about).fetchall()
        links = {row[0]: _link(connection, row) for row in rows}
        about["links"] = list(links)
        about["opened"] = [link["opening"]["number"] for link in links.values()]
        about["closed"] = [link["closing"]["number"] for link in links.values()]
        ends = [evidence_end(connection, instant) for instant in (period.since, period.until)]
        about["evidence_opened"], about["evidence_closed"] = (end.number for end in ends)
        files = {}
        for name, query in _FILES.items():
            with connection.cursor(f"export_{name}", row_factory=dict_row) as cursor:
                cursor.itersize = 2_000
                cursor.execute(statement(query), about)
                files[f"{name}.jsonl"] = _lines(folder / f"{name}.jsonl", cursor)
        with connection.cursor(row_factory=dict_row) as cursor:
            versions = cursor.execute(statement("all_versions")).fetchall()
    for version in versions:
        version["divides_shares"] = registry.jackpot(json.loads(version["body"])["jackpot"]).divides_shares
    files["versions.jsonl"] = _lines(folder / "versions.jsonl", versions)
    files["paytables.jsonl"] = _lines(folder / "paytables.jsonl", paytables_of(versions))
    chain = dict(zip(("opening", "closing"), map(asdict, ends), strict=True))
    manifest = {
        "format": FORMAT,
        "period": period.name,
        "links": links,
        "evidence": chain,
        "files": files,
        "site_key": key.public if key else "",
    }
    text = (json.dumps(manifest, indent=2, sort_keys=True) + "\n").encode()
    (folder / "manifest.json").write_bytes(text)
    if key:
        signature = key.sign(text, f"bundle of {period.name}")
        (folder / "manifest.json.minisig").write_text(signature, encoding="ascii")
    return manifest


def _link(connection: Connection, row: tuple[Any, ...]) -> dict[str, Any]:
    """The state of a link at both ends of the period, with the last entry at each."""
    link, kind, *ends = row
    boundaries = {
        name: {"number": number, "hash": end, "body": body, **link_at(connection, link, number, ends[3])}
        for name, (number, end, body) in zip(("opening", "closing"), (ends[:3], ends[3:]), strict=True)
    }
    return {"kind": kind, **boundaries}


def _lines(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    """Write JSON lines and return the hash of the file."""
    digest = hashlib.sha256()
    with path.open("wb") as out:
        for row in rows:
            line = json.dumps(row, sort_keys=True, separators=(",", ":"), default=_plain).encode() + b"\n"
            digest.update(line)
            out.write(line)
    return digest.hexdigest()


def _plain(value: object) -> str:
    assert isinstance(value, datetime)
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def paytables_of(versions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of every paytable that a version names, in the form its fingerprint is computed from."""
    paytables: dict[str, dict[str, Any]] = {}
    for version in versions:
        body = json.loads(version["body"])
        if "paytable" not in body:
            continue
        paytable = registry.paytable(body["jackpot"], "jackpot", body["paytable"]["id"])
        rows = [{"hand": row.hand, "pays": str(row.pays), "envy": row.envy} for row in paytable.rows]
        paytables[paytable.fingerprint] = {
            "id": paytable.id,
            "title": paytable.title,
            "bet": paytable.bet,
            "rows": rows,
            "recommended": dict(paytable.recommended),
        }
    return [{"fingerprint": fingerprint, "body": body} for fingerprint, body in sorted(paytables.items())]


def evidence_end(connection: Connection, before: datetime) -> Tail:
    """The end of the evidence chain before an instant."""
    row = connection.execute(statement("evidence_end"), (before,)).fetchone()
    return Tail(*row) if row else Tail(0, GENESIS)


def link_at(connection: Connection, link: str, number: int, closed: int) -> dict[str, Any]:
    """Balances, version, caps, amounts and awards after an entry; empty before the first.

    ``settled`` has awards of earlier periods reversed by entry ``closed``, and the others of their rounds.
    """
    if not number:
        names = ("balances", "caps", "amounts", "awards", "inflow", "settled")
        return {**{name: {} for name in names}, "version": ""}
    balances: dict[str, int] = dict(
        connection.execute(statement("balances_after"), (link, number)).fetchall()
    )
    version, caps, amounts = _settings(connection, link, number)
    row = connection.execute(statement("version"), (link, version)).fetchone()
    awards = _awards(connection, link_from(row[0], version), number, closed) if row else {}
    return {
        "balances": balances,
        "version": version,
        "caps": caps,
        "amounts": amounts,
        "awards": {name: award for name, award in awards.items() if award["status"] in _WAITING},
        "inflow": _inflow(connection, link, number),
        "settled": {name: award for name, award in awards.items() if award["status"] not in _WAITING},
    }


def _inflow(connection: Connection, link: str, number: int) -> dict[str, int]:
    """The total inflow of every meter and reserve up to an entry, without locks."""
    return dict(connection.execute(statement("inflow_until"), (link, number)).fetchall())


def _settings(connection: Connection, link: str, number: int) -> tuple[str, dict[str, int], dict[str, int]]:
    version = ""
    caps: dict[str, int] = {}
    amounts: dict[str, int] = {}
    for (text,) in connection.execute(
        statement("settings_until"), {"link": link, "number": number}
    ).fetchall():
        fact = json.loads(text)
        version = fact.get("version", version)
        if fact["kind"] == "Opened":
            row = connection.execute(statement("version"), (link, version)).fetchone()
            assert row is not None
            caps = {level["name"]: level["cap"] for level in json.loads(row[0])["levels"]}
        elif fact["kind"] == "CapSet":
            caps[fact["level"]] = fact["after"]
        elif fact["kind"] == "AmountSet":
            amounts[fact["level"]] = fact["after"]
    return version, {level: cap for level, cap in caps.items() if cap != NO_CAP}, amounts


def _awards(connection: Connection, link: Link, number: int, closed: int) -> dict[str, dict[str, Any]]:
    """The awards waiting after an entry with their amounts, and those affected by a later reversal."""
    about: dict[str, Any] = {"link": link.id, "number": number, "closed": closed}
    about["names"] = [name for (name,) in connection.execute(statement("awards_at"), about)]
    awards: dict[str, dict[str, Any]] = {}
    for entry, text in connection.execute(statement("award_facts_until"), about).fetchall():
        fact = json.loads(text)
        match fact["kind"]:
            case "Claimed":
                awards[fact["award"]] = {**fact, "status": "claimed", "level": "", "turn": 0, "lock": 0}
                awards[fact["award"]] |= {"inflow": [], "signed": [], "aside": False, **_NOTHING_LOCKED}
            case "Locked":
                award = awards[fact["award"]]
                held = {name: fact[name] for name in ("from_meter", "from_house", "seed", "reserve")}
                award.update(amount=fact["from_meter"] + fact["from_house"])
                award.update(locked=True, level=fact["level"], lock=entry, **held)
                if not award["turn"]:
                    had = _inflow(connection, link.id, entry)
                    pools = [f"{pool}/{link.id}/{fact['level']}" for pool in ("meter", "reserve")]
                    award.update(turn=entry, inflow=[had.get(pool, 0) for pool in pools])
            case "Released":
                awards[fact["award"]].update(_NOTHING_LOCKED)
            case "SetAside":
                awards[fact["award"]].update(aside=True)
            case "Confirmed":
                signed = sorted({fact["supervisor"], fact["executive"]} - {""})
                fixed = {name: fact[name] for name in ("from_meter", "from_house", "level")}
                amount = fact["from_meter"] + fact["from_house"]
                awards[fact["award"]].update(status="confirmed", amount=amount, signed=signed, **fixed)
            case "Voided" | "Paid" | "Confiscated" | "Reversed":
                award = awards[fact["award"]]
                award["status"] = fact["kind"].lower()
                if fact["kind"] == "Reversed" and link.shares_prizes:
                    _keep_restart(awards.values(), award)
    return awards


def _keep_restart(awards: Iterable[dict[str, Any]], back: dict[str, Any]) -> None:
    """Move the restart of a meter to another share of the prize; it goes back with the last one."""
    for other in awards:
        same = all(other[name] == back[name] for name in ("table", "round", "level"))
        if same and other is not back and other["status"] in SETTLED:
            other.update(seed=other["seed"] + back["seed"], reserve=other["reserve"] + back["reserve"])
            return
