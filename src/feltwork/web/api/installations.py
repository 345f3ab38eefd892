"""Installations through HTTP: planned with the notice that was given, then done or cancelled."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import Field

from feltwork.operations.records import installations
from feltwork.operations.records.installations import (
    EndInstallation,
    InstallationsView,
    InstallationView,
    PlanInstallation,
)
from feltwork.web.fields import Body, Statement
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/installations", tags=["installations"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The installation.", examples=[4])]


class InstallationResult(Body):
    """What became of it."""

    outcome: Literal["done", "cancelled"] = Field(examples=["done"])
    says: Statement = Field(examples=["self-check and doctor found nothing"])


@router.get("", summary="Every installation")
def show_all(by: SignedIn) -> InstallationsView:
    """Installations, the newest first; the report `installations` can be handed over."""
    return installations.installations(by)


@router.get("/{number}", summary="An installation")
def show(by: SignedIn, number: Number) -> InstallationView:
    """An installation as it stands."""
    return installations.installation(by, number)


@router.post("", summary="Plan an installation")
def plan(by: SignedIn, key: Key, planned: PlanInstallation) -> InstallationView:
    """Keep what is planned with its notice; in New York 72 hours lie between them [GEN-20]."""
    return key.run(by, installations.plan, planned)


@router.post("/{number}/end", summary="End an installation")
def end(by: SignedIn, key: Key, number: Number, ended: InstallationResult) -> InstallationView:
    """It was done, not before its time, or it will not be."""
    return key.run(by, installations.end, EndInstallation(number=number, **ended.model_dump()))
