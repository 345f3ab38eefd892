"""The auditor: replay the chain, trace an award back to its letter, take the books home."""

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
    """The ends of all chains, the last awards, and the bundle to check elsewhere."""
    return page(request, "auditor.html", audit.overview(by), me=by.actor.me)


@router.get("/verdict")
def verdict(request: Request, by: Reader) -> Response:
    """Replay every chain from its first entry, and name the first that is wrong."""
    return page(request, "auditor_verdict.html", audit.audit_books(by), me=by.actor.me)


@router.get("/bundle")
def bundle(by: Reader, day: Day = "ALL") -> FileResponse:
    """The books of a day, or all of them, as a file that `verify_books.py` checks without us."""
    file, remove = audit.export_file(by, day)
    return FileResponse(
        file, media_type="application/x-tar", filename=file.name, background=BackgroundTask(remove)
    )


@router.get("/links/{link}")
def journal(
    request: Request, by: Reader, link: LinkPath, after: Annotated[int, Query(ge=-1, le=2**62)] = -1
) -> Response:
    """The entries of a chain, the last page first, each with its fact and its hash."""
    return page(request, "auditor_journal.html", audit.journal(by, link, after), me=by.actor.me)


@router.get("/awards/{link}/{award}")
def award(request: Request, by: Reader, link: LinkPath, award: AwardPath) -> Response:
    """An award with its provenance: paid, meter, contributions, row of the paytable, letter."""
    return page(request, "auditor_award.html", audit.provenance(by, link, award), me=by.actor.me)


@router.get("/rounds/{table}/{number}")
def dispute(request: Request, by: Reader, table: TablePath, number: int) -> Response:
    """Everything the books know about one round, for a patron who disagrees."""
    return page(request, "auditor_round.html", audit.round_history(by, table, number), me=by.actor.me)
