"""Floors through HTTP: checked by anyone who may look; applied by a proposal named `reconfigure`."""

from datetime import UTC, date, datetime
from typing import Any

from fastapi import APIRouter
from pydantic import Field

from feltwork.books import floors
from feltwork.compliance.check import check
from feltwork.compliance.floor_file import read_floor
from feltwork.problem import ProblemsError
from feltwork.web.answers import office
from feltwork.web.callers import Watcher
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import Body

router = APIRouter(prefix="/floors", tags=["floors"], responses={**REFUSALS})


class FloorFile(Body):
    """A floor file, word for word."""

    floor: str = Field(max_length=500_000, pattern=r"^[^\x00]*$", examples=['site = "Evergreen Card Room"'])
    day: date | None = Field(default=None, description="By the rules of this day; today without it.")


@router.get("", summary="Every floor that was applied", response_model=office.Floors)
def show_all(by: Watcher) -> dict[str, Any]:
    """Every floor, the newest first."""
    return {
        "floors": [
            {
                "number": one.number,
                "fingerprint": one.fingerprint,
                "registered_by": one.registered_by,
                "approved_by": one.approved_by,
                "registered_at": one.registered_at.isoformat(),
            }
            for one in floors.floors(by.connection)
        ]
    }


@router.post("/check", summary="Check a floor file", response_model=office.Checked)
def check_floor(by: Watcher, file: FloorFile) -> dict[str, Any]:
    """What its jurisdiction refuses, what the house should weigh; nothing is booked."""
    try:
        floor = read_floor(file.floor, where="floor")
    except ProblemsError as error:
        problems = [{"where": one.where, "what": one.what, "remedy": one.remedy} for one in error.problems]
        return {"lawful": False, "errors": problems, "findings": []}
    findings = check(floor, on=file.day or datetime.now(tz=UTC).date())
    lawful = not any(one.severity == "refused" for one in findings)
    return {"lawful": lawful, "errors": [], "findings": [one.as_json() for one in findings]}
