"""Cut off: what a table may still do, by the floor file and the jurisdiction."""

from datetime import date

import pytest

from feltwork.money import DOLLAR
from feltwork.table.policy import SILENCE, Contact, TablePolicy, policy_of, why_no_round
from tests.table.conftest import room

HOUR = 3_600_000_000
HEARD = Contact(heard_at=1_000 * HOUR)
LATE = HEARD.heard_at + SILENCE + 1
BOUNDED = TablePolicy(store_and_forward=True, rounds=3, wagers=20 * DOLLAR, hours=24)
STOPS = TablePolicy(store_and_forward=False, rounds=3, wagers=20 * DOLLAR, hours=24)


def asked(contact: Contact, policy: TablePolicy, now: int, wagers: int = 7 * DOLLAR) -> str:
    problem = why_no_round("table C1", contact, policy, wagers=wagers, now=now)
    return f"{problem.requirement}: {problem.what}" if problem else ""


@pytest.mark.requirement("GEN-07")
def test_who_hears_the_books_plays_and_who_never_did_does_not() -> None:
    for policy in (BOUNDED, STOPS):
        assert asked(HEARD, policy, HEARD.heard_at + SILENCE) == ""
        assert asked(Contact(), policy, LATE) == "GEN-07: the books have not been heard yet"
    assert asked(HEARD, STOPS, LATE) == "GEN-07: the line to the books is cut"
    assert asked(HEARD, BOUNDED, LATE) == ""


@pytest.mark.requirement("GEN-07")
def test_what_waits_for_the_books_is_bounded_in_rounds_and_in_money() -> None:
    contact = HEARD.took(DOLLAR, BOUNDED, HEARD.heard_at)
    assert contact == HEARD, "with the books at hand nothing is exposed"
    for number in range(3):
        assert asked(contact, BOUNDED, LATE, DOLLAR) == "", number
        contact = contact.took(DOLLAR, BOUNDED, LATE)
    assert asked(contact, BOUNDED, LATE, DOLLAR) == "GEN-07: 3 rounds wait for the books"
    contact = HEARD.took(14 * DOLLAR, BOUNDED, LATE)
    assert asked(contact, BOUNDED, LATE, 6 * DOLLAR) == ""
    assert asked(contact, BOUNDED, LATE, 6 * DOLLAR + 1) == (
        "GEN-07: 20.000001 of wagers would wait for the books"
    )
    assert contact.heard(LATE) == Contact(heard_at=LATE)


@pytest.mark.requirement("GEN-18")
def test_a_day_without_contact_is_the_end_of_it() -> None:
    assert asked(HEARD, BOUNDED, HEARD.heard_at + 24 * HOUR) == ""
    assert asked(HEARD, BOUNDED, HEARD.heard_at + 24 * HOUR + 1) == (
        "GEN-18: the books were not heard for 24 hours"
    )


@pytest.mark.requirement("GEN-07")
def test_the_policy_is_the_floor_files_within_the_jurisdictions_bounds() -> None:
    floor = room(lambda text: text.replace('cut_off = "stop"', 'cut_off = "store_and_forward"', 1))
    links = floor.links
    first, second = (policy_of(floor, link, on=date(2026, 1, 1)) for link in links[:2])
    assert first == TablePolicy(store_and_forward=True, rounds=120, wagers=1_000 * DOLLAR, hours=24)
    assert not second.store_and_forward
