"""The pgBackRest commands of the backup guide, on Debian's PostgreSQL: three nights, expiry and a restore."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwork.books.connection import connect
from feltwork.books.journal.link_state import read_link
from feltwork.books.links import lifecycle, links
from feltwork.servers.ports import free_port
from tests.docs.console import commands
from tests.operating.test_backup import PAGE, now, play, set_up, wait_until_writable
from tests.progressive.room import asked, level, link_of

_CLUSTER = "feltwork_backup_test"


class Administrator:
    """The person who follows the guide, as root."""

    def __init__(self, folder: Path) -> None:
        self.version = max((path.name for path in Path("/usr/lib/postgresql").iterdir()), key=int)
        self.port, self.restored_port = free_port(), free_port()
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "VERSION": self.version,
            "CLUSTER": _CLUSTER,
            "PORT": str(self.restored_port),
            "PGBACKREST_CONFIG": str(folder / "pgbackrest.conf"),
        }
        (folder / "pgbackrest.conf").write_text(
            f"[global]\nrepo1-path={folder}/repository\nlog-path={folder}\nlock-path={folder}\n"
            "repo1-retention-full=2\nstart-fast=y\n\n"
            f"[feltwork]\npg1-path=/var/lib/postgresql/{self.version}/{_CLUSTER}\npg1-port={self.port}\n"
        )

    def name_configuration(self, cluster: str) -> None:
        """Tell a cluster which configuration of pgBackRest is ours; a site has its own in /etc."""
        with Path(f"/etc/postgresql/{self.version}/{cluster}/environment").open(
            "a", encoding="utf-8"
        ) as file:
            file.write(f"PGBACKREST_CONFIG = '{self.environment['PGBACKREST_CONFIG']}'\n")

    def run(self, part: str) -> str:
        """Run a block of the guide."""
        output = ""
        for command in commands(PAGE, part):
            output += self.execute(command)
            if command.startswith("pg_createcluster"):
                self.name_configuration("restored")
        return output

    def execute(self, command: str) -> str:
        with tempfile.TemporaryFile() as output:  # what pg_ctlcluster starts would keep a pipe open
            result = subprocess.run(
                ["bash", "-c", command],
                env=self.environment,
                cwd="/",
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=300,
            )
            output.seek(0)
            text = output.read().decode()
        assert result.returncode == 0, f"{command}\n{text}"
        return text

    def backups(self) -> list[str]:
        """The kinds of the backups that are kept, the oldest first."""
        output = self.execute("runuser -u postgres -- pgbackrest --stanza=feltwork --output=json info")
        return [backup["type"] for backup in json.loads(output)[0]["backup"]]


@pytest.fixture
def administrator() -> Iterator[Administrator]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-pgbackrest-"))
    subprocess.run(["chown", "postgres:postgres", folder], check=True)
    person = Administrator(folder)
    try:
        person.execute(f"pg_createcluster $VERSION $CLUSTER --port={person.port} -- --auth-host=trust")
        person.name_configuration(_CLUSTER)
        person.execute("pg_ctlcluster $VERSION $CLUSTER start")
        yield person
    finally:
        for cluster in (_CLUSTER, "restored"):
            drop = ["pg_dropcluster", "--stop", person.version, cluster]
            subprocess.run(drop, check=False, capture_output=True)
        subprocess.run(["rm", "-rf", folder], check=True)


@pytest.mark.whole
@pytest.mark.requirement("GL-11")
def test_three_nights_expiry_and_a_restore(administrator: Administrator) -> None:
    dsn = f"host=127.0.0.1 port={administrator.port} user=postgres dbname=postgres"
    set_up(dsn)
    with connect(dsn) as connection:
        links.register_link(connection, link_of("five_card", "01", [level(seed=100)]), by="ann")
        lifecycle.open_link(connection, "L1", asked(), at=1)
    administrator.run("stanza")
    play(dsn, 1, 20)
    administrator.run("night")
    play(dsn, 21, 40)
    administrator.run("night")
    assert administrator.backups() == ["full", "incr"], "the second night copies what has changed"
    administrator.run("week")
    assert administrator.backups() == ["full", "incr", "full"]
    play(dsn, 41, 60)
    assert "status: ok" in administrator.run("week")
    assert administrator.backups() == ["full", "full"], "the oldest full backup went, with its increment"
    administrator.run("night")
    play(dsn, 61, 90)
    with connect(dsn) as connection:
        before = read_link(connection, "L1").state
    time.sleep(0.05)
    administrator.environment["MOMENT"] = now(dsn)
    time.sleep(0.05)
    play(dsn, 91, 120)
    with connect(dsn) as connection:
        connection.execute("SELECT pg_switch_wal()")
    administrator.execute("runuser -u postgres -- pgbackrest --stanza=feltwork check")  # the WAL has arrived
    administrator.execute("pg_ctlcluster $VERSION $CLUSTER stop --mode=immediate")

    administrator.run("recover")
    restored = f"host=127.0.0.1 port={administrator.restored_port} user=postgres dbname=postgres"
    # pg_createcluster made new access rules, as on any new machine.
    rules = f"/etc/postgresql/{administrator.version}/restored/pg_hba.conf"
    administrator.execute(f"sed -i 's/scram-sha-256/trust/' {rules}")
    administrator.execute("pg_ctlcluster $VERSION restored reload")
    wait_until_writable(restored)
    with connect(restored) as connection:
        assert read_link(connection, "L1").state == before
    play(restored, 61, 120)
    administrator.environment["FELTWORK_DSN"] = restored
    output = administrator.run("prove")
    assert "all is well" in output
    assert "120 rounds replayed" in output
