"""The pit: claims that wait, awards to pay, and the tables by what they do."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork.books import people
from feltwork.books.standing import look_at_meters
from feltwork.web import claims, room, told
from feltwork.web.callers import Watcher
from feltwork.web.pages import page

router = APIRouter()
#: What a supervisor refuses a claim for, so that nobody types on a tablet.
REASONS = ("wrong hand pressed", "the cards do not show it", "the chip was late", "misdeal", "fouled hand")
_ORDER = ("claimed", "key_at_jackpot", "logged", "playing", "idle")


@router.get("/pit")
def show(request: Request, by: Watcher) -> Response:
    """Claims first, then what is to be paid, then the tables."""
    waiting = claims.waiting(by.connection)
    links = {
        name: look_at_meters(by.connection, name).state
        for name, kind in told.links(by.connection).items()
        if kind == "progressive"
    }
    tables = [
        {"id": one.id, "link": one.link, "game": one.game, "phase": one.phase, "round": one.number}
        for one in room.tables(by.connection, list(links))
    ]
    model: dict[str, Any] = {
        "site": room.site_name(by.connection),
        "claims": [one for one in waiting if one["status"] == "claimed"],
        "to_pay": [one for one in waiting if one["status"] == "confirmed"],
        "states": [
            {"phase": phase, "tables": [one for one in tables if one["phase"] == phase]} for phase in _ORDER
        ],
        "links": [
            {
                "link": name,
                "title": state.link.title.title,
                "life": state.life,
                "takes_wagers": state.takes_wagers,
                "stops": sorted(state.stops),
                "levels": [
                    {"level": level, "amount": state.meter(level), "pending": state.pending(level)}
                    for level in state.link.level_names
                ],
            }
            for name, state in links.items()
        ],
        "people": people.by_role(by.connection, ["supervisor", "executive"]),
        "reasons": list(REASONS),
        "may": {name: by.actor.may(name) for name in ("confirm", "void_claim", "pay")},
        "pin_digits": request.app.state.settings.pin_digits,
        "badge": next(
            (
                one["badge"]
                for one in people.by_role(by.connection, [by.actor.role])
                if one["id"] == by.actor.id
            ),
            "",
        ),
    }
    return page(request, "pit.html", model, me=by.actor.me)
