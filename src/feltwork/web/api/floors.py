"""Floor files over HTTP: list and check; applying one is a `reconfigure` proposal."""

from fastapi import APIRouter

from feltwork.operations.floors import floors
from feltwork.operations.floors.floors import CheckFloor, FloorCheckedView, FloorsView
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn

router = APIRouter(prefix="/floors", tags=["floors"], responses={**REFUSALS})


@router.get("", summary="Applied floor files")
def show_all(by: SignedIn) -> FloorsView:
    """Every applied floor file, newest first."""
    return floors.floors(by)


@router.post("/check", summary="Check a floor file")
def check_floor(by: SignedIn, file: CheckFloor) -> FloorCheckedView:
    """Check a floor file against its jurisdiction; nothing is posted."""
    return floors.check_floor(by, file)
