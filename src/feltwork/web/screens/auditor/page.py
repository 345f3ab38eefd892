"""The auditor's screen: replay the books, trace an award to its letter, export everything."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask

from feltwork.operations.records import audit
from feltwork.web.fields import AwardPath, LinkPath, TablePath
from feltwork.web.rendering.templating import page
from feltwork.web.screens.office.page import Day
from feltwork.web.security.auth import Reader

router = APIRouter(prefix="/audit")


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


@router.get("/awards/{link}/{award}")
def award(request: Request, by: Reader, link: LinkPath, award: AwardPath) -> Response:
    """An award with its provenance: payment, meter, contributions, paytable row, and letter."""
    found = audit.provenance(by, link, award)
    may_reverse = by.actor.may("reverse") and found.status in ("confirmed", "paid")
    return page(request, "auditor_award.html", found, by=by, may_reverse=may_reverse)


@router.get("/rounds/{table}/{number}")
def dispute(request: Request, by: Reader, table: TablePath, number: int) -> Response:
    """Everything on record for a round, for a patron dispute."""
    return page(request, "auditor_round.html", audit.round_history(by, table, number), by=by)
