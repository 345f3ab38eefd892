"""The drawer of a cashier: its opening amount, the cash paid from it, and its count."""

from dataclasses import asdict, dataclass

from feltwork.books.awards import drawer as drawer_books
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize
from feltwork.operations.context import Operation
from feltwork.operations.fields import with_example


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDrawer:
    """The amount in the drawer."""

    counted: int


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class DrawerView:
    """A drawer: open with its expected amount, or closed with its count and the difference."""

    is_open: bool
    opening: int
    paid: int
    expected: int
    #: None while it is open.
    counted: int | None
    difference: int | None


def own_drawer(op: Operation) -> DrawerView | None:
    """The drawer of the signed-in cashier; None before its first count."""
    authorize(op, Command(name="count_drawer", about=op.actor.id))
    return _view(op)


def count_drawer(op: Operation, command: CountDrawer) -> DrawerView:
    """Open the cashier's own drawer with an amount, or close it with its count."""
    authorize(op, Command(name="count_drawer", about=op.actor.id))

    def act() -> DrawerView:
        drawer_books.count(op.connection, op.actor.id, command.counted)
        view = _view(op)
        assert view is not None, "it was counted"
        return view

    return op.perform(asdict(command), DrawerView, act)


def _view(op: Operation) -> DrawerView | None:
    last = drawer_books.last_count(op.connection, op.actor.id)
    if last is None:
        return None
    is_open = last.step == "opened"
    paid = drawer_books.cash_paid(op.connection, op.actor.id, last.counted_at) if is_open else last.paid
    expected = last.opening - paid
    return DrawerView(
        is_open=is_open,
        opening=last.opening,
        paid=paid,
        expected=expected,
        counted=None if is_open else last.counted,
        difference=None if is_open else last.counted - expected,
    )
