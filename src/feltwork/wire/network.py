"""Messages between the sites of a network link and its hub, as versioned JSON objects, and their subjects.

``up.LINK.SITE.NAME`` and ``down.LINK.SITE.NAME`` carry one message each, and ``meters.LINK`` the hub's
snapshots for all sites. No stream stores them: messages without an answer are sent again.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from feltwork.problem import Problem, ProblemsError
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.terms import LONGEST_AWARD
from feltwork.wire.subjects import meters_of, token

M = TypeVar("M")
UP: Mapping[str, type[m.Up]] = {
    "sum": m.SiteSum,
    "claim": m.ClaimUp,
    "confirm": m.ConfirmUp,
    "paid": m.PaidUp,
    "void": m.VoidUp,
    "reverse": m.ReverseUp,
    "ready": m.ReadyUp,
    "settled": m.SettleUp,
}
DOWN: Mapping[str, type[m.Down]] = {
    "booked": m.BookedDown,
    "grant": m.GrantDown,
    "confirmed": m.ConfirmedDown,
    "handed_over": m.HandedOverDown,
    "voided": m.VoidedDown,
    "reversed": m.ReversedDown,
    "refused": m.RefusedDown,
    "settled": m.SettledDown,
    "read": m.ReadDown,
}
#: Subjects that a hub subscribes to, and those that its sites do.
ALL_UP = "up.>"
ALL_METERS = "meters.*"
_LARGEST = 16_384
_AWARD = re.compile(r"[A-Za-z0-9_.:+@-]+")


class _Envelope(Struct, Generic[M], frozen=True, kw_only=True, gc=False):
    message: M
    v: Literal[1] = 1


#: The first and the last word of a subject.
_words: Mapping[type[Any], tuple[str, str]] = {
    kind: (way, name) for way, kinds in (("up", UP), ("down", DOWN)) for name, kind in kinds.items()
}
_decoders: Mapping[type[Any], Any] = {
    kind: msgspec.json.Decoder(_Envelope[kind])  # type: ignore[valid-type]
    for kind in (*UP.values(), *DOWN.values(), m.HubSnapshot)
}
_encoder = msgspec.json.Encoder()


def encode(message: m.Up | m.Down) -> bytes:
    """Encode a message as JSON."""
    return _encoder.encode(_Envelope(message=message))


def subject_of(message: m.Up | m.Down) -> str:
    """The subject of a message."""
    if isinstance(message, m.HubSnapshot):
        return meters_of(message.link)
    way, name = _words[type(message)]
    return _subject(way, message.link, message.site, name)


@lru_cache(maxsize=65_536)
def _subject(way: str, link: str, site: str, name: str) -> str:
    return f"{way}.{token(link)}.{token(site)}.{name}"


def ups_of(site: str) -> str:
    """The subjects of all messages from a site."""
    return f"up.*.{token(site)}.>"


def downs_of(site: str) -> str:
    """The subjects of all messages to a site."""
    return f"down.*.{token(site)}.>"


def decode_up(subject: str, data: bytes) -> m.Up:
    """Decode a site's message; refuse one whose site, link or award does not match its subject.

    The awards of an aggregator are those of its sites, NAME@AGGREGATOR.
    """
    message: m.Up = _decode(subject, data, UP.get(subject.rpartition(".")[2]))
    if subject_of(message) != subject or not _is_of_its_site(message):
        raise _refused(subject, "its site, link or award does not match its subject")
    return message


def _is_of_its_site(message: m.Up) -> bool:
    """Whether the sum and the award in a message are those of its site."""
    if isinstance(message, m.SiteSum | m.SettleUp):
        return True
    if isinstance(message, m.ClaimUp | m.ReadyUp):
        site_sum = message.sum
        if (site_sum.link, site_sum.site) != (message.link, message.site):
            return False
    if isinstance(message, m.ReadyUp):
        return True
    award = message.award
    owner = award.partition(":")[0]
    own = owner == message.site or owner.endswith(f"@{message.site}")
    return own and len(award) <= LONGEST_AWARD and _AWARD.fullmatch(award) is not None


def decode_down(subject: str, data: bytes) -> m.Down:
    """Decode a message of the hub."""
    kind = m.HubSnapshot if subject.startswith("meters.") else DOWN.get(subject.rpartition(".")[2])
    message: m.Down = _decode(subject, data, kind)
    if subject_of(message) != subject:
        raise _refused(subject, "it names another site or link than its subject")
    return message


def _decode(subject: str, data: bytes, kind: type[Any] | None) -> Any:
    if kind is None or len(data) > _LARGEST:
        raise _refused(subject, "it is not a network link message, or it is too long")
    try:
        return _decoders[kind].decode(data).message
    except (msgspec.DecodeError, ValueError) as error:
        raise _refused(subject, str(error)) from error


def _refused(subject: str, what: str) -> ProblemsError:
    return ProblemsError([Problem(subject, what, "update the program of the site", "GEN-18")])
