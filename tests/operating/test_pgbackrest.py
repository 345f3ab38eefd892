"""Backups with pgBackRest on Debian's PostgreSQL: nights, a lost machine, a restore in place, a rehearsal."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from tests.docs.console import ROOT
from tests.operating.machine import Machine
from tests.operating.test_backup import now, play, set_up
from tests.progressive.room import asked, level, link_of

pytestmark = pytest.mark.whole
NewMachine = Callable[..., Machine]
_FLOOR = ROOT / "examples" / "card_room.toml"
_SET = "/var/lib/pgbackrest/site.set"


@pytest.fixture
def machines() -> Iterator[NewMachine]:
    """Makes machines that have the same disk for backups."""
    with tempfile.TemporaryDirectory(prefix="feltwork-repository-") as repository:
        made: list[Machine] = []

        def make(port: int = 0) -> Machine:
            made.append(Machine(Path(repository), port))
            made[-1].environment["SET"] = _SET
            return made[-1]

        Path(repository).chmod(0o755)
        try:
            yield make
        finally:
            for machine in made:
                machine.destroy()


@pytest.fixture
def site(machines: NewMachine) -> Machine:
    """A machine with a site: keys, logins, books and a first backup."""
    machine = machines()
    make_logins(machine)
    machine.run(f"feltwork init --keys /etc/feltwork/keys --floor {_FLOOR} --host books.example")
    machine.run("touch /etc/feltwork/service.env")
    set_up(machine.dsn)
    with connect(machine.dsn) as connection:
        lifecycle.register_link(connection, link_of("five_card", "01", [level(seed=100)]), by="ann")
        lifecycle.open_link(connection, "L1", asked(), at=1)
    machine.run("runuser -u postgres -- pgbackrest --stanza=feltwork stanza-create")
    return machine


def make_logins(machine: Machine) -> None:
    machine.run("feltwork init --logins /etc/feltwork/logins")
    server = f"host=127.0.0.1 port={machine.port} user=postgres"
    machine.run(f"psql --quiet --file=/etc/feltwork/logins/logins.sql '{server}'")


def archive(machine: Machine) -> None:
    """Have the last WAL file archived, as happens after a minute."""
    with connect(machine.dsn) as connection:
        connection.execute("SELECT pg_switch_wal()")
    machine.run("runuser -u postgres -- pgbackrest --stanza=feltwork check")


def rounds(machine: Machine) -> int:
    with connect(machine.dsn) as connection:
        return len(connection.execute("SELECT 1 FROM books.round").fetchall())


@pytest.mark.requirement("GL-11")
def test_three_nights_and_expiry(site: Machine) -> None:
    def backups() -> list[str]:
        output = site.run("runuser -u postgres -- pgbackrest --stanza=feltwork --output=json info")
        return [backup["type"] for backup in json.loads(output)[0]["backup"]]

    play(site.dsn, 1, 20)
    site.guide("night")
    play(site.dsn, 21, 40)
    site.guide("night")
    assert backups() == ["full", "incr"], "the second night copies what has changed"
    site.guide("week")
    assert backups() == ["full", "incr", "full"]
    assert "status: ok" in site.guide("week")
    assert backups() == ["full", "full"], "the oldest full backup went, with its increment"


@pytest.mark.requirement("GL-11")
def test_a_lost_machine_comes_back_from_its_set(site: Machine, machines: NewMachine) -> None:
    site.guide("night")
    play(site.dsn, 1, 40)
    archive(site)
    said = site.guide("set")
    code = said.partition("opens with the code ")[2].split()[0]
    assert "Keep the file away from this machine" in said
    with connect(site.dsn) as connection:
        before = read_link(connection, "L1").state
    key = (site.root / "etc/feltwork/keys/pin.key").read_text(encoding="utf-8")
    site.destroy()

    # What its package made: other logins, a database with their passwords, no keys.
    other = machines(site.port)
    make_logins(other)
    other.environment["FELTWORK_CODE_RECOVERY"] = "AAAA-BBBB"
    refused = other.try_run(f"feltwork restore {_SET}")
    assert (refused.returncode, "does not open with this code" in refused.stdout) == (2, True), refused.stdout
    other.environment["FELTWORK_CODE_RECOVERY"] = code.lower().replace("-", " ")
    assert "restored to 20" in other.guide("lost")

    assert (other.root / "etc/feltwork/keys/pin.key").read_text(encoding="utf-8") == key
    with connect(other.login("feltwork_service", "writer.pgpass")) as connection:
        assert read_link(connection, "L1").state == before
    play(other.dsn, 41, 50)
    other.environment["FELTWORK_DSN"] = other.login("feltwork_auditor", "reader.pgpass")
    assert "50 rounds replayed" in other.run("feltwork audit")
    # It is the site now: it archives, and its next restore finds what the new machine booked.
    archive(other)
    assert "keys of a site" in other.try_run(f"feltwork restore {_SET}").stdout
    other.guide("in_place")
    assert rounds(other) == 50


@pytest.mark.requirement("GL-11")
def test_in_place_to_the_end_and_to_a_moment(site: Machine) -> None:
    site.guide("night")
    play(site.dsn, 1, 20)
    time.sleep(0.05)
    site.environment["MOMENT"] = now(site.dsn)[:23] + "+00"
    time.sleep(0.05)
    play(site.dsn, 21, 30)
    # A clean stop archives what is left.
    site.guide("in_place")
    assert rounds(site) == 30
    moment = site.environment["MOMENT"]
    site.environment["MOMENT"] = f"{datetime.now(UTC) + timedelta(days=1):%F %T}+00"
    late = site.try_run('feltwork restore --to "$MOMENT"')
    assert late.returncode == 2
    assert "the archive ends before this moment" in late.stdout
    site.environment["MOMENT"] = moment
    site.guide("moment")
    assert rounds(site) == 20
    # Passwords of that time do not matter: those of the folder are in effect again.
    with connect(site.dsn) as connection:
        connection.execute("ALTER ROLE feltwork_service PASSWORD 'another'")
    with pytest.raises(psycopg.OperationalError):
        connect(site.login("feltwork_service", "writer.pgpass")).__enter__()
    site.guide("in_place")
    with connect(site.login("feltwork_service", "writer.pgpass")):
        pass


@pytest.mark.requirement("GL-11")
def test_a_rehearsal_leaves_the_site_alone_and_fails_for_wrong_books(site: Machine) -> None:
    site.guide("night")
    play(site.dsn, 1, 20)
    archive(site)
    assert "20 rounds replayed" in site.guide("rehearse")
    play(site.dsn, 21, 22)
    assert rounds(site) == 22
    assert site.run("ls /var/lib/postgresql").split() == [site.run("ls /etc/postgresql").strip()]
    with connect(site.dsn) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("UPDATE books.balance SET amount = amount + 1000000")
    archive(site)
    failed = site.try_run("feltwork restore --rehearse")
    assert (failed.returncode, "wrong:" in failed.stdout) == (1, True), failed.stdout
    # A file is missing in the archive, so that what comes after it cannot be replayed.
    archive(site)
    archived = sorted((site.root / "var/lib/pgbackrest/archive/feltwork").rglob("0*-*"))
    archived[-2].unlink()
    failed = site.try_run("feltwork restore --rehearse")
    assert failed.returncode == 2
    assert f"goes on to {archived[-1].name[:24]}, which was not replayed" in failed.stdout
