"""nats-server from a wheel, for one machine, the demo and the tests."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from feltwork.problem import Problem, ProblemsError
from feltwork.site.servers import child_processes
from feltwork.site.servers.ports import free_port
from feltwork.site.wire.subjects import KEPT

LOOPBACK = "127.0.0.1"
#: Every address of this machine.
EVERYWHERE = "0.0.0.0"
#: The NATS account in which servers report about themselves.
SYSTEM = "$SYS"


#: Timeouts of a client's sign-in and of the TLS handshake in it: after a restart all connect together.
SIGN_IN_SECONDS = 30
HANDSHAKE_SECONDS = 20
#: Free disk space needed to restart a server after a write error.
LEAST_ROOM = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class NatsUser:
    """A NATS user with its key and permissions."""

    nkey: str
    publish: tuple[str, ...]
    subscribe: tuple[str, ...]
    #: Whether it speaks to the server itself, in the system account.
    system: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A certificate, its key, and the authority that signs both sides."""

    certificate: Path
    key: Path
    authority: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafUplink:
    """The site server that a table's or pit's own server connects to as a leaf."""

    #: One URL, or one for each node of the site, separated by commas.
    url: str
    #: The file with the nkey seed, if the site requires one.
    nkey_seed: Path | None = None
    #: Whether rounds stay in this server's own stream, from which the books pull.
    keeps_rounds: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """The nodes of a cluster."""

    name: str
    port: int
    routes: tuple[str, ...]
    #: Fingerprints of the nodes' keys: a device has a certificate of the same authority, but is not a node.
    pinned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NatsPlan:
    """The configuration of a server; a missing port is chosen automatically."""

    name: str = "site"
    #: The address to listen on; loopback by default.
    host: str = LOOPBACK
    #: The advertised address, if it is different.
    advertised: str = ""
    port: int = 0
    #: The JetStream domain; each server with its own store has one.
    domain: str = ""
    #: Sync each message to disk before acknowledging it; otherwise every two minutes.
    sync_always: bool = True
    users: tuple[NatsUser, ...] = ()
    tls: Certificate | None = None
    #: Whether leaf nodes may connect, and at which port.
    leaves: bool = False
    leaf_port: int = 0
    leaf_of: LeafUplink | None = None
    cluster: Cluster | None = None
    #: Additional server configuration.
    extra: Mapping[str, Any] = field(default_factory=dict)


