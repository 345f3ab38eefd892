"""The pit: open claims, what needs attention, awards to pay, and tables by phase."""

from collections.abc import Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from feltwork.operations.awards.cage import awards_at_cage
from feltwork.operations.context import Operation
from feltwork.operations.floors.site import holders_with_role, site_name
from feltwork.operations.links.meters import link_statuses
from feltwork.operations.people.people import own_person
from feltwork.operations.people.proposals import waiting_for
from feltwork.operations.records.incidents import incidents
from feltwork.operations.tables.corrections import recent_decisions
from feltwork.operations.tables.parked import parked_messages
from feltwork.operations.tables.table_status import TableStatus
from feltwork.operations.tables.table_status import tables as all_tables
from feltwork.web.rendering.catalog import N_
from feltwork.web.rendering.templating import page
from feltwork.web.screens import claims
from feltwork.web.screens.alarms import shown_alarms
from feltwork.web.screens.claims import MISDEAL_REASONS
from feltwork.web.security.auth import Watcher
from feltwork.web.subject_router import SubjectRouter

router = SubjectRouter()
#: Common reasons to void a claim, so that nobody types on a tablet.
REASONS = (
    N_("Wrong hand pressed"),
    N_("Cards don't match the hand"),
    N_("Late chip"),
    N_("Misdeal"),
    N_("Fouled hand"),
)
#: What people did about an alarm.
ALARM_REASONS = (N_("Checked and corrected"), N_("Counted, no difference"), N_("Reported to IT"))
#: The two-person commands about parked messages.
_PARKED = ("book_parked", "dismiss_parked")
_ORDER = ("claimed", "key_at_jackpot", "logged", "playing", "idle")
_COMMANDS = (
    "confirm",
    "void_claim",
    "enter_cards",
    "pay",
    "misdeal",
    "open_incident",
    "tell_incident",
    "read_books",
)


@router.get("/pit")
def show(request: Request, by: Watcher) -> Response:
    """Claims first, then what needs attention, payments, and tables."""
    waiting = claims.waiting(by.connection)
    links = link_statuses(by.connection)
    may_reverse = by.actor.may_request("reverse")
    places = _places(all_tables(by.connection, [one.link for one in links]))
    model = {
        "site": site_name(by.connection),
        "claims": [one for one in waiting if one.status == "claimed"],
        "to_pay": [one for one in waiting if one.status == "confirmed"],
        "paid": awards_at_cage(by).paid if may_reverse and by.actor.may("pay") else (),
        "may_reverse": may_reverse,
        "alarms": shown_alarms(by),
        "incidents": [one for one in incidents(by).incidents if one.closed_at is None],
        "proposals": _proposals(by),
        "decisions": recent_decisions(by),
        "states": [
            {"phase": phase, "tables": [one for one in places if one["phase"] == phase]} for phase in _ORDER
        ],
        "links": links,
        "people": holders_with_role(by.connection, "supervisor", "executive"),
        "reasons": REASONS,
        "misdeal_reasons": MISDEAL_REASONS,
        "alarm_reasons": ALARM_REASONS,
        "may": {name: by.actor.may(name) for name in _COMMANDS},
        "pin_digits": request.app.state.settings.pin_digits,
        "badge": own_person(by).badge,
    }
    return page(request, "pit.html", model, by=by)


@router.get("/pit/parked")
def show_parked(request: Request, by: Watcher) -> Response:
    """Messages that could not be posted: two people post each one again, or dismiss it."""
    asked = {
        one.body["parked"]: one
        for one in waiting_for(by)
        if one.command in _PARKED and (one.own or one.may_approve)
    }
    model = {
        "site": site_name(by.connection),
        "messages": [(one, asked.get(one.number)) for one in parked_messages(by).messages],
        "may_answer": any(by.actor.may_request(command) for command in _PARKED),
    }
    return page(request, "parked.html", model, by=by)


def _places(found: Sequence[TableStatus]) -> list[dict[str, Any]]:
    """Every table once, in the phase that needs attention most."""
    urgent = {one.id: one for one in sorted(found, key=lambda one: -_ORDER.index(one.phase))}
    return [
        {"id": one.id, "link": one.link, "game": one.game, "phase": one.phase, "round": one.number}
        for _, one in sorted(urgent.items())
    ]


def _proposals(by: Operation) -> list[dict[str, Any]]:
    """Proposals that the person may answer, here or only in the office, and their own."""
    here = by.actor.keyed or not by.policy.key_required
    return [
        {
            "proposal": one.proposal,
            "fingerprint": one.fingerprint,
            "says": one.says,
            "about": one.about,
            "reason": one.body.get("reason", ""),
            "proposed_by": one.proposed_by,
            "own": one.own,
            "here": here,
        }
        for one in waiting_for(by)
        if one.own or one.may_approve
    ]
