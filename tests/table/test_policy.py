"""Cut off: what a table may still do, by the floor file and the jurisdiction."""

from dataclasses import replace
from datetime import date

import pytest

from feltwork.money import DOLLAR
from feltwork.site.table.offline_policy import PATIENCE, BookingLag, TablePolicy, policy_of, why_no_round
from tests.table.conftest import room

HOUR = 3_600_000_000
NOW = 1_000 * HOUR
BOOKED = BookingLag(answered_at=NOW)
LATE = NOW + PATIENCE + 1
#: One round, of one dollar, that the books have not booked.
LAGS = BOOKED.took(1, DOLLAR, NOW)
BOUNDED = TablePolicy(store_and_forward=True, rounds=3, wagers=20 * DOLLAR, hours=24)
STOPS = TablePolicy(store_and_forward=False, rounds=3, wagers=20 * DOLLAR, hours=24)


def asked(contact: BookingLag, policy: TablePolicy, now: int, wagers: int = 7 * DOLLAR) -> str:
    problem = why_no_round("table C1", contact, policy, wagers=wagers, now=now)
    return f"{problem.requirement}: {problem.what}" if problem else ""


@pytest.mark.requirement("GEN-07")
def test_a_table_is_cut_off_by_the_rounds_that_the_books_have_not_booked() -> None:
    for policy in (BOUNDED, STOPS):
        assert asked(BOOKED, policy, LATE + 20 * HOUR) == "", "nothing waits, however long ago they spoke"
        assert asked(LAGS, policy, NOW + PATIENCE) == ""
        assert asked(BookingLag(), policy, LATE) == "GEN-07: the books have not replied yet"
    assert asked(LAGS, STOPS, LATE) == "GEN-07: the books are not keeping up with this table's rounds"
    assert (
        asked(replace(BOOKED, unanswered=True), STOPS, NOW)
        == "GEN-07: the books are not keeping up with this table's rounds"
    )
    assert asked(LAGS, BOUNDED, LATE) == ""
    lag = LAGS.answered(booked=0, last=1, now=LATE)
    assert asked(lag, STOPS, LATE) == "GEN-07: the books are not keeping up with this table's rounds", (
        "heard, and behind"
    )
    assert asked(LAGS.answered(booked=1, last=1, now=LATE), STOPS, LATE) == ""


@pytest.mark.requirement("GEN-07")
def test_what_waits_for_the_books_is_bounded_in_rounds_and_in_money() -> None:
    contact = LAGS
    for number in (2, 3):
        assert asked(contact, BOUNDED, LATE, DOLLAR) == "", number
        contact = contact.took(number, DOLLAR, LATE)
    assert asked(contact, BOUNDED, LATE, DOLLAR) == "GEN-07: 3 rounds are waiting to be booked"
    assert asked(contact.without(3), BOUNDED, LATE, DOLLAR) == "", "a start that was refused does not wait"
    contact = BOOKED.took(1, 14 * DOLLAR, NOW)
    assert asked(contact, BOUNDED, LATE, 6 * DOLLAR) == ""
    assert asked(contact, BOUNDED, LATE, 6 * DOLLAR + 1) == (
        "GEN-07: 20.000001 in wagers would be waiting to be booked"
    )
    after = contact.took(2, DOLLAR, LATE).answered(booked=1, last=2, now=LATE)
    assert (after.rounds, after.wagers, after.unanswered) == (1, DOLLAR, False)
    restarted = BookingLag().answered(booked=3, last=5, now=LATE)
    assert [round_.number for round_ in restarted.waiting] == [4, 5], "rounds from before a restart wait too"


@pytest.mark.requirement("GEN-18")
def test_a_day_without_contact_is_the_end_of_it() -> None:
    assert asked(LAGS, BOUNDED, NOW + 24 * HOUR) == ""
    assert asked(LAGS, BOUNDED, NOW + 24 * HOUR + 1) == "GEN-18: the books have not replied for 24 hours"


@pytest.mark.requirement("GEN-07")
def test_the_policy_is_the_floor_files_within_the_jurisdictions_bounds() -> None:
    floor = room(lambda text: text.replace('cut_off = "stop"', 'cut_off = "store_and_forward"', 1))
    links = floor.links
    first, second = (policy_of(floor, link, on=date(2026, 1, 1)) for link in links[:2])
    assert first == TablePolicy(store_and_forward=True, rounds=120, wagers=1_000 * DOLLAR, hours=24)
    assert not second.store_and_forward
