"""The drawer of a cashier: counted when it is opened and when it is closed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from psycopg.rows import class_row

from feltwork.money import Micros
from feltwork.site.books.awards.cash import payments
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.queries import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawerCount:
    """A count: the opening amount, the cash paid since, and the counted amount."""

    step: Literal["opened", "closed"]
    opening: Micros
    paid: Micros
    counted: Micros
    counted_at: datetime


def last_count(connection: Connection, person: str) -> DrawerCount | None:
    """The last count of a person's drawer."""
    with connection.cursor(row_factory=class_row(DrawerCount)) as cursor:
        return cursor.execute(statement("last_drawer_count"), (person,)).fetchone()


def cash_paid(connection: Connection, person: str, since: datetime) -> Micros:
    """The cash that a person has paid since their drawer was opened."""
    paid = payments(connection, Period("drawer", since))
    return sum(payment.amount for payment in paid if payment.paid_by == person)


def count(connection: Connection, person: str, counted: Micros) -> None:
    """Open a person's drawer with an amount, or close it with what is left in it."""
    connection.execute(statement("lock_drawer"), (person,))
    last = last_count(connection, person)
    row = {"person": person, "step": "opened", "opening": counted, "paid": 0, "counted": counted}
    if last is not None and last.step == "opened":
        paid = cash_paid(connection, person, last.counted_at)
        row |= {"step": "closed", "opening": last.opening, "paid": paid}
    connection.execute(statement("count_drawer"), row)