class EmbeddedNats:
    """One nats-server in its own folder, on a free port."""

    def __init__(self, folder: Path, plan: NatsPlan = NatsPlan()) -> None:  # noqa: B008 - a frozen value
        self.folder = folder
        self.plan = plan
        self.port = plan.port or free_port()
        #: Its address on this machine.
        self.host = LOOPBACK if plan.host == EVERYWHERE else plan.host
        self.leaf_port = plan.leaf_port or (free_port() if plan.leaves else 0)
        #: The port on which it reports its health to this machine.
        self.monitor_port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL for clients."""
        return f"{'tls' if self.plan.tls else 'nats'}://{self.host}:{self.port}"

    @property
    def pid(self) -> int:
        """The process id of the server."""
        assert self._process is not None, "the server is not running"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.poll() is None

    @property
    def has_write_error(self) -> bool:
        """Whether a stream hit a full disk: it stores nothing more until the server is restarted."""
        return has_write_error(f"{LOOPBACK}:{self.monitor_port}")

    @property
    def log(self) -> str:
        """The server's log file."""
        return (self.folder / "server.log").read_text(encoding="utf-8", errors="replace")

    def start(self, *, wait: bool = True) -> "EmbeddedNats":
        """Write the configuration, start, and wait until it answers unless told otherwise."""
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "server.conf"
        config.touch(mode=0o600)  # it contains a leaf's key
        config.write_text(json.dumps(self._watched(), indent=2), encoding="utf-8")
        with (self.folder / "server.log").open("ab") as log:
            self._process = child_processes.begin([nats_server(), "-c", config], stdout=log, stderr=log)
        if wait:
            self.wait()
        return self

    def wait(self) -> None:
        """Wait for the server's INFO greeting."""
        for _ in range(600):
            assert self._process is not None
            if self._process.poll() is not None:
                raise RuntimeError(f"nats-server did not start:\n{self.log[-2000:]}")
            with suppress(OSError), socket.create_connection((self.host, self.port), timeout=2) as client:
                if client.recv(4) == b"INFO":
                    return
            time.sleep(0.05)
        raise RuntimeError("nats-server did not answer within 30 seconds")

    def stop(self) -> None:
        """Disconnect clients and stop."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """Kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """Kill the server and remove its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _watched(self) -> dict[str, Any]:
        return {"http": f"{LOOPBACK}:{self.monitor_port}", **self.configuration()}

    def configuration(self) -> dict[str, Any]:
        """Build the server's configuration, as JSON."""
        plan = self.plan
        config: dict[str, Any] = {
            "server_name": plan.name,
            "listen": f"{plan.host}:{self.port}",
            "max_payload": 1 << 20,
            "write_deadline": "5s",
            "ping_interval": "5s",
            "ping_max": 2,
            "jetstream": {"store_dir": str(self.folder / "jetstream")},
        }
        config["jetstream"] |= {"sync_interval": "always"} if plan.sync_always else {}
        config["jetstream"] |= {"domain": plan.domain} if plan.domain else {}
        if plan.tls:
            config["tls"] = _tls(plan.tls)
        if plan.users:
            users = [_user(user) for user in plan.users if not user.system]
            config["authorization"] = {"users": users, "timeout": SIGN_IN_SECONDS}
            config["accounts"] = {SYSTEM: {"users": [_user(user) for user in plan.users if user.system]}}
        if self.leaf_port or plan.leaf_of:
            config["leafnodes"] = self._leafnodes()
        if plan.advertised:
            config["client_advertise"] = f"{plan.advertised}:{self.port}"
        if plan.cluster:
            config["cluster"] = self._cluster(plan.cluster)
        return config | dict(plan.extra)

    def _cluster(self, cluster: Cluster) -> dict[str, Any]:
        config = {
            "name": cluster.name,
            "routes": list(cluster.routes),
            **self._listen(cluster.port),
        }
        if self.plan.tls:
            config["tls"] = _tls(self.plan.tls)
            config["tls"] |= {"pinned_certs": list(cluster.pinned)} if cluster.pinned else {}
        return config

    def _listen(self, port: int) -> dict[str, Any]:
        advertised = {"advertise": f"{self.plan.advertised}:{port}"} if self.plan.advertised else {}
        return {"listen": f"{self.plan.host}:{port}"} | advertised

    def _leafnodes(self) -> dict[str, Any]:
        leaf = self.plan.leaf_of
        config: dict[str, Any] = {"reconnect": "1s"}
        if self.leaf_port:
            # Otherwise a leaf learns addresses behind a relay, and bypasses it.
            config |= {**self._listen(self.leaf_port), "no_advertise": True}
        tls = {"tls": _tls(self.plan.tls)} if self.plan.tls else {}
        if leaf:
            remote: dict[str, Any] = {"urls": leaf.url.split(",")} | tls
            if leaf.nkey_seed:
                remote["nkey"] = leaf.nkey_seed.read_text(encoding="ascii")
            if leaf.keeps_rounds:
                # Stored and fetched here: if passed upward too, each message would be stored twice. Messages
                # of other tables to the site are stored there, not here.
                remote["deny_exports"] = remote["deny_imports"] = [f"felt.*.*.{kind}" for kind in KEPT]
            config["remotes"] = [remote]
        return config | tls


def has_write_error(monitor: str) -> bool:
    """Whether a stream of a server hit a full disk, according to its monitor at `host:port`."""
    try:
        with closing(HTTPConnection(monitor, timeout=2)) as connection:
            connection.request("GET", "/healthz")
            return b"write error" in connection.getresponse().read()
    except (OSError, HTTPException):
        return False


def cluster_of(folder: Path, size: int = 3, plan: NatsPlan = NatsPlan()) -> Sequence[EmbeddedNats]:  # noqa: B008
    """Plan the nodes of a cluster on this machine."""
    ports = [free_port() for _ in range(size)]
    routes = tuple(f"nats://127.0.0.1:{port}" for port in ports)
    return [
        EmbeddedNats(
            folder / f"node-{number}",
            replace(
                plan,
                name=f"{plan.name}-{number}",
                cluster=Cluster(name=plan.name, port=port, routes=routes),
            ),
        )
        for number, port in enumerate(ports, 1)
    ]


def _tls(certificate: Certificate) -> dict[str, Any]:
    return {
        "cert_file": str(certificate.certificate),
        "key_file": str(certificate.key),
        "ca_file": str(certificate.authority),
        "verify": True,
        "timeout": HANDSHAKE_SECONDS,
    }


def _user(user: NatsUser) -> dict[str, Any]:
    return {
        "nkey": user.nkey,
        "permissions": {
            "publish": {"allow": list(user.publish)},
            "subscribe": {"allow": list(user.subscribe)},
        },
    }


def nats_server() -> str:
    """Find nats-server next to the interpreter, or on the path."""
    beside = Path(sys.executable).parent / "nats-server"
    program = str(beside) if beside.exists() else shutil.which("nats-server")
    if program is None:
        problem = Problem("NATS", "nats-server is not installed", "pip install 'feltwork[demo]'")
        raise ProblemsError([problem])
    return program
