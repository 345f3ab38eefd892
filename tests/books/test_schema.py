"""What the database itself refuses, whoever asks."""

import json
import subprocess
import sys
from dataclasses import replace

import psycopg
import pytest
from psycopg import errors

from feltwork.money import DOLLAR
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.migrate import migrate, newest
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.progressive.chain import GENESIS
from feltwork.site.progressive.fact_serializer import canonical_text, fingerprint
from feltwork.site.progressive.facts import Claimed, Fact, Paid, Stopped, Voided
from feltwork.site.progressive.postings import LAWFUL
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.progressive.room import asked, four_card

JOURNALS = [
    "link",
    "version",
    "entry",
    "unique_event",
    "round",
    "round_end",
    "parked",
    "parked_message",
    "parked_answer",
    "table_fact",
    "audit",
    "floor",
    "training_exercise",
    "training_answer",
    "training_completion",
]


@pytest.fixture(autouse=True)
def booked(writer: Connection) -> None:
    """A link with one batch, made once for the module."""
    if writer.execute("SELECT count(*) FROM books.link").fetchone() == (0,):
        lifecycle.register_link(writer, four_card(), by="ann")
        lifecycle.open_link(writer, "L1", asked())
        book_rounds(writer, "L1", [started("T1", number) for number in (1, 2, 4)])


def started(table: str, number: int, seats: tuple[int, ...] = (1, 2, 3)) -> RoundStarted:
    return RoundStarted(link="L1", at=number, table=table, round=number, wager=DOLLAR, seats=seats)


def body_of(connection: Connection, kind: str, postings: dict[str, int], fact: Fact, **refs: str) -> str:
    """The text of an entry at the end of the chain, made without any of the checks of the package."""
    tail = read_link(connection, "L1").tail
    body = {
        "at": fact.at,
        "kind": kind,
        "link": "L1",
        "number": tail.number + 1,
        "postings": [[account, amount] for account, amount in sorted(postings.items())],
        "previous": tail.hash,
        "references": {"fact": fingerprint(fact), **refs},
    }
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def insert(connection: Connection, body: str, fact: Fact) -> None:
    row = (body, canonical_text(fact))
    connection.execute("INSERT INTO books.entry (body, fact) VALUES (%s, %s)", row)


def stopped() -> Stopped:
    return Stopped(link="L1", at=1, cause="suspended", reason="why", by="ann")


def test_a_migration_can_be_run_again(server: EmbeddedPostgres, database: str) -> None:
    assert migrate(server.dsn(database)) == newest()


@pytest.mark.requirement("WA-06", "WA-15")
def test_the_database_knows_the_same_lawful_ways_as_the_rules(superuser: Connection) -> None:
    expected: dict[tuple[str, str], list[bool]] = {}
    for kind, ways in LAWFUL.items():
        for way in ways:
            source, target = way.split(">")
            expected.setdefault((kind, source), [False, False])[0] = True
            expected.setdefault((kind, target), [False, False])[1] = True
    rows = superuser.execute("SELECT kind, account_kind, gives, gets FROM books.posting_rule").fetchall()
    assert {(kind, account): [gives, gets] for kind, account, gives, gets in rows} == expected


@pytest.mark.requirement("GL-08", "GL-09")
@pytest.mark.parametrize("table", JOURNALS)
@pytest.mark.parametrize("replica", [False, True])
def test_a_journal_is_append_only_even_for_a_superuser(
    superuser: Connection, table: str, replica: bool
) -> None:
    if replica:
        superuser.execute("SET session_replication_role = replica")
    column = superuser.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum = 1", (f"books.{table}",)
    ).fetchone()
    assert column is not None
    with pytest.raises(errors.RestrictViolation):
        superuser.execute(f"TRUNCATE books.{table} CASCADE".encode())
    if superuser.execute(f"SELECT count(*) FROM books.{table}".encode()).fetchone() != (0,):
        with pytest.raises(errors.RestrictViolation):
            superuser.execute(f"DELETE FROM books.{table}".encode())
        with pytest.raises((errors.RestrictViolation, errors.GeneratedAlways)):
            superuser.execute(f"UPDATE books.{table} SET {column[0]} = {column[0]}".encode())


