"""Uplink messages: from tables to the books, as versioned JSON objects.

A message of a round is identified by (table, round, step). Times are microseconds since 1970 in UTC, amounts
are millionths of a currency unit.
"""

from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from feltwork.problem import plain_text
from feltwork.site.progressive import round_facts as facts
from feltwork.site.progressive.link import Link

VERSION = 1

Name: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_.:+@-]{1,64}$", description="letters, digits and any of _ . : + @ -")
]
Time: TypeAlias = Annotated[int, Meta(ge=0, description="microseconds since 1970, UTC")]
Amount: TypeAlias = Annotated[int, Meta(ge=0, description="millionths of a currency unit")]
Number: TypeAlias = Annotated[int, Meta(ge=1, description="rounds of a table count 1, 2, 3 without a gap")]
Step: TypeAlias = Annotated[int, Meta(ge=0, description="messages of a round count 0, 1, 2 without a gap")]
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=99, description="1 is at the dealer's left hand")]
Fingerprint: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="SHA-256 in hex")]
Text: TypeAlias = Annotated[str, Meta(max_length=500)]
SignOnId: TypeAlias = Annotated[str, Meta(max_length=64, description="from SignedOn: who pressed the button")]


class Message(Struct, frozen=True, kw_only=True, gc=False, tag_field="message", tag=True):
    """The fields of every message; readers ignore unknown fields."""

    #: The last word of its subject.
    subject: ClassVar[str] = ""

    link: Name
    at: Time
    v: Literal[1] = 1


class UplinkMessage(Message, frozen=True, kw_only=True, gc=False):
    """A message from a table."""

    #: Whether its stream keeps just the last one of each table.
    latest_only: ClassVar[bool] = False

    table: Name


