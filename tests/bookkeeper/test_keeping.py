"""What comes over the wire is booked once, in its order, whatever happens to it on the way."""

import pytest
from msgspec.structs import replace

from feltwork.money import DOLLAR
from feltwork.site.books.watch.alarms import open_alarms
from feltwork.site.wire.downlink import AwardConfirmed, AwardPaid, ClaimBooked, Refused
from feltwork.site.wire.streams import PARKED
from feltwork.site.wire.uplink import HandPressed, encode
from tests.bookkeeper.house import (
    NOW,
    House,
    claim,
    cleared,
    ended,
    say,
    sign_on_of,
    started,
    told,
    with_log,
    writer,
)
from tests.books.room import confirm, due, pay


@pytest.mark.requirement("GL-12", "WA-05")
def test_duplicates_and_any_order_book_each_round_once(house: House) -> None:
    house.keeper()
    rounds = [started(number) for number in range(1, 41)]
    say(house, [*rounds[20:], *rounds[:30], *rounds[::-1]])
    house.until(lambda: house.booked() == "{[1,41)}")
    say(house, rounds)
    say(house, [started(41)])
    house.until(lambda: house.booked() == "{[1,42)}")
    assert house.wagers() == 41 * 3
    house.check()


@pytest.mark.requirement("GEN-11")
def test_a_gap_is_an_alarm_until_the_round_comes(house: House) -> None:
    house.keeper()
    say(house, [started(1), started(2), started(5)])
    with writer(house) as connection:
        house.until(lambda: [(alarm.kind, alarm.details) for alarm in open_alarms(connection)])
        assert [(alarm.kind, alarm.place, alarm.details) for alarm in open_alarms(connection)] == [
            ("gap", "table T1", {"missing": "L1 3-4"})
        ]
        say(house, [started(4), started(3)])
        house.until(lambda: not open_alarms(connection))
    lines = house.ask("SELECT array_agg(what ORDER BY id) FROM books.audit WHERE place = 'table T1'")
    assert lines == ["alarm: gap", "alarm cleared: gap"]


@pytest.mark.requirement("GL-04", "GL-12")
def test_poison_is_parked_with_an_alarm_and_stops_nothing(house: House) -> None:
    house.keeper()
    far = replace(started(1, "T9"), at=10**25)
    say(
        house,
        [
            started(1),
            ("felt.L1.T1.round", b"\xff not a message"),
            ("felt.L1.T1.round", b'{"message":"RoundStarted","v":2}'),
            ("felt.L1.T2.ended", encode(ended(1))),
            far,
            started(2),
        ],
    )
    house.until(lambda: house.booked() == "{[1,3)}")
    house.until(lambda: with_log(house, lambda js: js.stream_info(PARKED)).state.messages == 4)
    with writer(house) as connection:
        places = {(alarm.kind, alarm.place) for alarm in open_alarms(connection)}
    assert {("parked message", "felt.L1.T1.round"), ("parked message", "felt.L1.T2.ended")} <= places
    assert house.ask("SELECT count(*) FROM books.audit WHERE what = 'alarm: parked message'") == 4
    messages = house.ask("SELECT array_agg(data ORDER BY id) FROM books.parked_message")
    assert sorted(messages) == sorted(
        [b"\xff not a message", b'{"message":"RoundStarted","v":2}', encode(ended(1)), encode(far)]
    )


def test_a_refused_round_is_kept_alarmed_and_told_to_its_table(house: House) -> None:
    house.keeper()
    wrong = replace(started(1, "T7"), wager=2 * DOLLAR)
    say(house, [wrong, started(1), ended(1, table="T7")])
    house.until(lambda: house.ask("SELECT count(*) FROM books.parked") == 1)
    house.until(lambda: isinstance(told(house, "told.L1.T7.refused.1"), Refused))
    with writer(house) as connection:
        house.until(lambda: "refused rounds" in {alarm.kind for alarm in open_alarms(connection)})


@pytest.mark.requirement("GEN-11", "LT-03")
def test_a_claim_waits_for_its_round_and_its_fate_is_told(house: House) -> None:
    house.keeper()
    claimed = claim(1)
    say(house, [ended(1, step=2, fixed=7), claimed])
    assert house.ask("SELECT count(*) FROM books.award") == 0
    say(house, [started(1)])
    house.until(lambda: house.ask("SELECT status FROM books.award") == "claimed")
    subject = f"told.L1.T1.award.{claimed.award}"
    house.until(lambda: isinstance(fate := told(house, subject), ClaimBooked) and fate.amount > 0)
    with writer(house) as connection:
        amount = due(connection, "L1", claimed.award)
        confirm(connection, "L1", claimed.award, amount=amount)
        house.until(lambda: isinstance(told(house, subject), AwardConfirmed))
        pay(connection, "L1", claimed.award)
        house.until(lambda: isinstance(told(house, subject), AwardPaid))
        house.until(lambda: "tray difference" in {alarm.kind for alarm in open_alarms(connection)})
    assert house.ask("SELECT fixed FROM books.round_end") == 0, "the books compute what the tray paid"
    house.check()


@pytest.mark.requirement("LT-02")
def test_what_was_said_about_a_round_is_booked_in_the_order_of_its_steps(house: House) -> None:
    house.keeper()
    first = claim(1, step=1)
    second = claim(1, step=3)
    say(house, [second, cleared(first, 2), ended(1, step=4), first, started(1), first, second])
    house.until(lambda: house.ask("SELECT count(*) FROM books.award") == 2)
    house.until(lambda: house.ask("SELECT count(*) FROM books.round_end") == 1)
    kinds = house.ask("SELECT array_agg(kind ORDER BY id) FROM books.table_fact WHERE fact ? 'step'")
    assert kinds == ["Claim", "ClaimCleared", "Claim"]
    statuses = house.ask("SELECT array_agg(status ORDER BY place) FROM books.award")
    assert statuses == ["voided", "claimed"]
    house.check()


@pytest.mark.requirement("LT-09")
def test_an_end_that_comes_again_says_nothing_about_the_tray(house: House) -> None:
    house.keeper()
    hand = HandPressed(
        link="L1", at=NOW + 1, table="T1", round=1, step=1, sign_on=sign_on_of("T1"), seat=1, hand="flush"
    )
    say(house, [started(1), hand, ended(1, step=2, fixed=40)])
    house.until(lambda: house.ask("SELECT count(*) FROM books.round_end") == 1)
    assert house.ask("SELECT fixed FROM books.round_end") == 40 * DOLLAR
    say(house, [ended(1, step=2, fixed=40), started(2), ended(2)])
    house.until(lambda: house.ask("SELECT count(*) FROM books.round_end") == 2)
    say(house, [started(3)])
    house.until(lambda: house.booked() == "{[1,4)}")
    with writer(house) as connection:
        assert open_alarms(connection) == []
    house.check()
