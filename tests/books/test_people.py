"""Badges, PINs, lock-out, sessions, floors and the audit log."""

import pytest
from psycopg import errors

from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.floors.floor_files import floors, register_floor
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.books.people.credentials import TRIES, Person, token_hash
from feltwork.site.books.queries import statement
from feltwork.site.books.watch.alarms import open_alarms
from tests.progressive.room import asked

SAM = Person(id="sam", name="Sam", role="supervisor", badge="B-17")


@pytest.fixture(autouse=True)
def sam(writer: Connection) -> None:
    staff.register_people(writer, [SAM], pin="2580", by="ann")


@pytest.mark.requirement("GL-10", "LT-03")
def test_a_badge_without_its_pin_opens_nothing(writer: Connection) -> None:
    assert people.prove(writer, "B-17", "2580", place="pit 1") == SAM
    for badge, pin in (("B-17", ""), ("B-17", "0000"), ("B-99", "2580")):
        with pytest.raises(RefusedError, match="badge or PIN is wrong"):
            people.prove(writer, badge, pin, place="pit 1")


@pytest.mark.requirement("GL-10")
def test_a_badge_is_locked_after_wrong_tries_and_each_try_is_on_record(writer: Connection) -> None:
    for _ in range(TRIES):
        with pytest.raises(RefusedError, match="wrong"):
            people.prove(writer, "B-17", "1111", place="pit 1")
    with pytest.raises(RefusedError, match="locked"):
        people.prove(writer, "B-17", "2580", place="pit 1")
    refused = writer.execute(
        "SELECT count(*) FROM books.audit WHERE who = 'B-17' AND what = 'sign-in refused'"
    ).fetchone()
    assert refused is not None
    assert refused[0] >= TRIES + 1
    staff.register_people(writer, [SAM], pin="2580", by="ann")
    assert people.prove(writer, "B-17", "2580", place="pit 1") == SAM


@pytest.mark.requirement("GL-10")
def test_nobody_locks_a_badge_for_others(writer: Connection) -> None:
    assert people.prove(writer, "B-17", "2580", place="pit 1", source="10.0.0.1") == SAM
    for guess in range(2 * TRIES):
        with pytest.raises(RefusedError):
            people.prove(writer, "B-17", f"{guess:04}", place="pit 1", source="10.9.9.9")
    with pytest.raises(RefusedError, match="locked here"):
        people.prove(writer, "B-17", "2580", place="pit 1", source="10.9.9.9")
    assert people.prove(writer, "B-17", "2580", place="pit 1", source="10.0.0.1") == SAM
    assert people.prove(writer, "B-17", "2580", place="pit 1", source="table C1") == SAM
    alarms = [(alarm.kind, alarm.place) for alarm in open_alarms(writer)]
    assert ("badge locked", "10.9.9.9") in alarms


@pytest.mark.requirement("GL-10")
def test_many_addresses_guess_no_more_than_one_and_a_lock_doubles(writer: Connection) -> None:
    assert people.prove(writer, "B-17", "2580", place="pit 1", source="10.0.0.1") == SAM
    for source in range(30):
        with pytest.raises(RefusedError):
            people.prove(writer, "B-17", "0000", place="pit 1", source=f"10.8.0.{source}")
        told = [alarm for alarm in open_alarms(writer) if alarm.place == "badge B-17"]
        assert len(told) == (source >= 9), "attack 12: one try each from many addresses"
    with pytest.raises(RefusedError, match="locked here"):
        people.prove(writer, "B-17", "2580", place="pit 1", source="10.8.1.1")
    assert people.prove(writer, "B-17", "2580", place="pit 1", source="10.0.0.1") == SAM
    seconds = []
    for _ in range(TRIES + 2):
        writer.execute("UPDATE books.sign_in_source SET locked_until = NULL WHERE source = '10.0.0.1'")
        with pytest.raises(RefusedError):
            people.prove(writer, "B-17", "0000", place="pit 1", source="10.0.0.1")
        row = writer.execute(
            "SELECT round(extract(epoch FROM locked_until - failed_at)) FROM books.sign_in_source "
            "WHERE source = '10.0.0.1'"
        ).fetchone()
        assert row is not None
        seconds.append(row[0])
    assert seconds == [None] * (TRIES - 1) + [900, 1800, 3600]


@pytest.mark.requirement("GL-10", "TR-03")
def test_sessions_are_rows_that_end(writer: Connection) -> None:
    token = people.begin_session(writer, SAM, place="pit 1", seconds=60)
    session = people.session_of(writer, token)
    assert session is not None
    assert (session.id, session.role, session.badge) == ("sam", "supervisor", "B-17")
    assert people.session_of(writer, token + "x") is None
    rows = writer.execute("SELECT token_hash FROM books.session").fetchall()
    assert token not in {row[0] for row in rows}, "who reads the table cannot sign in with it"
    writer.execute(statement("end_session"), (token_hash(token),))
    assert people.session_of(writer, token) is None
    over = people.begin_session(writer, SAM, place="pit 1", seconds=0)
    assert people.session_of(writer, over) is None


@pytest.mark.requirement("TR-03")
def test_somebody_who_left_is_shut_out_at_once(writer: Connection) -> None:
    gone = Person(id="gus", name="Gus", role="executive", badge="B-18")
    staff.register_people(writer, [gone], pin="1357", by="ann")
    token = people.begin_session(writer, gone, place="office", seconds=60)
    staff.change(writer, asked(reason="left the house"), "gus", active=False)
    assert people.session_of(writer, token) is None
    with pytest.raises(RefusedError):
        people.prove(writer, "B-18", "1357", place="office")


@pytest.mark.requirement("GEN-19")
def test_a_floor_is_registered_by_two_people_word_for_word(writer: Connection) -> None:
    number = register_floor(writer, "[room]\nname = 'One'\n", asked())
    assert floors(writer)[0].number == number
    with pytest.raises(ProblemsError, match="cannot approve their own"):
        register_floor(writer, "other", asked(by="ann", approved_by="ann"))
    with pytest.raises(errors.UniqueViolation):
        register_floor(writer, "[room]\nname = 'One'\n", asked())
