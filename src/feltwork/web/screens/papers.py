"""Papers: win pages, posting sheets, meter sheets, dispute packets and forms, to print and to file."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from feltwork.books import payouts, staff
from feltwork.books.connection import Connection
from feltwork.books.days import period_of
from feltwork.books.reports.posting_sheet import posting_sheet
from feltwork.books.standing import look_at_meters
from feltwork.books.workings import Working, working
from feltwork.cards.card import DECK
from feltwork.compliance.check import rulings_of
from feltwork.compliance.floor import Floor, FloorTable, ProgressiveLink
from feltwork.compliance.posting import sections
from feltwork.operations import reports
from feltwork.operations.errors import unknown
from feltwork.operations.reports import ReportRequest, Row
from feltwork.web import columns, paper, room, told
from feltwork.web.callers import Reader, Watcher
from feltwork.web.pages import facts_of, plain_name
from feltwork.web.screens.office import Day, meter_sheet
from feltwork.web.screens.wins import win_page
from feltwork.web.words import AwardPath, LinkPath, Name, TablePath

router = APIRouter()
#: What a bank is counted by.
CHIPS = ("1,000", "500", "100", "25", "5", "1", "coins")
_FACES = frozenset(map(str, DECK))


@router.get("/awards/{award}/win-page.pdf")
def print_win_page(request: Request, by: Watcher, award: AwardPath) -> Response:
    """The win page on A5, with a QR code that leads to the award [LT-15]."""
    model = _of_award(by.connection, award)
    address = f"{request.app.state.settings.origin}/awards/{award}/win-page"
    model |= {"address": address, "code": paper.code(address)}
    return paper.printed("papers/win_page.html", model, name=f"win-page-{award}", by=by.actor.me)


@router.get("/awards/{award}/shares.pdf")
def print_shares(by: Watcher, award: AwardPath, people: Annotated[int, Query(ge=2, le=12)] = 4) -> Response:
    """What several people write who are entitled to one win, each with a tax form of their own [TX-05]."""
    model = _of_award(by.connection, award)
    model |= {"winners": people, "tests": _tests(room.floor_in_force(by.connection))}
    return paper.printed("papers/shares.html", model, name=f"shares-{award}", by=by.actor.me)


@router.get("/office/links/{link}/posting.pdf")
def print_posting(by: Reader, link: LinkPath, table: Name | None = None) -> Response:
    """What must hang at the tables of a link, or at one of them [WA-28]."""
    floor = room.floor_in_force(by.connection)
    found = next((one for one in floor.links if one.id == link), None) if floor else None
    if floor is None or found is None:
        raise unknown(f"link {link}")
    tables = [one for one in floor.tables_of(found) if table in (None, one.id)]
    if not tables:
        raise unknown(f"table {table} of {link}")
    model = {
        "site": floor.site,
        "link": link,
        "places": [_posted(by.connection, floor, one) for one in tables],
    }
    return paper.printed("papers/posting.html", model, name=f"posting-{link}", by=by.actor.me)


@router.get("/office/links/{link}/sheet.pdf")
def print_meter_sheet(
    by: Reader,
    link: LinkPath,
    level: Name | None = None,
    pool: reports.Pool = "meter",
    day: Day = "TODAY",
) -> Response:
    """The opening amount of a level and every change of it on a gambling day [WA-08]."""
    model = meter_sheet(by, link, level=level, pool=pool, day=day)
    model["site"] = room.site_name(by.connection)
    name = f"meter-sheet-{link}-{model['level']}-{model['day']}"
    return paper.printed("papers/meter_sheet.html", model, name=name, by=by.actor.me)


@router.get("/audit/rounds/{table}/{number}.pdf")
def print_dispute(by: Reader, table: TablePath, number: int) -> Response:
    """All that the books know of one round, with the rules that were in force, for a patron who disagrees."""
    rows = reports.run(by, ReportRequest(name="dispute", table=table, round=number))
    if not rows:
        raise unknown(f"round {number} at {table}")
    floor = room.floor_in_force(by.connection)
    stands = floor.table_by_id.get(table) if floor else None
    model = {
        "site": room.site_name(by.connection),
        "table": table,
        "number": number,
        "game": (stands.known_as or stands.game.title) if stands else "",
        "disputes": (floor.disputes if floor else "") or "Ask the supervisor.",
        "awards": _awards_of(by.connection, rows),
        "steps": [
            {"what": row["what"], "at": _utc(row["booked_at"]), "facts": facts_of(row["about"])}
            for row in rows
        ],
    }
    return paper.printed("papers/dispute.html", model, name=f"dispute-{table}-{number}", by=by.actor.me)


@router.get("/pit/count-form.pdf")
def print_count_form(by: Watcher, shift: Name = "1") -> Response:
    """Two sheets to count banks independently at the end of a shift, and one to compare them [TR-02]."""
    floor = room.floor_in_force(by.connection)
    states = (
        look_at_meters(by.connection, name).state
        for name, kind in told.links(by.connection).items()
        if kind == "progressive"
    )
    model = {
        "site": room.site_name(by.connection),
        "day": period_of(by.connection, "TODAY").name if floor else "",
        "shift": shift,
        "banks": [*(one.id for one in floor.tables), "cage"] if floor else ["cage"],
        "chips": CHIPS,
        "pots": [
            {"link": state.link.id, "level": level, "amount": state.meter(level)}
            for state in states
            for level in state.link.level_names
        ],
    }
    return paper.printed("papers/count_form.html", model, name=f"count-form-{model['day']}", by=by.actor.me)


def _of_award(connection: Connection, award: str) -> dict[str, Any]:
    """The win page with its payout record, and the names of those who took part."""
    model = win_page(connection, award)
    won = [step["at"] for step in model["steps"] if step["step"] in ("Claimed", "Confirmed")]
    sheet = payouts.sheet(connection, model["link"], award) if room.floor_in_force(connection) else None
    record = sheet.record if sheet else None
    # The cards of the record are drawn where they are written as cards; else such a hand is shown.
    cards = record["cards"].split() if record else []
    written = bool(cards) and all(card in _FACES for card in cards)
    return {
        **model,
        "cards": cards if written else model["cards"],
        "shown_cards": written,
        "won_at": won[0] if won else "",
        "record": record,
        "people": {one.id: one.name for one in staff.everyone(connection)},
    }


def _tests(floor: Floor | None) -> list[str]:
    """What is asked of each share, by the rules of today."""
    if floor is None:
        return ["Each share is a win of its own."]
    rulings = rulings_of(floor, on=datetime.now(tz=UTC).date())
    form, times, above = (
        rulings[name] for name in ("tax_form_from", "tax_form_times_wager", "withholding_above")
    )
    lines = ["Each share is a win of its own, tested against its own part of the wager."]
    if form.amount is not None:
        asks = f"A share of {columns.amount(form.amount)} or more, and {times.number} times its wager"
        lines.append(f"{asks}: a Form W-2G for that person.")
    if above.amount is not None:
        lines.append(f"Proceeds above {columns.amount(above.amount)}: tax is held back from that share.")
    return lines


def _posted(connection: Connection, floor: Floor, table: FloorTable) -> dict[str, Any]:
    rulings = rulings_of(floor, on=datetime.now(tz=UTC).date())
    runs = {one.id for one in floor.links if isinstance(one, ProgressiveLink)} & told.links(connection).keys()
    parts = []
    for part in sections(floor, table, rulings):
        now = posting_sheet(connection, part.link) if part.link in runs else {"meters": {}, "notices": []}
        meters = [{"level": level, "amount": amount} for level, amount in now["meters"].items()]
        parts.append({**asdict(part), "meters": meters, "notices": now["notices"]})
    return {
        "id": table.id,
        "game": table.known_as or table.game.title,
        "location": table.location,
        "sections": parts,
    }


def _awards_of(connection: Connection, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The awards of a round, each with its row, its letter and the meter before and after every step."""
    named = dict.fromkeys(
        (row["about"]["link"], row["about"]["award"])
        for row in rows
        if {"link", "award"} <= row["about"].keys()
    )
    found = ((award, working(connection, link, award)) for link, award in named)
    return [_of_working(award, one) for award, one in found if one is not None]


def _of_working(award: str, found: Working) -> dict[str, Any]:
    rule, first = found.rule, found.steps[0]
    return {
        **{name: first[name] for name in ("amount", "seat", "level", "status")},
        "award": award,
        "says": plain_name(first["hand"]),
        "pays": str(rule.row.pays),
        "version": rule.link.fingerprint,
        "paytable": {"name": rule.link.paytable.name, "fingerprint": rule.link.paytable.fingerprint},
        "paragraphs": [{"says": one.says, "where": str(one)} for one in rule.paragraphs],
        "steps": [
            {
                name: step[name]
                for name in ("entry", "booked_at", "step", "person", "meter_before", "meter_after")
            }
            for step in found.steps
        ],
    }


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
