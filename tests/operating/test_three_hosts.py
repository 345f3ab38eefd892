"""Three hosts and a pit, from the guide alone: each is killed and cut off under play, and nothing is lost."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from feltwork.simulation.floors import room, room_text
from feltwork.simulation.stage import simulated_casino
from feltwork.simulation.tally import Tally
from lab.fault_test.comparison import BooksComparison, compare
from tests.docs.console import commands
from tests.operating.hosts import Machine, Program, Switch

PAGE = "docs/guides/three_hosts.md"
FLOOR = "storm"
AT_THE_PIT, AT_THE_SITE = "B1,B2", "S1,CS1,H1,B3"
NODES = {f"site-{number}": f"10.77.0.{number}" for number in (1, 2, 3)}
PIT = ("pit-1", "10.77.0.21")
_OPEN = (
    "import sys; from feltwork.simulation.stage import open_site;"
    " open_site(sys.argv[1], open(sys.argv[2]).read())"
)
#: A round of the pit, and of the site, that began after a moment.
_SINCE = (
    "SELECT count(DISTINCT table_id = ANY ('{{{tables}}}')) FROM books.round"
    " WHERE started_at > {moment} AND (table_id = ANY ('{{{tables}}}') OR {both})"
)


@dataclass
class Site:
    """The three hosts and the pit."""

    folder: Path
    switch: Switch
    nodes: list[Machine]
    pit: Machine
    #: What was done, and how long until rounds of the pit and of the site were booked again.
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def primary(self) -> Machine:
        """The host whose PostgreSQL is the primary."""
        ask = "runuser -u postgres -- psql -Atc 'SELECT pg_is_in_recovery()' || true"
        return next(node for node in self.nodes if node.run(ask).strip() == "f")

    def booked_since(self, moment: int, machine: Machine, *, both: bool = True) -> bool:
        """Whether rounds that began after a moment are booked, of the pit and of the site."""
        query = _SINCE.format(tables=AT_THE_PIT, moment=moment, both=str(both).lower())
        dsn = machine.settings("service.env")["FELTWORK_DSN"]
        try:
            output = machine.run(f'timeout 15 psql "{dsn}" -Atc "{query}"')
        except AssertionError:
            return False
        return int(output) == 1 + both

    def resumes(self, what: str, machine: Machine, *, since: float | None = None, both: bool = True) -> None:
        """Wait until rounds that begin from now on are booked."""
        moment = time.time_ns() // 1_000
        began = since or time.monotonic()
        until(lambda: self.booked_since(moment, machine, both=both), what)
        self.seconds[what] = round(time.monotonic() - began, 1)

    def recovered(self) -> None:
        """Wait until all nodes have every stream and both standbys follow."""
        until(self._has_all_replicas, "replicas")
        until(lambda: self._standbys() == 2, "standbys")

    def _standbys(self) -> int:
        ask = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum' AND state = 'streaming'"
        return int(self.primary.run(f'runuser -u postgres -- psql -Atc "{ask}"'))

    def _has_all_replicas(self) -> bool:
        script = (
            "import asyncio, nats, pathlib, sys\n"
            "from feltwork.site.servers.nats_keys import KeyRing\n"
            "async def ask():\n"
            "    options = KeyRing(pathlib.Path('/etc/feltwork/books')).derived_options('books', 'streams')\n"
            "    client = await nats.connect(sys.argv[1].split(','), **options)\n"
            "    for stream in await client.jetstream().streams_info():\n"
            "        held = stream.cluster.replicas or []\n"
            "        assert len(held) == 2 and all(one.current and not one.offline for one in held), stream\n"
            "asyncio.run(ask())\n"
        )
        urls = self.nodes[0].settings("service.env")["FELTWORK_NATS"]
        (self.folder / "replicas.py").write_text(script)
        try:
            self.nodes[0].run(f"timeout 20 python {self.folder}/replicas.py {urls}")
        except AssertionError:
            return False
        return True


def until(is_so: Callable[[], bool], what: str, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, what
        time.sleep(0.3)


@pytest.fixture
def site() -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-hosts-"))
    folder.chmod(0o755)
    switch = Switch(folder)
    try:
        yield _built(folder, switch)
    finally:
        switch.remove()
        shutil.rmtree(folder)


def _built(folder: Path, switch: Switch) -> Site:
    """Follow the guide on new machines."""
    house = folder / "house"
    house.mkdir()
    (house / "floor.toml").write_text(room_text(FLOOR), encoding="utf-8")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    for command in commands(PAGE, "prepare"):
        subprocess.run(
            ["bash", "-c", command], cwd=folder, env={"PATH": path}, check=True, capture_output=True
        )
    nodes = [switch.add(name, address, house / "hosts" / name) for name, address in NODES.items()]
    pit = switch.add(*PIT, house / "hosts" / PIT[0])
    for machine in (*nodes, pit):
        machine.programs["nats"] = Program(
            ["nats-server", "-c", "server.conf", "-sd", "/var/lib/feltwork-log"], {}, "/etc/feltwork/log"
        )
        machine.boot()
    for node in nodes:
        # As Debian leaves it after the installation.
        node.run("pg_dropcluster --stop $VERSION main; pg_createcluster $VERSION main")
        node.follow(PAGE, "settings")
    nodes[0].follow(PAGE, "primary")
    for node in nodes[1:]:
        node.follow(PAGE, "standby")
    for node in nodes:
        node.follow(PAGE, "guard")
        node.has_postgres = node.is_guarded = True
    owner = nodes[0].settings("owner.env")["FELTWORK_DSN"]
    nodes[0].run(f"python -c '{_OPEN}' \"{owner}\" {house}/floor.toml")
    for node in nodes:
        settings = node.settings("service.env")
        keys = ["--keys", "/etc/feltwork/books"]
        node.programs["bookkeeper"] = Program(
            ["feltwork", "bookkeeper", *keys, "--name", node.name], settings
        )
        serve = ["feltwork", "serve", "--plain-http", "--host", "0.0.0.0", *keys]
        node.programs["service"] = Program(serve, settings)
    return Site(folder, switch, nodes, pit)


def play(site: Site) -> None:
    """Let tables play at the pit's server, and others at the nodes."""
    service = "http://127.0.0.1:8017"
    proxy = ["python", str(Path(__file__).with_name("proxy.py")), "8017", *NODES.values()]
    site.pit.programs["proxy"] = Program(proxy, {})
    house = site.folder / "house"
    everywhere = site.nodes[0].settings("service.env")["FELTWORK_NATS"]
    for name, tables, url, domain in (
        ("pit", AT_THE_PIT, f"tls://{PIT[1]}:4222", "site"),
        ("site", AT_THE_SITE, everywhere, ""),
    ):
        (site.folder / f"{name}.tally").touch()
        command = ["feltwork", "floor", "--json", "--floor", f"{house}/floor.toml", "--keys", f"{house}/keys"]
        command += ["--tables", tables, "--nats", url, "--site-domain", domain, "--service", service]
        command += ["--tally", f"{site.folder}/{name}.tally", "--speed", "40", "--hit-every", "6"]
        site.pit.programs[f"tables-{name}"] = Program(command, {})


