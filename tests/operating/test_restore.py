"""Books that are restored to a time before acknowledged rounds and claims get them from the stream again."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from feltwork.site.wire.streams import FELT, consumer_name
from tests.bookkeeper.house import House, claim, ended, say, started, with_log
from tests.bookkeeper.test_sign_on import sign_on
from tests.operating.test_backup import Keeper, archiving, now, wait_for_archive, wait_until_writable


@pytest.fixture
def site() -> Iterator[tuple[House, Keeper]]:
    """A house whose PostgreSQL archives its WAL, and the person who restores it."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-restore-"))
    house = House(folder, settings=archiving(folder / "books" / "archive"))
    (folder / "books" / "archive").mkdir()
    shutil.copystat(folder / "books", folder / "books" / "archive")
    if house.postgres._user:
        shutil.chown(folder / "books" / "archive", house.postgres._user)
    keeper = Keeper(house.postgres, folder / "books")
    try:
        yield house.open(), keeper
    finally:
        keeper.stop_restored()
        house.close()
        shutil.rmtree(folder, ignore_errors=True)


def acknowledged(house: House) -> bool:
    """Whether the consumer is past every message, so that it delivers none of them by itself."""
    reader = with_log(house, lambda js: js.consumer_info(FELT, consumer_name("L1")))
    return bool(reader.num_pending == 0 and reader.num_ack_pending == 0)


def restore(house: House, keeper: Keeper) -> None:
    with psycopg.connect(house.postgres.dsn(), autocommit=True) as owner:
        owner.execute("SELECT pg_switch_wal()")
    wait_for_archive(house.postgres.dsn())
    house.postgres.kill()
    keeper.told |= {"PORT": str(house.postgres.port), "FELTWORK_DSN": house.postgres.dsn()}
    keeper.run("restore")


@pytest.mark.requirement("GL-11", "WA-05")
@pytest.mark.parametrize("bookkeeper", ["stopped", pytest.param("running", marks=pytest.mark.whole)])
def test_what_was_acknowledged_after_the_moment_is_booked_again(
    site: tuple[House, Keeper], bookkeeper: str
) -> None:
    house, keeper = site
    running = house.keeper()
    say(house, [started(number) for number in range(1, 21)])
    house.until(lambda: house.booked() == "{[1,21)}")
    keeper.run("backup")
    say(house, [started(number) for number in range(21, 31)])
    house.until(lambda: house.booked() == "{[1,31)}")
    time.sleep(0.05)
    keeper.told["MOMENT"] = now(house.postgres.dsn())
    time.sleep(0.05)

    say(house, [started(number) for number in range(31, 61)])
    say(house, [claim(35), ended(35, step=2), ended(36)])
    # A dealer who signs on after the moment: the restored books do not know the sign-on.
    dealer = sign_on(house, "B-dana", "2580", "T2")
    say(house, [replace(started(number, "T2"), sign_on=dealer.sign_on) for number in range(1, 6)])
    house.until(lambda: house.booked() == "{[1,61)}" and house.booked("T2") == "{[1,6)}")
    house.until(lambda: acknowledged(house))
    before = everything(house)
    time.sleep(1.5)  # the books save the position of the consumer every second
    if bookkeeper == "stopped":
        running.terminate()
        running.wait(120)
    restore(house, keeper)
    wait_until_writable(house.postgres.dsn())
    if bookkeeper == "stopped":
        assert house.booked() == "{[1,31)}", "the restored books have the rounds before the moment only"
        assert house.booked("T2") == "{}"
        house.keeper()
    house.until(lambda: house.booked() == "{[1,61)}" and house.booked("T2") == "{[1,6)}")
    house.until(lambda: acknowledged(house))
    assert everything(house) == before
    house.check()
    assert house.ask("SELECT count(*) FROM books.round") == 65

    # And the next round is booked, once.
    say(house, [started(61)])
    house.until(lambda: house.booked() == "{[1,62)}")
    assert "all is well" in keeper.run("prove")


def everything(house: House) -> tuple[object, ...]:
    """Meters, rounds, ends, claims, messages and alarms of the books."""
    return tuple(
        house.ask(query)
        for query in (
            "SELECT json_object_agg(account, amount ORDER BY account)::text FROM books.balance",
            "SELECT json_agg((table_id, number, seats) ORDER BY table_id, number)::text FROM books.round",
            "SELECT json_agg((table_id, number) ORDER BY table_id, number)::text FROM books.round_end",
            "SELECT json_agg((id, status, hand, from_meter, claimed_by) ORDER BY id)::text FROM books.award",
            "SELECT json_agg((number, kind, fact - 'at') ORDER BY number, kind)::text FROM books.table_fact",
            "SELECT json_agg((kind, place) ORDER BY kind)::text FROM books.alarm WHERE cleared_at IS NULL",
        )
    )
