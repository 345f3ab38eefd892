"""The server of a site: its keys, and the configuration for a house's own nats-server."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from feltwork.problem import Problem, ProblemsError
from feltwork.site.compliance.floor import Floor
from feltwork.site.servers.nats import (
    EVERYWHERE,
    LOOPBACK,
    Certificate,
    Cluster,
    EmbeddedNats,
    LeafUplink,
    NatsPlan,
    NatsUser,
)
from feltwork.site.servers.nats_keys import AUTHORITY, KeyRing
from feltwork.site.servers.nats_permissions import SERVER, SITE_DOMAIN, make_keys

CONFIGURATION = "server.conf"
_PORT, _CLUSTER_PORT, _LEAF_PORT = 4222, 6222, 7422


@dataclass(frozen=True, slots=True)
class Host:
    """A machine of a site: its name, and its address as the others see it."""

    name: str
    address: str
    #: At a pit, the tables that play there.
    tables: tuple[str, ...] = ()


def configuration(users: Iterable[NatsUser], plan: NatsPlan = NatsPlan()) -> dict[str, Any]:  # noqa: B008
    """Configure mutual TLS, a key and permissions for every user, and a log that syncs messages to disk.

    File names are relative to the folder of the keys, in which the server is started. The folder of the log
    is an argument of the server: ``nats-server -c server.conf -sd FOLDER``.
    """
    tls = Certificate(
        certificate=Path(f"{SERVER}.pem"), key=Path(f"{SERVER}.key"), authority=Path(f"{AUTHORITY}.pem")
    )
    plan = replace(plan, host=EVERYWHERE, port=_PORT, tls=tls, users=tuple(users))
    config = EmbeddedNats(Path(), plan).configuration()
    del config["jetstream"]["store_dir"]
    return config | {"http": f"{LOOPBACK}:8222"}


def node_configuration(
    users: Iterable[NatsUser], node: Host, nodes: Sequence[Host], ring: KeyRing
) -> dict[str, Any]:
    """Configure one node of a site's cluster, which accepts clients, the other nodes and servers of pits."""
    routes = tuple(f"tls://{host.address}:{_CLUSTER_PORT}" for host in nodes)
    pinned = tuple(ring.fingerprint(host_key(host)) for host in nodes)
    cluster = Cluster(name=SITE_DOMAIN, port=_CLUSTER_PORT, routes=routes, pinned=pinned)
    plan = NatsPlan(
        name=node.name,
        advertised=node.address,
        domain=SITE_DOMAIN,
        cluster=cluster,
        leaves=True,
        leaf_port=_LEAF_PORT,
    )
    return configuration(users, plan)


def pit_configuration(
    users: Iterable[NatsUser], pit: Host, nodes: Sequence[Host], ring: KeyRing
) -> dict[str, Any]:
    """Configure a pit's server, which stores its tables' rounds and connects to any node; it has a secret.

    Its key is that of its host, and the users are its tables and the signs.
    """
    site = ",".join(f"tls://{host.address}:{_LEAF_PORT}" for host in nodes)
    uplink = LeafUplink(url=site, nkey_seed=ring.seed(host_key(pit)))
    return configuration(
        users, NatsPlan(name=pit.name, advertised=pit.address, domain=pit.name, leaf_of=uplink)
    )


def client_urls(nodes: Iterable[Host]) -> str:
    """The URLs of nodes for clients."""
    return ",".join(f"tls://{host.address}:{_PORT}" for host in nodes)


def host_key(host: Host) -> str:
    """The name of a host's certificate in the folder of the keys."""
    return f"host:{host.name}"


def make_site(floor: Floor, folder: Path, hosts: Iterable[str]) -> Path:
    """Make the missing keys of a floor, and rewrite the configuration."""
    users = make_keys(floor, KeyRing(folder), hosts)
    path = folder / CONFIGURATION
    path.write_text(json.dumps(configuration(users), indent=2) + "\n", encoding="utf-8")
    return path


def server_with_keys(keys: Path, folder: Path, *, host: str, port: int) -> EmbeddedNats:
    """The server of a site on this machine, with the keys and permissions that ``make_site`` has written.

    The written permissions are enough: the authority's key and the devices' seeds may be gone.
    """
    path = keys / CONFIGURATION
    if not path.exists():
        remedy = f"run feltwork init --keys {keys} --floor FLOOR"
        raise ProblemsError([Problem(str(path), "the file does not exist", remedy, "GEN-07")])
    written = json.loads(path.read_text(encoding="utf-8"))
    rights = {name: written[name] for name in ("authorization", "accounts") if name in written}
    tls = KeyRing(keys.resolve()).certificate(SERVER)
    return EmbeddedNats(folder, NatsPlan(host=host, port=port, tls=tls, extra=rights))
