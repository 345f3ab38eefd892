"""The office: player funds, two-person proposals, and reports."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import model_validator

from feltwork.operations.floors.site import site_name
from feltwork.operations.links import meters
from feltwork.operations.people import proposals
from feltwork.operations.reports import reports
from feltwork.web.api.reports import ReportQuery
from feltwork.web.fields import LinkPath, Name
from feltwork.web.rendering.catalog import N_
from feltwork.web.rendering.templating import page
from feltwork.web.security.auth import Reader

router = APIRouter(prefix="/office")

#: The permitted reasons for an adjustment [WA-15].
REASONS = {
    "MALFUNCTION_CORRECTION": N_("Correct a malfunction"),
    "CAP_CORRECTION": N_("Correct an amount over the cap"),
    "NON_DISPLAYED_TO_GROSS_RECEIPTS": N_("Move the hidden pool to gross receipts"),
    "SEED_RECOVERY": N_("Recover the seed"),
    "HOUSE_ADDITION": N_("House adds money"),
}
Day = Annotated[str, Query(pattern=r"^(ALL|TODAY|\d{4}-\d{2}-\d{2})$", description="A gambling day.")]


class ReportPageQuery(ReportQuery):
    """The parameters of a report page; a form sends an empty string for an unset one."""

    day: Day = "TODAY"

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, values: dict[str, str]) -> dict[str, str]:
        return {name: value for name, value in values.items() if value}


@router.get("")
def office(request: Request, by: Reader) -> Response:
    """Funds by link, open proposals, and the list of reports."""
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
    return page(request, "office.html", shown, by=by)


@router.get("/links/{link}")
def link(
    request: Request,
    by: Reader,
    link: LinkPath,
    level: Name | None = None,
    pool: reports.Pool = "meter",
    day: Day = "TODAY",
) -> Response:
    """A link: its meters, the meter sheet of a level, and the forms for two-person changes."""
    view = meters.meter_sheet(by, link, level=level or "", pool=pool, day=day)
    return page(
        request,
        "office_link.html",
        view,
        by=by,
        may={name: by.actor.may(name) for name in ("adjust", "set_amount", "set_cap", "open_link", "resume")},
        may_count=by.actor.may("count_funds"),
        reasons=REASONS,
    )


@router.get("/proposals")
def waiting(request: Request, by: Reader) -> Response:
    """Open proposals with the fingerprints that approvals are bound to."""
    shown = {
        "site": site_name(by.connection),
        "proposals": proposals.waiting_for(by),
        "may_propose_floor": by.actor.may("reconfigure"),
    }
    return page(request, "office_proposals.html", shown, by=by)


@router.get("/reports/{name}")
def show_report(
    request: Request, by: Reader, name: str, about: Annotated[ReportPageQuery, Query()]
) -> Response:
    """A report of a gambling day, or of all days, with a CSV link."""
    view = reports.view(by, about.request(name))
    chosen = {"format": "csv", **{key: value for key, value in view.choices.items() if value}}
    if view.dated:
        chosen |= {"since": view.since.isoformat(), "until": view.until.isoformat()}
    csv = f"/reports/{name}?{urlencode(chosen)}"
    return page(request, "office_report.html", view, by=by, csv=csv)
