"""The backup guide runs: a cluster is copied while it is written, killed, and restored to a moment."""

import os
import pwd
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.docs.console import ROOT, commands
from tests.progressive.room import asked, level, link_of

FLOOR = str(ROOT / "examples" / "card_room.toml")
PAGE = "docs/operating/backup.md"
_KEEP = "test ! -f {archive}/%f && cp %p {archive}/%f.part && mv {archive}/%f.part {archive}/%f"


class Keeper:
    """The person who follows the guide, as the user who owns the cluster."""

    def __init__(self, server: EmbeddedPostgres, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.user = "nobody" if os.geteuid() == 0 else None
        self.told = {
            **os.environ,
            "PATH": f"{server.binary('postgres').parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(server.port),
            "PGUSER": "postgres",
            "ARCHIVE": str(folder / "archive"),
            "BACKUP": str(folder / "backup"),
            "RESTORED": str(folder / "restored"),
            "SOCKETS": str(folder),
        }
        # A house keeps its settings in this file, so that a copy has them too; ours come with the command.
        with (server.data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write("max_connections = 200\n")

    def run(self, part: str) -> str:
        """Run a block of the guide, line by line."""
        return "".join(self._run(command) for command in commands(PAGE, part))

    def stop_restored(self) -> None:
        """Stop the restored cluster, if there is one."""
        stop = 'pg_ctl stop --mode=immediate --pgdata="$RESTORED"'
        subprocess.run(["bash", "-c", stop], env=self.told, user=self.user, check=False, capture_output=True)

    def _run(self, command: str) -> str:
        # A file and not a pipe: what pg_ctl starts would keep a pipe open for ever.
        with tempfile.TemporaryFile() as output:
            result = subprocess.run(
                ["bash", "-c", command],
                env=self.told,
                user=None if command.startswith("feltwork") else self.user,
                cwd=self.folder,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=120,
            )
            output.seek(0)
            text = output.read().decode()
        assert result.returncode == 0, f"{command}\n{text}"
        return text


def archiving(archive: Path) -> dict[str, str]:
    """The settings of a PostgreSQL that archives its WAL."""
    return {"archive_mode": "on", "wal_level": "replica", "archive_command": _KEEP.format(archive=archive)}


@pytest.fixture
def keeper() -> Iterator[Keeper]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-backup-"))
    folder.chmod(0o755)
    archive = folder / "archive"
    archive.mkdir()
    server = EmbeddedPostgres(folder, archiving(archive))
    if os.geteuid() == 0:
        owner = pwd.getpwnam("nobody")
        for path in (folder, archive):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    server.start()
    keeper = Keeper(server, folder)
    try:
        yield keeper
    finally:
        keeper.stop_restored()
        server.remove()


def set_up(dsn: str) -> None:
    """The first floor and the first people, as the person who installs it does."""
    people = ["eve:executive:B-1", "ann:accounting:B-2"]
    pins = {f"FELTWORK_PIN_{name}": "4711" for name in ("EVE", "ANN", "B_1", "B_2")}
    command = [str(Path(sys.executable).with_name("feltwork")), "init", "--dsn", dsn, "--floor", FLOOR]
    command += [word for person in people for word in ("--person", person)]
    command += ["--by", "B-1", "--approved-by", "B-2"]
    result = subprocess.run(command, env={**os.environ, **pins}, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def play(dsn: str, first: int, last: int) -> None:
    with connect(dsn) as connection:
        for number in range(first, last + 1):
            started = RoundStarted(
                link="L1", at=number, table="T1", round=number, wager=DOLLAR, seats=(1, 2, 3)
            )
            book_rounds(connection, "L1", [started])


def _started(number: int) -> RoundStarted:
    return RoundStarted(link="L1", at=number, table="T1", round=number, wager=DOLLAR, seats=(1, 2, 3))


def now(dsn: str) -> str:
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT clock_timestamp()::text").fetchone()
    assert row is not None
    return str(row[0])


@pytest.mark.requirement("GL-11")
def test_the_books_come_back_as_they_were_at_the_moment(keeper: Keeper) -> None:
    dsn = keeper.server.dsn()
    set_up(dsn)
    with connect(dsn) as connection:
        lifecycle.register_link(connection, link_of("five_card", "01", [level(seed=100)]), by="ann")
        lifecycle.open_link(connection, "L1", asked(), at=1)
    play(dsn, 1, 40)
    keeper.run("backup")
    play(dsn, 41, 90)
    with connect(dsn) as connection:
        before = read_link(connection, "L1").state
    time.sleep(0.05)  # the moment lies between two commits
    keeper.told["MOMENT"] = now(dsn)
    time.sleep(0.05)
    play(dsn, 91, 120)
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("SELECT pg_switch_wal()")
    wait_for_archive(dsn)
    keeper.server.kill()

    port = keeper.server.port + 1 if keeper.server.port < 65_000 else keeper.server.port - 1
    restored = f"host=127.0.0.1 port={port} user=postgres dbname=postgres"
    keeper.told |= {"PORT": str(port), "FELTWORK_DSN": restored}
    keeper.run("restore")
    wait_until_writable(restored)
    with connect(restored) as connection:
        assert read_link(connection, "L1").state == before
    # The rounds after the moment are sent once more; those before it are known.
    play(restored, 61, 120)
    output = keeper.run("prove")
    assert "all is well" in output
    assert "120 rounds replayed" in output
    assert "wrong" not in output


def wait_for_archive(dsn: str) -> None:
    """Wait until the log file with the last round has left the cluster."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        for _ in range(200):
            row = owner.execute("SELECT archived_count, failed_count FROM pg_stat_archiver").fetchone()
            ready = owner.execute(
                "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'"
            ).fetchone()
            if row is not None and row[0] and ready == (0,):
                return
            time.sleep(0.05)
    raise AssertionError("the log was not archived")


def wait_until_writable(dsn: str) -> None:
    for _ in range(400):
        with psycopg.connect(dsn) as connection:
            if connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,):
                return
        time.sleep(0.05)
    raise AssertionError("the restored cluster did not leave recovery")
