"""Answers that are records: payouts."""

from feltwork.web.answers import Told, shown


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
