"""The primary and the standbys of the books, and the promotion of a standby."""

from dataclasses import dataclass

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import UNAVAILABLE, connect
from feltwork.site.books.server_status import (
    ReplicationStatus,
    promote_server,
    replication_status,
    write_checkpoint,
)

_TIMEOUT_SECONDS = 3
#: Standbys that must answer: a commit waits for one of two, so the more advanced one has every commit.
_ENOUGH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BooksServer:
    """One of the servers that a DSN names."""

    host: str
    dsn: str
    #: None if it does not answer.
    status: ReplicationStatus | None

    def __str__(self) -> str:
        if self.status is None:
            return f"{self.host} does not answer"
        return f"{self.host} is {'the primary' if self.status.is_primary else 'a standby'}"


def books_servers(dsn: str) -> list[BooksServer]:
    """Query the status of each server of a DSN."""
    servers = []
    for host in str(conninfo_to_dict(dsn)["host"]).split(","):
        # Connect to each host separately, primary or not.
        host_dsn = make_conninfo(dsn, host=host, target_session_attrs="any")
        servers.append(BooksServer(host=host, dsn=host_dsn, status=_status(host_dsn)))
    return servers


def promote_standby(dsn: str) -> str:
    """Promote the standby with the most WAL to primary; return its host.

    Refused while a primary answers or sends WAL to a standby, or if fewer than two standbys answer.
    """
    servers = books_servers(dsn)
    standbys = [
        (server.status.position, server)
        for server in servers
        if server.status and not server.status.is_primary
    ]
    if problems := [
        _stop(server, "the primary is still running")
        for server in servers
        if server.status and server.status.is_primary
    ]:
        raise ProblemsError(problems)
    if problems := [
        _stop(server, "it still receives WAL from a primary")
        for server in servers
        if server.status and server.status.is_receiving
    ]:
        raise ProblemsError(problems)
    if len(standbys) < _ENOUGH:
        what = f"two standbys must answer: {', '.join(map(str, servers))}"
        raise ProblemsError([Problem("promote", what, "start PostgreSQL on one more host")])
    _, best = max(standbys, key=lambda standby: standby[0])
    with connect(best.dsn, timeout=_TIMEOUT_SECONDS) as connection:
        if not promote_server(connection):
            remedy = "check the PostgreSQL log on that host"
            raise ProblemsError([Problem(best.host, "it did not become the primary within a minute", remedy)])
    return best.host


def prepare_rewind(primary: BooksServer) -> None:
    """Write a checkpoint on the primary: until then, pg_rewind does not see that it was promoted."""
    with connect(primary.dsn, timeout=_TIMEOUT_SECONDS) as connection:
        write_checkpoint(connection)


def _status(dsn: str) -> ReplicationStatus | None:
    try:
        with connect(dsn, timeout=_TIMEOUT_SECONDS) as connection:
            return replication_status(connection)
    except UNAVAILABLE:
        return None


def _stop(server: BooksServer, what: str) -> Problem:
    return Problem(server.host, what, "stop PostgreSQL on the host of the old primary, or switch it off")
