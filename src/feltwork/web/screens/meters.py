"""The meters of a link on demand: every figure of each level, and the tables that feed it [GL-01]."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork import money
from feltwork.books.standing import look_at_meters
from feltwork.operations import proposals
from feltwork.progressive.link import NO_CAP, Level
from feltwork.progressive.state import LinkState
from feltwork.web import room, told
from feltwork.web.callers import Watcher
from feltwork.web.pages import page
from feltwork.web.screens.office import told_proposal
from feltwork.web.words import LinkPath

router = APIRouter()


@router.get("/meters/{link}")
def show(request: Request, by: Watcher, link: LinkPath) -> Response:
    """Current, overflow, hits, wins, base, limit, increments and participating tables, level by level."""
    told.verify_link(by.connection, link)
    taken = look_at_meters(by.connection, link)
    state = taken.state
    model = {
        "site": room.site_name(by.connection),
        "link": link,
        "title": state.link.title.title,
        "paytable": {"name": state.link.paytable.name, "fingerprint": state.link.paytable.fingerprint},
        "wager": state.link.wager,
        "takes_wagers": state.takes_wagers,
        "stops": dict(state.stops),
        "may": {name: by.actor.may(name) for name in ("suspend", "resume")},
        "proposals": [
            told_proposal(by, one)
            for one in proposals.waiting(by).proposals
            if one.command == "resume" and one.body["link"] == link
        ],
        "levels": [_level(state, level) for level in state.link.levels],
        "tables": [
            {"id": one.id, "game": one.game, "phase": one.phase} for one in room.tables(by.connection, [link])
        ],
        "entry": taken.tail.number,
        "as_of": taken.now,
    }
    return page(request, "meters.html", model, me=by.actor.me)


def _level(state: LinkState, level: Level) -> dict[str, Any]:
    counted = state.counters[level.name]
    return {
        "level": level.name,
        "current": state.meter(level.name),
        "pending": state.pending(level.name),
        "base": level.seed,
        "limit": None if state.cap(level.name) == NO_CAP else state.cap(level.name),
        "increment": money.rate_text(level.contribution),
        # What feeds the reserve: no sign shows it, and the next restart takes it.
        "hidden_increment": money.rate_text(level.reserve),
        "reset": level.seed + state.reserve(level.name),
        "overflow": counted.overflow,
        "wagers": counted.wagers,
        "hits": counted.hits,
        "won": counted.won,
        "paid": counted.paid,
    }
