"""The key outside the database that PINs are hashed with."""

from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.context import Policy, connected
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import secret_hash, staff
from feltwork.site.books.people.credentials import Person
from feltwork.site.books.people.people import register_people
from feltwork.site.books.people.pin_key import init_pin_key, read_pin_key
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books

SAM = Person(id="sam", name="Sam", role="supervisor", badge="B-17")
PIN = "2580"


@pytest.fixture
def key(tmp_path: Path) -> bytes:
    init_pin_key(tmp_path)
    return read_pin_key("", tmp_path)


def test_outside_of_tests_a_hash_costs_what_argon2_recommends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FELTWORK_TEST_HASHES")
    secret_hash._hasher.cache_clear()
    try:
        assert secret_hash.hash_of(PIN).startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    finally:
        secret_hash._hasher.cache_clear()


def test_a_copy_of_the_database_does_not_tell_a_right_pin_from_a_wrong_one(
    writer: Connection, key: bytes
) -> None:
    def hasher(secret: str) -> str:
        return secret_hash.hash_of(secret, key)

    staff.register_people(writer, [SAM], pin=PIN, by="ann", hasher=hasher)
    ((pin_hash,),) = writer.execute("SELECT pin_hash FROM books.person WHERE id = 'sam'").fetchall()
    assert secret_hash.matches(pin_hash, PIN, key)
    assert not secret_hash.matches(pin_hash, PIN, b""), "the key decides"
    assert not secret_hash.matches(pin_hash, PIN, bytes(32)), "so does each of its bits"
    bare = pin_hash.rpartition(":")[2]
    assert not secret_hash.matches(bare, PIN, b""), "what is behind the id of the key is no hash of the PIN"
    assert key.hex() not in pin_hash


def test_a_pin_from_before_the_key_is_hashed_with_it_at_the_next_sign_in(
    writer: Connection, key: bytes
) -> None:
    staff.register_people(writer, [SAM], pin=PIN, by="ann")
    assert people.unkeyed_people(writer, key) == 1
    with pytest.raises(RefusedError):
        people.prove(writer, "B-17", "0852", place="pit 1", key=key)
    assert people.unkeyed_people(writer, key) == 1, "a wrong PIN changes nothing"
    for _ in range(2):
        assert people.prove(writer, "B-17", PIN, place="pit 1", key=key) == SAM
        assert people.unkeyed_people(writer, key) == 0
    for other in (b"", bytes(32)):
        with pytest.raises(RefusedError, match="lacks the key"):
            people.prove(writer, "B-17", PIN, place="pit 1", key=other)
    tries = writer.execute("SELECT failed_tries FROM books.sign_in_source WHERE person = 'sam'").fetchone()
    assert tries == (0,), "a program without the key locks nobody out"


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = init_pin_key(tmp_path / "keys")
    first = read_pin_key("", None, tmp_path / "keys")
    assert (path.stat().st_mode & 0o777, len(first)) == (0o600, 32)
    assert init_pin_key(tmp_path / "keys") == path
    assert read_pin_key(str(path)) == first
    assert read_pin_key("none", tmp_path / "keys") == b""
    with pytest.raises(ProblemsError, match="FELTWORK_PIN_KEY"):
        read_pin_key("")
    bad = tmp_path / "bad.key"
    bad.write_text("00\n", encoding="ascii")
    for wrong in (bad, tmp_path / "missing.key"):
        with pytest.raises(ProblemsError, match="not a key"):
            read_pin_key(str(wrong))


def test_the_reader_sees_no_hash(reader: Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        people.unkeyed_people(reader, b"")


@pytest.mark.requirement("GEN-09")
def test_the_first_people_of_a_site_are_hashed_with_its_key(server: EmbeddedPostgres, key: bytes) -> None:
    dsn = server.dsn(new_books(server, "books_first_people"))
    for person, name in (("ann", ""), ("sam", "an installer")):
        first = Person(id=person, name=person, role="accounting", badge=f"B-{person}")
        with connected(dsn, Policy(pin_key=key), place="command line") as op:
            register_people(replace(op, name=name), [first], pin=PIN)
    with connect(dsn) as owner:
        assert people.unkeyed_people(owner, key) == 0
        names = owner.execute("SELECT who FROM books.audit WHERE what = 'person registered' ORDER BY id")
        assert names.fetchall() == [("feltwork init",), ("an installer",)]
