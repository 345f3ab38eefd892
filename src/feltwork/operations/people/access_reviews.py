"""Access reviews: an independent check of everyone with a badge [TR-03]."""

from dataclasses import asdict, dataclass

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.books.people import access_reviews as books
from feltwork.books.people.access_reviews import Reviews
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize, authorize_any
from feltwork.operations.context import Operation
from feltwork.operations.fields import COMMAND, Statement, with_example


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class AccessReviewsView(Reviews):
    """The reviews on file, newest first; `due_by` is null where none is required."""


@validated(config=COMMAND, frozen=True, kw_only=True)
class ReviewAccess:
    """The result of an access review."""

    says: Statement = Field(examples=["everybody on the list works here; two badges were given back"])


def access_reviews(op: Operation) -> AccessReviewsView:
    """Show the reviews on file, when the next is due, and whether it is overdue."""
    authorize_any(op, "read_books", "manage_people")
    return _view(op)


def review_access(op: Operation, command: ReviewAccess) -> AccessReviewsView:
    """Record an access review with the current staff list."""
    authorize(op, Command(name="review_access", about="people"))

    def act() -> AccessReviewsView:
        books.write_review(op.connection, says=command.says, by=op.actor.id)
        return _view(op)

    return op.perform(asdict(command), AccessReviewsView, act, why=command.says)


def _view(op: Operation) -> AccessReviewsView:
    found = books.reviews(op.connection)
    return AccessReviewsView(due_by=found.due_by, overdue=found.overdue, reviews=found.reviews)
