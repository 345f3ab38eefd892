"""Self-exclusion: the state's list as keyed marks of its people, never as names [WA-35, WA-36]."""

import csv
import hmac
import io
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Sentence
from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, with_example
from feltwork.site.books.floors.site import local_time
from feltwork.site.books.queries import statement
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"([0-9A-Za-z]{4})?")


@validated(config=COMMAND, frozen=True, kw_only=True)
class ImportExclusions:
    """A self-exclusion list as CSV."""

    people: str = Field(
        max_length=5_000_000,
        repr=False,
        description="A line for each person: name, birth date, and the last four digits of an ID.",
        examples=["name,born,id\nPat Patron,1980-02-29,1234\n"],
    )


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionsView:
    """The self-exclusion list in use: when it was imported, and how many people are on it."""

    people: int
    imported_at: datetime


def import_exclusions(op: Operation, body: ImportExclusions) -> ExclusionsView:
    """Put a self-exclusion list in use; only keyed marks of its people are kept [WA-36]."""
    authorize(op, Command(name="import_exclusions", about="exclusions"))

    def act() -> ExclusionsView:
        marks = _marks(body.people, op.policy.pin_key)
        op.connection.execute(statement("replace_exclusion_list"), (op.actor.id, marks))
        return ExclusionsView(people=len(marks), imported_at=imported_at(op.connection) or datetime.now(UTC))

    return op.perform({}, ExclusionsView, act)


def imported_at(connection: Connection) -> datetime | None:
    """When the list in use was imported; None without one."""
    row = connection.execute(statement("exclusion_list"), ("-",)).fetchone()
    return row[0] if row else None


def look_up(connection: Connection, name: str, born: date, digits: str, *, key: bytes) -> tuple[str, bool]:
    """Look for one person on the list; the answer is a question to people, never a decision."""
    mark = _mark(key, name, born, digits)
    person, _, same_digits = mark.partition(":")
    row = connection.execute(statement("exclusion_list"), (person,)).fetchone()
    if row is None:
        remedy = "look in the state's system, or ask an executive to import the list"
        raise refuse("self-exclusion", "no list is imported", remedy, "WA-35")
    others = {listed.partition(":")[2] for listed in row[2]}
    says = "name and birth date found" if others else "not found"
    if same_digits and others - {""}:
        says += ", the same ID" if same_digits in others else ", another ID"
    return f"{says} on the list of {local_time(connection, row[0])}", bool(others)


def _marks(text: str, key: bytes) -> list[str]:
    """The marks of a file with a name, a birth date and four digits or nothing in each line."""
    marks = []
    for number, row in enumerate(csv.reader(io.StringIO(text)), 1):
        name, born, digits, *_ = [*map(str.strip, row), "", "", ""]
        if not any(row) or (number == 1 and not re.search(r"\d", born)):
            continue
        try:
            birth_date = date.fromisoformat(born)
        except ValueError:
            birth_date = None
        if birth_date is None or not _LETTERS.search(name) or not _DIGITS.fullmatch(digits):
            what = Sentence("line %(number)s is wrong", number=number)
            remedy = "write a name, a birth date as YYYY-MM-DD, and the last four digits of an ID or nothing"
            raise refuse("self-exclusion list", what, remedy, "WA-35")
        marks.append(_mark(key, name, birth_date, digits))
    return marks


def _mark(key: bytes, name: str, born: date, digits: str) -> str:
    """The mark of a person, and that of the digits; without the key nobody can make or test one."""
    if not key:
        remedy = "look in the state's system; to use a list, make the site's key with feltwork init --keys"
        raise refuse("self-exclusion", "this site has no key that protects a list", remedy, "WA-36")
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or name
    words = " ".join(sorted(_LETTERS.findall(plain.casefold())))
    person = hmac.digest(key, f"self-exclusion/{words}/{born}".encode(), "sha256").hex()
    four = hmac.digest(key, f"{person}/{digits.casefold()}".encode(), "sha256").hex() if digits else ""
    return f"{person}:{four}"
