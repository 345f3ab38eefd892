"""Reports over HTTP, as JSON, CSV or XLSX."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from fastapi import Path, Query
from fastapi.responses import Response
from pydantic import ConfigDict, Field

from feltwork import spreadsheet
from feltwork.site.books.audit.audit import AuditResult, audit_books
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import example
from feltwork.site.books.reports import Row, reports
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.web.fields import LinkPath
from feltwork.site.web.problem_responses import REFUSALS, Responses
from feltwork.site.web.security.auth import Reader
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/reports", tags=["reports"], responses={**REFUSALS})
Form: TypeAlias = Literal["json", "csv", "xlsx"]
_FORMS = "JSON with amounts in millionths; CSV or XLSX with amounts in dollars."
Format = Annotated[
    Form,
    Query(alias="format", description=_FORMS),
]
#: A name from the registry of reports.
ReportName = Annotated[
    str, Path(description="A report.", json_schema_extra={"enum": list(REPORTS)}, examples=["funds"])
]
_MEDIA = {"csv": "text/csv; charset=utf-8", "xlsx": spreadsheet.XLSX}
_CSV: Responses = {
    200: {
        "content": {
            spreadsheet.XLSX: {"schema": {"type": "string", "format": "binary"}, "example": "a workbook"},
            "text/csv": {
                "schema": {"type": "string"},
                "example": "link,level,amount ($)\r\ncrazy4,jackpot,405.63\r\n",
            },
        }
    }
}


@dataclass(frozen=True, slots=True)
class ReportRows:
    """The rows of a report; each report has its own columns."""

    __pydantic_config__: ClassVar[ConfigDict] = example(
        rows=[{"link": "crazy4", "level": "jackpot", "amount": 10_000_720_000}]
    )

    rows: list[Row]


class ReportQuery(ReportRequest):
    """The parameters of a report, and the form of its rows."""

    day: Annotated[str, Field(pattern=r"^(TODAY|\d{4}-\d\d-\d\d)$", description="A gambling day.")] = "TODAY"
    form: Form = Field(
        default="json",
        alias="format",
        description=_FORMS,
    )


@router.get("/verdict", summary="Replay the books")
def verdict(by: Reader) -> AuditResult:
    """Replay every chain and check balances, meters, and awards against the rules."""
    return audit_books(by)


@router.get(
    "/links/{link}/{name}", summary="A report of a link", responses={**_CSV}, response_model=ReportRows
)
def show_link(
    by: Reader,
    link: LinkPath,
    name: Literal["journal", "submission"],
    after: Annotated[int, Query(ge=0, le=2**62, description="Entries after this number.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
    form: Format = "json",
) -> Response:
    """The journal, or the submission data for the regulator: devices, odds, resets, rates [GEN-17]."""
    return _answer(by, name, ReportRequest(link=link, after=after, limit=limit), form)


@router.get("/{name}", summary="A report", responses={**_CSV}, response_model=ReportRows)
def show(by: Reader, name: ReportName, about: Annotated[ReportQuery, Query()]) -> Response:
    """A report."""
    return _answer(by, name, about, about.form)


def _answer(by: Operation, name: str, request: ReportRequest, form: Form) -> Response:
    if form == "json":
        return Response(
            f'{{"rows": {reports.as_json(reports.run(by, name, request))}}}', media_type="application/json"
        )
    file = reports.as_file(by, name, request, form)
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.contents, media_type=_MEDIA[form], headers=headers)
