"""Access reviews: the reviewer, the time, the people and machines, and the next due date [TR-03]."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import staff
from feltwork.site.books.people.service_accounts_rows import service_accounts
from feltwork.site.books.queries import statement
from feltwork.site.compliance.check import rulings_of

#: The role of a machine in the list of a review.
SERVICE_ACCOUNT = "service account"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """An access review: people and service accounts at the time, and the result."""

    number: int
    people: Sequence[dict[str, Any]]
    says: str
    reviewed_by: str
    reviewed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviews:
    """The reviews on file, newest first, and when the next is due."""

    due_by: datetime | None
    overdue: bool
    reviews: Sequence[Review]


def write_review(
    connection: Connection, *, comment: str, answers: Mapping[str, str], notes: Mapping[str, str], by: str
) -> int:
    """Record an access review with the list of people and service accounts, each with its answer and note."""
    accounts = [asdict(member) for member in staff.everyone(connection)]
    accounts += [
        {**asdict(account), "id": account.actor, "role": SERVICE_ACCOUNT, "badge": None}
        for account in service_accounts(connection)
    ]
    people = [
        {**account, "answer": answers.get(account["id"], ""), "note": notes.get(account["id"], "")}
        for account in accounts
    ]
    with connection.transaction():
        row = connection.execute(statement("write_review"), (Jsonb(people), comment, by)).fetchone()
        assert row is not None
        number: int = row[0]
        details = {"review": number, "people": len(people)}
        write_audit(
            connection, AuditLine(who=by, place="office", what="access reviewed", why=comment, after=details)
        )
    return number


def reviews(connection: Connection) -> Reviews:
    """The reviews on file, and whether the next is overdue."""
    with connection.cursor(row_factory=class_row(Review)) as cursor:
        rows = cursor.execute(statement("reviews")).fetchall()
    rulings = rulings_of(floor_in_force(connection), on=datetime.now(tz=UTC).date())
    days = rulings["access_review_days"].number
    row = connection.execute(statement("first_person")).fetchone()
    last = rows[0].reviewed_at if rows else row[0] if row else None
    due = None if days is None or last is None else last + timedelta(days=days)
    return Reviews(due_by=due, overdue=due is not None and due < datetime.now(tz=UTC), reviews=rows)
