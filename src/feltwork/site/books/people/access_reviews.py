"""Access reviews: an independent check of everyone with a badge, and of every service account [TR-03]."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Statement, with_example
from feltwork.site.books.people import access_reviews_rows as books
from feltwork.site.books.people import staff
from feltwork.site.books.people.access_reviews_rows import SERVICE_ACCOUNT, Reviews
from feltwork.site.books.people.people import PersonView
from feltwork.site.books.people.service_accounts_rows import ServiceAccount, service_accounts
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class AccessReviewsView(Reviews):
    """The reviews on file, newest first; `due_by` is null if none is required."""

    #: Everyone whom a review covers.
    people: Sequence[PersonView]
    #: Every service account that it covers, as `service:` and its id.
    service_accounts: Sequence[ServiceAccount]
    #: Those whom the last review marked for a change that has not been made.
    to_change: Sequence[str]


@validated(config=COMMAND, frozen=True, kw_only=True)
class ReviewAccess:
    """The result of an access review: an answer for everyone with access, and the changes to make."""

    says: Statement = Field(examples=["everybody on the list works here; one role is too wide"])
    answers: dict[str, Literal["keep", "change"]] = Field(
        examples=[{"ann": "keep", "dana": "change", "service:kiosk-1": "keep"}]
    )
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
        _verify_answers(
            command, {person.id for person in _active(op)} | {account.actor for account in _machines(op)}
        )
        books.write_review(
            op.connection, comment=command.says, answers=command.answers, notes=command.notes, by=op.actor.id
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
        person
        for person, answer in command.answers.items()
        if answer == "change" and person not in command.notes
    )
    if unsaid:
        raise refuse(where, f"no note for {', '.join(unsaid)}", "say what to change for each", "TR-03")


def _active(op: Operation) -> list[PersonView]:
    return [PersonView(**asdict(person)) for person in staff.everyone(op.connection) if person.active]


def _machines(op: Operation) -> list[ServiceAccount]:
    return [account for account in service_accounts(op.connection) if account.active]


def _view(op: Operation) -> AccessReviewsView:
    review_log, people, machines = books.reviews(op.connection), _active(op), _machines(op)
    now: dict[str, tuple[object, ...]] = {person.id: (person.role, person.badge) for person in people}
    now |= {account.actor: (list(account.scopes), list(account.tables)) for account in machines}
    last = review_log.reviews[0].people if review_log.reviews else ()
    return AccessReviewsView(
        due_by=review_log.due_by,
        overdue=review_log.overdue,
        reviews=review_log.reviews,
        people=people,
        service_accounts=machines,
        to_change=[
            entry["id"]
            for entry in last
            if entry.get("answer") == "change" and now.get(entry["id"]) == _access_in(entry)
        ],
    )


def _access_in(entry: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the access of a person or service account when a review listed it."""
    if entry["role"] == SERVICE_ACCOUNT:
        return entry["scopes"], entry["tables"]
    return entry["role"], entry["badge"]
