"""The home page and the two sign-in pages."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from feltwork.operations.floors.site import badge_holders, site_name
from feltwork.operations.links.meters import top_meters
from feltwork.web.rendering.navigation import NAVIGATION
from feltwork.web.rendering.templating import fields_of, page
from feltwork.web.security.auth import Books, Visitor

router = APIRouter()
Next = Annotated[str, Query(alias="next", max_length=300)]


@router.get("/")
def home(request: Request, connection: Books, visitor: Visitor) -> Response:
    """Links to every screen, that of the person's role first, and the public meters."""
    me = visitor.actor.me
    entries = sorted(NAVIGATION, key=lambda entry: not me or entry.first_for != me["role"])
    screens = [{**asdict(entry), "open": entry.is_open(me)} for entry in entries]
    shown = {
        "site": site_name(connection),
        "screens": screens,
        "meters": top_meters(connection),
        "own_table": request.app.state.stage.own_table if request.app.state.stage else "",
    }
    return page(request, "home.html", shown, by=visitor)


@router.get("/sign-in")
def sign_in(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Sign-in with badge and PIN."""
    settings = request.app.state.settings
    shown = {
        "site": site_name(connection),
        "to": _local_path(to),
        "pin_digits": settings.pin_digits,
        "demo": [
            {**fields_of(holder), "pin": settings.demo_badges[holder.badge]}
            for holder in badge_holders(connection, list(settings.demo_badges))
        ],
    }
    return page(request, "sign_in.html", shown, by=visitor)


@router.get("/sign-in/office")
def sign_in_office(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Office sign-in with badge, password, and security key."""
    shown = {
        "site": site_name(connection),
        "to": _local_path(to),
        "origin": request.app.state.settings.origin,
    }
    return page(request, "sign_in_office.html", shown, by=visitor)


def _local_path(to: str) -> str:
    """A path of this service, or home: prevents an open redirect after sign-in."""
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) else "/"
