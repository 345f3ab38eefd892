"""Incidents over HTTP: open a malfunction, record the regulator notice, close it."""

from typing import Annotated

from fastapi import Path

from feltwork.site.books.watch import incidents
from feltwork.site.books.watch.incidents import Incident, IncidentNote, IncidentsView, OpenIncident
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/incidents", tags=["incidents"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The incident.", examples=[17])]


@router.get("", summary="Every incident")
def show_all(by: SignedIn, page: Paged) -> IncidentsView:
    """Incidents, newest first, with overdue notices; see also the `incidents` report."""
    view = incidents.show_incidents(by)
    return page.of(view, "incidents", view.incidents, lambda incident: incident.number)


@router.get("/{number}", summary="An incident")
def show(by: SignedIn, number: Number) -> Incident:
    """The current state of an incident."""
    return incidents.show_incident(by, number)


@router.post("", summary="Report a malfunction")
def open_(by: SignedIn, key: Key, broken: OpenIncident) -> Incident:
    """Open an incident; Washington requires notice within 72 hours [WA-32]."""
    return key.run(by, incidents.open_incident, broken)


@router.post("/{number}/notified", summary="Record the regulator notice")
def notified(by: SignedIn, key: Key, number: Number, noted: IncidentNote) -> Incident:
    """Record when and how the regulator was notified."""
    return key.run(by, incidents.step_incident, number, "notified", noted)


@router.post("/{number}/closed", summary="Close an incident")
def closed(by: SignedIn, key: Key, number: Number, noted: IncidentNote) -> Incident:
    """Close an incident with its cause, after the regulator notice."""
    return key.run(by, incidents.step_incident, number, "closed", noted)
