"""Access reviews: an independent check of everyone with a badge, and of every service account [TR-03]."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from psycopg.types.json import Jsonb
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Statement, with_example
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import staff
from feltwork.site.books.people.service_tokens import ServiceAccount, service_accounts
from feltwork.site.books.people.staff import PersonView
from feltwork.site.books.queries import rows_of, statement
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

#: The role of a machine in the list of a review.
_SERVICE_ACCOUNT = "service account"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """An access review: people and service accounts at the time, and the result."""

    number: int
    people: Sequence[dict[str, Any]]
    says: str
    reviewed_by: str
    reviewed_at: datetime


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class AccessReviewsView:
    """The reviews on file, newest first; `due_by` is null if none is required."""

    due_by: datetime | None
    overdue: bool
    reviews: Sequence[Review]
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
        people, machines = staff.everyone(op.connection), service_accounts(op.connection)
        _verify_answers(
            command,
            {person.id for person in people if person.active}
            | {account.actor for account in machines if account.active},
        )
        accounts = [asdict(person) for person in people]
        accounts += [
            {**asdict(account), "id": account.actor, "role": _SERVICE_ACCOUNT, "badge": None}
            for account in machines
        ]
        listed = [
            {
                **account,
                "answer": command.answers.get(account["id"], ""),
                "note": command.notes.get(account["id"], ""),
            }
            for account in accounts
        ]
        row = (Jsonb(listed), command.says, op.actor.id)
        ((number,),) = op.connection.execute(statement("write_review"), row).fetchall()
        line = AuditLine(
            who=op.actor.id,
            place="office",
            what="access reviewed",
            why=command.says,
            after={"review": number, "people": len(listed)},
        )
        write_audit(op.connection, line)
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


def _view(op: Operation) -> AccessReviewsView:
    reviews = rows_of(op.connection, Review, "reviews")
    days = rulings_of(floor_in_force(op.connection), on=datetime.now(tz=UTC).date())[
        "access_review_days"
    ].number
    ((first,),) = op.connection.execute(statement("first_person")).fetchall()
    since = reviews[0].reviewed_at if reviews else first
    due = None if days is None or since is None else since + timedelta(days=days)
    people = [person for person in staff.everyone(op.connection) if person.active]
    machines = [account for account in service_accounts(op.connection) if account.active]
    now: dict[str, tuple[object, ...]] = {person.id: (person.role, person.badge) for person in people}
    now |= {account.actor: (account.scopes, account.tables) for account in machines}
    last = reviews[0].people if reviews else ()
    return AccessReviewsView(
        due_by=due,
        overdue=due is not None and due < datetime.now(tz=UTC),
        reviews=reviews,
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
    if entry["role"] == _SERVICE_ACCOUNT:
        return entry["scopes"], entry["tables"]
    return entry["role"], entry["badge"]
