"""Cash of a gambling day, read from the books: the amount paid to each person, and who must be reported."""

from typing import Any

from psycopg.rows import class_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period, floor_in_force, period_of
from feltwork.site.books.queries import statement
from feltwork.site.compliance.cash import CashPayment, by_person
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.tax import Flag, Payer, cash_flags


def cash_report(connection: Connection, day: str, *, payer: Payer) -> list[dict[str, Any]]:
    """A row for each person who was paid in cash on a gambling day, the largest amount first."""
    period = period_of(connection, day)
    rulings = rulings_of(floor_in_force(connection), on=period.since.date())
    rows = []
    for person in by_person(payments(connection, period)):
        flags = cash_flags(person.amounts, rulings=rulings, payer=payer)
        row = {
            "day": period.name,
            "payee": " / ".join(person.names),
            "patron": person.patron,
            "payments": len(person.payments),
            "amount": sum(person.amounts),
            "reported": bool(flags),
            "why": flags[0].why if flags else "",
            "awards": [f"{payment.link}/{payment.award}" for payment in person.payments],
            "last_paid_at": person.payments[-1].paid_at,
            "paid_by": ", ".join(dict.fromkeys(payment.paid_by for payment in person.payments)),
        }
        rows.append(row)
    return sorted(rows, key=lambda row: -int(row["amount"]))


def with_this_one(connection: Connection, payment: CashPayment, *, payer: Payer) -> tuple[Flag, ...]:
    """Cash reports due if this award were also paid in cash today."""
    period = period_of(connection, "TODAY")
    people = by_person([*payments(connection, period), payment])
    (person,) = (candidate for candidate in people if payment in candidate.payments)
    rulings = rulings_of(floor_in_force(connection), on=period.since.date())
    return cash_flags(person.amounts, rulings=rulings, payer=payer)


def payments(connection: Connection, period: Period) -> list[CashPayment]:
    """Every cash payment in a period, less withholding."""
    with connection.cursor(row_factory=class_row(CashPayment)) as cursor:
        about = {"since": period.since, "until": period.until}
        return cursor.execute(statement("cash_payments"), about).fetchall()
