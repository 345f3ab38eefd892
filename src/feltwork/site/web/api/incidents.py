"""Incidents over HTTP: open a malfunction, record the regulator notice, close it."""

from typing import Annotated

from fastapi import Path
from pydantic import Field

from feltwork.site.books.watch import incidents
from feltwork.site.books.watch.incidents import IncidentsView, IncidentView, OpenIncident, StepIncident
from feltwork.site.web.fields import Body, Statement
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/incidents", tags=["incidents"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The incident.", examples=[17])]


class IncidentNote(Body):
    """The method of the regulator notice, or the cause of the malfunction."""

    says: Statement = Field(examples=["by e-mail to the field office"])


@router.get("", summary="Every incident")
def show_all(by: SignedIn, page: Paged) -> IncidentsView:
    """Incidents, newest first, with overdue notices; see also the `incidents` report."""
    view = incidents.incidents(by)
    return page.of(view, "incidents", view.incidents, lambda incident: incident.number)


@router.get("/{number}", summary="An incident")
def show(by: SignedIn, number: Number) -> IncidentView:
    """The current state of an incident."""
    return incidents.incident(by, number)


@router.post("", summary="Report a malfunction")
def open_(by: SignedIn, key: Key, broken: OpenIncident) -> IncidentView:
    """Open an incident; Washington requires notice within 72 hours [WA-32]."""
    return key.run(by, incidents.open_incident, broken)


@router.post("/{number}/notified", summary="Record the regulator notice")
def notified(by: SignedIn, key: Key, number: Number, noted: IncidentNote) -> IncidentView:
    """Record when and how the regulator was notified."""
    step = StepIncident(number=number, step="notified", says=noted.says)
    return key.run(by, incidents.step_incident, step)


@router.post("/{number}/closed", summary="Close an incident")
def closed(by: SignedIn, key: Key, number: Number, noted: IncidentNote) -> IncidentView:
    """Close an incident with its cause, after the regulator notice."""
    step = StepIncident(number=number, step="closed", says=noted.says)
    return key.run(by, incidents.step_incident, step)
