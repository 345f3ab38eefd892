"""The shell: home with a door to every screen, and the two pages where people sign in."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from feltwork.books import people
from feltwork.books.standing import look_at_meters
from feltwork.web import room, told
from feltwork.web.callers import Books, Visitor
from feltwork.web.doors import DOORS
from feltwork.web.pages import page

router = APIRouter()
Next = Annotated[str, Query(alias="next", max_length=300)]


@router.get("/")
def home(request: Request, connection: Books, visitor: Visitor) -> Response:
    """Doors to every screen, and the meters that everybody in the room may see."""
    me = visitor.actor.me if visitor else None
    screens = [
        {"name": door.name, "to": door.to, "says": door.says, "open": door.is_open(me)} for door in DOORS
    ]
    shown = {
        "site": room.site_name(connection),
        "screens": screens,
        "meters": _meters(connection),
        "own_table": request.app.state.stage.own_table if request.app.state.stage else "",
    }
    return page(request, "home.html", shown, me=me)


@router.get("/sign-in")
def sign_in(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Badge and PIN, by touch, reader or keyboard."""
    settings = request.app.state.settings
    shown = {
        "site": room.site_name(connection),
        "to": _of_ours(to),
        "pin_digits": settings.pin_digits,
        "demo": [
            {**one, "pin": settings.demo_badges[one["badge"]]}
            for one in people.by_badge(connection, list(settings.demo_badges))
        ],
    }
    return page(request, "sign_in.html", shown, me=visitor.actor.me if visitor else None)


@router.get("/sign-in/office")
def sign_in_office(request: Request, connection: Books, visitor: Visitor, to: Next = "/") -> Response:
    """Badge and password, then the security key."""
    shown = {
        "site": room.site_name(connection),
        "to": _of_ours(to),
        "origin": request.app.state.settings.origin,
    }
    return page(request, "sign_in_office.html", shown, me=visitor.actor.me if visitor else None)


def _of_ours(to: str) -> str:
    """Only a path of this service: an address elsewhere would lead people astray after they sign in."""
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) else "/"


def _meters(connection: Books) -> list[dict[str, Any]]:
    shown = []
    for link, kind in told.links(connection).items():
        if kind != "progressive":
            continue
        state = look_at_meters(connection, link).state
        top = state.link.level_names[0]
        if state.life == "open":
            shown.append(
                {"link": link, "title": state.link.title.title, "level": top, "meter": state.meter(top)}
            )
    return sorted(shown, key=lambda one: -int(one["meter"]))
