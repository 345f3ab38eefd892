"""The auditor: replay the chain, follow an award down to its letter, take the books home."""

import json
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, RedirectResponse, Response
from psycopg.rows import dict_row
from starlette.background import BackgroundTask

from feltwork.books.days import period_of
from feltwork.books.export import export
from feltwork.books.replay import audit
from feltwork.books.reports import report
from feltwork.books.standing import look_at_meters
from feltwork.books.statements import statement
from feltwork.books.workings import working
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.web import room, told
from feltwork.web.callers import Reader
from feltwork.web.pages import page
from feltwork.web.screens.office import Day
from feltwork.web.words import AwardPath, LinkPath, TablePath

router = APIRouter(prefix="/audit")

_ENTRIES = 50


@router.get("")
def auditor(request: Request, by: Reader) -> Response:
    """The ends of all chains, the last awards, and the bundle to check elsewhere."""
    hits = report(by.connection, "hits")
    shown = {
        "site": room.site_name(by.connection),
        "links": [
            _end(by, link) for link, kind in told.links(by.connection).items() if kind == "progressive"
        ],
        "awards": hits,
    }
    return page(request, "auditor.html", shown, me=by.actor.me)


@router.get("/verdict")
def verdict(request: Request, by: Reader) -> Response:
    """Replay every chain from its first entry, and name the first that is wrong."""
    found = audit(by.connection)
    shown = {
        "site": room.site_name(by.connection),
        "links": found.links,
        "entries": found.entries,
        "rounds": found.rounds,
        "problems": [{"where": one.where, "what": one.what, "remedy": one.remedy} for one in found.problems],
    }
    return page(request, "auditor_verdict.html", shown, me=by.actor.me)


@router.get("/bundle")
def bundle(by: Reader, day: Day = "ALL") -> FileResponse:
    """The books of a day, or all of them, as a file that `verify_books.py` checks without us."""
    period = period_of(by.connection, day)
    folder = Path(mkdtemp(prefix="feltwork-bundle-"))
    file = folder / f"feltwork-{period.name}.tar"
    export(by.connection, file, period)

    def remove() -> None:
        file.unlink()
        folder.rmdir()

    return FileResponse(
        file, media_type="application/x-tar", filename=file.name, background=BackgroundTask(remove)
    )


@router.get("/links/{link}")
def journal(
    request: Request, by: Reader, link: LinkPath, after: Annotated[int, Query(ge=-1, le=2**62)] = -1
) -> Response:
    """The entries of a chain, the last page first, each with its fact and its hash."""
    row = by.connection.execute(statement("look"), (link,)).fetchone()
    if row is None:
        raise unknown(f"link {link}")
    last = row[0]
    first = max(0, last - _ENTRIES) if after < 0 else after
    with by.connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("journal_page"), (link, first, _ENTRIES)).fetchall()
    shown = {
        "site": room.site_name(by.connection),
        "link": link,
        "last": last,
        "entries": [{**row, "fact": json.loads(row["fact"])} for row in rows],
        "older": max(0, first - _ENTRIES) if first else None,
        "newer": first + _ENTRIES if first + _ENTRIES < last else None,
    }
    return page(request, "auditor_journal.html", shown, me=by.actor.me)


@router.get("/awards/{link}/{award}")
def award(request: Request, by: Reader, link: LinkPath, award: AwardPath) -> Response:
    """An award with its working: paid, meter, contributions, row of the paytable, letter."""
    if told.links(by.connection).get(link) == "house":
        # It has no meter, and its amount was posted: its chain is the whole working.
        return RedirectResponse(f"/audit/links/{link}", 303)
    found = working(by.connection, link, award)
    if found is None:
        raise unknown(f"{link}, award {award}")
    first, rule = found.steps[0], found.rule
    shown = {
        "link": link,
        "award": award,
        "site": room.site_name(by.connection),
        "title": rule.link.title.title,
        "amount": first["amount"],
        "status": first["status"],
        "table": first["table"],
        "round": first["round"],
        "seat": first["seat"],
        "hand": first["hand"],
        "level": first["level"],
        "from_meter": first["from_meter"],
        "from_house": first["from_house"],
        "restart": {"seed": first["restart_seed"], "reserve": first["restart_reserve"]},
        "pays": str(rule.row.pays),
        "paytable": {"name": rule.link.paytable.name, "fingerprint": rule.link.paytable.fingerprint},
        "link_version": rule.link.fingerprint,
        "wager": rule.link.wager,
        "envy": rule.row.envy_for(rule.link.wager),
        "paragraphs": [{"id": one.id, "where": str(one), "says": one.says} for one in rule.paragraphs],
        "entry": found.entry,
        "wagers": found.wagers,
        "growth": found.growth,
        "steps": [
            {
                name: row[name]
                for name in ("entry", "booked_at", "step", "person", "meter_before", "meter_after")
            }
            for row in found.steps
        ],
    }
    return page(request, "auditor_award.html", shown, me=by.actor.me)


@router.get("/rounds/{table}/{number}")
def dispute(request: Request, by: Reader, table: TablePath, number: int) -> Response:
    """All that the books know of one round, for a patron who disagrees."""
    rows = report(by.connection, "dispute", table=table, round=number)
    if not rows:
        raise unknown(f"round {number} at {table}")
    shown = {"site": room.site_name(by.connection), "table": table, "number": number, "steps": rows}
    return page(request, "auditor_round.html", shown, me=by.actor.me)


def _end(by: Operation, link: str) -> dict[str, Any]:
    taken = look_at_meters(by.connection, link)
    return {
        "link": link,
        "title": taken.state.link.title.title,
        "entry": taken.tail.number,
        "hash": taken.tail.hash,
        "player_funds": taken.state.player_funds,
    }
