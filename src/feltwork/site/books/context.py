"""The context of an operation: actor, connection, idempotency key and site policy.

`Operation.perform` runs every command in one transaction with its audit line.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from feltwork.problem import plain_text
from feltwork.site.books import scopes
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.errors import not_signed_in, session_locked
from feltwork.site.books.journal.idempotency import AuditLine, answer_once, write_audit
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import service_tokens as service_accounts
from feltwork.site.books.people.service_tokens import is_service_token
from feltwork.site.compliance import roles
from feltwork.site.compliance.tax import Payer

__all__ = ["Actor", "Operation", "Policy", "actor_of", "anonymous", "connected", "is_service_token"]

V = TypeVar("V")
Location = Literal["table", "pit", "office"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Operator settings where the rules leave a choice."""

    #: Whether office commands require a session with a security key [GL-10].
    key_required: bool = True
    #: Whether a win is paid only after its payout record is written [WA-24].
    record_required: bool = True
    payer: Payer = field(default_factory=lambda: Payer(less_wager=False, together=False, reports_cash=True))
    #: How long a proposal waits for its second person.
    proposal_seconds: int = 24 * 3_600
    session_seconds: int = 8 * 3_600
    #: How long a session may be idle before it asks for the PIN again, by location.
    idle_seconds: Mapping[Location, int] = field(
        default_factory=lambda: {"table": 1_800, "pit": 900, "office": 600}
    )
    #: Folder with the site key, which signs bundles.
    keys: Path | None = None
    #: Whether a PIN set by the office is refused until replaced; only the first floor is signed with those.
    own_pin_required: bool = True
    #: Key for hashing PINs and passwords, stored outside the database; empty if the site has none.
    pin_key: bytes = field(default=b"", repr=False)
    #: The hash of the running release while it is not on the approved list [WA-31].
    release: str = ""
    #: Number of digits of a PIN on the keypads.
    pin_digits: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """The actor, never a badge: a person with role, location and proof, or a service account."""

    id: str
    name: str
    role: str
    place: str
    #: Whether they signed in with a security key.
    keyed: bool = False
    #: Idle time after which their screen is locked.
    idle_seconds: int = 0
    #: Language chosen for their screens; empty for the screen's own.
    language: str = ""
    #: Scopes of a service account's token; None for a person.
    scopes: tuple[str, ...] | None = None
    #: The tables that a service account may run; empty for all.
    tables: tuple[str, ...] = ()

    @property
    def me(self) -> "Actor | None":
        """The actor for pages; None if no one is signed in."""
        return self if self.id else None

    def may(self, command: str) -> bool:
        """Whether the role or a token's scope grants a command, so a page shows its button."""
        if self.scopes is not None:
            return scopes.granted(self.scopes, command)
        return bool(roles.granting((self.role,), command))

    def may_request(self, command: str) -> bool:
        """Whether the role grants a two-person command or may request it."""
        return bool(roles.requesting((self.role,), command))


@dataclass(slots=True, kw_only=True)
class Operation:
    """One operation of an actor."""

    connection: Connection
    actor: Actor
    policy: Policy
    #: Idempotency key from the caller, new for each request; a repeat returns the first result [GL-12].
    key: str = ""
    #: Name in the audit log; the idempotency key is bound to it.
    name: str = ""
    #: Origin of a badge and a secret: an address, or the table of a device key.
    source: str = ""
    #: Session token, if there is one.
    token: str = field(default="", repr=False)
    #: Whether the result is that of an earlier request with the same key.
    replayed: bool = False

    def beside(self, badge: str, pin: str) -> "Operation":
        """The operation of a second person who enters badge and PIN at the same screen."""
        by: Literal["PIN", "new PIN"] = "PIN" if self.policy.own_pin_required else "new PIN"
        person = self.prove(badge, pin, place=self.actor.place, source=self.source, by=by)
        actor = Actor(id=person.id, name=person.name, role=person.role, place=self.actor.place)
        return replace(self, actor=actor, token="")

    def prove(
        self,
        badge: str,
        secret: str,
        *,
        place: str,
        source: str,
        by: Literal["PIN", "new PIN", "password"] = "PIN",
    ) -> people.Person:
        """Authenticate a badge; the refusal does not reveal whether badge or secret was wrong."""
        key = self.policy.pin_key
        return people.prove(self.connection, badge, secret, place=place, source=source, by=by, key=key)

    def thing(self) -> str:
        """A deterministic id from the actor and the idempotency key."""
        return hashlib.sha256(f"{self.actor.id}/{self.key}".encode()).hexdigest()[:16]

    def perform(self, command: Mapping[str, Any], view: type[V], act: Callable[[], V], *, why: str = "") -> V:
        """Run a command once per idempotency key, in one transaction with its audit line.

        ``command`` is the whole request, without secrets. A key belongs to the person who gave it, so nobody
        can read another person's result.
        """

        def act_and_record() -> Mapping[str, Any]:
            result: Mapping[str, Any] = msgspec.to_builtins(act(), str_keys=True, enc_hook=plain_text)
            line = AuditLine(who=self.actor.id, place=self.actor.place, what=self.name, why=why, after=result)
            write_audit(self.connection, line)
            return result

        if not self.key:
            with self.connection.transaction():
                return msgspec.convert(act_and_record(), view, strict=False)
        request = {"path": self.name, "body": msgspec.to_builtins(command, str_keys=True)}
        result, self.replayed = answer_once(
            self.connection, f"{self.actor.id}/{self.key}", request, act_and_record
        )
        # The books return fields in their own order, but a replayed view must be identical to the byte.
        return msgspec.convert(
            msgspec.to_builtins(result, order="deterministic", enc_hook=plain_text), view, strict=False
        )


def anonymous(connection: Connection, policy: Policy, *, place: str = "", source: str = "") -> Operation:
    """An operation without a session, which may only sign in."""
    actor = Actor(id="", name="", role="", place=place)
    return Operation(connection=connection, actor=actor, policy=policy, source=source)


@contextmanager
def connected(dsn: str, policy: Policy, *, place: str) -> Iterator[Operation]:
    """An operation on its own connection, for commands and simulations."""
    with connect(dsn) as connection:
        yield anonymous(connection, policy, place=place)


def actor_of(connection: Connection, token: str, policy: Policy, *, source: str = "") -> Actor:
    """Return the actor of a session or token; raise if it is invalid or was idle for too long."""
    if is_service_token(token):
        return _service_actor(connection, token, source)
    session = people.session_of(connection, token) if token else None
    if session is None:
        raise not_signed_in()
    idle_seconds = policy.idle_seconds[_location(session)]
    if session.idle_seconds > idle_seconds:
        raise session_locked()
    return Actor(
        id=session.id,
        name=session.name,
        role=session.role,
        place=session.place,
        keyed=session.proof == "security key",
        idle_seconds=idle_seconds,
        language=session.language,
    )


def _service_actor(connection: Connection, token: str, source: str) -> Actor:
    """Return the service account of a token as an actor."""
    account = service_accounts.use_token(connection, token, source=source)
    if account is None:
        raise not_signed_in()
    return Actor(
        id=account.actor,
        name=account.name,
        role="",
        place=source,
        scopes=tuple(account.scopes),
        tables=tuple(account.tables),
    )


def _location(session: people.Session) -> Location:
    """Return the location of a session: a PIN is used on the floor, and by dealers at tables."""
    if session.proof != "PIN":
        return "office"
    return "table" if roles.granting((session.role,), "start_game") else "pit"
