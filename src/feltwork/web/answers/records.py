"""Answers that are records: payouts, incidents, installations, and reviews of access."""

from datetime import datetime
from typing import Any

from pydantic.dataclasses import dataclass

from feltwork.books.incidents import Incident
from feltwork.books.installations import Installation
from feltwork.web.answers import Told, shown

_INCIDENT: dict[str, Any] = {
    "number": 17,
    "link": "crazy4",
    "table": "C1",
    "what": "a sensor fails at C1",
    "learned_at": "2026-03-02T20:15:00Z",
    "notify_by": "2026-03-05T20:15:00Z",
    "opened_by": "sam",
    "notified_at": "2026-03-03T09:00:00Z",
    "notice": "by e-mail to the field office",
    "closed_at": "2026-03-04T11:00:00Z",
    "cause": "a loose cable",
    "late": False,
}

_INSTALLATION: dict[str, Any] = {
    "number": 4,
    "what": "release 1.2 on all tables",
    "begins_at": "2030-05-06T06:00:00Z",
    "notified_at": "2030-05-01T15:00:00Z",
    "notice": "by e-mail to the field office",
    "planned_by": "ivy",
    "planned_at": "2030-05-01T15:05:00Z",
    "outcome": "done",
    "says": "self-check and doctor found nothing",
    "ended_by": "ivy",
    "ended_at": "2030-05-06T07:10:00Z",
}
_REVIEW: dict[str, Any] = {
    "number": 2,
    "people": [{"id": "dana", "name": "Dana", "role": "dealer", "badge": "B-17", "active": True}],
    "says": "everybody on the list works here",
    "reviewed_by": "ann",
    "reviewed_at": "2026-03-31T09:00:00Z",
}


class StepDone(Told):
    """Who did a line of a check-list, and when."""

    by: str
    at: str
    note: str


class PayoutStep(Told):
    """A line of the check-list; `by` is the time it is due, microseconds since 1970, or 0."""

    name: str
    requirement: str
    says: str
    by: int
    done: StepDone | None


class TaxFlag(Told):
    """What the tax rules ask for, and why; amounts are millionths."""

    name: str
    requirement: str
    why: str
    amount: int


class PayoutTold(Told):
    """A payout as it stands."""

    model_config = shown(
        link="crazy4",
        award="A-7f3c",
        status="confirmed",
        amount=10_000_720_000,
        forms=["check"],
        steps=[
            {
                "name": "countdown",
                "requirement": "WA-24",
                "says": "show each card to the camera and count down the rest of the deck",
                "by": 0,
                "done": {"by": "sam", "at": "2026-03-02T20:30:00+00:00", "note": "48 cards, camera 12"},
            }
        ],
        payee="Pat Patron",
        patron="P-1107",
        cards="As Ah Ad Ac",
        flags=[
            {
                "name": "tax_form",
                "requirement": "TX-02",
                "why": "the win is reported",
                "amount": 10_000_720_000,
            }
        ],
        withheld=2_400_000_000,
        written_by="cara",
        cash=[],
    )

    link: str
    award: str
    status: str
    amount: int
    forms: list[str]
    steps: list[PayoutStep]
    #: These are null until the record is written.
    payee: str | None
    patron: str | None
    cards: str | None
    flags: list[TaxFlag] | None
    withheld: int | None
    written_by: str | None
    #: What the person's cash of the day would ask for if this were paid in cash; null for who may not pay.
    cash: list[TaxFlag] | None


@dataclass(config=shown(**_INCIDENT), frozen=True, kw_only=True)
class IncidentTold(Incident):
    """A malfunction; `late` means that the time to tell the regulator has run out."""


class Incidents(Told):
    """Incidents, the newest first."""

    model_config = shown(incidents=[_INCIDENT])

    incidents: list[IncidentTold]


@dataclass(config=shown(**_INSTALLATION), frozen=True, kw_only=True)
class InstallationTold(Installation):
    """What is to be installed or tested live, and its notice; `outcome` is null while it lies ahead."""


class Installations(Told):
    """Installations, the newest first."""

    model_config = shown(installations=[_INSTALLATION])

    installations: list[InstallationTold]


class ReviewTold(Told):
    """A review of access, with everybody as they stood."""

    number: int
    people: list[dict[str, Any]]
    says: str
    reviewed_by: str
    reviewed_at: datetime


class Reviews(Told):
    """The reviews on file; `due_by` is null where the jurisdiction asks for none."""

    model_config = shown(due_by="2026-07-01T09:00:00Z", overdue=False, reviews=[_REVIEW])

    due_by: datetime | None
    overdue: bool
    reviews: list[ReviewTold]
