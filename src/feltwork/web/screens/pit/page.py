"""The pit: open claims, awards to pay, and tables by phase."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork.operations.floors.site import holders_with_role, site_name
from feltwork.operations.links.meters import link_statuses
from feltwork.operations.people.people import own_person
from feltwork.operations.tables.corrections import recent_decisions
from feltwork.operations.tables.table_status import tables as all_tables
from feltwork.web.rendering.catalog import N_
from feltwork.web.rendering.templating import page
from feltwork.web.screens import claims
from feltwork.web.security.auth import Watcher

router = APIRouter()
#: Common reasons to void a claim, so that nobody types on a tablet.
REASONS = (
    N_("Wrong hand pressed"),
    N_("Cards don't match the hand"),
    N_("Late chip"),
    N_("Misdeal"),
    N_("Fouled hand"),
)
_ORDER = ("claimed", "key_at_jackpot", "logged", "playing", "idle")


@router.get("/pit")
def show(request: Request, by: Watcher) -> Response:
    """Claims first, then payments, then tables."""
    waiting = claims.waiting(by.connection)
    links = link_statuses(by.connection)
    tables = [
        {"id": one.id, "link": one.link, "game": one.game, "phase": one.phase, "round": one.number}
        for one in all_tables(by.connection, [one.link for one in links])
    ]
    model = {
        "site": site_name(by.connection),
        "claims": [one for one in waiting if one.status == "claimed"],
        "to_pay": [one for one in waiting if one.status == "confirmed"],
        "decisions": recent_decisions(by),
        "states": [
            {"phase": phase, "tables": [one for one in tables if one["phase"] == phase]} for phase in _ORDER
        ],
        "links": links,
        "people": holders_with_role(by.connection, "supervisor", "executive"),
        "reasons": REASONS,
        "may": {name: by.actor.may(name) for name in ("confirm", "void_claim", "pay")},
        "pin_digits": request.app.state.settings.pin_digits,
        "badge": own_person(by).badge,
    }
    return page(request, "pit.html", model, by=by)