class RoundMessage(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """A message about a round."""

    round: Number
    step: Step
    sign_on: SignOnId


# --- table status ---


class Hello(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """A controller introduces itself after every start and every reconnect; `at` is its clock."""

    subject: ClassVar[str] = "hello"
    latest_only: ClassVar[bool] = True
    #: A new id at every start; a table has one controller at a time.
    controller: Name
    software: Text
    software_hash: Fingerprint
    manufacturer: Text
    game: Text
    controls: Literal["nexus", "aquarius"]
    #: Fingerprints of the link's version and of the paytable.
    version: Fingerprint
    paytable: Fingerprint
    #: The last round it knows, or 0.
    last_round: Annotated[int, Meta(ge=0)]


class SignOn(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """A sign-on request with badge and PIN, answered by SignedOn; no stream keeps it."""

    subject: ClassVar[str] = "sign_on"
    badge: Name
    pin: Annotated[str, Meta(min_length=1, max_length=128)]

    def __repr__(self) -> str:
        """Leave out the PIN."""
        return f"SignOn(table={self.table!r}, badge={self.badge!r})"


class Sensors(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """Covered jackpot sensors, seats with a base game wager, and broken sensors."""

    subject: ClassVar[str] = "sensors"
    latest_only: ClassVar[bool] = True
    covered: tuple[Seat, ...]
    players: tuple[Seat, ...]
    broken: tuple[Seat, ...] = ()


class Health(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """The status of a table, sent every few seconds once it is admitted."""

    subject: ClassVar[str] = "health"
    latest_only: ClassVar[bool] = True
    controller: Name
    #: `closed` is sent at shutdown, so another controller may start immediately.
    phase: Text
    last_round: Annotated[int, Meta(ge=0)]
    cut_off: bool = False
    #: Rounds and wagers that are published and not booked yet.
    exposed_rounds: Annotated[int, Meta(ge=0)] = 0
    exposed: Amount = 0
    why: Text = ""


# --- rounds ---


class RoundStarted(RoundMessage, frozen=True, kw_only=True, gc=False):
    """START GAME locked these seats, each with a jackpot wager; always step 0."""

    subject: ClassVar[str] = "round"
    wager: Amount
    seats: tuple[Seat, ...]
    version: Fingerprint
    #: Seats with a base game wager, whose hands can trigger envy; by default `seats`.
    players: tuple[Seat, ...] = ()

    def fact(self) -> facts.RoundStarted:
        """Convert it to a fact."""
        return facts.RoundStarted(
            link=self.link,
            at=self.at,
            table=self.table,
            round=self.round,
            wager=self.wager,
            seats=self.seats,
        )

    def ended(self, *, at: int) -> "RoundEnded":
        """Build the end of this round, without payouts."""
        return RoundEnded(
            link=self.link, at=at, table=self.table, round=self.round, step=1, sign_on=self.sign_on,
            fixed=0, envy=0,
        )  # fmt: skip


class SeatCorrected(RoundMessage, frozen=True, kw_only=True, gc=False):
    """One locked seat was corrected before the first hand."""

    subject: ClassVar[str] = "seat"
    seat: Seat
    #: Whether the seat has a jackpot wager.
    wagered: bool
    #: All locked seats afterwards.
    seats: tuple[Seat, ...]
    #: Where a seat is added by somebody else: the sign-on of the supervisor who showed badge and PIN.
    supervisor: Text = ""


class SeatFolded(RoundMessage, frozen=True, kw_only=True, gc=False):
    """A seat was marked as folded, or the mark was taken back, where folded hands do not qualify."""

    subject: ClassVar[str] = "folded"
    seat: Seat
    folded: bool
    #: All folded seats afterwards.
    seats: tuple[Seat, ...]


class HandMessage(RoundMessage, frozen=True, kw_only=True, gc=False):
    """A hand that was entered or cleared."""

    subject: ClassVar[str] = "hand"
    seat: Seat
    hand: Name
    #: All hands afterwards.
    hands: dict[Seat, Name] = {}


class HandPressed(HandMessage, frozen=True, kw_only=True, gc=False):
    """The dealer entered a hand."""

    #: The cards, if a shoe or a camera reads them.
    cards: Text = ""
    #: The winning side, where its seats divide the prize: this press enters the hand for all of them.
    winners: tuple[Seat, ...] = ()


class HandCleared(HandMessage, frozen=True, kw_only=True, gc=False):
    """The dealer cleared a hand."""


class ClaimMessage(RoundMessage, frozen=True, kw_only=True, gc=False):
    """A claim that was made or cleared, with the state of the round afterwards."""

    subject: ClassVar[str] = "claim"
    #: The table's name for it; the books derive the award id from link, table, round and seat.
    award: Name
    seat: Seat
    #: Seats with a base game wager, and all hands.
    players: tuple[Seat, ...]
    hands: dict[Seat, Name]
    #: Open claims of the round by seat.
    claims: dict[Seat, Name] = {}


class Claim(ClaimMessage, frozen=True, kw_only=True, gc=False):
    """A hand that a meter pays was entered."""

    hand: Name
    #: The cards, such as `Ah Kh`, if a shoe or a camera reads them.
    cards: Text = ""


class ClaimCleared(ClaimMessage, frozen=True, kw_only=True, gc=False):
    """The dealer cleared a claim before it was confirmed."""

    reason: Text = "cleared"


class KeyTurned(RoundMessage, frozen=True, kw_only=True, gc=False):
    """Aquarius: the supervisor's key was turned to JPH, or back to RUN."""

    subject: ClassVar[str] = "key"
    to: Literal["jackpot", "run"]


class RoundEnded(RoundMessage, frozen=True, kw_only=True, gc=False):
    """END GAME: the tray payments."""

    subject: ClassVar[str] = "ended"
    fixed: Amount
    envy: Amount


class RoundVoided(RoundMessage, frozen=True, kw_only=True, gc=False):
    """The round was misdealt, and its wagers are returned."""

    subject: ClassVar[str] = "voided"
    reason: Text


#: Every message a table may send.
AnyUplink: TypeAlias = (
    Hello
    | SignOn
    | Sensors
    | Health
    | RoundStarted
    | SeatCorrected
    | SeatFolded
    | HandPressed
    | HandCleared
    | Claim
    | ClaimCleared
    | KeyTurned
    | RoundEnded
    | RoundVoided
)
UPLINK_TYPES: tuple[type[UplinkMessage], ...] = AnyUplink.__args__
_said: msgspec.json.Decoder[AnyUplink] = msgspec.json.Decoder(AnyUplink)
_encoder = msgspec.json.Encoder(enc_hook=plain_text)
M = TypeVar("M", bound=Message)


def encode(message: Message) -> bytes:
    """Encode a message as JSON."""
    return _encoder.encode(message)


def decode_uplink(data: bytes) -> AnyUplink:
    """Decode an uplink message; raise `msgspec.DecodeError` if it is invalid."""
    return _said.decode(data)


def started(
    fact: facts.RoundStarted, link: Link, players: tuple[int, ...] = (), *, sign_on: str
) -> RoundStarted:
    """Build the message that starts a round."""
    return RoundStarted(
        link=fact.link,
        at=fact.at,
        table=fact.table,
        round=fact.round,
        step=0,
        sign_on=sign_on,
        wager=fact.wager,
        seats=fact.seats,
        version=link.fingerprint,
        players=players,
    )
