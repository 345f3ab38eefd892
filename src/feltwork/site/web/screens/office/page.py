"""The office: player funds, two-person proposals, and reports."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, NonNegativeInt, model_validator

from feltwork import money
from feltwork.site.books.authorize import refusal_of_release
from feltwork.site.books.floors.site import site_name
from feltwork.site.books.links import links, meters
from feltwork.site.books.people import proposals
from feltwork.site.books.reports import Row, charts, reports
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.reports.report import Pool
from feltwork.site.books.tables.parked import parked_messages
from feltwork.site.web.api.reports import ReportQuery
from feltwork.site.web.fields import LinkPath, Name
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.templating import page, time_zone
from feltwork.site.web.screens.office.charts import Days, drop_page, drop_svg, history_svg
from feltwork.site.web.screens.office.day import day_page
from feltwork.site.web.security.auth import Reader
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/office", tags=["reports"])
router.add_api_route("/days", day_page)
router.add_api_route("/charts", drop_page)
router.add_api_route("/charts.svg", drop_svg)
router.add_api_route("/links/{link}/history.svg", history_svg)

_MAY = ("adjust", "set_amount", "set_cap", "open_link", "resume")
#: The permitted reasons for an adjustment [WA-15].
REASONS = {
    "MALFUNCTION_CORRECTION": N_("Correct a malfunction"),
    "CAP_CORRECTION": N_("Correct an amount over the cap"),
    "NON_DISPLAYED_TO_GROSS_RECEIPTS": N_("Move the hidden pool to gross receipts"),
    "SEED_RECOVERY": N_("Recover the seed"),
    "HOUSE_ADDITION": N_("House adds money"),
}
#: The same reasons in a proposal, and the status of an award to reverse.
LAWFUL = (
    *(N_("lawful reason"), N_("malfunction correction"), N_("cap correction"), N_("seed recovery")),
    *(N_("house addition"), N_("non displayed to gross receipts")),
    N_("proposed for"),
)
#: The columns of a reconciliation that compare the books with their entries and with the bank.
COMPARED = (
    "link",
    "bank_difference",
    "unexplained",
    "difference",
    "closing",
    "bank_balance",
    "bank_counted_at",
)
Day = Annotated[str, Query(pattern=r"^(ALL|TODAY|\d{4}-\d{2}-\d{2})$", description="A gambling day.")]


class ReportPageQuery(ReportQuery):
    """The parameters of a report page; a form sends an empty string for an unset one."""

    day: Day = "TODAY"

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, values: dict[str, str]) -> dict[str, str]:
        return {name: value for name, value in values.items() if value}


class LinkPageQuery(BaseModel):
    """The level and pool of a link, the gambling day, and the days of history."""

    level: Name | Literal[""] = ""
    pool: Pool = "meter"
    day: Day = "TODAY"
    days: Days = 31


@router.get("")
def office(request: Request, by: Reader) -> Response:
    """Funds by link, open proposals, and the list of reports."""
    funds = meters.funds(by)
    model = {
        "site": site_name(by.connection),
        "release": refusal_of_release(by.connection, by.policy.release),
        "release_hash": by.policy.release,
        "links": funds,
        "required": sum(link["required"] for link in funds),
        "proposals": proposals.waiting_for(by),
        "parked": len(parked_messages(by).messages),
        "reports": [
            {"name": report.name, "title": report.title, "says": report.says} for report in REPORTS.values()
        ],
    }
    return page(request, "office.html", model, by=by)


@router.get("/links/{link}")
def link(request: Request, by: Reader, link: LinkPath, about: Annotated[LinkPageQuery, Query()]) -> Response:
    """A link: its meters, the meter sheet of a level, its history, and the forms for two-person changes."""
    view = meters.meter_sheet(by, link, level=about.level, pool=about.pool, day=about.day)
    history = charts.meter_history(by, link, view.level, days=about.days)
    return page(
        request,
        "office_link.html",
        view,
        by=by,
        may={name: by.actor.may(name) for name in _MAY},
        may_count=by.actor.may("count_funds"),
        reasons=REASONS,
        hits=history.hits,
        has_history=bool(history.points),
        days=about.days,
    )


class CountQuery(BaseModel):
    """The values typed, and the cutoff and entry of the page they were typed on."""

    cutoff: str = ""
    bank_balance: str = ""
    shown: str = ""
    entry: NonNegativeInt = 0

    @property
    def as_shown(self) -> int | None:
        """The entry of the page; None if another cutoff was chosen on it."""
        same = self.cutoff and datetime.fromisoformat(self.cutoff) == datetime.fromisoformat(self.shown)
        return self.entry if same else None


@router.get("/links/{link}/count")
def count(request: Request, by: Reader, link: LinkPath, about: Annotated[CountQuery, Query()]) -> Response:
    """The amount the bank must hold as of a cutoff, and the effect of recording a balance."""
    wrong = {}
    zone = time_zone(by)
    moment, entry, balance = None, None, None
    try:
        moment = datetime.fromisoformat(about.cutoff).replace(tzinfo=zone) if about.cutoff else None
        entry = about.as_shown if about.shown else None
    except ValueError:
        wrong["cutoff"] = _("Enter a date and a time.")
    try:
        balance = money.parse(about.bank_balance) if about.bank_balance else None
    except ValueError:
        wrong["bank_balance"] = _("Enter a dollar amount, such as 250.00.")
    view = links.prepare_count(by, link, cutoff=moment, entry=entry, balance=balance)
    chosen = f"{moment or datetime.fromtimestamp(view.cutoff // 1_000_000, zone):%Y-%m-%dT%H:%M:%S}"
    return page(
        request, "office_count.html", view, by=by, wrong=wrong, typed=about.bank_balance, chosen=chosen
    )


@router.get("/proposals")
def waiting(request: Request, by: Reader) -> Response:
    """Open proposals with the fingerprints that approvals are bound to."""
    model = {
        "site": site_name(by.connection),
        "proposals": proposals.waiting_for(by),
        "may_propose_floor": by.actor.may("reconfigure"),
    }
    return page(request, "office_proposals.html", model, by=by)


@router.get("/reports/{name}")
def show_report(
    request: Request, by: Reader, name: str, about: Annotated[ReportPageQuery, Query()]
) -> Response:
    """A report of a gambling day, or of all days, with files once all required fields are chosen."""
    view = reports.view(by, name, about)
    chosen = {key: value for key, value in view.choices.items() if value}
    if view.dated:
        chosen |= {"since": view.since.isoformat(), "until": view.until.isoformat()}
    files = {
        form: f"/api/v1/reports/{name}?{urlencode({'format': form, **chosen})}" for form in ("csv", "xlsx")
    }
    of_links = meters.funds(by) if "link" in view.choices else []
    choices = {
        "link": ["", *(link["link"] for link in of_links)],
        "level": ["", *sorted({pools["level"] for link in of_links for pools in link["meters"]})],
        "pool": get_args(Pool),
    }
    tables = [view.rows]
    if name == "reconciliation":
        # The comparison comes first; all columns in one table are wider than a screen.
        tables = [_only(view.rows, COMPARED), _only(view.rows, (*_unlike(view.rows), "closing"))]
    return page(
        request,
        "office_report.html",
        view,
        by=by,
        files=files if view.complete else {},
        tables_shown=tables,
        choices_of=choices,
    )


def _only(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    return [{name: row[name] for name in names} for row in rows]


def _unlike(rows: Sequence[Row]) -> list[str]:
    """The columns of a reconciliation that are not in the comparison."""
    return ["link", *(name for name in (rows[0] if rows else ()) if name not in COMPARED)]
