"""The server of a site: its keys, and the configuration that a house's own nats-server takes."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from feltwork.compliance.floor import Floor
from feltwork.problem import Problem, ProblemsError
from feltwork.servers.nats import EVERYWHERE, LOOPBACK, Certificate, EmbeddedNats, NatsPlan, NatsUser
from feltwork.servers.nats_keys import AUTHORITY, KeyRing
from feltwork.servers.nats_permissions import SERVER, make_keys

CONFIGURATION = "server.conf"
_PORT = 4222


def configuration(users: Iterable[NatsUser]) -> dict[str, Any]:
    """TLS on both sides, a key and rights for everybody, and a log whose messages are on the disk.

    Files are named as they lie in the folder of the keys, in which the server is started. Where the log lies
    is said to the server itself: ``nats-server -c server.conf -sd FOLDER``.
    """
    tls = Certificate(
        certificate=Path(f"{SERVER}.pem"), key=Path(f"{SERVER}.key"), authority=Path(f"{AUTHORITY}.pem")
    )
    plan = NatsPlan(host=EVERYWHERE, port=_PORT, tls=tls, users=tuple(users))
    made = EmbeddedNats(Path(), plan).configuration()
    del made["jetstream"]["store_dir"]
    return made | {"http": f"{LOOPBACK}:8222"}


def make_site(floor: Floor, folder: Path, hosts: Iterable[str]) -> Path:
    """Make the keys of a floor that are not there yet, and write the configuration anew."""
    users = make_keys(floor, KeyRing(folder), hosts)
    path = folder / CONFIGURATION
    path.write_text(json.dumps(configuration(users), indent=2) + "\n", encoding="utf-8")
    return path


def server_with_keys(keys: Path, folder: Path, *, host: str, port: int) -> EmbeddedNats:
    """The server of a site on this machine, with the keys and rights that ``make_site`` has written down.

    The written rights are enough: the authority's key and the seeds of devices need not lie there any more.
    """
    path = keys / CONFIGURATION
    if not path.exists():
        remedy = f"feltwork init --keys {keys} --floor FLOOR"
        raise ProblemsError([Problem(str(path), "it is not there", remedy, "GEN-07")])
    rights = json.loads(path.read_text(encoding="utf-8"))["authorization"]
    tls = KeyRing(keys.resolve()).certificate(SERVER)
    return EmbeddedNats(folder, NatsPlan(host=host, port=port, tls=tls, extra={"authorization": rights}))
