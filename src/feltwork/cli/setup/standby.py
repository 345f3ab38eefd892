"""The command for the books on three hosts: promote a standby, and let a former primary rejoin."""

import os
import subprocess
import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from feltwork.problem import Problem, ProblemsError

_PATIENCE_SECONDS = 60.0
_PAUSE_SECONDS = 2.0


def standby(
    do: Annotated[Literal["promote", "rejoin"], typer.Argument(help="What to do.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file with the DSN of all hosts of the books.")
    ] = Path("/etc/feltwork/postgresql/replication.dsn"),
    cluster: Annotated[
        str, typer.Argument(help="For rejoin: the cluster as Debian names it, such as 15-main.")
    ] = "",
) -> None:
    """Promote the standby that has every commit to primary of the books, or let a former primary rejoin.

    Before `promote`, stop PostgreSQL on the old primary's host, or power the host off; two standbys must
    answer. PostgreSQL's unit runs `rejoin` before it starts: a former primary becomes a standby of the new
    one, and if it cannot reach both other hosts, it waits for up to a minute and then starts as a standby.
    """
    from feltwork.site.books.standby import promote_standby

    if do == "promote":
        typer.echo(f"{promote_standby(file.read_text(encoding='utf-8').strip())} is the primary")
    elif cluster:
        _rejoin(file, cluster)
    else:
        raise ProblemsError([Problem("CLUSTER", "is not given", "name it as Debian does, such as 15-main")])


def _rejoin(file: Path, cluster: str) -> None:
    """Decide before PostgreSQL starts whether this host is the primary or a standby."""
    from feltwork.site.books.standby import books_servers, prepare_rewind

    version, _, name = cluster.partition("-")
    data = Path("/var/lib/postgresql") / version / name
    signal = data / "standby.signal"
    if signal.exists():
        typer.echo("it is a standby")
        return
    dsn = file.read_text(encoding="utf-8").strip()
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        servers = books_servers(dsn)
        answers = [server.status for server in servers if server.status]
        if primary := next(
            (server for server in servers if server.status and server.status.is_primary), None
        ):
            typer.echo(f"{primary}; it is a standby from now on")
            prepare_rewind(primary)
            _rewind(version, name, data, primary.dsn)
            break
        if len(answers) == len(servers) - 1:
            typer.echo("no other host is the primary; this host is")
            return
        if time.monotonic() > until:
            typer.echo(
                f"{', '.join(map(str, servers))}; this host starts as a standby. "
                "To choose a primary, run feltwork standby promote"
            )
            break
        time.sleep(_PAUSE_SECONDS)
    signal.touch(mode=0o600)
    owner = data.stat()
    os.chown(signal, owner.st_uid, owner.st_gid)


def _rewind(version: str, name: str, data: Path, source: str) -> None:
    """Undo changes that only this server has, as the owner of its files."""
    owner = data.stat()
    command = [f"/usr/lib/postgresql/{version}/bin/pg_rewind", f"--target-pgdata={data}"]
    command += [
        f"--source-server={source}",
        f"--config-file=/etc/postgresql/{version}/{name}/postgresql.conf",
    ]
    process = subprocess.run(
        command,
        check=False,
        user=owner.st_uid,
        group=owner.st_gid,
        extra_groups=[],
        cwd="/",
        env={"PATH": os.environ["PATH"]},  # libpq must not look into the home of root
    )
    if process.returncode:
        what, remedy = "pg_rewind failed", "copy the primary again; see docs/guides/three_hosts.md"
        raise ProblemsError([Problem(str(data), what, remedy)])
