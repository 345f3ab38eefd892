"""A table books no more rounds in an hour than people can deal, whoever reports them."""

import pytest
from msgspec.structs import replace

from feltwork.site.books.tables.admission import RoundQuota, now
from feltwork.site.books.watch.alarms import open_alarms
from feltwork.site.compliance.floor_tables import ROUNDS_PER_HOUR
from feltwork.site.progressive.facts import HOUR
from feltwork.site.wire.streams import FELT, PARKED, consumer_name
from tests.bookkeeper.house import House, ended, say, started, with_log, writer

NOW = 1_800_000_000_000_000


def rounds_of(house: House, table: str) -> int:
    return int(house.ask("SELECT count(*) FROM books.round WHERE table_id = %s", table))


def parked(house: House) -> int:
    return int(with_log(house, lambda js: js.stream_info(PARKED)).state.messages)


def unread(house: House) -> int:
    reader = with_log(house, lambda js: js.consumer_info(FELT, consumer_name("L1")))
    return int(reader.num_pending + reader.num_ack_pending)


def test_no_hour_has_more_rounds_than_the_quota() -> None:
    quota = RoundQuota()
    assert quota.used("T1", 300, most=600, at=NOW) == 0.5
    assert quota.used("T1", 301, most=600, at=NOW) > 1
    assert quota.used("T1", 300, most=600, at=NOW + HOUR // 2) == 1
    assert quota.used("T1", 1, most=600, at=NOW + HOUR - 1) > 1
    assert quota.used("T40", 600, most=600, at=NOW) == 1
    later = NOW + HOUR + HOUR // 30
    assert quota.used("T1", 301, most=600, at=later) > 1, "half of it is less than an hour old"
    assert quota.used("T1", 300, most=600, at=later) == 1


@pytest.mark.requirement("GEN-07")
def test_a_flood_of_rounds_ends_at_the_quota_and_a_restart_gives_no_new_one(house: House) -> None:
    """The thief leaves out numbers and sets the clock back: neither hides a round from the count."""
    keeper = house.keeper()
    numbers = range(1, 4 * (ROUNDS_PER_HOUR + 200), 4)
    early = now() - HOUR // 2
    say(house, [replace(started(number, "T39"), at=early) for number in numbers[: ROUNDS_PER_HOUR + 100]])
    say(house, [started(number, "T40") for number in range(1, 51)])
    house.until(lambda: house.booked("T40") == "{[1,51)}")
    house.until(lambda: rounds_of(house, "T39") + parked(house) == ROUNDS_PER_HOUR + 100)
    assert rounds_of(house, "T39") == ROUNDS_PER_HOUR
    with writer(house) as connection:
        alarms = {(alarm.kind, alarm.place): alarm.details for alarm in open_alarms(connection)}
    assert "more than 600 rounds in an hour" in str(alarms["many rounds", "table T39"])
    assert ("many rounds", "table T40") not in alarms
    # The books know how far they have read, so that a restart reads nothing again.
    house.until(lambda: house.ask("SELECT sequence FROM books.stream_position") == ROUNDS_PER_HOUR + 150)
    keeper.kill()
    keeper.wait()
    house.keeper()
    say(house, [replace(started(number, "T39"), at=early) for number in numbers[ROUNDS_PER_HOUR + 100 :]])
    say(house, [started(51, "T40")])
    house.until(lambda: house.booked("T40") == "{[1,52)}")
    house.until(lambda: unread(house) == 0)
    assert rounds_of(house, "T39") == ROUNDS_PER_HOUR
    house.check()


def test_ends_of_rounds_far_ahead_are_parked_at_once_and_never_wait(house: House) -> None:
    house.keeper()
    say(house, [started(1, "T39")])
    say(house, [ended(number, table="T39") for number in range(5_000, 5_200)])
    say(house, [ended(1, table="T39")])
    house.until(lambda: house.ask("SELECT count(*) FROM books.round_end") == 1)
    house.until(lambda: parked(house) == 200 and unread(house) == 0, seconds=15)
