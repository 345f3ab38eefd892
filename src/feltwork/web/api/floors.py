"""Floors through HTTP: checked by anyone who may look; applied by a proposal named `reconfigure`."""

from fastapi import APIRouter

from feltwork.operations.floors import floors
from feltwork.operations.floors.floors import CheckFloor, FloorCheckedView, FloorsView
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn

router = APIRouter(prefix="/floors", tags=["floors"], responses={**REFUSALS})


@router.get("", summary="Every floor that was applied")
def show_all(by: SignedIn) -> FloorsView:
    """Every floor, the newest first."""
    return floors.floors(by)


@router.post("/check", summary="Check a floor file")
def check_floor(by: SignedIn, file: CheckFloor) -> FloorCheckedView:
    """What its jurisdiction refuses, what the operator should weigh; nothing is booked."""
    return floors.check_floor(by, file)
