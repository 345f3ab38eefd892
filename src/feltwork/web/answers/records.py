"""Answers that are records: payouts."""

from feltwork.operations.payouts import PayoutView
from feltwork.web.answers import with_example

PayoutTold = with_example(
    PayoutView,
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
