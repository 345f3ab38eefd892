"""Answers to the office: proposals, floors, reports, health."""

from typing import Any, Literal

from pydantic import Field

from feltwork.web.answers import Told, shown

_PRINT = "4e" * 32
_OPEN: dict[str, Any] = {"command": "open_link", "link": "crazy4", "reason": "approved by the regulator"}
_PROPOSAL: dict[str, Any] = {
    "proposal": "P-0c1d2e3f4a5b6c7d",
    "command": "open_link",
    "about": "crazy4",
    "body": _OPEN,
    "fingerprint": _PRINT,
    "proposed_by": "ann",
    "answered_by": "eve",
    "approved": True,
    "lapsed": False,
}


class ProposalTold(Told):
    """A proposal, and its answer if it has one."""

    model_config = shown(**_PROPOSAL)

    proposal: str
    command: str
    about: str
    body: dict[str, Any]
    fingerprint: str
    proposed_by: str
    answered_by: str | None
    approved: bool | None
    lapsed: bool


class Proposals(Told):
    """What waits for a second person, the newest first."""

    model_config = shown(proposals=[_PROPOSAL])

    proposals: list[ProposalTold]


class Proposed(Told):
    """A proposal was kept; whoever approves it names the fingerprint."""

    model_config = shown(
        proposal="P-0c1d2e3f4a5b6c7d", fingerprint=_PRINT, command="open_link", about="crazy4"
    )

    proposal: str
    fingerprint: str
    command: str
    about: str


class Approved(Told):
    """A proposal was approved, and what it booked."""

    model_config = shown(proposal="P-0c1d2e3f4a5b6c7d", approved_by="eve", booked={"facts": [], "entry": 1})

    proposal: str
    approved_by: str
    booked: dict[str, Any]


class Declined(Told):
    """A proposal was declined."""

    model_config = shown(proposal="P-0c1d2e3f4a5b6c7d", declined_by="eve")

    proposal: str
    declined_by: str


class FloorTold(Told):
    """A floor that was applied."""

    number: int
    fingerprint: str
    registered_by: str
    approved_by: str
    registered_at: str


class Floors(Told):
    """Every floor, the newest first."""

    model_config = shown(
        floors=[
            {
                "number": 3,
                "fingerprint": _PRINT,
                "registered_by": "ann",
                "approved_by": "eve",
                "registered_at": "2026-01-05T09:00:00+00:00",
            }
        ]
    )

    floors: list[FloorTold]


class Wrong(Told):
    """One thing that is wrong, and what to do about it."""

    where: str
    what: str
    remedy: str
    requirement: str = ""


class Checked(Told):
    """What is wrong with a floor file, and what its jurisdiction says to it."""

    model_config = shown(
        lawful=False,
        errors=[{"where": "floor:12 seats", "what": "is missing", "remedy": "write the seats"}],
        findings=[],
    )

    lawful: bool
    errors: list[Wrong]
    findings: list[dict[str, Any]]


class Verdict(Told):
    """What a replay of the books has found."""

    model_config = shown(sound=True, links=4, entries=10_412, rounds=98_000, problems=[])

    sound: bool
    links: int
    entries: int
    rounds: int
    problems: list[Wrong]


class Rows(Told):
    """The rows of a report; each report has columns of its own."""

    model_config = shown(rows=[{"link": "crazy4", "level": "jackpot", "amount": 10_000_720_000}])

    rows: list[dict[str, Any]]


class Alive(Told):
    """The process answers."""

    model_config = shown(status="alive", version="0.1.0")

    status: Literal["alive"]
    version: str


class Ready(Told):
    """Whether the books can be served."""

    model_config = shown(
        status="ready",
        schema="0006",
        expected="0006",
        failed_tasks=[],
        failed_channels=["signs of link crazy4"],
    )

    status: Literal["ready", "not ready"]
    found: str | None = Field(alias="schema")
    expected: str
    failed_tasks: list[str]
    failed_channels: list[str]


class SignedOut(Told):
    """The session is over."""

    model_config = shown(signed_out="dana")

    signed_out: str
