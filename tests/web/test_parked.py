"""Parked messages over HTTP and by command: two people book one after all, once, or dismiss it."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from feltwork.money import DOLLAR
from feltwork.problem import Problem
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.people.credentials import token_hash
from feltwork.site.books.tables.parked import MOST_WAITING, keep_messages
from feltwork.site.books.watch.alarms import open_alarms, raise_alarm, round_numbers
from feltwork.site.compliance.floor import link_from_floor
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import RoundEnded, RoundMessage, RoundStarted, encode
from tests.web.house import House

SIGN_ON = b"""
INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)
VALUES (%s, 'dana', 'dealer', %s, clock_timestamp() + interval '8 hours') ON CONFLICT DO NOTHING
"""
NOBODY = Problem("", "nobody is signed on at the table", "sign on at the table", "GL-10")


@pytest.fixture(scope="module", autouse=True)
def opened(house: House) -> None:
    house.open("parked")


def started(connection: Connection, number: int, table: str = "A1") -> RoundStarted:
    floor = floor_in_force(connection)
    link = next(link for link in floor.links if link.id == "parked")
    return RoundStarted(
        link="parked",
        at=time.time_ns() // 1_000,
        table=table,
        round=number,
        step=0,
        sign_on=f"late@{table}",
        wager=DOLLAR,
        seats=(1, 2, 3),
        version=link_from_floor(floor, link).fingerprint,
    )


def ended(after: RoundStarted) -> RoundEnded:
    return RoundEnded(
        link=after.link,
        at=after.at + 1,
        table=after.table,
        round=after.round,
        step=1,
        sign_on=after.sign_on,
        fixed=0,
        envy=0,
    )


def park(connection: Connection, *messages: RoundMessage | tuple[str, bytes]) -> list[int]:
    """Keep messages as a bookkeeper does, and return their numbers."""
    rows = [
        message if isinstance(message, tuple) else (subject_of(message), encode(message))
        for message in messages
    ]
    now = time.time_ns()
    for place, (subject, data) in enumerate(rows):
        keep_messages(connection, [(f":{place}:{now}", subject, data, NOBODY)])
        raise_alarm(connection, "parked message", subject, {"what": "it is parked"}, by="test")
    cursor = connection.execute("SELECT id FROM books.parked_message ORDER BY id DESC LIMIT %s", [len(rows)])
    return sorted(number for (number,) in cursor)


def alarms(connection: Connection) -> set[str]:
    return {alarm.place for alarm in open_alarms(connection) if alarm.kind == "parked message"}


def sign_on(connection: Connection, table: str = "A1") -> None:
    """What was missing when the messages came."""
    connection.execute(SIGN_ON, (token_hash(f"late@{table}"), table))


def booked(connection: Connection, table: str = "A1") -> str:
    row = connection.execute(
        "SELECT booked::text FROM books.booked_rounds WHERE link = 'parked' AND table_id = %s", [table]
    ).fetchone()
    return row[0] if row else "{}"


@pytest.mark.requirement("GL-12", "GEN-19")
def test_two_people_book_parked_messages_each_once(house: House) -> None:
    with connect(house.dsn) as connection:
        start = started(connection, 1)
        first, again, end = park(connection, start, start, ended(start))
        messages = {
            message["number"]: message for message in house.get("sam", "/api/v1/alarms/parked")["messages"]
        }
        assert messages[first]["what"] == NOBODY.what
        assert (messages[first]["kind"], messages[first]["round"], messages[first]["seats"]) == (
            "start of a round",
            1,
            [1, 2, 3],
        )
        assert messages[end]["kind"] == "end of a round"
        assert "late@A1" not in json.dumps(messages), "a sign-on is a secret"

        proposal = house.done(
            "ann", "/api/v1/proposals", {"command": "book_parked", "parked": first, "reason": "late"}
        )
        approve, approval = (
            f"/api/v1/proposals/{proposal['proposal']}/approve",
            {"fingerprint": proposal["fingerprint"]},
        )
        assert house.post("ann", approve, approval).status_code == 409, "one person alone"
        assert house.post("sam", approve, approval).status_code == 403
        refused = house.post("bob", approve, approval)
        assert (refused.status_code, refused.json()["detail"]) == (409, NOBODY.what), (
            "the cause is still there"
        )
        assert booked(connection) == "{}"

        sign_on(connection)
        meter = house.meter("parked")
        assert house.done("bob", approve, approval)["booked"]["outcome"] == "booked"
        once = house.meter("parked")
        assert (booked(connection), once > meter) == ("{[1,2)}", True)
        assert house.post("bob", approve, approval, key="another-key").status_code == 409
        gone = house.post(
            "ann", "/api/v1/proposals", {"command": "book_parked", "parked": first, "reason": "x"}
        )
        assert gone.status_code == 404

        assert subject_of(start) in alarms(connection), "one more waits"
        house.two("sam", "ann", command="book_parked", parked=again)
        house.two("ann", "bob", command="book_parked", parked=end)
        assert (booked(connection), house.meter("parked")) == ("{[1,2)}", once), "it was in the books"
        row = connection.execute("SELECT count(*) FROM books.round_end WHERE link = 'parked'").fetchone()
        assert row == (1,)
        assert not alarms(connection) & {subject_of(start), subject_of(ended(start))}
        house.sound()


def test_two_proposals_about_one_message_book_it_once(house: House) -> None:
    with connect(house.dsn) as connection:
        sign_on(connection, "D1")
        (number,) = park(connection, started(connection, 1, "D1"))
        body = {"command": "book_parked", "parked": number, "reason": "late"}
        proposals = [house.done("ann", "/api/v1/proposals", body) for _ in range(2)]
        house.of("bob"), house.of("eve")

        def approve(person: str, proposal: dict[str, str]) -> int:
            path, approval = (
                f"/api/v1/proposals/{proposal['proposal']}/approve",
                {"fingerprint": proposal["fingerprint"]},
            )
            return house.post(person, path, approval).status_code

        with ThreadPoolExecutor(2) as threads:
            answers = sorted(threads.map(approve, ("bob", "eve"), proposals))
        assert answers == [200, 404]
        assert booked(connection, "D1") == "{[1,2)}"


def test_a_message_that_says_something_else_than_the_books_is_refused(house: House) -> None:
    with connect(house.dsn) as connection:
        sign_on(connection, "H1")
        start = started(connection, 1, "H1")
        right, wrong = park(connection, start, replace(start, seats=(5,)))
        house.two("ann", "eve", command="book_parked", parked=right)
        proposal = house.done(
            "ann", "/api/v1/proposals", {"command": "book_parked", "parked": wrong, "reason": "late"}
        )
        answer = house.post(
            "eve",
            f"/api/v1/proposals/{proposal['proposal']}/approve",
            {"fingerprint": proposal["fingerprint"]},
        )
        assert (answer.status_code, "different seats" in answer.json()["detail"]) == (409, True)
        house.two("ann", "eve", command="dismiss_parked", parked=wrong)


def test_an_unreadable_message_can_only_be_dismissed(house: House) -> None:
    with connect(house.dsn) as connection:
        (number,) = park(connection, ("felt.parked.K1.round", b"\xff not a message"))
        message = next(
            message
            for message in house.get("ann", "/api/v1/alarms/parked")["messages"]
            if message["number"] == number
        )
        assert (message["table"], message["kind"], message["may_be_booked"]) == ("K1", "", False)
        assert message["remedy"] == "correct the device, and dismiss the message"
        proposal = house.done(
            "ann", "/api/v1/proposals", {"command": "book_parked", "parked": number, "reason": "x"}
        )
        approval = {"fingerprint": proposal["fingerprint"]}
        refused = house.post("bob", f"/api/v1/proposals/{proposal['proposal']}/approve", approval)
        assert (refused.status_code, "cannot be read" in refused.json()["detail"]) == (409, True)
        house.two("ann", "bob", command="dismiss_parked", parked=number)
        assert number not in {
            message["number"] for message in house.get("ann", "/api/v1/alarms/parked")["messages"]
        }
        line = connection.execute(
            "SELECT outcome, approval.answered_by, body ->> 'reason' FROM books.parked_answer"
            " JOIN books.proposal ON proposal.id = proposal"
            " JOIN books.approval ON approval.proposal = proposal.id"
            " WHERE parked = %s",
            [number],
        ).fetchone()
        assert line == ("dismissed", "bob", "as agreed")


@pytest.mark.requirement("GEN-11")
def test_a_refused_round_is_dismissed_and_its_alarm_ends(house: House) -> None:
    house.book("parked", "L1", (1,), wager=2 * DOLLAR)
    with connect(house.dsn) as connection:
        assert round_numbers(connection, "refused_numbers")["L1"] == "parked 1"
        number = next(
            message["number"]
            for message in house.get("sam", "/api/v1/alarms/parked")["messages"]
            if message["table"] == "L1"
        )
        proposal = house.done(
            "ann", "/api/v1/proposals", {"command": "book_parked", "parked": number, "reason": "x"}
        )
        approval = {"fingerprint": proposal["fingerprint"]}
        assert (
            house.post("bob", f"/api/v1/proposals/{proposal['proposal']}/approve", approval).status_code
            == 409
        )
        house.two("ann", "bob", command="dismiss_parked", parked=number)
        assert "L1" not in round_numbers(connection, "refused_numbers")


def test_a_flood_fills_no_list(house: House) -> None:
    with connect(house.dsn) as connection:
        rows = [(f"flood:{place}", "felt.parked.M1.round", b"junk", NOBODY) for place in range(150)]
        keep_messages(connection, rows)
        keep_messages(connection, rows[:5])
        messages = [
            message
            for message in house.get("ann", "/api/v1/alarms/parked")["messages"]
            if message["table"] == "M1"
        ]
        assert len(messages) == MOST_WAITING
