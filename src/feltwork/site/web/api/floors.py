"""Floors over HTTP: list and check files, arrange the plan; applying a file is a `reconfigure` proposal."""

from feltwork.site.books.floors import floor_plan, floors
from feltwork.site.books.floors.floor_plan import ArrangementView, ArrangeTables
from feltwork.site.books.floors.floors import CheckFloor, FloorCheckedView, FloorsView
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn, Watcher
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/floors", tags=["floors"], responses={**REFUSALS})


@router.get("", summary="Applied floor files")
def show_all(by: SignedIn, page: Paged) -> FloorsView:
    """Every applied floor file, newest first."""
    view = floors.floors(by)
    return page.of(view, "floors", view.floors, lambda floor: floor.number)


@router.post("/check", summary="Check a floor file")
def check_floor(by: SignedIn, file: CheckFloor) -> FloorCheckedView:
    """Check a floor file against its jurisdiction; nothing is posted."""
    return floors.check_floor(by, file)


@router.post("/plan", summary="Arrange the floor plan")
def arrange(by: Watcher, key: Key, tables: ArrangeTables) -> ArrangementView:
    """Place every table on the floor plan for everyone; the last arrangement wins."""
    return key.run(by, floor_plan.arrange_floor_plan, tables)
