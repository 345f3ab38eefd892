"""The shell: home with a door to every screen, and the two pages where people sign in."""

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
    """Doors to every screen, and the meters that everybody in the room may see."""
    me = visitor.actor.me if visitor else None
    screens = [
        {"name": door.name, "to": door.to, "says": door.says, "open": door.is_open(me)} for door in NAVIGATION
    ]
    shown = {
        "site": site_name(connection),
        "screens": screens,
        "meters": top_meters(connection),
        "own_table": request.app.state.stage.own_table if request.app.state.stage else "",
    }
    return page(request, "home.html", shown, me=me)


@router.get("/sign-in")
def sign_in(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Badge and PIN, by touch, reader or keyboard."""
    settings = request.app.state.settings
    shown = {
        "site": site_name(connection),
        "to": _of_ours(to),
        "pin_digits": settings.pin_digits,
        "demo": [
            {**fields_of(holder), "pin": settings.demo_badges[holder.badge]}
            for holder in badge_holders(connection, list(settings.demo_badges))
        ],
    }
    return page(request, "sign_in.html", shown, me=visitor.actor.me if visitor else None)


@router.get("/sign-in/office")
def sign_in_office(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Badge and password, then the security key."""
    shown = {
        "site": site_name(connection),
        "to": _of_ours(to),
        "origin": request.app.state.settings.origin,
    }
    return page(request, "sign_in_office.html", shown, me=visitor.actor.me if visitor else None)


def _of_ours(to: str) -> str:
    """Only a path of this service: an address elsewhere would lead people astray after they sign in."""
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) else "/"
