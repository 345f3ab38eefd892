"""The standby with the most WAL becomes the primary, and none does while a primary lives."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from feltwork.problem import ProblemsError
from feltwork.site.books.standby import books_servers, promote_standby
from feltwork.site.servers.postgres import EmbeddedPostgres


def standby_of(primary: EmbeddedPostgres, folder: Path) -> EmbeddedPostgres:
    """A standby that is reached by its socket: the hosts of a DSN have one port."""
    standby = EmbeddedPostgres(folder, {"listen_addresses": ""})
    standby.port = primary.port
    source = f"host={primary.folder} port={primary.port} user=postgres"
    standby.run("pg_basebackup", "-d", source, "-D", str(standby.data), "-R", "-X", "stream", "-c", "fast")
    return standby.start()


def until(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("not within 30 seconds")


def dsn_of(*servers: EmbeddedPostgres) -> str:
    hosts = ",".join(str(server.folder) for server in servers)
    return f"host={hosts} port={servers[0].port} user=postgres dbname=postgres"


def refused(dsn: str) -> list[tuple[str, str]]:
    """Where each problem of a refused promotion is, and what it is."""
    with pytest.raises(ProblemsError) as error:
        promote_standby(dsn)
    return [(problem.where, problem.what) for problem in error.value.problems]


@pytest.fixture
def servers() -> Iterator[tuple[EmbeddedPostgres, EmbeddedPostgres, EmbeddedPostgres]]:
    """A primary and two standbys that follow it."""
    with tempfile.TemporaryDirectory() as work, ExitStack() as stack:
        Path(work).chmod(0o755)
        primary = EmbeddedPostgres(Path(work, "primary")).start()
        stack.callback(primary.remove)
        standbys = []
        for name in ("behind", "ahead"):
            standbys.append(standby_of(primary, Path(work, name)))
            stack.callback(standbys[-1].remove)
        until(
            lambda: all(
                server.status and server.status.is_receiving for server in books_servers(dsn_of(*standbys))
            )
        )
        yield primary, standbys[0], standbys[1]


def test_the_standby_with_the_most_wal_is_promoted_once_the_primary_is_gone(
    servers: tuple[EmbeddedPostgres, EmbeddedPostgres, EmbeddedPostgres],
) -> None:
    primary, behind, ahead = servers
    every_host = dsn_of(primary, behind, ahead)
    assert refused(every_host) == [(str(primary.folder), "the primary is still running")]
    receiving = "it still receives WAL from a primary"
    assert refused(dsn_of(behind, ahead)) == [(str(behind.folder), receiving), (str(ahead.folder), receiving)]

    behind.stop()
    with psycopg.connect(dsn_of(primary), autocommit=True) as connection:
        connection.execute("CREATE TABLE written AS SELECT generate_series(1, 1000)")
        (end,) = connection.execute("SELECT pg_current_wal_lsn() - '0/0'").fetchone() or (0,)
    until(lambda: (status := books_servers(dsn_of(ahead))[0].status) is not None and status.position >= end)
    primary.kill()
    until(lambda: (status := books_servers(dsn_of(ahead))[0].status) is not None and not status.is_receiving)
    ((_, what),) = refused(every_host)
    assert what.startswith("two standbys must answer")
    assert "behind does not answer" in what

    behind.settings["listen_addresses"] = "127.0.0.1"  # the primary has left it
    behind.start()
    assert promote_standby(every_host) == str(ahead.folder)
    primary_by_host = {
        server.host: server.status.is_primary for server in books_servers(every_host) if server.status
    }
    assert primary_by_host == {str(behind.folder): False, str(ahead.folder): True}
    with psycopg.connect(dsn_of(ahead)) as connection:
        assert connection.execute("SELECT count(*) FROM written").fetchone() == (1000,)
