"""What a bookkeeper checks before it begins: its own components, and the books of every link."""

import time
import tomllib

import psycopg
import pytest

from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.watch.alarms import open_alarms
from feltwork.site.servers.components import unapproved_release
from feltwork.site.wire.downlink import MeterSnapshot, decode_downlink
from tests.bookkeeper.house import OTHERS, House, a_link, say, started, with_log, writer
from tests.floor_text import TABLES
from tests.progressive.room import asked


@pytest.mark.whole
@pytest.mark.requirement("WA-31")
def test_a_component_that_is_not_approved_waits_for_two_people(house: House) -> None:
    components = house.command("dev", "components")
    approved = house.folder / "approved.toml"
    approved.write_text(components, encoding="utf-8")
    first = house.keeper("--approved", str(approved))
    say(house, [started(1)])
    house.until(lambda: house.booked() == "{[1,2)}")
    recorded = house.ask("SELECT after FROM books.audit WHERE what = 'start' AND who = 'keeper-1'")
    assert recorded["components"] == tomllib.loads(components)["components"]
    name, _, digest = components.splitlines()[1].partition(" = ")
    approved.write_text(components.replace(digest, '"' + "0" * 64 + '"'), encoding="utf-8")
    first.terminate()
    assert first.wait(120) == 0
    house.keeper("--approved", str(approved))
    say(house, [started(2)])
    house.until(lambda: "no money moves until two people do" in house.logs())
    logs = house.logs()
    assert f"{name.strip(chr(34))}: runs as {digest[1:13]}, approved is 000000000000" in logs
    assert house.booked() == "{[1,2)}", "nothing is booked"
    release = unapproved_release(approved)
    body = {"command": "install", "release": release, "reason": "as tested"}
    command = proposals.command_of("P-1", "install", "release", body)
    with writer(house) as connection:
        fingerprint = proposals.propose(connection, command, proposal="P-1", by="dana", seconds=600)
        (proposal,) = proposals.waiting(connection)
        proposals.answer(connection, proposal, by="sam", digest=fingerprint, approved=True)
    house.until(lambda: house.booked() == "{[1,3)}")


@pytest.mark.requirement("GEN-08", "GL-13")
@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        ("UPDATE books.balance SET amount = amount + 5 WHERE account LIKE 'meter/%'", "is not the total"),
        ("UPDATE books.entry SET at = at WHERE false", ""),
        ("UPDATE books.chain_tail SET hash = repeat('1', 64)", "does not end where the books say"),
    ],
    ids=["balance", "nothing", "chain"],
)
def test_a_link_that_fails_its_self_check_is_closed(house: House, tamper: str, what: str) -> None:
    first = house.keeper()
    say(house, [started(number) for number in range(1, 6)])
    house.until(lambda: house.booked() == "{[1,6)}")
    first.terminate()
    assert first.wait(120) == 0
    with psycopg.connect(house.postgres.dsn(), autocommit=True) as owner:
        owner.execute("SET session_replication_role = replica")
        owner.execute(tamper.encode())
    house.keeper()
    say(house, [started(6)])
    with writer(house) as connection:
        if not what:
            house.until(lambda: house.booked() == "{[1,7)}")
            assert "self-check" not in {alarm.kind for alarm in open_alarms(connection)}
            return
        house.until(lambda: [alarm for alarm in open_alarms(connection) if alarm.kind == "self-check"])
        (alarm,) = [alarm for alarm in open_alarms(connection) if alarm.kind == "self-check"]
        assert what in alarm.details["what"]
        assert house.booked() == "{[1,6)}", "its rounds wait in the log"
        if what == "is not the total":
            house.until(lambda: "suspended" in read_link(connection, "L1").state.stops)
            house.until(lambda: "self-check failed" in _snapshot(house).stops.get("suspended", ""))
            assert not _snapshot(house).takes_wagers


@pytest.mark.requirement("GL-13", "GEN-08")
def test_the_self_check_comes_again_and_closes_a_link_while_it_is_kept(house: House) -> None:
    with writer(house) as connection:
        lifecycle.register_link(connection, a_link("L2"), by="ann")
        lifecycle.open_link(connection, "L2", asked())
    house.lay({"L1": TABLES, "L2": OTHERS})
    house.keeper("--check-seconds", "1")
    say(house, [*(started(number) for number in range(1, 6)), started(1, "U1", link="L2")])
    house.until(lambda: house.booked() == "{[1,6)}")

    def tamper(by: int) -> None:
        with psycopg.connect(house.postgres.dsn(), autocommit=True) as owner:
            owner.execute("SET session_replication_role = replica")
            owner.execute(
                "UPDATE books.balance SET amount = amount + %s WHERE link = 'L1' AND account LIKE 'meter/%%'",
                (by,),
            )

    with writer(house) as connection:

        def failed() -> list[str]:
            return [alarm.place for alarm in open_alarms(connection) if alarm.kind == "self-check"]

        assert failed() == []
        tamper(5)
        house.until(lambda: failed() == ["link L1"])
        house.until(lambda: "suspended" in read_link(connection, "L1").state.stops)
        assert read_link(connection, "L2").state.takes_wagers
        # What tables of the closed link say waits in the log, while others play on.
        house.until(lambda: _readers(house) == {"books-L2"})
        say(house, [started(6), started(2, "U1", link="L2")])
        house.until(lambda: house.booked("U1") == "{[1,3)}")
        assert house.booked() == "{[1,6)}"
        tamper(-5)
        house.until(lambda: failed() == [])
        house.until(lambda: _readers(house) == {"books-L1", "books-L2"})


def _readers(house: House) -> set[str]:
    """The consumers of the log that a bookkeeper asks for more."""
    consumers = with_log(house, lambda js: js.consumers_info("FELT"))
    return {consumer.name for consumer in consumers if consumer.num_waiting}


def _snapshot(house: House) -> MeterSnapshot:
    message = with_log(house, lambda js: js.get_last_msg("METERS", "meters.L1"))
    snapshot = decode_downlink(message.data)
    assert isinstance(snapshot, MeterSnapshot)
    return snapshot


@pytest.mark.parametrize("nats", ["never there", "gone"])
def test_it_stops_while_nats_is_down(house: House, nats: str) -> None:
    if nats == "never there":
        house.log.kill()
    keeper = house.keeper()
    if nats == "gone":
        say(house, [started(1)])
        house.until(lambda: house.booked() == "{[1,2)}")
        house.log.kill()
        house.until(lambda: "the log" in house.logs())
    else:
        house.until(lambda: "components" in house.logs())
        time.sleep(1)  # it is connecting
    keeper.terminate()
    assert keeper.wait(60) == 0, house.logs()
