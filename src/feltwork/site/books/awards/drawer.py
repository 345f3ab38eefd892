"""The drawer of a cashier: its opening amount, the cash paid from it, and its count."""

from dataclasses import asdict, dataclass

from feltwork.site.books.authorize import authorize
from feltwork.site.books.awards import drawer_rows as drawer_books
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import with_example
from feltwork.site.compliance.two_person import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDrawer:
    """The amount in the drawer."""

    counted: int


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
    if last.step == "opened":
        return DrawerView(
            is_open=True, opening=last.opening, paid=None, expected=None, counted=None, difference=None
        )
    expected = last.opening - last.paid
    return DrawerView(
        is_open=False,
        opening=last.opening,
        paid=last.paid,
        expected=expected,
        counted=last.counted,
        difference=last.counted - expected,
    )