def test_a_partition_named_directly_is_no_back_door(superuser: Connection) -> None:
    name = superuser.execute("SELECT tableoid::regclass::text FROM books.round LIMIT 1").fetchone()
    assert name is not None
    with pytest.raises(errors.RestrictViolation):
        superuser.execute(f"TRUNCATE {name[0]}".encode())
    with pytest.raises(errors.UniqueViolation):
        superuser.execute(
            f"INSERT INTO {name[0]} SELECT table_id, number, link, started_at, wager, seats, 3, booked_at"
            " FROM books.round".encode()
        )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE books.balance SET amount = amount + 1",
        "UPDATE books.chain_tail SET number = 0",
        "DELETE FROM books.entry",
        "TRUNCATE books.round",
        "INSERT INTO books.unique_event VALUES ('L1', 'claim', 'X', 1, 'Claimed')",
        "INSERT INTO books.balance VALUES ('L1', 'meter/L1/mega', 1)",
        "UPDATE books.booked_rounds SET booked = '{}'",
        "INSERT INTO books.entry (body, fact, booked_at) VALUES ('{}', '{}', '2020-01-01')",
        "DELETE FROM books.award",
        "DROP TABLE books.entry",
        "ALTER TABLE books.entry DISABLE TRIGGER ALL",
        "UPDATE books.audit SET who = 'x'",
    ],
)
@pytest.mark.requirement("GL-09")
def test_the_writer_appends_and_nothing_else(writer: Connection, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        writer.execute(statement.encode())


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO books.entry (body, fact) VALUES ('{}', '{}')",
        "INSERT INTO books.link VALUES ('X', 'house')",
        "INSERT INTO books.audit (who, place, what, why) VALUES ('x', 'x', 'x', 'x')",
        "SELECT pin_hash FROM books.person",
        "SELECT * FROM books.session",
        "SELECT books.lock_link('L1')",
    ],
)
def test_the_reader_only_looks_and_sees_no_secret(reader: Connection, statement: str) -> None:
    assert reader.execute("SELECT count(*) FROM books.entry").fetchone() is not None
    with pytest.raises(errors.InsufficientPrivilege):
        reader.execute(statement.encode())


@pytest.mark.requirement("WA-06")
def test_an_entry_that_does_not_balance_is_refused(writer: Connection, superuser: Connection) -> None:
    postings = {"patrons/L1": -10, "meter/L1/jackpot": 11}
    for connection in (writer, superuser):
        with pytest.raises(errors.CheckViolation, match="do not balance"):
            insert(connection, body_of(connection, "Contributed", postings, stopped()), stopped())


@pytest.mark.requirement("WA-06", "WA-15")
def test_money_takes_no_unlawful_way(writer: Connection) -> None:
    for kind, postings in {
        "Contributed": {"meter/L1/jackpot": -10, "retention/L1": 10},
        "Adjusted.SEED_RECOVERY": {"meter/L1/jackpot": -10, "gross_receipts/L1": 10},
        "Stopped": {"meter/L1/jackpot": -10, "retention/L1": 10},
        "Invented": {"meter/L1/jackpot": -10, "patrons/L1": 10},
    }.items():
        with pytest.raises(errors.CheckViolation, match="may not post"):
            insert(writer, body_of(writer, kind, postings, stopped()), stopped())


@pytest.mark.requirement("WA-06")
def test_a_meter_never_falls_below_zero(writer: Connection) -> None:
    meter = read_link(writer, "L1").state.meter("jackpot")
    postings = {"meter/L1/jackpot": -meter - 1, "patrons/L1": meter + 1}
    with pytest.raises(errors.CheckViolation, match="players_money_never_below_zero"):
        insert(writer, body_of(writer, "Misdealt", postings, stopped(), table="T1", round="1"), stopped())


def test_an_entry_follows_the_last_one_and_names_its_fact(writer: Connection) -> None:
    good = json.loads(body_of(writer, "Stopped", {}, stopped()))
    for change in ({"number": good["number"] + 1}, {"number": good["number"] - 1}, {"previous": GENESIS}):
        text = json.dumps({**good, **change}, sort_keys=True, separators=(",", ":"))
        with pytest.raises(errors.UniqueViolation, match="does not follow"):
            insert(writer, text, stopped())
    other = Stopped(link="L1", at=1, cause="seized", reason="why", by="ann")
    with pytest.raises(errors.CheckViolation, match="the fact does not match"):
        insert(writer, body_of(writer, "Stopped", {}, stopped()), other)


@pytest.mark.requirement("WA-05", "GL-12")
def test_wagers_are_posted_with_their_rounds_or_not_at_all(writer: Connection) -> None:
    tail = read_link(writer, "L1").tail
    postings = {"patrons/L1": -DOLLAR, "retention/L1": DOLLAR}
    with pytest.raises(errors.CheckViolation, match="without rounds"):
        insert(writer, body_of(writer, "Contributed", postings, stopped()), stopped())
    with pytest.raises(errors.ForeignKeyViolation), writer.transaction():
        writer.execute(
            "INSERT INTO books.round (table_id, number, link, started_at, wager, seats, entry)"
            " VALUES ('T1', 99, 'L1', 1, 1, '{1}', 1)"
        )
    assert read_link(writer, "L1").tail == tail


