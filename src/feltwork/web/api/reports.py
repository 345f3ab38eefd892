"""Reports through HTTP: what the books hold, as JSON or CSV, for those who may read them."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from psycopg.rows import dict_row
from pydantic import AwareDatetime, Field

from feltwork.books.cash import cash_report
from feltwork.books.replay import audit
from feltwork.books.reports import REPORTS, Row, as_csv, as_json, report
from feltwork.books.reports.submission import submission
from feltwork.books.retention import retention
from feltwork.books.statements import statement
from feltwork.web import told
from feltwork.web.answers import office
from feltwork.web.callers import Reader
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import Body, LinkPath, Name

router = APIRouter(prefix="/reports", tags=["reports"], responses={**REFUSALS})
Form: TypeAlias = Literal["json", "csv"]
Format = Annotated[Form, Query(alias="format", description="JSON, or CSV for a spreadsheet.")]
ReportName: TypeAlias = Literal[
    "meter_sheet",
    "daily_lines",
    "funds",
    "reconciliation",
    "adjustments",
    "hits",
    "counters",
    "win_page",
    "dispute",
    "gaps",
    "audit_log",
    "register",
    "deposits",
    "month_end",
    "periods",
    "events",
    "payouts",
    "incidents",
    "installations",
    "access_reviews",
]
_CSV: Mapping[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/csv": {
                "schema": {"type": "string"},
                "example": "link,level,amount\r\ncrazy4,jackpot,1000000\r\n",
            }
        }
    }
}


class AskedOf(Body):
    """What a report is asked about; each takes what it needs, and says so where something is missing."""

    since: AwareDatetime = datetime(1970, 1, 1, tzinfo=UTC)
    until: AwareDatetime = datetime(9999, 1, 1, tzinfo=UTC)
    link: Name | None = None
    level: Name | None = None
    pool: Literal["meter", "reserve"] = "meter"
    award: Name | None = None
    table: Name | None = None
    round: Annotated[int, Field(ge=1, le=10**12)] | None = None
    above: Annotated[int, Field(ge=0, le=10**15)] = Field(
        default=0, description="Adjustments above this amount, millionths."
    )
    code: Name | None = Field(default=None, description="The kind of event.", examples=["Misdealt"])
    form: Form = Field(default="json", alias="format", description="JSON, or CSV for a spreadsheet.")


@router.get("/verdict", summary="Replay the books", response_model=office.Verdict)
def verdict(by: Reader) -> dict[str, Any]:
    """Replay every chain from its first entry: balances, meters and awards must be what the rules give."""
    found = audit(by.connection)
    return {
        "sound": not found.problems,
        "links": found.links,
        "entries": found.entries,
        "rounds": found.rounds,
        "problems": [asdict(one) for one in found.problems],
    }


@router.get(
    "/links/{link}/journal", summary="Journal of a link", responses={**_CSV}, response_model=office.Rows
)
def journal(
    by: Reader,
    link: LinkPath,
    after: Annotated[int, Query(ge=0, le=2**62, description="Entries after this number.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
    form: Format = "json",
) -> Response:
    """The entries of the chain, each with its fact and its hash."""
    told.verify_link(by.connection, link)
    with by.connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("journal_page"), (link, after, limit)).fetchall()
    return _answer([{**row, "fact": json.loads(row["fact"])} for row in rows], form)


@router.get(
    "/links/{link}/submission",
    summary="Submission of a link",
    responses={**_CSV},
    response_model=office.Rows,
)
def show_submission(by: Reader, link: LinkPath, form: Format = "json") -> Response:
    """Devices, exact odds, resets and rates, a row for each device and prize [GEN-17]."""
    told.verify_link(by.connection, link)
    return _answer(submission(by.connection, link), form)


@router.get("/cash", summary="Cash of a gambling day", responses={**_CSV}, response_model=office.Rows)
def show_cash(
    request: Request,
    by: Reader,
    day: Annotated[str, Query(pattern=r"^(TODAY|\d{4}-\d\d-\d\d)$", description="A gambling day.")] = "TODAY",
    form: Format = "json",
) -> Response:
    """Cash of each person on a gambling day, the highest first, and whose is to be reported [AM-01]."""
    return _answer(cash_report(by.connection, day, payer=request.app.state.settings.payer), form)


@router.get("/retention", summary="How long records are kept", responses={**_CSV}, response_model=office.Rows)
def show_retention(by: Reader, form: Format = "json") -> Response:
    """Since when each kind of record is kept, until when it must be, and what happens then [AM-04]."""
    return _answer(retention(by.connection), form)


@router.get("/{name}", summary="A report", responses={**_CSV}, response_model=office.Rows)
def show(by: Reader, name: ReportName, about: Annotated[AskedOf, Query()]) -> Response:
    """One of the reports of the books; amounts are millionths."""
    asked = about.model_dump(exclude_none=True)
    needed = {one: asked[one] for one in REPORTS[name] if one in asked}
    return _answer(report(by.connection, name, **needed), about.form)


def _answer(rows: list[Row], form: Form) -> Response:
    if form == "csv":
        return Response(as_csv(rows), media_type="text/csv")
    return Response(f'{{"rows": {as_json(rows)}}}', media_type="application/json")
