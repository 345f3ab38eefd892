"""Sign-ons: the person named by a table's message, and whether they may do this at the table.

A sign-on is read once and cached between batches; each batch queries once which of its own have ended. A
message counts while the sign-on lasts, and afterwards if it was made before the end: a table may store it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from feltwork.problem import Problem, Sentence
from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Actor, Operation, Policy
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.people.sign_in import StoredSignOn, read_sign_ons
from feltwork.site.compliance import roles
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.facts import HOUR, Instant
from feltwork.site.wire.uplink import (
    Claim,
    ClaimCleared,
    HandCleared,
    HandPressed,
    KeyTurned,
    RoundEnded,
    RoundMessage,
    RoundStarted,
    RoundVoided,
    SeatCorrected,
    SeatFolded,
)

#: Command of each message type, by the names of the same buttons at a screen.
_COMMANDS: Mapping[type[RoundMessage], str] = {
    RoundStarted: "start_game",
    HandPressed: "press_hand",
    HandCleared: "press_hand",
    Claim: "press_hand",
    ClaimCleared: "press_hand",
    KeyTurned: "confirm",
    RoundEnded: "end_game",
    RoundVoided: "misdeal",
    SeatCorrected: "correct_seat",
    SeatFolded: "press_hand",
}
_MOST_KEPT = 65_536
#: How far the clock of a table may be behind that of the books.
_CLOCK: Instant = HOUR
_REMEDY = Sentence("sign on at the table with badge and PIN, and press again")


@dataclass(slots=True)
class _Known:
    sign_on: StoredSignOn
    #: Link, table and message type already allowed.
    allowed: set[tuple[str, str, type]] = field(default_factory=set)


class SignOns:
    """The sign-ons named by the messages of a link."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    @property
    def is_full(self) -> bool:
        """Whether the cache is full and must be replaced."""
        return len(self._known) > _MOST_KEPT

    def read(self, connection: Connection, messages: Iterable[RoundMessage]) -> None:
        """Read the new sign-ons of a batch, and the cached ones that have ended, in one query."""
        sign_ons = {sign_on for message in messages for sign_on in (message.sign_on, _supervisor(message))}
        sign_ons.discard("")
        if not sign_ons:
            return
        known = sign_ons & self._known.keys()
        for sign_on, stored_sign_on in read_sign_ons(connection, list(sign_ons - known), list(known)):
            self._known[sign_on] = _Known(stored_sign_on)

    def person(self, message: RoundMessage) -> str:
        """The person of a message's sign-on; empty for an unknown sign-on."""
        known = self._known.get(message.sign_on)
        return known.sign_on.person.id if known else ""

    def supervisor(self, message: RoundMessage) -> str:
        """The person whose badge allows a correction that adds a seat: by default, the one who presses."""
        known = self._known.get(_supervisor(message) or message.sign_on)
        return known.sign_on.person.id if known else ""

    def refusal(self, connection: Connection, message: RoundMessage, now: Instant) -> Problem | None:
        """Return why the person may not do this, or None; a refused command is written to the audit log."""
        known = self._known.get(message.sign_on)
        if known is None:
            return Problem(_where(message), "nobody is signed on at the table", _REMEDY, "GL-10")
        key = (message.link, message.table, type(message))
        if key not in known.allowed:
            problem = _not_allowed(connection, known.sign_on, message)
            if problem is not None:
                return problem
            known.allowed.add(key)
        began, until = known.sign_on.began - _CLOCK, known.sign_on.until
        if message.at < began:
            return Problem(_where(message), "it is from before the sign-on", _REMEDY, "GL-10")
        if now > until and message.at > until:
            return Problem(_where(message), "the sign-on has ended", _REMEDY, "GL-10")
        return self._lacks_supervisor(message)

    def _lacks_supervisor(self, message: RoundMessage) -> Problem | None:
        """Return why nobody at the table may add a seat after START GAME, or None [LT-01]."""
        if not isinstance(message, SeatCorrected) or not message.wagered:
            return None
        known = self._known.get(_supervisor(message) or message.sign_on)
        is_here = known is not None and known.sign_on.table == message.table
        if known is None or not is_here or message.at > known.sign_on.until:
            return needs_supervisor(_where(message))
        return None if may_add_seat(known.sign_on.person.role) else needs_supervisor(_where(message))


def may_add_seat(role: str) -> bool:
    """Whether a role may add a seat after START GAME: those that may void the round."""
    return bool(roles.granting((role,), "misdeal"))


def needs_supervisor(where: str) -> Problem:
    """The refusal of a seat that is added after START GAME without a supervisor [LT-01]."""
    what = "only a supervisor adds a seat after START GAME"
    remedy = "have a supervisor show badge and PIN, or return the chip"
    return Problem(where, what, remedy, "LT-01")


def _not_allowed(connection: Connection, sign_on: StoredSignOn, message: RoundMessage) -> Problem | None:
    person, table = sign_on.person, message.table
    if sign_on.table != table:
        what = Sentence(
            "%(person)s is signed on at table %(table)s, not here", person=person.id, table=sign_on.table
        )
        return Problem(_where(message), what, _REMEDY, "GL-10")
    actor = Actor(id=person.id, name=person.name, role=person.role, place=f"table {table}")
    command = Command(name=_COMMANDS[type(message)], about=f"{message.link}/{table}")
    try:
        authorize(Operation(connection=connection, actor=actor, policy=Policy()), command)
    except RefusedError as error:
        why = error.refusal
        return Problem(_where(message), why.what, why.remedy, why.requirement)
    return None


def _supervisor(message: RoundMessage) -> str:
    """The second sign-on that a message names."""
    return message.supervisor if isinstance(message, SeatCorrected) else ""


def _where(message: RoundMessage) -> str:
    return f"{message.link}, table {message.table}, round {message.round}"