@pytest.mark.requirement("LT-03", "LT-04")
def test_a_claim_is_settled_once_and_paid_once(writer: Connection) -> None:
    def fact(kind: type[Fact], **more: object) -> Fact:
        return kind(link="L1", at=1, award="A9", by="x", **more)  # type: ignore[call-arg]

    claimed = fact(Claimed, table="T1", round=1, seat=1, hand="four_aces")
    voided = fact(Voided, reason="cleared")
    paid = fact(Paid, table="T1", amount=5, form="cash")
    with pytest.raises(errors.ForeignKeyViolation, match="does not exist"):
        insert(writer, body_of(writer, "Voided", {}, voided, award="A9"), voided)
    insert(writer, body_of(writer, "Claimed", {}, claimed, award="A9"), claimed)
    with pytest.raises(errors.UniqueViolation):
        insert(writer, body_of(writer, "Claimed", {}, claimed, award="A9"), claimed)
    insert(writer, body_of(writer, "Voided", {}, voided, award="A9"), voided)
    with pytest.raises(errors.UniqueViolation):
        insert(writer, body_of(writer, "Voided", {}, voided, award="A9"), voided)
    with pytest.raises(errors.ForeignKeyViolation, match="not confirmed"):
        insert(writer, body_of(writer, "Paid", {}, paid, award="A9"), paid)


@pytest.mark.requirement("GEN-06")
def test_a_version_takes_no_effect_on_a_link_that_operates(writer: Connection) -> None:
    with pytest.raises(errors.CheckViolation, match="suspended"):
        insert(writer, body_of(writer, "Reconfigured", {}, stopped(), version="f"), stopped())


@pytest.mark.requirement("GEN-02")
def test_counters_never_go_back(writer: Connection) -> None:
    with pytest.raises(errors.CheckViolation, match="may not decrease"):
        writer.execute(
            "UPDATE books.link_state SET state = jsonb_set(state, '{counters,jackpot,wagers}', '1'),"
            " number = (SELECT number FROM books.chain_tail WHERE link = 'L1') WHERE link = 'L1'"
        )


@pytest.mark.requirement("GL-12", "WA-05")
def test_rounds_are_booked_once_and_gaps_are_named(writer: Connection) -> None:
    before = read_link(writer, "L1").state.meter("jackpot")
    again = book_rounds(writer, "L1", [started("T1", number) for number in (1, 2, 3, 3, 6)])
    assert again.rounds == 2
    assert again.duplicates == (("T1", 1), ("T1", 2), ("T1", 3))
    assert read_link(writer, "L1").state.meter("jackpot") == before + 2 * 3 * 240_000
    gaps = writer.execute("SELECT first, last FROM books.gap WHERE table_id = 'T1'").fetchall()
    assert gaps == [(5, 5)]


@pytest.mark.requirement("GL-12")
def test_a_table_with_two_jackpots_books_a_round_once_on_each(fresh: Connection) -> None:
    def book(link: str, *numbers: int) -> int:
        rounds = [replace(started("D1", number), link=link) for number in numbers]
        return book_rounds(fresh, link, rounds).rounds

    for link in ("L1", "L2", "L3"):
        lifecycle.register_link(fresh, replace(four_card(), id=link), by="ann")
        lifecycle.open_link(fresh, link, asked())
    assert book("L1", 1, 2, 3, 4) == 4
    assert book("L2", 2, 4) == 2, "each link has the number"
    assert book("L1", 4, 5) == 1, "and has it once"
    gaps = "SELECT link, first, last FROM books.gap ORDER BY 1, 2"
    assert fresh.execute(gaps).fetchall() == [("L2", 3, 3)], "round 1 was before the second jackpot came"
    assert book("L2", 3) == 1
    assert book("L3", 6, 7) == 2
    assert book("L1", 8) == 1
    assert fresh.execute(gaps).fetchall() == [], "6 and 7 were played on another link"
    assert book("L1", 10) == 1
    assert fresh.execute(gaps).fetchall() == [("L1", 9, 9)]


@pytest.mark.requirement("GEN-01")
def test_a_refused_round_is_parked(writer: Connection) -> None:
    wrong = RoundStarted(link="L1", at=1, table="T7", round=1, wager=2 * DOLLAR, seats=(1,))
    for _ in range(2):
        booked = book_rounds(writer, "L1", [wrong, started("T8", 1)])
        assert [refusal.problem.requirement for refusal in booked.refused] == ["LT-13"]
    rows = writer.execute("SELECT table_id, problem ->> 'requirement' FROM books.parked").fetchall()
    assert rows == [("T7", "LT-13")]


def test_a_table_name_cannot_smuggle_rows(writer: Connection) -> None:
    with pytest.raises(ValueError, match="cannot name an account"):
        book_rounds(writer, "L1", [started("T1\t1\nT2", 1, ())])


def test_what_has_no_month_yet_goes_to_the_default_partition(superuser: Connection) -> None:
    ahead = superuser.execute("SELECT books.months_ahead()").fetchone()
    assert ahead == (2,), "of this server"
    assert superuser.execute("SELECT books.make_partitions(current_date, 2)").fetchone() == (0,)
    row = superuser.execute("SELECT books.make_partitions(current_date, 3)").fetchone()
    assert row == (5,), "one month more of each big table"


def test_two_who_migrate_at_once_wait_for_each_other(server: EmbeddedPostgres) -> None:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE migrated_twice")
    code = "import sys; from feltwork.site.books.migrate import migrate; migrate(sys.argv[1])"
    command = [sys.executable, "-c", code, server.dsn("migrated_twice")]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [(process.communicate(timeout=120)[1], process.returncode) for process in both] == [("", 0)] * 2
