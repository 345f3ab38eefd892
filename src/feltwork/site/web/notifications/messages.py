"""Notification messages: what happened, where, and how much, in the screens' wording."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from feltwork.money import dollars
from feltwork.site.books.awards.awards import WaitingAward, waiting
from feltwork.site.books.awards.lookup import wins_since
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Policy, anonymous
from feltwork.site.books.links.meters import states
from feltwork.site.books.links.signs import WinAnnouncement, hits_of
from feltwork.site.books.watch.alarms import open_alarms
from feltwork.site.books.watch.notifications import EventKind
from feltwork.site.progressive.link import Link
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.catalog import in_english
from feltwork.site.web.rendering.report_format import moment, plain_name
from feltwork.site.web.screens.alarms import shown_alarm

#: Age up to which a service that was down still reports a hit.
_NEWS = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage:
    """An event with its message; the subject identifies the event."""

    event: EventKind
    subject: str
    title: str
    text: str
    #: Amount of a hit.
    amount: int = 0


def current_messages(connection: Connection, zone: tzinfo) -> list[EventMessage]:
    """The messages for everything open now and for the last day's hits, in English."""
    links = states(connection)
    since = datetime.now(tz=UTC) - _NEWS
    with in_english():
        return [
            *(
                _claim(award, zone)
                for award in waiting(connection)
                if award.status == "claimed" and award.seat == award.hit_seats[0]
            ),
            *(
                _hit(state.link, hit, zone)
                for state in links
                for hit in hits_of(state.link, wins_since(connection, state.link.id, since))
            ),
            *_alarms(connection, zone),
            *(_stop(state.link, cause, at, zone) for state in links for cause, at in state.stops.items()),
        ]


def _claim(award: WaitingAward, zone: tzinfo) -> EventMessage:
    values = {
        "table": award.table,
        "amount": dollars(award.hit_amount),
        "jackpot": award.title,
        "level": plain_name(award.level),
        "hand": award.hand_name,
        "seats": ", ".join(map(str, award.hit_seats)),
        "at": moment(award.claimed_at, zone),
    }
    return EventMessage(
        event="claim",
        subject=f"{award.link}/{award.id}",
        title=_("Claim at table %(table)s: %(amount)s") % values,
        text=_(
            "%(jackpot)s, %(level)s: %(hand)s at seat %(seats)s, entered %(at)s. "
            "Confirm or void it with a badge."
        )
        % values,
    )


def _hit(link: Link, hit: WinAnnouncement, zone: tzinfo) -> EventMessage:
    values = {
        "table": hit.table,
        "amount": dollars(hit.amount),
        "jackpot": link.title.title,
        "level": plain_name(hit.level),
        "hand": hit.hand,
        "seats": ", ".join(map(str, hit.seats)),
        "at": moment(hit.at, zone),
    }
    return EventMessage(
        event="hit",
        subject=f"{link.id}/{hit.hit}",
        title=_("Hit at table %(table)s: %(amount)s") % values,
        text=_("%(jackpot)s, %(level)s: %(hand)s at seat %(seats)s, confirmed %(at)s.") % values,
        amount=hit.amount,
    )


def _alarms(connection: Connection, zone: tzinfo) -> Iterator[EventMessage]:
    nobody = anonymous(connection, Policy())
    for alarm in open_alarms(connection):
        view = shown_alarm(nobody, alarm)
        since = _("Since %(at)s.") % {"at": moment(view.raised_at, zone)}
        yield EventMessage(
            event="alarm",
            subject=f"{alarm.kind}/{alarm.place}/{alarm.raised_at.timestamp()}",
            title=_("Alarm: %(title)s, %(where)s") % {"title": view.title, "where": view.where},
            text=" ".join(filter(None, (view.what, view.remedy, since))),
        )


def _stop(link: Link, cause: str, at: int, zone: tzinfo) -> EventMessage:
    values = {
        "link": link.id,
        "jackpot": link.title.title,
        "cause": plain_name(cause),
        "at": moment(at, zone),
    }
    return EventMessage(
        event="stopped_link",
        subject=f"{link.id}/{cause}/{at}",
        title=_("Link %(link)s is not accepting wagers") % values,
        text=_("%(jackpot)s: %(cause)s since %(at)s.") % values,
    )
