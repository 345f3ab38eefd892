"""Messages: what a table says on the wire, and what the books tell it; one JSON object each, versioned.

A message of a round is known by (table, round, step) for ever. Times are microseconds since 1970 in UTC,
amounts are millionths of a currency unit.
"""

from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from feltwork.progressive import round_facts as facts
from feltwork.progressive.link import Link

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
    """What every message carries; fields that a reader does not know are left alone."""

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
    """Something that a table says about one of its rounds."""

    round: Number
    step: Step
    sign_on: SignOnId


# --- a table, as it is now ---


class Hello(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """A controller is here: first thing after every start and every new connection. `at` is its clock."""

    subject: ClassVar[str] = "hello"
    latest_only: ClassVar[bool] = True
    #: Which controller this is, chosen anew at every start: a table has one at a time.
    controller: Name
    software: Text
    software_hash: Fingerprint
    manufacturer: Text
    game: Text
    controls: Literal["nexus", "aquarius"]
    #: The configuration that it plays: the link's version, which covers the paytable, and the paytable's own.
    version: Fingerprint
    paytable: Fingerprint
    #: The last round that it knows of; 0 where there is none.
    last_round: Annotated[int, Meta(ge=0)]


class SignOn(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """Somebody gives badge and PIN at a table. It is a request that SignedOn answers; no stream keeps it."""

    subject: ClassVar[str] = "sign_on"
    badge: Name
    pin: Annotated[str, Meta(min_length=1, max_length=128)]


class Sensors(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """Which jackpot sensors are covered, which seats have a regular wager, and which sensors are broken."""

    subject: ClassVar[str] = "sensors"
    latest_only: ClassVar[bool] = True
    covered: tuple[Seat, ...]
    players: tuple[Seat, ...]
    broken: tuple[Seat, ...] = ()


class Health(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """How a table is, every few seconds: its phase, its last round, and why it does not play, if so."""

    subject: ClassVar[str] = "health"
    latest_only: ClassVar[bool] = True
    controller: Name
    #: `closed` is the last word of a controller: another may play the table at once.
    phase: Text
    last_round: Annotated[int, Meta(ge=0)]
    cut_off: bool = False
    #: Rounds and wagers that are published and not known to be booked.
    exposed_rounds: Annotated[int, Meta(ge=0)] = 0
    exposed: Amount = 0
    why: Text = ""


# --- rounds ---


class RoundStarted(RoundMessage, frozen=True, kw_only=True, gc=False):
    """START GAME locked these seats; each of them has made the jackpot wager. Always step 0."""

    subject: ClassVar[str] = "round"
    wager: Amount
    seats: tuple[Seat, ...]
    version: Fingerprint
    #: Everyone with a regular wager, whose hand may give envy to others; just `seats` where it is empty.
    players: tuple[Seat, ...] = ()

    def fact(self) -> facts.RoundStarted:
        """The same as the books take it."""
        return facts.RoundStarted(
            link=self.link,
            at=self.at,
            table=self.table,
            round=self.round,
            wager=self.wager,
            seats=self.seats,
        )


class Rounds(UplinkMessage, frozen=True, kw_only=True, gc=False):
    """Several rounds of a table that follow each other, in place of as many messages."""

    subject: ClassVar[str] = "round"
    first: Number
    sign_on: SignOnId
    wager: Amount
    version: Fingerprint
    #: One line a round: its time and its seats.
    rounds: Annotated[tuple[tuple[Time, tuple[Seat, ...]], ...], Meta(min_length=1, max_length=10_000)]

    @property
    def last(self) -> int:
        """The number of its last round."""
        return self.first + len(self.rounds) - 1

    def facts(self) -> list[facts.RoundStarted]:
        """The same as the books take them."""
        link, table, wager = self.link, self.table, self.wager
        return [
            facts.RoundStarted(link=link, at=at, table=table, round=number, wager=wager, seats=seats)
            for number, (at, seats) in enumerate(self.rounds, self.first)
        ]


class SeatCorrected(RoundMessage, frozen=True, kw_only=True, gc=False):
    """One locked seat was corrected before the first hand: its chip was knocked off, or never there."""

    subject: ClassVar[str] = "seat"
    seat: Seat
    #: Whether the seat has made the jackpot wager.
    wagered: bool
    #: Every locked seat after it.
    seats: tuple[Seat, ...]


class HandMessage(RoundMessage, frozen=True, kw_only=True, gc=False):
    """A hand that was named or taken back."""

    subject: ClassVar[str] = "hand"
    seat: Seat
    hand: Name
    #: Every hand that is named after it.
    hands: dict[Seat, Name] = {}


class HandPressed(HandMessage, frozen=True, kw_only=True, gc=False):
    """The dealer named a seat's hand."""

    #: The cards of the hand where a shoe or a camera knows them; empty where nobody does.
    cards: Text = ""


class HandCleared(HandMessage, frozen=True, kw_only=True, gc=False):
    """The dealer took a hand back."""


class ClaimMessage(RoundMessage, frozen=True, kw_only=True, gc=False):
    """A claim that was made or taken back, with the round as it stands after it."""

    subject: ClassVar[str] = "claim"
    #: What the table calls it; the books derive the id of an award from link, table, round and seat.
    award: Name
    seat: Seat
    #: Everyone with a regular wager, and every hand that is named.
    players: tuple[Seat, ...]
    hands: dict[Seat, Name]
    #: The claims of the round that stand, by seat.
    claims: dict[Seat, Name] = {}


class Claim(ClaimMessage, frozen=True, kw_only=True, gc=False):
    """A hand that a meter pays was named: the claim, with the round as it stands."""

    hand: Name
    #: The cards of the hand where a shoe or a camera knows them, like `Ah Kh`; empty where nobody does.
    cards: Text = ""


class ClaimCleared(ClaimMessage, frozen=True, kw_only=True, gc=False):
    """The dealer took a claim back before it was confirmed; the round as it stands without it."""

    reason: Text = "cleared"


class KeyTurned(RoundMessage, frozen=True, kw_only=True, gc=False):
    """Aquarius: the supervisor's key went to JPH, or back to RUN."""

    subject: ClassVar[str] = "key"
    to: Literal["jackpot", "run"]


class RoundEnded(RoundMessage, frozen=True, kw_only=True, gc=False):
    """END GAME: what the tray paid."""

    subject: ClassVar[str] = "ended"
    fixed: Amount
    envy: Amount


class RoundVoided(RoundMessage, frozen=True, kw_only=True, gc=False):
    """The round was misdealt: its wagers go back."""

    subject: ClassVar[str] = "voided"
    reason: Text


#: Every message a table may send.
AnyUplink: TypeAlias = (
    Hello
    | SignOn
    | Sensors
    | Health
    | RoundStarted
    | Rounds
    | SeatCorrected
    | HandPressed
    | HandCleared
    | Claim
    | ClaimCleared
    | KeyTurned
    | RoundEnded
    | RoundVoided
)
SAID: tuple[type[UplinkMessage], ...] = AnyUplink.__args__
_said: msgspec.json.Decoder[AnyUplink] = msgspec.json.Decoder(AnyUplink)
_encoder = msgspec.json.Encoder()
M = TypeVar("M", bound=Message)


def encode(message: Message) -> bytes:
    """A message as it travels."""
    return _encoder.encode(message)


def decode_uplink(data: bytes) -> AnyUplink:
    """What a table said; raises `msgspec.DecodeError` where it is no message of this version."""
    return _said.decode(data)


def started(
    fact: facts.RoundStarted, link: Link, players: tuple[int, ...] = (), *, sign_on: str
) -> RoundStarted:
    """The message of a round that has begun."""
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
