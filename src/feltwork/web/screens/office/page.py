"""The office: what is held for players, what waits for a second person, and every report of the books."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from feltwork.operations.floors.site import site_name
from feltwork.operations.links import meters
from feltwork.operations.people import proposals
from feltwork.operations.reports import reports
from feltwork.operations.reports.reports import ReportRequest
from feltwork.web.fields import LinkPath, Name
from feltwork.web.rendering.templating import page
from feltwork.web.security.auth import Reader

router = APIRouter(prefix="/office")

#: The lawful reasons for an adjustment, in short [WA-15].
REASONS = {
    "MALFUNCTION_CORRECTION": "correct a malfunction",
    "CAP_CORRECTION": "correct what went above the cap",
    "NON_DISPLAYED_TO_GROSS_RECEIPTS": "hidden pool to gross receipts",
    "SEED_RECOVERY": "recover the seed",
    "HOUSE_ADDITION": "the house adds money",
}
Day = Annotated[str, Query(pattern=r"^(ALL|TODAY|\d{4}-\d{2}-\d{2})$", description="A gambling day.")]
Chosen = Annotated[str, Query(max_length=64)]
#: A form sends an empty text where nothing is chosen.
ChosenRound = Annotated[str | None, Query(pattern=r"^\d{0,12}$")]


@router.get("")
def office(request: Request, by: Reader) -> Response:
    """The state of all money at a glance: links, proposals, and the doors to every report."""
    funds = meters.funds(by)
    shown = {
        "site": site_name(by.connection),
        "links": funds,
        "required": sum(link.required for link in funds),
        "proposals": proposals.waiting_for(by),
        "reports": [
            {"name": one.name, "title": one.title, "says": one.says} for one in reports.REPORTS.values()
        ],
    }
    return page(request, "office.html", shown, me=by.actor.me)


@router.get("/links/{link}")
def link(
    request: Request,
    by: Reader,
    link: LinkPath,
    level: Name | None = None,
    pool: reports.Pool = "meter",
    day: Day = "TODAY",
) -> Response:
    """One link: its meters, the meter sheet of a level, and the forms for what two people may change."""
    view = meters.meter_sheet(by, link, level=level or "", pool=pool, day=day)
    return page(
        request,
        "office_link.html",
        view,
        me=by.actor.me,
        may={name: by.actor.may(name) for name in ("adjust", "set_amount", "set_cap", "open_link", "resume")},
        may_count=by.actor.may("count_funds"),
        reasons=REASONS,
    )


@router.get("/proposals")
def waiting(request: Request, by: Reader) -> Response:
    """What waits for a second person, with the fingerprint that an approval is bound to."""
    shown = {
        "site": site_name(by.connection),
        "proposals": proposals.waiting_for(by),
        "may_propose_floor": by.actor.may("reconfigure"),
    }
    return page(request, "office_proposals.html", shown, me=by.actor.me)


@router.get("/reports/{name}")
def show_report(  # noqa: PLR0913, PLR0917 - what a report may be asked about
    request: Request,
    by: Reader,
    name: str,
    day: Day = "TODAY",
    link: Chosen = "",
    level: Chosen = "",
    pool: reports.Pool = "meter",
    award: Chosen = "",
    table: Chosen = "",
    round: ChosenRound = None,  # noqa: A002 - the name of the column
    code: Chosen = "",
) -> Response:
    """A report of a gambling day, or of all days; the same rows are there as CSV."""
    asked = ReportRequest(
        name=name,
        day=day,
        link=link,
        level=level,
        pool=pool,
        award=award,
        table=table,
        round=int(round or 0),
        code=code,
    )
    view = reports.view(by, asked)
    about = {"format": "csv", **{key: value for key, value in view.choices.items() if value}}
    if view.dated:
        about |= {"since": view.since.isoformat(), "until": view.until.isoformat()}
    csv = f"/reports/{name}?{urlencode(about)}"
    return page(request, "office_report.html", view, me=by.actor.me, csv=csv)
