"""Day sheets: the open items of a gambling day, and the signed sheet that closes it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from psycopg.rows import class_row

from feltwork.problem import Problem
from feltwork.site.books.audit.day_heads import verify_site_key
from feltwork.site.books.audit.site_key import SiteKey, is_signed_by
from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySheet:
    """A closed gambling day: the text that was signed, and its signature."""

    number: int
    day: date
    body: str
    signature: str
    closed_by: str
    closed_at: datetime


def open_items(connection: Connection, until: datetime) -> Sequence[tuple[str, str, int | None]]:
    """The items open before an instant: the item of the checklist, its subject, and its amount."""
    return connection.execute(statement("open_items"), {"until": until}).fetchall()


def day_sheets(connection: Connection, day: date | None = None) -> list[DaySheet]:
    """The sheets of a day, or all of them, in order."""
    with connection.cursor(row_factory=class_row(DaySheet)) as cursor:
        return cursor.execute(statement("day_sheets"), {"day": day}).fetchall()


def lock_day_sheets(connection: Connection) -> None:
    """Block other closings of a day until the transaction ends."""
    connection.execute(statement("lock_day_sheets"))


def sign_day_sheet(
    connection: Connection, day: date, contents: Mapping[str, Any], key: SiteKey, *, by: str
) -> DaySheet:
    """Sign the contents of a sheet and save it."""
    verify_site_key(connection, key)
    body = json.dumps(contents, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    signature = key.sign(body.encode(), f"day sheet of {day}")
    with connection.cursor(row_factory=class_row(DaySheet)) as cursor:
        sheet = cursor.execute(statement("save_day_sheet"), (day, body, signature, by)).fetchone()
    assert sheet is not None
    return sheet


def sheet_problems(connection: Connection) -> list[Problem]:
    """The first sheet that is not signed with a key of the site."""
    keys = [public for (public,) in connection.execute(statement("site_keys"))]
    for sheet in day_sheets(connection):
        if not any(is_signed_by(public, sheet.body.encode(), sheet.signature) for public in keys):
            what = "it is not signed with the key of the site"
            remedy = "compare with the last export and restore it"
            return [Problem(f"day sheet {sheet.number}", what, remedy, "GEN-09")]
    return []
