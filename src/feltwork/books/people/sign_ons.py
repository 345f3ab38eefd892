"""Sign-ons at tables; only hashes of their ids are stored."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from feltwork.books.connection import Connection
from feltwork.books.people.people import Person, token_hash
from feltwork.books.queries import statement
from feltwork.progressive.facts import Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSignOn:
    """A person at a table, with their role at sign-on, and the end of the sign-on."""

    person: Person
    table: str
    until: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnCopy:
    """A sign-on stored outside the books, for books that are restored to an earlier time."""

    id_hash: str
    person: str
    table: str
    until: Instant


def begin_sign_on(connection: Connection, person: Person, *, table: str, seconds: int) -> tuple[str, Instant]:
    """Begin a sign-on and return its id and end; only the hash is stored."""
    sign_on = secrets.token_urlsafe(32)
    row = (token_hash(sign_on), person.id, person.role, table, seconds)
    ends = connection.execute(statement("begin_sign_on"), row).fetchone()
    assert ends is not None
    return sign_on, ends[0]


def read_sign_ons(
    connection: Connection, new: Sequence[str], known: Sequence[str]
) -> list[tuple[str, StoredSignOn]]:
    """The sign-ons that are new to the reader, and the known ones that ended early, by id."""
    ids = {token_hash(sign_on): sign_on for sign_on in (*new, *known)}
    parameters = {"new": list(map(token_hash, new)), "known": list(map(token_hash, known))}
    return [
        (
            ids[row[0]],
            StoredSignOn(person=Person(id=row[1], name=row[2], role=row[3]), table=row[4], until=row[5]),
        )
        for row in connection.execute(statement("sign_ons"), parameters)
    ]


def restore_sign_ons(connection: Connection, copies: Iterable[SignOnCopy]) -> int:
    """Restore the sign-ons that the books have lost, and return their number."""
    return sum(connection.execute(statement("restore_sign_on"), asdict(copy)).rowcount for copy in copies)