def compared(site: Site) -> BooksComparison:
    """Let every table end its round, and compare the books with what they sent."""
    for name in ("tables-pit", "tables-site"):
        site.pit.stop(name)
    tally = Tally()
    for name in ("pit", "site"):
        tally.join(Tally.reading(site.folder / f"{name}.tally"))
    machine = site.nodes[2]
    dsn = machine.settings("service.env")["FELTWORK_DSN"]
    for table, count in (("round", len(tally.kept)), ("round_end", len(tally.kept_ends))):
        ask = f'psql "{dsn}" -Atc "SELECT count(*) FROM books.{table}"'
        until(partial(_counts, machine, ask, count), f"every {table} booked")
    bundle = site.folder / "bundle"
    machine.run(f"feltwork export ALL {bundle}", FELTWORK_DSN=dsn)
    return compare(bundle, tally, dict(simulated_casino(room(FLOOR)).links))


@pytest.mark.whole
@pytest.mark.requirement("GEN-07", "GEN-09", "GL-12")
@pytest.mark.timeout(1_800)
def test_every_loss_of_a_host_and_every_cut_loses_nothing(site: Site) -> None:
    play(site)
    site.resumes("start", site.nodes[0])
    site.recovered()
    for node in site.nodes:
        lose(site, node, "cut off")
        lose(site, node, "killed")
    lose(site, site.primary, "killed")
    site.pit.kill()
    time.sleep(5)
    site.pit.boot()
    site.resumes("pit killed", site.nodes[0])
    site.switch.cut(site.pit, is_cut=True)
    time.sleep(10)
    site.switch.cut(site.pit, is_cut=False)
    site.resumes("pit cut off", site.nodes[0])
    verdict = compared(site)
    figures = {
        "seconds": site.seconds,
        "rounds": verdict.rounds,
        "wagers": verdict.wagers,
        "awards": verdict.awards,
    }
    sys.stdout.write(json.dumps(figures))  # the figures of docs/operating/reliability.md
    assert verdict.problems == []
    assert (verdict.rounds["lost"], verdict.rounds["double"], verdict.meter_differences) == (0, 0, 0)
    assert verdict.rounds["booked"] > 100


def lose(site: Site, node: Machine, how: str) -> None:
    """Break a host, promote a standby if it had the primary, and repair the host."""
    was_primary = site.primary is node
    what = f"{'primary' if was_primary else 'standby'} {node.name} {how}"
    other = next(host for host in site.nodes if host is not node)
    began = time.monotonic()
    if how == "killed":
        node.kill()
    else:
        site.switch.cut(node, is_cut=True)
    if was_primary:
        if how == "cut off":  # somebody goes there
            node.run("pg_ctlcluster $VERSION main stop --mode immediate")
        until(lambda: _promoted(other), "promotion")
    site.resumes(what, other, since=began)
    if how == "killed":
        node.boot()
    else:
        site.switch.cut(node, is_cut=False)
        if was_primary:
            node.start_postgres()
    site.resumes(f"{what}, back", node)
    site.recovered()


def _counts(machine: Machine, ask: str, count: int) -> bool:
    return int(machine.run(ask)) >= count


def _promoted(node: Machine) -> bool:
    try:
        node.follow(PAGE, "promote")
    except AssertionError:  # a standby still waits for the old primary
        return False
    return True
