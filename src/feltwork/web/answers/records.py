"""Answers that are records: payouts with their check-lists, incidents with their times."""

from datetime import datetime
from typing import Any

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
    )

    link: str
    award: str
    status: str
    amount: int
    forms: list[str]
    steps: list[PayoutStep]
    #: These are null until the record is written.
    payee: str | None
    cards: str | None
    flags: list[TaxFlag] | None
    withheld: int | None
    written_by: str | None


class IncidentTold(Told):
    """A malfunction; `late` means that the time to tell the regulator has run out."""

    model_config = shown(**_INCIDENT)

    number: int
    link: str
    table: str
    what: str
    learned_at: datetime
    notify_by: datetime | None
    opened_by: str
    notified_at: datetime | None
    notice: str | None
    closed_at: datetime | None
    cause: str | None
    late: bool


class Incidents(Told):
    """Incidents, the newest first."""

    model_config = shown(incidents=[_INCIDENT])

    incidents: list[IncidentTold]
