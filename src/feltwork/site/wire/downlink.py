"""Downlink messages: from the books to tables and signs."""

from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from feltwork.site.wire.uplink import Amount, Fingerprint, Message, Name, Number, Seat, Text, Time


class DownlinkMessage(Message, frozen=True, kw_only=True, gc=False):
    """A message to one table."""

    table: Name


class Welcome(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """The reply to a Hello: whether the table may play, and its last round."""

    subject: ClassVar[str] = "welcome"
    #: The controller that sent the Hello; any other ignores the reply.
    controller: Name
    accepted: bool
    #: The last round that is booked or in transit; the next number is higher.
    last_round: Annotated[int, Meta(ge=0)]
    #: The last booked round; later ones are waiting.
    booked: Annotated[int, Meta(ge=0)]
    version: Fingerprint
    #: Whether that round has ended, was voided, or was finished on a screen.
    is_over: bool = False
    #: Why the table may not play.
    why: Text = ""
    requirement: Text = ""
    remedy: Text = ""


class SignedOn(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """The reply to a SignOn: the id for every message of a round, or the reason for a refusal."""

    #: Empty if refused.
    sign_on: Text = ""
    name: Text = ""
    #: When it expires.
    until: Time = 0
    why: Text = ""
    requirement: Text = ""
    remedy: Text = ""


class AwardMessage(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """News about a claim."""

    subject: ClassVar[str] = "award"
    award: Name
    round: Number
    seat: Seat
    hand: Text = ""


class ClaimBooked(AwardMessage, frozen=True, kw_only=True, gc=False):
    """The claim is booked and waits for a supervisor; its amount is 0 until it locks."""

    level: Text = ""
    amount: Amount = 0


class AwardConfirmed(AwardMessage, frozen=True, kw_only=True, gc=False):
    """The claim was confirmed."""

    level: Text
    amount: Amount


class AwardVoided(AwardMessage, frozen=True, kw_only=True, gc=False):
    """The claim was cleared or refused, or its award reversed, and its hand removed from the round."""

    reason: Text


class AwardPaid(AwardMessage, frozen=True, kw_only=True, gc=False):
    """The award was paid."""

    amount: Amount
    form: Text


class Refused(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """A message that the books refused, with the remedy."""

    subject: ClassVar[str] = "refused"
    round: Annotated[int, Meta(ge=0)]
    step: Annotated[int, Meta(ge=0)]
    what: Text
    remedy: Text
    requirement: Text = ""


class MeterSnapshot(Message, frozen=True, kw_only=True, gc=False):
    """The state of a link after an entry, published at every change and every few seconds."""

    subject: ClassVar[str] = "meters"
    version: Fingerprint
    takes_wagers: bool
    #: Why it takes no wagers: cause -> reason.
    stops: dict[str, Text]
    #: Level -> displayed amount, the highest level first.
    meters: dict[str, Amount]
    #: The last entry of the chain and its hash.
    entry: Annotated[int, Meta(ge=0)]
    hash: Text
    life: Literal["planned", "open", "removed"] = "open"


AnyDownlink: TypeAlias = (
    Welcome | SignedOn | ClaimBooked | AwardConfirmed | AwardVoided | AwardPaid | Refused | MeterSnapshot
)
DOWNLINK_TYPES: tuple[type[Message], ...] = AnyDownlink.__args__
_told: msgspec.json.Decoder[AnyDownlink] = msgspec.json.Decoder(AnyDownlink)


def decode_downlink(data: bytes) -> AnyDownlink:
    """Decode a downlink message; raise `msgspec.DecodeError` if it is invalid."""
    return _told.decode(data)
