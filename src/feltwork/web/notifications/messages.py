"""The messages of notifications: what happened, where, and how much, in the words of the screens."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo

from feltwork.money import dollars
from feltwork.operations.awards.awards import WaitingAward
from feltwork.operations.connection import Connection
from feltwork.operations.context import Policy, anonymous
from feltwork.operations.links.signs import WinAnnouncement
from feltwork.operations.records.notifications import EventKind, StoppedLink, notable_events
from feltwork.operations.records.open_alarms import AlarmRecord
from feltwork.web.rendering.catalog import gettext as _
from feltwork.web.rendering.catalog import in_english
from feltwork.web.rendering.report_format import moment, plain_name
from feltwork.web.screens.alarms import shown_alarm


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage:
    """An event with its message; the subject tells it from every other one."""

    event: EventKind
    subject: str
    title: str
    text: str
    #: What a hit pays.
    amount: int = 0


def current_messages(connection: Connection, zone: tzinfo) -> list[EventMessage]:
    """The messages of everything that is open now, and of the hits of the last day, in English."""
    found = notable_events(connection)
    with in_english():
        return [
            *(_claim(one, zone) for one in found.claims),
            *(_hit(link, title, hit, zone) for link, title, hit in found.hits),
            *_alarms(connection, found.alarms, zone),
            *(_stop(one, zone) for one in found.stops),
        ]


def _claim(one: WaitingAward, zone: tzinfo) -> EventMessage:
    values = {
        "table": one.table,
        "amount": dollars(one.hit_amount),
        "jackpot": one.title,
        "level": plain_name(one.level),
        "hand": one.hand_name,
        "seats": ", ".join(map(str, one.hit_seats)),
        "at": moment(one.claimed_at, zone),
    }
    return EventMessage(
        event="claim",
        subject=f"{one.link}/{one.id}",
        title=_("Claim at table %(table)s: %(amount)s") % values,
        text=_("%(jackpot)s, %(level)s: %(hand)s at seat %(seats)s, entered %(at)s. It waits for a badge.")
        % values,
    )


def _hit(link: str, title: str, hit: WinAnnouncement, zone: tzinfo) -> EventMessage:
    values = {
        "table": hit.table,
        "amount": dollars(hit.amount),
        "jackpot": title,
        "level": plain_name(hit.level),
        "hand": hit.hand,
        "seats": ", ".join(map(str, hit.seats)),
        "at": moment(hit.at, zone),
    }
    return EventMessage(
        event="hit",
        subject=f"{link}/{hit.hit}",
        title=_("Hit at table %(table)s: %(amount)s") % values,
        text=_("%(jackpot)s, %(level)s: %(hand)s at seat %(seats)s, confirmed %(at)s.") % values,
        amount=hit.amount,
    )


def _alarms(connection: Connection, found: tuple[AlarmRecord, ...], zone: tzinfo) -> Iterator[EventMessage]:
    nobody = anonymous(connection, Policy())
    for alarm in found:
        shown = shown_alarm(nobody, alarm)
        since = _("Since %(at)s.") % {"at": moment(shown.raised_at, zone)}
        yield EventMessage(
            event="alarm",
            subject=f"{alarm.kind}/{alarm.place}/{alarm.raised_at.timestamp()}",
            title=_("Alarm: %(title)s, %(where)s") % {"title": shown.title, "where": shown.where},
            text=" ".join(filter(None, (shown.what, shown.remedy, since))),
        )


def _stop(one: StoppedLink, zone: tzinfo) -> EventMessage:
    values = {
        "link": one.link,
        "jackpot": one.title,
        "cause": plain_name(one.cause),
        "at": moment(one.since, zone),
    }
    return EventMessage(
        event="stopped_link",
        subject=f"{one.link}/{one.cause}/{one.since}",
        title=_("Link %(link)s takes no wagers") % values,
        text=_("%(jackpot)s: %(cause)s since %(at)s.") % values,
    )
