"""The home page and the two sign-in pages."""

from dataclasses import asdict
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from feltwork.site.books.errors import RefusedError
from feltwork.site.books.floors.site import badge_holders, site_name
from feltwork.site.books.links.meters import top_meters
from feltwork.site.web.rendering.navigation import NAVIGATION
from feltwork.site.web.rendering.templating import fields_of, page
from feltwork.site.web.screens.demo.page import DemoControls
from feltwork.site.web.security.auth import Books, Visitor
from feltwork.site.web.security.openid import SignInAttempt, cookie_name
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()
Next = Annotated[str, Query(alias="next", max_length=300)]
#: Parameter that a sign-in provider gave the browser.
Given = Annotated[str, Query(max_length=4_000)]


@router.get("/")
def home(request: Request, connection: Books, visitor: Visitor) -> Response:
    """Links to every screen, the one for the person's role first, and the public meters."""
    me = visitor.actor.me
    entries = sorted(NAVIGATION, key=lambda entry: not me or entry.first_for != me.role)
    stage: DemoControls | None = request.app.state.stage
    screens = [{**asdict(entry), "open": entry.is_open(me)} for entry in entries]
    model = {
        "site": site_name(connection),
        "screens": screens,
        "meters": top_meters(connection),
        "own_table": stage.own_table if stage else "",
    }
    return page(request, "home.html", model, by=visitor)


@router.get("/sign-in")
def sign_in(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Sign-in with badge and PIN."""
    settings = request.app.state.settings
    model = {
        "site": site_name(connection),
        "to": _local_path(to),
        "pin_digits": settings.pin_digits,
        "demo": [
            {**fields_of(holder), "pin": settings.demo_badges[holder.badge]}
            for holder in badge_holders(connection, list(settings.demo_badges))
        ],
    }
    return page(request, "sign_in.html", model, by=visitor)


@router.get("/sign-in/office")
def sign_in_office(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Office sign-in with badge, password, and security key."""
    return _office(request, connection, visitor, to)


@router.get("/sign-in/office/return")
def return_to_office(
    request: Request, connection: Books, visitor: Visitor, code: Given = "", state: Given = ""
) -> Response:
    """The office sign-in page, on return from the sign-in provider."""
    try:
        to = SignInAttempt.read(request.cookies.get(cookie_name(request.app.state.settings), "")).to
    except RefusedError:
        # The page shows the refusal when it posts the answer.
        to = "/"
    return _office(request, connection, visitor, to, code=code, state=state)


def _office(request: Request, connection: Books, visitor: Visitor, to: str, **answer: str) -> Response:
    settings = request.app.state.settings
    model = {
        "site": site_name(connection),
        "to": _local_path(to),
        "origin": settings.origin,
        "has_provider": bool(settings.oidc_issuer),
        "answer": answer,
    }
    return page(request, "sign_in_office.html", model, by=visitor)


def _local_path(to: str) -> str:
    """A path of this service, or home: prevents an open redirect after sign-in."""
    # Browsers treat a backslash as a slash, and drop tabs and newlines.
    is_path = to.startswith("/") and not to.startswith("//")
    return to if is_path and to.isprintable() and "\\" not in to else "/"
