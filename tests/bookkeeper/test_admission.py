"""Admission, message by message: a table sends for itself, for its seats, and within bounds."""

from typing import Any

import pytest

from feltwork.site.books.tables.admission import AHEAD, MOST_ROUNDS, OLDEST, Admission
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.wire.uplink import HandPressed, RoundStarted
from tests.compliance.floors import example

FLOOR = example("card_room")
LINK, TABLE, SEATS = "five-card", "C1", 7
NOW = 1_800_000_000_000_000
VERSION = link_from_floor(FLOOR, next(link for link in FLOOR.links if link.id == LINK)).fingerprint
ABOUT: dict[str, Any] = {"link": LINK, "table": TABLE, "sign_on": "s", "version": VERSION, "wager": 1_000_000}


def admission(floor: Floor = FLOOR) -> Admission:
    return Admission(floor)


def refused(message: RoundStarted) -> str:
    problem = admission().refusal(message, NOW)
    return "" if problem is None else str(problem.what)


def one(**changes: Any) -> RoundStarted:
    return RoundStarted(**{**ABOUT, "at": NOW, "round": 1, "step": 0, "seats": (1, 2), **changes})


@pytest.mark.requirement("GEN-06", "GEN-07")
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"seats": tuple(range(1, SEATS + 1))}, ""),
        ({"round": MOST_ROUNDS}, ""),
        ({"at": NOW - OLDEST}, ""),
        ({"at": NOW + AHEAD}, ""),
        ({"table": "M1"}, "its game, mini_baccarat, is not played for five-card there"),
        ({"table": "X9"}, "it is not in the current floor file"),
        ({"link": "nowhere"}, "nowhere"),
        ({"version": "0" * 64}, "it names version 000000000000"),
        ({"seats": (0, 1)}, "it has no seat 0"),
        ({"seats": (1, SEATS + 1)}, f"it has no seat {SEATS + 1}"),
        ({"seats": (1, 1)}, "a seat is listed twice"),
        ({"round": MOST_ROUNDS + 1}, "is not a valid round number"),
        ({"at": NOW - OLDEST - 1}, "differs too much from the time of the books"),
        ({"at": NOW + AHEAD + 1}, "differs too much from the time of the books"),
    ],
)
def test_a_start_is_admitted_or_refused_with_its_reason(changes: dict[str, Any], why: str) -> None:
    reason = refused(one(**changes))
    assert (why in reason) if why else not reason, reason


@pytest.mark.requirement("GEN-06")
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"seat": SEATS}, ""),
        ({"seat": 0}, "it has no seat 0"),
        ({"seat": SEATS + 1}, f"it has no seat {SEATS + 1}"),
        ({"table": "M1"}, "is not played for five-card there"),
        ({"round": MOST_ROUNDS + 1}, "is not a valid round number"),
    ],
)
def test_a_button_is_one_of_a_seat_of_the_table(changes: dict[str, Any], why: str) -> None:
    plain = {"link": LINK, "table": TABLE, "sign_on": "s", "at": NOW, "round": 1, "step": 1}
    press = HandPressed(**{**plain, "seat": 1, "hand": "flush", "hands": {}, **changes})
    problem = admission().refusal_of_message(press)
    reason = "" if problem is None else str(problem.what)
    assert (why in reason) if why else not reason, reason


def test_an_end_is_about_its_table() -> None:
    ended = one().ended(at=NOW)
    assert admission().refusal_of_message(ended) is None
    assert admission().refusal_of_message(one(table="X9").ended(at=NOW)) is not None
    assert admission().seats_at(LINK, TABLE) == SEATS
    assert admission().seats_at(LINK, "M1") == 0
