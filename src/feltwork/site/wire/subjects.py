"""Subjects of messages, and the check that a message matches its subject."""

from functools import lru_cache

from feltwork.problem import Problem, ProblemsError
from feltwork.site.wire.downlink import AwardMessage, DownlinkMessage, MeterSnapshot, Refused
from feltwork.site.wire.uplink import (
    UPLINK_TYPES,
    AnyUplink,
    Message,
    RoundMessage,
    UplinkMessage,
    decode_uplink,
)

#: Subjects of rounds, whose messages are kept until they are booked; a subject's last word.
KEPT = tuple(dict.fromkeys(kind.subject for kind in UPLINK_TYPES if issubclass(kind, RoundMessage)))
#: Subjects that keep only the latest message.
LATEST_ONLY = tuple(kind.subject for kind in UPLINK_TYPES if kind.latest_only)


def token(name: str) -> str:
    """Escape a name as one token of a subject."""
    return name.replace(".", "%2E")


def name_of(word: str) -> str:
    """Unescape a token of a subject."""
    return word.replace("%2E", ".")


def subject_of(message: Message) -> str:
    """The subject of a message."""
    link = token(message.link)
    match message:
        case UplinkMessage():
            return uplink_subject(message.link, message.table, message.subject)
        case MeterSnapshot():
            return f"meters.{link}"
        case AwardMessage():
            return f"{downlink_prefix(message.link, message.table)}.award.{token(message.award)}"
        case Refused():
            return f"{downlink_prefix(message.link, message.table)}.refused.{message.round}"
        case DownlinkMessage() if message.subject:
            return f"{downlink_prefix(message.link, message.table)}.{message.subject}"
    raise TypeError(f"{type(message).__name__} has no subject")


@lru_cache(maxsize=65_536)
def uplink_subject(link: str, table: str, kind: str) -> str:
    """The subject of a kind of uplink message."""
    return f"felt.{token(link)}.{token(table)}.{kind}"


def downlink_prefix(link: str, table: str) -> str:
    """The prefix of the downlink subjects of a table."""
    return f"told.{token(link)}.{token(table)}"


def meters_of(link: str) -> str:
    """The subject of a link's snapshots."""
    return f"meters.{token(link)}"


def decode_from(subject: str, data: bytes) -> AnyUplink:
    """Decode an uplink message; refuse one whose table or link does not match its subject [GEN-07]."""
    message = decode_uplink(data)
    if uplink_subject(message.link, message.table, message.subject) != subject:
        what = f"it names link {message.link}, table {message.table}, and is a {type(message).__name__}"
        remedy = f"publish it under {subject_of(message)}"
        raise ProblemsError([Problem(subject, what, remedy, "GEN-07")])
    return message
