"""The auditor's screen: replay the books, trace an award to its letter, export everything."""

from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, Field, model_validator
from starlette.background import BackgroundTask

from feltwork import money
from feltwork.site.books.audit import audit
from feltwork.site.books.audit.audit import AwardSearch
from feltwork.site.books.awards.documents import win_page
from feltwork.site.web.fields import AwardPath, LinkPath, Name, TablePath
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.screens.office.page import Day
from feltwork.site.web.security.auth import Reader
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/audit", tags=["reports"])
#: Maximum awards shown by a search.
_MOST = 500


class AwardQuery(BaseModel):
    """The parameters of a search for awards; a form sends an empty string for an unset one."""

    day: Day = "ALL"
    patron: str = Field(default="", max_length=100)
    table: Name | Literal[""] = ""
    amount: str = Field(default="", max_length=30)
    seed: str = Field(default="", max_length=100)
    size: int = Field(default=10, ge=1, le=1_000)

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, values: dict[str, str]) -> dict[str, str]:
        return {name: value for name, value in values.items() if value}


@router.get("")
def auditor(request: Request, by: Reader) -> Response:
    """The latest entry of every link, the last awards, and the export."""
    return page(request, "auditor.html", audit.overview(by), by=by)


@router.get("/verdict")
def verdict(request: Request, by: Reader) -> Response:
    """Replay every chain from its first entry and report the first error."""
    return page(request, "auditor_verdict.html", audit.audit_books(by), by=by)


@router.get("/bundle")
def bundle(by: Reader, day: Day = "ALL") -> FileResponse:
    """The books of a day, or all of them, as a file for `verify_books.py`."""
    file, remove = audit.export_file(by, day)
    return FileResponse(
        file, media_type="application/x-tar", filename=file.name, background=BackgroundTask(remove)
    )


@router.get("/links/{link}")
def journal(
    request: Request, by: Reader, link: LinkPath, after: Annotated[int, Query(ge=-1, le=2**62)] = -1
) -> Response:
    """The entries of a chain with their facts and hashes, last page first."""
    return page(request, "auditor_journal.html", audit.journal(by, link, after), by=by)


@router.get("/awards")
def search(request: Request, by: Reader, about: Annotated[AwardQuery, Query()]) -> Response:
    """Awards by patron, table, amount and day, or a sample that anyone can reproduce from its seed."""
    wrong = ""
    amount = None
    try:
        amount = money.parse(about.amount) if about.amount else None
    except ValueError:
        wrong = _("Enter a dollar amount, such as 250.00.")
    search = AwardSearch(
        day=about.day,
        patron=about.patron,
        table=about.table,
        amount=amount,
        seed=about.seed,
        limit=about.size if about.seed else _MOST,
    )
    view = audit.find_awards(by, search)
    return page(request, "auditor_awards.html", view, by=by, asked=about, wrong=wrong)


@router.get("/awards/{link}/{award}")
def award(request: Request, by: Reader, link: LinkPath, award: AwardPath) -> Response:
    """An award with its provenance: payment, meter, contributions, paytable row, and letter."""
    provenance = audit.provenance(by, link, award)
    may_reverse = by.actor.may("reverse") and provenance.status in ("confirmed", "paid")
    win = win_page(by, award, link)
    return page(request, "auditor_award.html", provenance, by=by, may_reverse=may_reverse, win=win)


@router.get("/rounds/{table}/{number}")
def dispute(request: Request, by: Reader, table: TablePath, number: int) -> Response:
    """Everything on record for a round, for a patron dispute."""
    return page(request, "auditor_round.html", audit.round_history(by, table, number), by=by)
