"""The pit: open claims, what needs attention, awards to pay, and tables by phase."""

from collections.abc import Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from feltwork.site.books.authorize import refusal_of_release
from feltwork.site.books.awards.cage import awards_at_cage
from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import holders_with_role, site_name
from feltwork.site.books.links.meters import link_statuses
from feltwork.site.books.people.people import own_person
from feltwork.site.books.people.proposals import waiting_for
from feltwork.site.books.tables.decisions import recent_decisions
from feltwork.site.books.tables.parked import parked_messages
from feltwork.site.books.tables.table_status import TableStatus
from feltwork.site.books.tables.table_status import tables as all_tables
from feltwork.site.books.watch.incidents import show_incidents
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.screens import claims
from feltwork.site.web.screens.alarms import shown_alarms
from feltwork.site.web.screens.claims import MISDEAL_REASONS
from feltwork.site.web.security.auth import Watcher
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()
#: Common reasons to void a claim, so nobody has to type on a tablet.
REASONS = (
    N_("Wrong hand pressed"),
    N_("Cards don't match the hand"),
    N_("Late chip"),
    N_("Misdeal"),
    N_("Fouled hand"),
)
#: Common notes for clearing an alarm.
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
    pays = may_reverse and by.actor.may("pay")
    places = _places(all_tables(by.connection, [link.link for link in links]))
    model = {
        "site": site_name(by.connection),
        "claims": [claim for claim in waiting if claim.status == "claimed"],
        "to_pay": [claim for claim in waiting if claim.status == "confirmed"],
        "paid": [award for award in awards_at_cage(by).paid if award.form] if pays else (),
        "may_reverse": may_reverse,
        "may_set_aside": by.actor.may_request("set_aside"),
        "waited_for": [claim.first.id for claim in waiting if claim.first],
        "release": refusal_of_release(by.connection, by.policy.release),
        "release_hash": by.policy.release,
        "alarms": shown_alarms(by),
        "incidents": [incident for incident in show_incidents(by).incidents if incident.closed_at is None],
        "proposals": _proposals(by),
        "decisions": recent_decisions(by),
        "states": [
            {"phase": phase, "tables": [place for place in places if place["phase"] == phase]}
            for phase in _ORDER
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
    proposals = {
        proposal.body["parked"]: proposal
        for proposal in waiting_for(by)
        if proposal.command in _PARKED and (proposal.own or proposal.may_approve)
    }
    model = {
        "site": site_name(by.connection),
        "messages": [(message, proposals.get(message.number)) for message in parked_messages(by).messages],
        "may_answer": any(by.actor.may_request(command) for command in _PARKED),
    }
    return page(request, "parked.html", model, by=by)


def _places(statuses: Sequence[TableStatus]) -> list[dict[str, Any]]:
    """Every table once, in the phase that needs attention most."""
    urgent = {
        status.id: status for status in sorted(statuses, key=lambda status: -_ORDER.index(status.phase))
    }
    return [
        {
            "id": status.id,
            "link": status.link,
            "game": status.game,
            "phase": status.phase,
            "round": status.number,
        }
        for _, status in sorted(urgent.items())
    ]


def _proposals(by: Operation) -> list[dict[str, Any]]:
    """Proposals that the person may answer, here or only in the office, and their own."""
    here = by.actor.keyed or not by.policy.key_required
    return [
        {
            "proposal": proposal.proposal,
            "fingerprint": proposal.fingerprint,
            "says": proposal.says,
            "about": proposal.about,
            "reason": proposal.body.get("reason", ""),
            "status": proposal.body.get("proposed_for", "") if proposal.command == "reverse" else "",
            "proposed_by": proposal.proposed_by,
            "own": proposal.own,
            "here": here,
        }
        for proposal in waiting_for(by)
        if proposal.own or proposal.may_approve
    ]
