"""Self-exclusion: the state's list as keyed marks of its people, never as names [WA-35, WA-36]."""

import csv
import hmac
import io
import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime

from feltwork.problem import Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.refusal import refuse

_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"([0-9A-Za-z]{4})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUp:
    """The answer of the list: a question to people, never a decision."""

    says: str
    is_match: bool
    imported_at: datetime


def import_list(connection: Connection, text: str, *, key: bytes, by: str) -> int:
    """Replace the list by a file with a name, a birth date and four digits or nothing in each line."""
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
            remedy = "write a name, a birth date as YYYY-MM-DD, and the last four digits of an ID or nothing"
            raise refuse(
                "self-exclusion list", Sentence("line %(number)s is wrong", number=number), remedy, "WA-35"
            )
        marks.append(_mark(key, name, birth_date, digits))
    connection.execute(statement("replace_exclusion_list"), (by, marks))
    return len(marks)


def imported_at(connection: Connection) -> datetime | None:
    """When the list in use was imported; None without one."""
    row = connection.execute(statement("exclusion_list"), ("-",)).fetchone()
    return row[0] if row else None


def look_up(connection: Connection, name: str, born: date, digits: str, *, key: bytes) -> LookedUp:
    """Look for one person on the list, by name and birth date."""
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
    return LookedUp(says=says, is_match=bool(others), imported_at=row[0])


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
