"""A commit that no standby has confirmed is no answer, and neither is a repeat of it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from feltwork.site.books.connection import Connection, UnconfirmedCommitError, connect, wait_for_standbys
from feltwork.site.books.journal.idempotency import AuditLine, answer_once, write_audit
from feltwork.site.servers.replicas import Replicas
from tests.support.standby import replicated_books, standby_away

_COUNT = b"SELECT count(*) FROM books.audit WHERE what = 'wrote'"


@pytest.fixture(scope="module")
def replicas() -> Iterator[Replicas]:
    with replicated_books() as replicas:
        yield replicas


@pytest.fixture
def connection(replicas: Replicas) -> Iterator[Connection]:
    with connect(replicas.dsn) as connection:
        yield connection


def write(connection: Connection, who: str) -> dict[str, Any]:
    write_audit(connection, AuditLine(who=who, place="pit", what="wrote"))
    return {"wrote": who}


def in_a_transaction(connection: Connection) -> None:
    with connection.transaction():
        write(connection, "ann")


def in_a_pipeline(connection: Connection) -> None:
    with connection.pipeline(), connection.transaction():
        write(connection, "ann")


def by_itself(connection: Connection) -> None:
    write(connection, "ann")


@pytest.mark.requirement("GEN-09")
@pytest.mark.parametrize(
    "commit",
    [in_a_transaction, in_a_pipeline, by_itself, wait_for_standbys],
    ids=lambda commit: commit.__name__,
)
def test_a_commit_whose_wait_was_canceled_is_an_error(
    replicas: Replicas, commit: Callable[[Connection], None]
) -> None:
    with connect(replicas.servers[replicas.primary].dsn()) as superuser:
        superuser.execute(
            "ALTER ROLE postgres SET client_min_messages = error"
        )  # this would hide the warning
    with connect(replicas.dsn) as connection:
        with standby_away(replicas), pytest.raises(UnconfirmedCommitError, match="no standby has confirmed"):
            commit(connection)
        commit(connection)


@pytest.mark.requirement("GEN-09", "GL-12")
def test_a_repeat_is_answered_once_a_standby_has_the_first_request(
    replicas: Replicas, connection: Connection
) -> None:
    def request() -> tuple[Any, bool]:
        with connect(replicas.dsn) as other:
            return answer_once(other, "eve/key-000001", {"pay": 5}, lambda: write(other, "eve"))

    row = connection.execute(_COUNT).fetchone()
    assert row is not None
    with standby_away(replicas):
        for _ in range(3):
            with pytest.raises(UnconfirmedCommitError):
                request()
        assert connection.execute(_COUNT).fetchone() == (row[0] + 1,), "it is booked here"
    assert request() == ({"wrote": "eve"}, True)
    assert connection.execute(_COUNT).fetchone() == (row[0] + 1,)


def test_one_server_has_nothing_to_wait_for(fresh: Connection) -> None:
    before = fresh.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
    wait_for_standbys(fresh)
    assert fresh.execute("SELECT pg_current_wal_insert_lsn()").fetchone() == before
