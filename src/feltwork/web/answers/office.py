"""Answers to the office: reports, health."""

from typing import Any, Literal

from pydantic import Field

from feltwork.web.answers import Told, shown


class Wrong(Told):
    """One thing that is wrong, and what to do about it."""

    where: str
    what: str
    remedy: str
    requirement: str = ""


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
