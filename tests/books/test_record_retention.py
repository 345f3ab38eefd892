"""How long records are kept: told for each kind, exported whole, and refused to go before their years."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg import errors
from psycopg.types.json import Jsonb
from typer.testing import CliRunner

from feltwork.cli.main import application
from feltwork.problem import ProblemsError
from feltwork.site.books.audit import record_retention
from feltwork.site.books.audit.export import export
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.context import Actor, Operation, Policy
from feltwork.site.books.floors.floor_files import Period, register_floor
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.books.queries import statement
from feltwork.site.books.watch.incidents import IncidentNote, record_incident, step_incident
from feltwork.site.books.watch.installations import PlanInstallation, plan
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.test_tampering import an_evening, verifier
from tests.compliance.floors import SMALL
from tests.progressive.room import asked
from tests.support.books import new_books

NOW = datetime.now(tz=UTC)


@pytest.fixture(scope="module", params=["books_kept"])
def books_name(server: EmbeddedPostgres, request: pytest.FixtureRequest) -> str:
    """The name of books with an evening, and a record of most kinds."""
    name = new_books(server, request.param)
    with connect(server.dsn(name, role="writer")) as writer:
        an_evening(writer)
        register_floor(writer, SMALL, asked())
        ivy = people.Person(id="ivy", name="Ivy", role="it", badge="B-ivy")
        staff.register_people(writer, [ivy], pin="2580", by="setup")
        actor = Actor(id="ivy", name="Ivy", role="executive", place="office")
        op = Operation(connection=writer, actor=actor, policy=Policy(key_required=False))
        number = record_incident(writer, what="a sensor fails", by="ivy", table="T1")
        step_incident(op, number, "notified", IncidentNote(says="by letter"))
        begins_at = NOW + timedelta(days=9)
        plan(op, PlanInstallation(what="release 1.2", begins_at=begins_at, notice="by letter"))
        review = (Jsonb([{"id": "ivy", "answer": "keep"}]), "everybody works here", "ivy")
        writer.execute(statement("write_review"), review)
        row = ("ivy", "misdeal", 10**9, 1)
        ((exercise,),) = writer.execute(statement("issue_exercise"), row).fetchall()
        answer = (exercise, 0, Jsonb({"choice": "once"}), True, True)
        ((last,),) = writer.execute(statement("answer_exercise"), answer).fetchall()
        completed = {"person": "ivy", "course": "misdeal", "last_answer": last, "rules": "Feltwork"}
        writer.execute(statement("complete_course"), completed)
    return name


@pytest.fixture
def owner(server: EmbeddedPostgres, books_name: str) -> Iterator[Connection]:
    with connect(server.dsn(books_name)) as connection:
        connection.execute("SET ROLE feltwork_owner")
        yield connection


@pytest.fixture
def old_log(server: EmbeddedPostgres, books_name: str) -> None:
    """Lines of the audit log of January 2019, in a month of their own."""
    with psycopg.connect(server.dsn(books_name), autocommit=True) as superuser:
        superuser.execute("SELECT books.make_partitions('2019-01-01', 1)")
        superuser.execute(
            "INSERT INTO books.audit (who, place, what, why, booked_at)"
            " VALUES ('ann', 'office', 'long ago', '', '2019-01-15 UTC')"
        )


@pytest.mark.requirement("AM-04")
def test_a_month_without_a_partition_of_its_own_may_go_as_well(
    server: EmbeddedPostgres, books_name: str, owner: Connection
) -> None:
    with psycopg.connect(server.dsn(books_name), autocommit=True) as superuser:
        for day in ("2018-02-28", "2018-03-01", "2018-03-31", "2018-04-01"):
            superuser.execute(
                "INSERT INTO books.audit (who, place, what, why, booked_at)"
                " VALUES ('ann', 'office', 'in no partition', %s, %s)",
                (day, f"{day} UTC"),
            )
    record_retention.drop_audit_month(owner, date(2018, 3, 1))
    left = [("ann", "2018-02-28"), ("ann", "2018-04-01")]
    assert sorted(lines(owner, "in no partition")) == left
    with pytest.raises(errors.RestrictViolation):
        owner.execute("DELETE FROM books.audit WHERE what = 'in no partition'")
    with pytest.raises(ProblemsError, match="there is no audit log for this month"):
        record_retention.drop_audit_month(owner, date(2018, 5, 1))


def lines(connection: Connection, what: str) -> list[tuple[str, str]]:
    return connection.execute("SELECT who, why FROM books.audit WHERE what = %s", (what,)).fetchall()


@pytest.mark.requirement("AM-04")
def test_each_kind_of_record_says_since_when_and_until_when_it_is_kept(
    server: EmbeddedPostgres, books_name: str
) -> None:
    with connect(server.dsn(books_name, role="reader")) as reader:
        rows = {row["kind"]: row for row in record_retention.record_retention(reader)}
    assert rows.keys() >= {
        "journal and rounds",
        "audit log",
        "floor",
        "incident",
        "incident step",
        "installation",
        "access review",
        "training answer",
        "training completion",
    }
    for row in rows.values():
        assert row["years"] == 5
        assert row["kept_until"].year == row["oldest"].year + 5
        assert (row["kept_until"].month, row["kept_until"].hour) == (row["oldest"].month, row["oldest"].hour)
    assert {kind for kind, row in rows.items() if row["then"] != "it stays"} == {"audit log"}


@pytest.mark.requirement("AM-04")
def test_a_record_of_the_last_of_february_is_kept_as_long(server: EmbeddedPostgres) -> None:
    leap = datetime(2024, 2, 29, 12, tzinfo=UTC)
    assert record_retention.later(leap, 5) == datetime(2029, 2, 28, 12, tzinfo=UTC)
    assert record_retention.later(leap, 4) == datetime(2028, 2, 29, 12, tzinfo=UTC)


@pytest.mark.requirement("AM-04")
@pytest.mark.parametrize("books_name", ["books_whole"], indirect=True)
def test_every_record_goes_with_the_export_and_a_changed_one_is_found(
    server: EmbeddedPostgres, books_name: str, tmp_path: Path
) -> None:
    with connect(server.dsn(books_name, role="reader")) as reader:
        export(reader, tmp_path / "bundle", Period())
        export(reader, tmp_path / "before", Period("before", until=datetime(2020, 1, 1, tzinfo=UTC)))
    file = tmp_path / "bundle" / "evidence.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    records = [
        record for record in records if record["kind"] not in ("proposal", "approval", "person", "audit")
    ]
    assert [record["kind"] for record in records] == [
        "floor",
        "incident",
        "incident_step",
        "installation",
        "access_review",
        "training_completion",
    ], "in the order in which they were written"
    assert json.loads(records[1]["contents"])["what"] == "a sensor fails"
    assert json.loads(records[4]["contents"])["reviewed_by"] == "ivy"
    assert (tmp_path / "before" / "evidence.jsonl").read_text(encoding="utf-8") == ""
    assert verifier(tmp_path / "bundle")[0] == 0
    file.write_text(file.read_text(encoding="utf-8").replace("a sensor fails", "nothing"), encoding="utf-8")
    code, output = verifier(tmp_path / "bundle")
    assert (code, "evidence.jsonl: it is not the file that was exported" in output) == (1, True)


@pytest.mark.requirement("AM-04")
@pytest.mark.usefixtures("old_log")
def test_a_month_of_the_log_goes_after_its_years_and_that_is_on_the_log(owner: Connection) -> None:
    assert lines(owner, "long ago")
    record_retention.drop_audit_month(owner, date(2019, 1, 20))
    assert lines(owner, "long ago") == []
    whys = [why for _, why in lines(owner, "month of the audit log dropped")]
    assert any(why.startswith("audit_2019_01, kept until 2024-02-01") for why in whys)
    with pytest.raises(ProblemsError, match="no audit log for this month"):
        record_retention.drop_audit_month(owner, date(2019, 1, 20))


@pytest.mark.requirement("AM-04")
def test_no_month_goes_before_its_years(owner: Connection) -> None:
    for month in (NOW.date(), date(NOW.year - 5, NOW.month, 1), date(NOW.year - 5, 12, 31)):
        with pytest.raises(ProblemsError) as error:
            record_retention.drop_audit_month(owner, month)
        (problem,) = error.value.problems
        assert (problem.requirement, "kept for 5 years" in problem.what) == ("AM-04", True)
    for years in (0, 5, 50):
        with pytest.raises(errors.RestrictViolation, match="is kept until"):
            owner.execute("SELECT books.drop_audit_month('audit', current_date, %s)", (years,))


@pytest.mark.requirement("AM-04")
@pytest.mark.parametrize("table", ["entry", "round", "round_end", "payout"])
def test_nothing_but_the_log_ever_goes(owner: Connection, table: str) -> None:
    with pytest.raises(errors.RestrictViolation, match="permanent"):
        owner.execute("SELECT books.drop_audit_month(%s, '2001-01-01', 5)", (table,))


@pytest.mark.requirement("AM-04")
def test_who_serves_or_reads_the_books_lets_nothing_go(server: EmbeddedPostgres, books_name: str) -> None:
    for role in ("writer", "reader"):
        with (
            connect(server.dsn(books_name, role=role)) as connection,
            pytest.raises(errors.InsufficientPrivilege),
        ):
            record_retention.drop_audit_month(connection, date(2001, 1, 1))


@pytest.mark.requirement("AM-04")
def test_the_command_refuses_a_month_that_is_kept(server: EmbeddedPostgres, books_name: str) -> None:
    dsn = ["audit", "--dsn", server.dsn(books_name)]
    command = application("audit")
    for month, what in ((f"{NOW:%Y-%m}", "kept for 5 years"), ("soon", "is not a month")):
        refused = CliRunner().invoke(command, [*dsn, "--drop-audit-month", month])
        assert isinstance(refused.exception, ProblemsError)
        assert what in str(refused.exception)
