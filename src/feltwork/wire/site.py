"""The server of a site: its keys, and the configuration that a house's own nats-server takes."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from feltwork.compliance.floor import Floor
from feltwork.wire.keys import AUTHORITY, KeyRing
from feltwork.wire.rights import SERVER, make_keys
from feltwork.wire.server import Certificate, Plan, Server, User

CONFIGURATION = "server.conf"
_PORT = 4222


def configuration(users: Iterable[User]) -> dict[str, Any]:
    """TLS on both sides, a key and rights for everybody, and a log whose messages are on the disk.

    Files are named as they lie in the folder of the keys, in which the server is started. Where the log lies
    is said to the server itself: ``nats-server -c server.conf -sd FOLDER``.
    """
    tls = Certificate(
        certificate=Path(f"{SERVER}.pem"), key=Path(f"{SERVER}.key"), authority=Path(f"{AUTHORITY}.pem")
    )
    made = Server(Path(), Plan(port=_PORT, tls=tls, users=tuple(users))).configuration()
    del made["jetstream"]["store_dir"]
    return made | {"listen": f"0.0.0.0:{_PORT}", "http": "127.0.0.1:8222"}


def make_site(floor: Floor, folder: Path, hosts: Iterable[str]) -> Path:
    """Make the keys of a floor that are not there yet, and write the configuration anew."""
    users = make_keys(floor, KeyRing(folder), hosts)
    path = folder / CONFIGURATION
    path.write_text(json.dumps(configuration(users), indent=2) + "\n", encoding="utf-8")
    return path
