"""Incidents through HTTP: a malfunction is opened, told to the regulator in time, and closed."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from feltwork.operations.records import incidents
from feltwork.operations.records.incidents import IncidentsView, IncidentView, OpenIncident, StepIncident
from feltwork.web.fields import Body, Statement
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/incidents", tags=["incidents"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The incident.", examples=[17])]


class IncidentNote(Body):
    """What was told to the regulator, or what the cause was."""

    says: Statement = Field(examples=["by e-mail to the field office"])


@router.get("", summary="Every incident")
def show_all(by: SignedIn) -> IncidentsView:
    """Incidents, the newest first, and which are late; the report `incidents` can be handed over."""
    return incidents.incidents(by)


@router.get("/{number}", summary="An incident")
def show(by: SignedIn, number: Number) -> IncidentView:
    """An incident as it stands."""
    return incidents.incident(by, number)


@router.post("", summary="Report a malfunction")
def open_(by: SignedIn, key: Key, broken: OpenIncident) -> IncidentView:
    """Open an incident; in Washington the regulator hears of it within 72 hours [WA-32]."""
    return key.run(by, incidents.open_incident, broken)


@router.post("/{number}/notified", summary="The regulator was told")
def notified(by: SignedIn, key: Key, number: Number, noted: IncidentNote) -> IncidentView:
    """Keep when the regulator was told, and how."""
    step = StepIncident(number=number, step="notified", says=noted.says)
    return key.run(by, incidents.step_incident, step)


@router.post("/{number}/closed", summary="Close an incident")
def closed(by: SignedIn, key: Key, number: Number, noted: IncidentNote) -> IncidentView:
    """Close it with its cause, once the regulator was told."""
    step = StepIncident(number=number, step="closed", says=noted.says)
    return key.run(by, incidents.step_incident, step)
