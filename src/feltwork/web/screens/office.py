"""The office: what is held for players, what waits for a second person, and every report of the books."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from feltwork.books.days import period_of
from feltwork.books.export import Period
from feltwork.books.reports import REPORTS, report
from feltwork.books.standing import look_at_meters
from feltwork.compliance import roles
from feltwork.operations import proposals
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.operations.proposals import ProposalView
from feltwork.problem import ProblemsError
from feltwork.web import columns, room, told
from feltwork.web.callers import Reader
from feltwork.web.pages import page
from feltwork.web.words import LinkPath, Name

router = APIRouter(prefix="/office")

#: The reports as accounting knows them, and the one thing each answers.
TITLES: Mapping[str, tuple[str, str]] = {
    "funds": ("Deposit and liability", "What the bank must hold for each link, and what stops it."),
    "reconciliation": ("Reconciliation", "Player funds from opening to closing; differences first."),
    "daily_lines": ("Master games report", "A line for each table and jackpot of the day."),
    "adjustments": ("Adjustments", "Every change that people made: who, before, after, why."),
    "hits": ("Last hits", "The last 25 of each link."),
    "counters": ("Counters", "Parameters and counters that nobody can set back."),
    "gaps": ("Gaps", "Round numbers that have not arrived."),
    "audit_log": ("Log", "What people and devices asked for."),
}
#: The lawful reasons for an adjustment, in short [WA-15].
REASONS = {
    "MALFUNCTION_CORRECTION": "correct a malfunction",
    "CAP_CORRECTION": "correct what went above the cap",
    "NON_DISPLAYED_TO_GROSS_RECEIPTS": "hidden pool to gross receipts",
    "SEED_RECOVERY": "recover the seed",
    "HOUSE_ADDITION": "the house adds money",
}
Day = Annotated[str, Query(pattern=r"^(ALL|TODAY|\d{4}-\d{2}-\d{2})$", description="A gambling day.")]


@router.get("")
def office(request: Request, by: Reader) -> Response:
    """The state of all money at a glance: links, proposals, and the doors to every report."""
    funds = report(by.connection, "funds")
    shown = {
        "site": room.site_name(by.connection),
        "links": [{**one, "meters": _meters(by, one["link"])} for one in funds],
        "required": sum(one["required"] for one in funds),
        "proposals": [told_proposal(by, one) for one in proposals.waiting(by).proposals],
        "reports": [{"name": name, "title": title, "says": says} for name, (title, says) in TITLES.items()],
    }
    return page(request, "office.html", shown, me=by.actor.me)


@router.get("/links/{link}")
def link(
    request: Request,
    by: Reader,
    link: LinkPath,
    level: Name | None = None,
    pool: Literal["meter", "reserve"] = "meter",
    day: Day = "TODAY",
) -> Response:
    """One link: its meters, the meter sheet of a level, and the forms for what two people may change."""
    shown = {
        **meter_sheet(by, link, level=level, pool=pool, day=day),
        "may": {name: by.actor.may(name) for name in ("adjust", "set_cap", "open_link", "resume")},
        "may_count": by.actor.may("count_funds"),
        "reasons": REASONS,
        "site": room.site_name(by.connection),
    }
    return page(request, "office_link.html", shown, me=by.actor.me)


@router.get("/proposals")
def waiting(request: Request, by: Reader) -> Response:
    """What waits for a second person, with the fingerprint that an approval is bound to."""
    waits = [told_proposal(by, one) for one in proposals.waiting(by).proposals]
    shown = {"site": room.site_name(by.connection), "proposals": waits}
    return page(request, "office_proposals.html", shown, me=by.actor.me)


@router.get("/reports/{name}")
def show_report(request: Request, by: Reader, name: str, day: Day = "TODAY") -> Response:
    """A report of a gambling day, or of all days; the same rows are there as CSV."""
    if name not in TITLES:
        raise unknown(f"report {name}")
    title, says = TITLES[name]
    dated = "since" in REPORTS[name]
    period = _period(by, day) if dated else Period()
    asked = {"since": period.since, "until": period.until} if dated else {}
    rows = report(by.connection, name, **asked)
    csv = f"/reports/{name}?format=csv"
    if dated:
        csv += f"&since={_moment(period.since)}&until={_moment(period.until)}"
    shown = {
        "site": room.site_name(by.connection),
        "name": name,
        "title": title,
        "says": says,
        "dated": dated,
        "day": period.name,
        "csv": csv,
        "rows": rows,
        "differences": _differences(rows) if name == "reconciliation" else [],
    }
    return page(request, "office_report.html", shown, me=by.actor.me)


def meter_sheet(by: Operation, link: str, *, level: str | None, pool: str, day: str) -> dict[str, Any]:
    """A link, and every change of one of its pools on a gambling day, for a screen or for paper [WA-08]."""
    told.verify_link(by.connection, link)
    taken = look_at_meters(by.connection, link)
    known = taken.state.link.level_names
    chosen = level or known[0]
    if chosen not in known:
        raise unknown(f"level {chosen} of {link}")
    period = _period(by, day)
    asked = {"link": link, "level": chosen, "pool": pool, "since": period.since, "until": period.until}
    return {
        "link": told.link(taken),
        "title": taken.state.link.title.title,
        "level": chosen,
        "pool": pool,
        "day": period.name,
        "sheet": report(by.connection, "meter_sheet", **asked),
    }


def _moment(value: Any) -> str:
    return str(value.isoformat()).replace("+", "%2B")


def _period(by: Operation, day: str) -> Period:
    """A gambling day; before the first floor nothing says when a day begins, so that all days are shown."""
    try:
        return period_of(by.connection, day)
    except ProblemsError:
        if day == "TODAY":
            return Period()
        raise


def _meters(by: Operation, link: str) -> list[dict[str, Any]]:
    state = look_at_meters(by.connection, link).state
    return [{"level": level, **pools} for level, pools in told.meters(state).items()]


def _differences(rows: list[dict[str, Any]]) -> list[str]:
    """What a reader must know before any other figure."""
    return [
        f"{row['link']}: {what} {columns.amount(row[name])}"
        for row in rows
        for name, what in (
            ("difference", "the books hold beyond their entries"),
            ("unexplained", "no entry explains"),
            ("bank_difference", "the bank holds beyond the books"),
        )
        if row[name]
    ]


def told_proposal(by: Operation, proposal: ProposalView) -> dict[str, Any]:
    """A proposal, and whether the reader may say the second yes."""
    rule = roles.COMMANDS[proposal.command]
    return {
        **asdict(proposal),
        "says": rule.says,
        "requirement": rule.requirement,
        "may_approve": proposals.may_approve(by, proposal),
        "own": by.actor.id == proposal.proposed_by,
    }
