"""The servers and processes of a fault test, in one folder."""

import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from feltwork.site.books.people.pin_key import NO_KEY
from feltwork.site.servers.child_program import FELTWORK, ChildProgram
from feltwork.site.servers.nats import EmbeddedNats, LeafUplink, NatsPlan, cluster_of
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.servers.replicas import Replicas

_TABLES = (sys.executable, "-m", "lab.floor")
SITE, PIT = "site", "pit"
BOOKKEEPERS = 2
#: Tables with their own leaf server; the others connect to the site.
AT_THE_PIT = ("S1", "CS1", "M1", "B3")
AT_THE_SITE = ("B1", "B2", "B4", "C1", "H1")
#: A standby soon asks a primary again that did not answer, and finds the WAL that it has missed.
_REPLICATED = {"wal_retrieve_retry_interval": "200ms", "wal_keep_size": "1GB"}


class _Node(EmbeddedNats):
    """A node that does not advertise the others, so a leaf depends on the connection that is cut."""

    def configuration(self) -> dict[str, Any]:
        """The server's configuration."""
        config = super().configuration()
        config["leafnodes"]["no_advertise"] = True
        return config


@dataclass
class FaultTestCluster:
    """Everything a fault test starts."""

    folder: Path
    floor_file: Path
    seed: int
    books: dict[str, EmbeddedPostgres] = field(init=False)
    replicas: Replicas = field(init=False)
    nodes: list[_Node] = field(init=False)
    leaf: EmbeddedNats = field(init=False)
    programs: dict[str, ChildProgram] = field(default_factory=dict)
    service_port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        (self.folder / "books").mkdir()
        (self.folder / "books").chmod(0o755)
        self.books = {
            name: EmbeddedPostgres(self.folder / "books" / name, _REPLICATED) for name in ("n1", "n2", "n3")
        }
        plan = NatsPlan(name=SITE, domain=SITE, leaves=True)
        self.nodes = [_Node(node.folder, node.plan) for node in cluster_of(self.folder / "nats", 3, plan)]

    @property
    def dsn(self) -> str:
        """The DSN of the programs: of whichever server is the primary."""
        return self.replicas.dsn

    @property
    def site_url(self) -> str:
        """The URLs of all nodes."""
        return ",".join(node.url for node in self.nodes)

    @property
    def service(self) -> str:
        """The URL of the service."""
        return f"http://127.0.0.1:{self.service_port}"

    def service_answers(self) -> bool:
        """Whether the service accepts connections."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.service_port), timeout=1):
            return True
        return False

    def start_servers(self) -> str:
        """Start PostgreSQL and the cluster; return the DSN of the owner of the books."""
        for node in self.nodes:
            node.start(wait=False)
        owner = self.books["n1"].start().dsn()
        for node in self.nodes:
            node.wait()
        return owner

    def start_standbys(self) -> None:
        """Copy the running server to its standbys; from then on, a commit waits for one of them."""
        self.replicas = Replicas(self.books)

    def start_leaf(self, port: int) -> None:
        """Start the pit's leaf server, connected through a port that can be cut."""
        above = LeafUplink(url=f"nats://127.0.0.1:{port}")
        self.leaf = EmbeddedNats(
            self.folder / "nats" / PIT, NatsPlan(name=PIT, domain=PIT, leaf_of=above)
        ).start()

    def start_programs(self, *, rounds_per_minute: float, hit_every: float) -> None:
        """Start bookkeepers, service and tables."""
        to_books = ("--dsn", self.dsn)
        for number in range(1, BOOKKEEPERS + 1):
            name = f"bookkeeper-{number}"
            domain = f"{PIT}={','.join(AT_THE_PIT)}"
            wire = ("--nats", self.site_url, "--domain", domain, "--replicas", "3", "--name", name)
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
            self._add(f"tables-{place}", "--json", *about, *pace, *keeps, program=_TABLES)

    def tally(self, place: str) -> Path:
        """The tally file of a place."""
        return self.folder / f"{place}.tally"

    def remove(self) -> None:
        """Kill everything."""
        for program in self.programs.values():
            program.kill()
        for server in (*self.nodes, *([self.leaf] if hasattr(self, "leaf") else [])):
            server.kill()
        for books in self.books.values():
            books.remove()

    def _add(self, name: str, *arguments: str, program: Sequence[str] = FELTWORK) -> None:
        environment = {"FELTWORK_PIN_KEY": NO_KEY}
        self.programs[name] = ChildProgram(name, arguments, self.folder, environment, program)
        self.programs[name].start()
