"""Sign-ons at tables; only hashes of their ids are stored."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.people.people_rows import Person, token_hash
from feltwork.site.books.queries import statement
from feltwork.site.progressive.facts import Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSignOn:
    """A person at a table, with their role at sign-on, and its beginning and end."""

    person: Person
    table: str
    began: Instant
    until: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnCopy:
    """A sign-on stored outside the books, for books that are restored to an earlier time."""

    id_hash: str
    person: str
    table: str
    until: Instant
    #: Unknown in copies of earlier releases.
    began: Instant = 0


def begin_sign_on(
    connection: Connection, person: Person, *, table: str, seconds: int
) -> tuple[str, SignOnCopy]:
    """Begin a sign-on and return its id and copy; only the hash is stored."""
    sign_on = secrets.token_urlsafe(32)
    row = (token_hash(sign_on), person.id, person.role, table, seconds)
    times = connection.execute(statement("begin_sign_on"), row).fetchone()
    assert times is not None
    copy = SignOnCopy(id_hash=row[0], person=person.id, table=table, began=times[0], until=times[1])
    return sign_on, copy


def read_sign_ons(
    connection: Connection, new: Sequence[str], known: Sequence[str]
) -> list[tuple[str, StoredSignOn]]:
    """The sign-ons that are new to the reader, and the known ones that ended early, by id."""
    ids = {token_hash(sign_on): sign_on for sign_on in (*new, *known)}
    parameters = {"new": list(map(token_hash, new)), "known": list(map(token_hash, known))}
    return [
        (
            ids[row[0]],
            StoredSignOn(
                person=Person(id=row[1], name=row[2], role=row[3]), table=row[4], began=row[5], until=row[6]
            ),
        )
        for row in connection.execute(statement("sign_ons"), parameters)
    ]


def restore_sign_ons(connection: Connection, copies: Iterable[SignOnCopy]) -> int:
    """Restore the sign-ons that the books have lost, and return their number."""
    return sum(connection.execute(statement("restore_sign_on"), asdict(copy)).rowcount for copy in copies)
