"""The tally: the messages of tables and their acknowledgments, recorded independently of the books.

Every comparison checks the books against it. A line is one `write`, before or after the event that it
records, so a process killed in between leaves a readable tally.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeAlias

from feltwork.site.wire.uplink import (
    AnyUplink,
    Claim,
    RoundEnded,
    RoundMessage,
    RoundStarted,
    RoundVoided,
    decode_uplink,
    encode,
)

#: Link, table and number of a round.
RoundKey: TypeAlias = tuple[str, str, int]
#: Link and id of an award.
AwardKey: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SentRound:
    """A round as its table sent it."""

    wager: int
    seats: tuple[int, ...]


@dataclass
class Tally:
    """Everything that tables sent about money."""

    file: BinaryIO | None = None
    rounds: dict[RoundKey, SentRound] = field(default_factory=dict)
    #: Acknowledged rounds; the others are in doubt.
    kept: set[RoundKey] = field(default_factory=set)
    #: Claims sent, and claims acknowledged.
    claims: set[AwardKey] = field(default_factory=set)
    kept_claims: set[AwardKey] = field(default_factory=set)
    #: Tray payouts, and acknowledged ends.
    ends: dict[RoundKey, int] = field(default_factory=dict)
    kept_ends: set[RoundKey] = field(default_factory=set)
    voided: set[RoundKey] = field(default_factory=set)
    #: Confirmed, Voided, Paid -> awards acknowledged by the service.
    answers: dict[str, set[AwardKey]] = field(default_factory=dict)

    @classmethod
    def writing(cls, path: Path) -> "Tally":
        """Open a tally that is also written to a file."""
        tally = cls.reading(path) if path.exists() else cls()
        tally.file = path.open("ab", buffering=0)
        return tally

    @classmethod
    def reading(cls, path: Path) -> "Tally":
        """Read the tally of a file; a truncated last line is ignored."""
        tally = cls()
        for line in path.read_bytes().split(b"\n")[:-1]:
            how, _, data = line.partition(b" ")
            if how == b"told":
                kind, link, award = data.decode().split(" ")
                tally.answered(kind, link, award)
            else:
                message = decode_uplink(data)
                (tally.sent if how == b"sent" else tally.acknowledged)(message)
        return tally

    def close(self) -> None:
        """Close the file."""
        if self.file is not None:
            self.file.close()
            self.file = None

    def sent(self, message: AnyUplink) -> None:
        """Record a message before it is published."""
        self._write(b"sent", message)
        match message:
            case RoundStarted():
                key = (message.link, message.table, message.round)
                self.rounds[key] = SentRound(message.wager, message.seats)
            case Claim():
                self.claims.add((message.link, message.award))
            case RoundEnded():
                self.ends[message.link, message.table, message.round] = message.fixed + message.envy
            case RoundVoided():
                self.voided.add((message.link, message.table, message.round))

    def acknowledged(self, message: AnyUplink) -> None:
        """Record the acknowledgment of a message."""
        self._write(b"kept", message)
        match message:
            case RoundStarted():
                self.kept.add((message.link, message.table, message.round))
            case Claim():
                self.kept_claims.add((message.link, message.award))
            case RoundEnded():
                self.kept_ends.add((message.link, message.table, message.round))

    def answered(self, kind: str, link: str, award: str) -> None:
        """Record a response of the service about an award."""
        if self.file is not None:
            self.file.write(f"told {kind} {link} {award}\n".encode())
        self.answers.setdefault(kind, set()).add((link, award))

    def join(self, other: "Tally") -> None:
        """Add the tally of other tables."""
        self.rounds.update(other.rounds)
        self.claims |= other.claims
        self.ends.update(other.ends)
        self.kept |= other.kept
        self.kept_claims |= other.kept_claims
        self.kept_ends |= other.kept_ends
        self.voided |= other.voided
        for kind, awards in other.answers.items():
            self.answers.setdefault(kind, set()).update(awards)

    @property
    def wagers(self) -> int:
        """The number of acknowledged wagers."""
        return sum(len(self.rounds[key].seats) for key in self.kept)

    @property
    def amount(self) -> int:
        """The amount of acknowledged wagers."""
        return sum(self.rounds[key].wager * len(self.rounds[key].seats) for key in self.kept)

    def _write(self, how: bytes, message: AnyUplink) -> None:
        if self.file is not None and isinstance(message, RoundMessage):
            self.file.write(b"%b %b\n" % (how, encode(message)))
