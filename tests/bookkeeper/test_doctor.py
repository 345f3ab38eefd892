"""The probe of `feltwork doctor`: it passes where a round can be booked, and names what stops it."""

import json
from collections.abc import Callable

import psycopg
import pytest
from nats.aio.client import ServerVersion
from nats.js import JetStreamContext

from feltwork.cli.setup.doctor_checks import nats_release
from feltwork.site.books.links import lifecycle
from feltwork.site.wire.streams import FELT, PARKED
from tests.bookkeeper.house import House, say, started, with_log, writer
from tests.progressive.room import asked


def doctor(house: House) -> dict[str, tuple[str, str]]:
    output = house.command("doctor", "--dsn", house.dsn, "--nats", house.log.url, "--json", check=False)
    return {check["check"]: (check["state"], check["what"]) for check in json.loads(output)}


def owner(house: House, *statements: str) -> None:
    with psycopg.connect(house.postgres.dsn(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def test_an_old_nats_server_is_missing() -> None:
    states = [nats_release(ServerVersion(release)).state for release in ("2.11.9", "2.12.0", "3.0.1")]
    assert states == ["missing", "well", "well"]


@pytest.mark.requirement("GL-12")
def test_a_round_is_booked_and_taken_back_while_tables_play(house: House) -> None:
    house.keeper()
    say(house, [started(1), started(2)])
    house.until(lambda: house.booked() == "{[1,3)}")
    before = house.ask("SELECT array_agg(number || hash) FROM books.chain_tail")
    checks = doctor(house)
    assert checks["booking"] == ("well", checks["booking"][1])
    assert "a round of L1 was booked and taken back" in checks["booking"][1]
    assert checks["log probe"] == ("well", "a message was stored, read and removed")
    assert house.ask("SELECT array_agg(number || hash) FROM books.chain_tail") == before, "no money moved"
    assert house.ask("SELECT count(*) FROM books.round WHERE table_id = 'doctor'") == 0
    assert house.ask("SELECT count(*) FROM books.audit WHERE what = 'probe'") == 1
    assert with_log(house, lambda js: js.stream_info(PARKED)).state.messages == 0
    say(house, [started(3)])
    house.until(lambda: house.booked() == "{[1,4)}")
    house.check()


def test_without_an_open_link_the_audit_log_is_tried(house: House) -> None:
    with writer(house) as connection:
        lifecycle.stop(connection, "L1", cause="suspended", reason="a test", by="sam")
    assert "no link is open" in doctor(house)["booking"][1]
    with writer(house) as connection:
        lifecycle.resume(connection, "L1", asked())
    assert "a round of L1" in doctor(house)["booking"][1]


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        ("ALTER DATABASE {name} SET default_transaction_read_only = on", "read-only"),
        ("REVOKE INSERT ON books.round FROM feltwork_writer", "permission denied for table round"),
        ("DROP TABLE books.round CASCADE", "does not exist"),
    ],
)
def test_books_that_take_no_round_are_missing(house: House, breaks: str, message: str) -> None:
    owner(house, breaks.format(name=house.ask("SELECT current_database()::text")))
    state, what = doctor(house)["booking"]
    assert (state, message in what) == ("missing", True), what
    assert what.startswith("nothing can be booked: ")


async def _seal(js: JetStreamContext) -> None:
    config = (await js.stream_info(PARKED)).config
    config.sealed, config.deny_delete, config.deny_purge = True, True, True
    await js.update_stream(config)


async def _remove(js: JetStreamContext) -> None:
    await js.delete_stream(FELT)


async def _fill(js: JetStreamContext) -> None:
    config = (await js.stream_info(FELT)).config
    await js.publish("felt.L1.T1.round", b"x" * 1_000)
    config.max_bytes = 1_050
    await js.update_stream(config)


@pytest.mark.parametrize(
    ("breaks", "message"),
    [(_seal, "NATS stores nothing"), (_remove, "NATS stores nothing"), (_fill, "the log is full")],
)
def test_a_log_that_stores_nothing_is_missing(
    house: House, breaks: Callable[[JetStreamContext], object], message: str
) -> None:
    with_log(house, breaks)  # type: ignore[arg-type]
    state, what = doctor(house)["log probe"]
    assert (state, message in what) == ("missing", True), what
