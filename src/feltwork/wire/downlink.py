"""What the books tell: a table about its claims, and everybody about the meters of a link."""

from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from feltwork.wire.uplink import Amount, Fingerprint, Message, Name, Number, Seat, Text, Time


class DownlinkMessage(Message, frozen=True, kw_only=True, gc=False):
    """Something that the books tell one table."""

    table: Name


class Welcome(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """The answer to a Hello: whether the table may play, and the last round of it in the books."""

    subject: ClassVar[str] = "welcome"
    #: Who said hello; another controller of the table leaves it alone.
    controller: Name
    accepted: bool
    #: The last round of the table that is booked or on its way; its next one is higher.
    last_round: Annotated[int, Meta(ge=0)]
    #: The last round of the table that is booked: what was published after it waits for the books.
    booked: Annotated[int, Meta(ge=0)]
    version: Fingerprint
    #: Whether that round is over: it ended, was voided, or was finished elsewhere.
    is_over: bool = False
    #: Why not, with the requirement and the remedy.
    why: Text = ""
    requirement: Text = ""
    remedy: Text = ""


class SignedOn(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """The answer to a SignOn: the id that every message of a round carries, or why there is none."""

    #: Empty where it was refused.
    sign_on: Text = ""
    name: Text = ""
    #: When it ends; whoever stays signs on again.
    until: Time = 0
    why: Text = ""
    requirement: Text = ""
    remedy: Text = ""


class AwardMessage(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """Something that happened to a claim."""

    subject: ClassVar[str] = "award"
    award: Name
    round: Number
    seat: Seat
    hand: Text = ""


class ClaimBooked(AwardMessage, frozen=True, kw_only=True, gc=False):
    """The claim waits for a supervisor; its amount is 0 until the link's policy fixes it."""

    level: Text = ""
    amount: Amount = 0


class AwardConfirmed(AwardMessage, frozen=True, kw_only=True, gc=False):
    """A supervisor confirmed it: it is owed."""

    level: Text
    amount: Amount


class AwardVoided(AwardMessage, frozen=True, kw_only=True, gc=False):
    """The claim was cleared or refused: its hand is out of the round."""

    reason: Text


class AwardPaid(AwardMessage, frozen=True, kw_only=True, gc=False):
    """The patron has the money."""

    amount: Amount
    form: Text


class Refused(DownlinkMessage, frozen=True, kw_only=True, gc=False):
    """A message that the books did not take, and what to do about it."""

    subject: ClassVar[str] = "refused"
    round: Annotated[int, Meta(ge=0)]
    step: Annotated[int, Meta(ge=0)]
    what: Text
    remedy: Text
    requirement: Text = ""


class MeterSnapshot(Message, frozen=True, kw_only=True, gc=False):
    """How a link stands after an entry of its chain; told at every change, and every few seconds."""

    subject: ClassVar[str] = "meters"
    version: Fingerprint
    takes_wagers: bool
    #: Why it takes none: cause -> reason.
    stops: dict[str, Text]
    #: Level -> the amount on show, the highest level first.
    meters: dict[str, Amount]
    #: The chain's last entry and its hash.
    entry: Annotated[int, Meta(ge=0)]
    hash: Text
    life: Literal["planned", "open", "removed"] = "open"


AnyDownlink: TypeAlias = (
    Welcome | SignedOn | ClaimBooked | AwardConfirmed | AwardVoided | AwardPaid | Refused | MeterSnapshot
)
TOLD: tuple[type[Message], ...] = AnyDownlink.__args__
_told: msgspec.json.Decoder[AnyDownlink] = msgspec.json.Decoder(AnyDownlink)


def decode_downlink(data: bytes) -> AnyDownlink:
    """What the books told; raises `msgspec.DecodeError` where it is no message of this version."""
    return _told.decode(data)
