"""What is delivered again, or comes again with other content, changes nothing that was decided before."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from feltwork.site.books.connection import Connection
from feltwork.site.books.links import lifecycle
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.tables import parked
from feltwork.site.books.tables.admission import RoundQuota, now
from feltwork.site.books.tables.deliveries import LinkDeliveries, Outcome
from feltwork.site.books.tables.parked import keep_parked
from feltwork.site.books.watch.alarms import open_alarms
from feltwork.site.progressive.facts import HOUR
from feltwork.site.wire.downlink import Refused
from feltwork.site.wire.uplink import HandPressed, RoundStarted, encode
from tests.bookkeeper.house import NOW, House, a_link, claim, say, sign_on_of, started, told, writer
from tests.bookkeeper.test_batches import Sent
from tests.books.room import void
from tests.progressive.room import asked


@dataclass(frozen=True)
class Kept(Sent):
    """A message as the log delivers it, with its bytes."""

    data: bytes = b""


def pressed(number: int, *, seat: int = 1, hand: str = "royal_flush", step: int = 1) -> HandPressed:
    return HandPressed(
        link="L1",
        at=NOW + number,
        table="T1",
        round=number,
        step=step,
        sign_on=sign_on_of("T1"),
        seat=seat,
        hand=hand,
        hands={seat: hand},
    )


def logged(house: House, kind: str) -> int:
    query = "SELECT count(*) FROM books.table_fact WHERE fact ? 'step' AND kind = %s"
    return int(house.ask(query, kind))


def deliver(connection: Connection, *messages: RoundStarted, again: bool) -> Outcome:
    """Book messages, the first time or after their acknowledgment was lost."""
    some = [
        Kept(message, origin=f"log:{place}", data=encode(message), is_repeated=again)
        for place, message in enumerate(messages)
    ]
    outcome = LinkDeliveries("L1").apply(connection, some)
    keep_parked(connection, outcome)
    return outcome


@pytest.mark.requirement("GEN-11")
def test_another_message_under_a_booked_number_is_refused_with_an_alarm(house: House) -> None:
    house.keeper()
    say(house, [started(1), pressed(1, hand="flush"), pressed(1, hand="flush")])
    house.until(lambda: logged(house, "HandPressed") == 1)
    with writer(house) as connection:
        assert open_alarms(connection) == [], "the same message again says nothing new"
        say(house, [pressed(1, seat=2, hand="flush")])
        house.until(
            lambda: ("repeated number", "table T1") in {(a.kind, a.place) for a in open_alarms(connection)}
        )
    house.until(lambda: isinstance(fate := told(house, "told.L1.T1.refused.1"), Refused) and fate.step == 1)
    assert logged(house, "HandPressed") == 1
    house.check()


@pytest.mark.requirement("LT-02", "LT-03")
def test_the_claim_of_a_hand_that_the_pit_has_voided_does_not_come_back(house: House) -> None:
    """A table says the hand and then its claim; the pit may be quicker than the second message."""
    house.keeper()
    say(house, [started(1), pressed(1)])
    house.until(lambda: house.ask("SELECT status FROM books.award") == "claimed")
    with writer(house) as connection:
        void(connection, "L1", "T1:1:1", "misread")
    say(house, [claim(1, step=2), started(2)])
    house.until(lambda: house.booked() == "{[1,3)}")
    house.until(lambda: logged(house, "Claim") == 1)
    assert house.ask("SELECT array_agg(status) FROM books.award") == ["voided"]
    say(house, [pressed(1, step=3), claim(1, step=4)])
    house.until(lambda: house.ask("SELECT count(*) FROM books.award") == 2)
    house.until(lambda: logged(house, "Claim") == 2)
    assert house.ask("SELECT array_agg(status ORDER BY place) FROM books.award") == ["voided", "claimed"]
    house.check()


@pytest.mark.requirement("GEN-07", "GL-12")
def test_a_round_that_was_refused_stays_refused_when_it_is_delivered_again(house: House) -> None:
    """The table has taken it back; the link takes wagers again before the lost acknowledgment is noticed."""
    with writer(house) as connection:
        lifecycle.stop(connection, "L1", cause="suspended", reason="a test", by="sam")
        late = replace(started(1), at=now())
        assert deliver(connection, late, again=False).refused == 1
        lifecycle.resume(connection, "L1", asked())
        again = deliver(connection, late, again=True)
        assert (again.rounds, len(again.done), [notice.round for notice in again.notices]) == (0, 1, [1])
        assert house.booked() == "{}"
        reused = replace(late, at=now())
        assert deliver(connection, reused, again=False).rounds == 1, "another round may have the number"
        assert deliver(connection, reused, again=True).duplicates == 1
    house.check()


@pytest.mark.requirement("GEN-07", "GL-12")
def test_a_parked_message_stays_parked_when_it_is_delivered_again(house: House) -> None:
    old = replace(started(1), version="0" * 64)
    with writer(house) as connection:
        first = deliver(connection, old, again=False)
        assert [problem.requirement for _, problem in first.parked] == ["GEN-07"]
        # As if its version had come into effect: only the place in the log tells that it is the same.
        again = deliver(connection, replace(old, version=a_link().fingerprint), again=True)
        assert [problem for _, problem in again.parked] == [problem for _, problem in first.parked]
        assert [notice.round for notice in again.notices] == [1]
        assert house.ask("SELECT count(*) FROM books.parked_message") == 1
        assert house.booked() == "{}"
        (waiting,) = parked.waiting(connection)
        command = proposals.command_of("p1", "book_parked", str(waiting.number), {})
        proposals.propose(connection, command, proposal="p1", by="sam", seconds=60)
        parked.answer(connection, waiting.number, "booked", proposal="p1")
        booked = deliver(connection, replace(old, version=a_link().fingerprint), again=True)
        assert (booked.rounds, booked.notices) == (1, []), "the table is not told that it is refused"


@pytest.mark.requirement("GEN-07")
def test_a_round_that_is_delivered_again_uses_no_quota(house: House) -> None:
    several = [started(number, "T39") for number in range(1, 401)]
    with writer(house) as connection:
        assert deliver(connection, *several, again=False).rounds == 400
        again = deliver(connection, *several, started(401, "T39"), again=True)
        assert (again.rounds, again.parked) == (1, [])


@pytest.mark.requirement("GEN-07")
def test_a_batch_that_could_not_be_booked_is_counted_once() -> None:
    quota = RoundQuota()
    assert quota.used("T1", 600, most=600, at=now()) == 1
    quota.give_back("T1", 600, at=now())
    assert quota.used("T1", 600, most=600, at=now()) == 1


def test_a_batch_of_hours_that_could_not_be_booked_is_given_back() -> None:
    """Restored books read hours of messages at once; the quota knows the last one only."""
    quota, early, late = RoundQuota(), now() - 3 * HOUR, now()
    assert quota.used("T1", 10, most=600, at=early) < 1
    assert quota.used("T1", 20, most=600, at=late) < 1
    quota.give_back("T1", 10, at=early)
    quota.give_back("T1", 20, at=late)
    assert quota.used("T1", 600, most=600, at=late) == 1
