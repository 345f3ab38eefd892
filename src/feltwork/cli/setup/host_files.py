"""The files of each host of a site with three nodes."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlunsplit

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.people.logins import (
    DATABASE,
    LOGINS,
    REPLICATION,
    REPLICATION_PASSWORD,
    REPLICATION_SQL,
    SQL_FILE,
    make_replication_login,
)
from feltwork.site.books.people.pin_key import PIN_KEY
from feltwork.site.compliance.floor import Floor
from feltwork.site.servers import postgres_config
from feltwork.site.servers.nats_config import (
    CONFIGURATION,
    Host,
    client_urls,
    host_key,
    node_configuration,
    pit_configuration,
)
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.servers.nats_permissions import (
    BOOKS,
    SERVICE,
    links_of_tables,
    make_device_keys,
    make_keys,
    pit_rights,
)
from feltwork.site.servers.postgres_config import FOLDER, REPLICATION_DSN, books_dsn

#: The number of nodes; a majority survives the loss of one.
NODES = 3


def parse_nodes(texts: Sequence[str]) -> list[Host]:
    """Parse nodes written as NAME=ADDRESS."""
    return [_parsed("--node", text, "NAME=ADDRESS, such as site-1=10.0.0.1", parts=2) for text in texts]


def parse_pits(texts: Sequence[str], floor: Floor) -> list[Host]:
    """Parse pits written as NAME=ADDRESS=TABLE,TABLE; a table is at one of them at most."""
    pits = [
        _parsed("--pit", text, "NAME=ADDRESS=TABLES, such as pit-1=10.0.0.9=B1,B2", parts=3) for text in texts
    ]
    tables = [table for pit in pits for table in pit.tables]
    for table in tables:
        if table not in floor.table_by_id or tables.count(table) > 1:
            what = "two pits have it" if table in floor.table_by_id else "the floor file has no such table"
            raise ProblemsError([Problem(f"--pit, table {table}", what, "name each table of a pit once")])
    return pits


def _parsed(flag: str, text: str, how: str, *, parts: int) -> Host:
    name, *rest = text.split("=")
    if not name.replace("-", "").isalnum() or len(rest) != parts - 1 or not all(rest):
        raise ProblemsError([Problem(flag, f"{text!r} cannot be read", f"write {how}")])
    return Host(name, rest[0], tuple(",".join(rest[1:]).split(",")))


def write_hosts(
    floor: Floor, keys: Path, logins: Path, folder: Path, nodes: Sequence[Host], pits: Sequence[Host]
) -> None:
    """Write a folder for each host with exactly the files for /etc/feltwork on that host."""
    if len(nodes) != NODES:
        what = f"there are {len(nodes)} nodes; a majority must survive the loss of one"
        raise ProblemsError([Problem("--node", what, f"name {NODES}, each on its own machine")])
    ring = KeyRing(keys)
    users = list(make_keys(floor, ring))
    make_replication_login(logins)
    for host in (*nodes, *pits):
        ring.make(host_key(host), (host.address, "127.0.0.1", "localhost"))
    links = links_of_tables(floor)
    for pit in pits:
        tables = {table: links[table] for table in pit.tables}
        users.append(pit_rights(ring.public(host_key(pit)), pit.name, tables))
        devices = make_device_keys(floor, ring, tables)
        _write_nats(folder / pit.name, pit_configuration(devices, pit, nodes, ring), ring, pit)
    for node in nodes:
        _write_nats(folder / node.name, node_configuration(users, node, nodes, ring), ring, node)
        _write_postgresql(folder / node.name / FOLDER, node, nodes, ring, logins)
        _write_programs(folder / node.name, node, nodes, pits, ring, logins)


def _write_nats(folder: Path, configuration: dict[str, object], ring: KeyRing, host: Host) -> None:
    _copy_certificate(ring, host, folder / "log")
    _write(folder / "log" / CONFIGURATION, json.dumps(configuration, indent=2) + "\n")


def _write_postgresql(folder: Path, node: Host, nodes: Sequence[Host], ring: KeyRing, logins: Path) -> None:
    _copy_certificate(ring, node, folder)
    for name in (REPLICATION_PASSWORD, REPLICATION_SQL, SQL_FILE):
        _copy(logins / name, folder)
    dsn = books_dsn(nodes, REPLICATION, "postgres", FOLDER, REPLICATION_PASSWORD)
    others = [host for host in nodes if host != node]
    following = books_dsn(others, REPLICATION, "postgres", FOLDER, REPLICATION_PASSWORD)
    _write(folder / REPLICATION_DSN, dsn + "\n")
    _write(folder / "feltwork.conf", postgres_config.settings(node, nodes, following))
    _write(folder / "pg_hba.conf", postgres_config.access(nodes, REPLICATION, DATABASE))
    _write(folder / "rejoin.conf", postgres_config.before_start())


def _write_programs(
    folder: Path, node: Host, nodes: Sequence[Host], pits: Sequence[Host], ring: KeyRing, logins: Path
) -> None:
    for name in (BOOKS, SERVICE):
        held = ring.certificate(name)
        for path in (held.certificate, held.key, ring.seed(name), held.authority):
            _copy(path, folder / "books")
    for name, place in (("site.key", "books"), (PIN_KEY, "books"), (PIN_KEY, "owner")):
        if (key := ring.folder / name).exists():
            _copy(key, folder / place)
    _copy(held.authority, folder / "owner")
    for login, place, file in (
        ("feltwork_service", "books", "service.env"),
        ("feltwork_migrator", "owner", "owner.env"),
    ):
        password = LOGINS[login][1]
        _copy(logins / password, folder / place)
        dsn = books_dsn(nodes, login, DATABASE, place, password)
        _write(folder / file, f"FELTWORK_DSN={dsn} target_session_attrs=read-write\n")
    with (folder / "owner.env").open("a", encoding="utf-8") as opened:
        opened.write(f"FELTWORK_PIN_KEY=/etc/feltwork/owner/{PIN_KEY}\n")
    others = [host for host in nodes if host != node]
    settings = {
        "FELTWORK_NATS": client_urls([node, *others]),
        "FELTWORK_REPLICAS": str(NODES),
        "FELTWORK_DOMAINS": " ".join(f"{pit.name}={','.join(pit.tables)}" for pit in pits),
        "FELTWORK_ORIGIN": urlunsplit(("https", node.address, "", "", "")),
    }
    with (folder / "service.env").open("a", encoding="utf-8") as opened:
        opened.writelines(f"{name}={value}\n" for name, value in settings.items())


def _copy_certificate(ring: KeyRing, host: Host, folder: Path) -> None:
    held = ring.certificate(host_key(host))
    _copy(held.certificate, folder, "server.pem")
    _copy(held.key, folder, "server.key")
    _copy(held.authority, folder)


def _copy(path: Path, folder: Path, name: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    shutil.copy2(path, folder / (name or path.name))


def _write(path: Path, text: str) -> None:
    """Write a file that only its owner may read, because some contain secrets."""
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
