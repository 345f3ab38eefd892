"""Access reviews: an independent check of everyone with a badge [TR-03]."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.books.people import access_reviews as books
from feltwork.books.people import staff
from feltwork.books.people.access_reviews import Reviews
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize, authorize_any
from feltwork.operations.context import Operation
from feltwork.operations.fields import COMMAND, Statement, with_example
from feltwork.operations.people.people import PersonView
from feltwork.progressive.refusal import refuse


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class AccessReviewsView(Reviews):
    """The reviews on file, newest first; `due_by` is null where none is required."""

    #: Everyone whom a review answers for.
    people: Sequence[PersonView]
    #: Those whom the last review would change, and who are still as they were.
    to_change: Sequence[str]


@validated(config=COMMAND, frozen=True, kw_only=True)
class ReviewAccess:
    """The result of an access review: an answer for everyone who can act, and what to change."""

    says: Statement = Field(examples=["everybody on the list works here; one role is too wide"])
    answers: dict[str, Literal["keep", "change"]] = Field(examples=[{"ann": "keep", "dana": "change"}])
    #: What to change; required for each person whose answer is `change`.
    notes: dict[str, Statement] = field(default_factory=dict)


def access_reviews(op: Operation) -> AccessReviewsView:
    """Show the reviews on file, when the next is due, and whether it is overdue."""
    authorize_any(op, "read_books", "manage_people")
    return _view(op)


def review_access(op: Operation, command: ReviewAccess) -> AccessReviewsView:
    """Record an access review with the current staff list and an answer for everyone on it."""
    authorize(op, Command(name="review_access", about="people"))

    def act() -> AccessReviewsView:
        _verify_answers(command, {one.id for one in _active(op)})
        books.write_review(
            op.connection, says=command.says, answers=command.answers, notes=command.notes, by=op.actor.id
        )
        return _view(op)

    return op.perform(asdict(command), AccessReviewsView, act, why=command.says)


def _verify_answers(command: ReviewAccess, people: set[str]) -> None:
    where, answered = "access review", command.answers.keys()
    if missing := sorted(people - answered):
        raise refuse(where, f"no answer for {', '.join(missing)}", "answer keep or change for each", "TR-03")
    if unknown := sorted((answered | command.notes.keys()) - people):
        raise refuse(
            where, f"not active: {', '.join(unknown)}", "load the list again, then answer for it", "TR-03"
        )
    unsaid = sorted(
        one for one, answer in command.answers.items() if answer == "change" and one not in command.notes
    )
    if unsaid:
        raise refuse(where, f"no note for {', '.join(unsaid)}", "say what to change for each", "TR-03")


def _active(op: Operation) -> list[PersonView]:
    return [PersonView(**asdict(one)) for one in staff.everyone(op.connection) if one.active]


def _view(op: Operation) -> AccessReviewsView:
    found, people = books.reviews(op.connection), _active(op)
    now = {one.id: (one.role, one.badge) for one in people}
    last = found.reviews[0].people if found.reviews else ()
    return AccessReviewsView(
        due_by=found.due_by,
        overdue=found.overdue,
        reviews=found.reviews,
        people=people,
        to_change=[
            one["id"]
            for one in last
            if one.get("answer") == "change" and now.get(one["id"]) == (one["role"], one["badge"])
        ],
    )
