"""Change feed: links with new entries, and claim results since the last one published."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from feltwork.site.books.awards.lookup import awards_named
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import LinkSnapshot, read_meters
from feltwork.site.books.links.versions import chain_ends
from feltwork.site.books.queries import statement
from feltwork.site.progressive import facts
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.facts import Fact
from feltwork.site.progressive.state import Award
from feltwork.site.wire.downlink import AwardConfirmed, AwardMessage, AwardPaid, AwardVoided, ClaimBooked

_MOST = 500
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class TableUpdates:
    """Claim results to publish for a link, each with its entry, and the last entry covered."""

    messages: tuple[tuple[int, AwardMessage], ...]
    until: int


@dataclass(slots=True)
class FeedReading:
    """The result of one poll of the books."""

    meters: list[tuple[LinkSnapshot, Mapping[str, str]]] = field(default_factory=list)
    news: dict[str, TableUpdates] = field(default_factory=dict)


def look(
    connection: Connection, meter_positions: Mapping[str, int], news_positions: Mapping[str, int]
) -> FeedReading:
    """Links whose last entry changed, and claim results after the entries already seen."""
    reading = FeedReading()
    for link, number in chain_ends(connection).items():
        if meter_positions.get(link, -1) < number:
            snapshot = read_meters(connection, link)
            stops = connection.execute(statement("stops_of"), (link,)) if snapshot.state.stops else ()
            reading.meters.append((snapshot, {cause: why[:_LONGEST_REASON] for cause, why in stops}))
        if news_positions.get(link, -1) < number:
            reading.news[link] = _news_of(connection, link, until=number)
    return reading


def _news_of(connection: Connection, link: str, *, until: int) -> TableUpdates:
    """Claim results after the last published entry, in journal order."""
    row = connection.execute(statement("change_feed_position"), (link,)).fetchone()
    about = {"link": link, "after": row[0] if row else 0, "most": _MOST}
    plain = [
        (number, json.loads(text)) for number, text in connection.execute(statement("award_changes"), about)
    ]
    if not plain:
        return TableUpdates((), until)
    awards = awards_named(connection, link, {fact["award"] for _, fact in plain})
    messages = [(number, _message(from_plain(fact), awards[fact["award"]])) for number, fact in plain]
    return TableUpdates(
        tuple((number, message) for number, message in messages if message is not None),
        until if len(plain) < _MOST else plain[-1][0],
    )


def _message(fact: Fact, award: Award) -> AwardMessage | None:
    about: dict[str, Any] = {
        "link": fact.link,
        "at": fact.at,
        "table": award.table,
        "award": award.id,
        "round": award.round,
        "seat": award.seat,
        "hand": award.hand,
    }
    match fact:
        case facts.Claimed():
            return ClaimBooked(**about)
        case facts.Locked() if award.status == "claimed":
            return ClaimBooked(**about, level=fact.level, amount=fact.from_meter + fact.from_house)
        case facts.Confirmed():
            return AwardConfirmed(**about, level=fact.level, amount=fact.from_meter + fact.from_house)
        case facts.Voided() | facts.Reversed():
            return AwardVoided(**about, reason=fact.reason)
        case facts.Paid():
            return AwardPaid(**about, amount=fact.amount, form=fact.form)
    return None


def mark_published(connection: Connection, link: str, number: int) -> None:
    """Record that everything up to an entry has been published."""
    connection.execute(statement("save_change_feed_position"), (link, number))
