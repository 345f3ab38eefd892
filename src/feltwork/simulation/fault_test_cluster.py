"""The stage of a fault test: real servers and real processes in one folder, each of which can be killed."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from feltwork.servers import child_processes
from feltwork.servers.nats import EmbeddedNats, LeafUplink, NatsPlan, cluster_of, free_port
from feltwork.servers.postgres import EmbeddedPostgres

SITE, PIT = "site", "pit"
BOOKKEEPERS = 2
#: The tables with a server of their own below the site; the others speak to the site itself.
AT_THE_PIT = ("S1", "CS1", "M1")
AT_THE_SITE = ("B1", "C1", "H1")
_COMMAND = (sys.executable, "-c", "from feltwork.cli.main import main; main()")


@dataclass
class SiteProgram:
    """One process of ours: a bookkeeper, the service, or a floor of tables."""

    name: str
    arguments: tuple[str, ...]
    folder: Path
    #: Whether it was ended on purpose and is to stay so until it is started.
    is_down: bool = True
    #: How often it ended although nobody wanted it to.
    gave_up: int = 0
    _process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it lives."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, or start it again."""
        self.is_down = False
        with (self.folder / f"{self.name}.log").open("ab") as log:
            self._process = child_processes.begin([*_COMMAND, *self.arguments], stdout=log, stderr=log)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Kill -9."""
        self.is_down = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def look_after(self) -> None:
        """Start it again where it has ended by itself, as whatever supervises a server does."""
        if not self.is_down and not self.is_running:
            self.gave_up += 1
            self.start()

    def stop(self, seconds: float) -> bool:
        """Ask it to end; the answer is whether it did so by itself."""
        self.is_down = True
        if self._process is None:
            return True
        self.signal(signal.SIGTERM)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return False
        return True


class _Node(EmbeddedNats):
    """A node that does not tell leaves of the others: their only way is the line that can be cut."""

    def configuration(self) -> dict[str, Any]:
        """The server's configuration."""
        config = super().configuration()
        config["leafnodes"]["no_advertise"] = True
        return config


@dataclass
class FaultTestCluster:
    """Everything that a fault test starts."""

    folder: Path
    floor_file: Path
    seed: int
    books: EmbeddedPostgres = field(init=False)
    nodes: list[_Node] = field(init=False)
    leaf: EmbeddedNats = field(init=False)
    programs: dict[str, SiteProgram] = field(default_factory=dict)
    service_port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        (self.folder / "books").mkdir()
        (self.folder / "books").chmod(0o755)
        self.books = EmbeddedPostgres(self.folder / "books")
        plan = NatsPlan(name=SITE, domain=SITE, leaves=True)
        self.nodes = [_Node(one.folder, one.plan) for one in cluster_of(self.folder / "nats", 3, plan)]

    @property
    def dsn(self) -> str:
        """How the programs reach the books."""
        return self.books.dsn(role="writer")

    @property
    def site_url(self) -> str:
        """Every node of the cluster: a client goes to another when its own is gone."""
        return ",".join(node.url for node in self.nodes)

    @property
    def service(self) -> str:
        """Where the service answers."""
        return f"http://127.0.0.1:{self.service_port}"

    def service_answers(self) -> bool:
        """Whether somebody listens there."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.service_port), timeout=1):
            return True
        return False

    def start_servers(self) -> None:
        """Start PostgreSQL and the cluster."""
        for node in self.nodes:
            node.start(wait=False)
        self.books.start()
        for node in self.nodes:
            node.wait()

    def start_leaf(self, port: int) -> None:
        """Start the pit's own server, whose way to the site leads through a port that can be cut."""
        above = LeafUplink(url=f"nats://127.0.0.1:{port}")
        self.leaf = EmbeddedNats(
            self.folder / "nats" / PIT, NatsPlan(name=PIT, domain=PIT, leaf_of=above)
        ).start()

    def start_programs(self, *, rounds_per_minute: float, hit_every: float) -> None:
        """Start bookkeepers, service and tables."""
        to_books = ("--dsn", self.dsn)
        for number in range(1, BOOKKEEPERS + 1):
            name = f"bookkeeper-{number}"
            wire = ("--nats", self.site_url, "--domain", PIT, "--replicas", "3", "--name", name)
            self._add(name, "bookkeeper", *to_books, *wire)
        self._add("service", "serve", *to_books, "--port", str(self.service_port), "--plain-http")
        for place, url, tables in (
            (SITE, self.site_url, AT_THE_SITE),
            (PIT, self.leaf.url, AT_THE_PIT),
        ):
            pace = (
                "--speed",
                str(rounds_per_minute),
                "--hit-every",
                str(hit_every),
                "--seed",
                str(self.seed),
            )
            keeps = ("--tally", str(self.tally(place)), "--site-domain", SITE if place == PIT else "")
            about = ("--floor", str(self.floor_file), "--tables", ",".join(tables), "--nats", url)
            self.tally(place).touch()
            self._add(f"tables-{place}", "floor", "--json", *about, *pace, *keeps)

    def tally(self, place: str) -> Path:
        """Where the tables of a place write down what they send."""
        return self.folder / f"{place}.tally"

    def remove(self) -> None:
        """End everything at once."""
        for program in self.programs.values():
            program.kill()
        for server in (*self.nodes, *([self.leaf] if hasattr(self, "leaf") else [])):
            server.kill()
        self.books.kill()

    def _add(self, name: str, *arguments: str) -> None:
        self.programs[name] = SiteProgram(name, arguments, self.folder)
        self.programs[name].start()
