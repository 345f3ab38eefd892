"""Installations over HTTP: plan with the regulator notice, then complete or cancel."""

from typing import Annotated

from fastapi import Path

from feltwork.site.books.watch import installations
from feltwork.site.books.watch.installations import (
    EndInstallation,
    Installation,
    InstallationsView,
    PlanInstallation,
)
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/installations", tags=["installations"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The installation.", examples=[4])]


@router.get("", summary="Every installation")
def show_all(by: SignedIn, page: Paged) -> InstallationsView:
    """Installations, newest first; see also the `installations` report."""
    view = installations.installations(by)
    return page.of(view, "installations", view.installations, lambda installation: installation.number)


@router.get("/{number}", summary="An installation")
def show(by: SignedIn, number: Number) -> Installation:
    """The current state of an installation."""
    return installations.installation(by, number)


@router.post("", summary="Plan an installation")
def plan(by: SignedIn, key: Key, planned: PlanInstallation) -> Installation:
    """Record a plan with its regulator notice; New York requires 72 hours' notice [GEN-20]."""
    return key.run(by, installations.plan, planned)


@router.post("/{number}/end", summary="End an installation")
def end(by: SignedIn, key: Key, number: Number, ended: EndInstallation) -> Installation:
    """Complete an installation, no earlier than planned, or cancel it."""
    return key.run(by, installations.end, number, ended)
