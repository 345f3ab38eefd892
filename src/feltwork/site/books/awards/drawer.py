"""The drawer of a cashier: its opening amount, the cash paid from it, and its count."""

from dataclasses import asdict, dataclass

from psycopg.rows import dict_row
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize
from feltwork.site.books.awards.cash import payments
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Amount, with_example
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.queries import statement
from feltwork.site.compliance.two_person import Command


@validated(config=COMMAND, frozen=True, kw_only=True)
class CountDrawer:
    """The amount in the drawer."""

    counted: Amount = Field(examples=[20_000_000_000])


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class DrawerView:
    """A drawer, counted blind: what was paid from it and what it should hold appear after the count."""

    is_open: bool
    opening: int
    #: None while it is open, as all that follows.
    paid: int | None
    expected: int | None
    counted: int | None
    difference: int | None


def own_drawer(op: Operation) -> DrawerView | None:
    """The drawer of the signed-in cashier; None before its first count."""
    authorize(op, Command(name="count_drawer", about=op.actor.id))
    with op.connection.cursor(row_factory=dict_row) as cursor:
        last = cursor.execute(statement("last_drawer_count"), (op.actor.id,)).fetchone()
    if last is None:
        return None
    if last["step"] == "opened":
        return DrawerView(
            is_open=True, opening=last["opening"], paid=None, expected=None, counted=None, difference=None
        )
    expected, counted = last["opening"] - last["paid"], last["counted"]
    return DrawerView(
        is_open=False,
        opening=last["opening"],
        paid=last["paid"],
        expected=expected,
        counted=counted,
        difference=counted - expected,
    )


def count_drawer(op: Operation, body: CountDrawer) -> DrawerView:
    """Open the cashier's own drawer with an amount, or close it with its count."""
    authorize(op, Command(name="count_drawer", about=op.actor.id))

    def act() -> DrawerView:
        person = op.actor.id
        op.connection.execute(statement("lock_drawer"), (person,))
        last = op.connection.execute(statement("last_drawer_count"), (person,)).fetchone()
        row = {"person": person, "step": "opened", "opening": body.counted, "paid": 0}
        if last is not None and last[0] == "opened":
            paid = payments(op.connection, Period("drawer", last[4]))
            own = sum(payment.amount for payment in paid if payment.paid_by == person)
            row |= {"step": "closed", "opening": last[1], "paid": own}
        op.connection.execute(statement("count_drawer"), row | {"counted": body.counted})
        view = own_drawer(op)
        assert view is not None, "it was counted"
        return view

    return op.perform(asdict(body), DrawerView, act)
