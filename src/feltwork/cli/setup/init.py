"""The command that sets up a site."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import Dsn, Hosts, given
from feltwork.cli.run.serve import Pair, Second, apply_as_two
from feltwork.cli.secret_prompt import typed, variable_of
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.site.books.context import Operation


def init(
    dsn: Dsn = "",
    floor: Annotated[Path | None, typer.Option(help="The first floor file.")] = None,
    person: Annotated[
        list[str] | None, typer.Option(help="A person as ID:ROLE:BADGE; prompts for the PIN.")
    ] = None,
    by: Pair = "",
    approved_by: Second = "",
    keys: Annotated[
        Path | None, typer.Option(help="A folder for the floor's keys and the NATS configuration.")
    ] = None,
    site_key: Annotated[
        Path | None,
        typer.Option(help="A folder for the keys that sign bundles and hash PINs; --keys makes them too."),
    ] = None,
    renew: Annotated[
        bool, typer.Option("--renew", help="Reissue every certificate in --keys for the same key.")
    ] = False,
    replace: Annotated[
        str | None,
        typer.Option(metavar="DEVICE", help="Give this device new keys; its old ones were stolen."),
    ] = None,
    host: Hosts = None,
    logins: Annotated[
        Path | None, typer.Option(help="A folder for three database logins and the SQL that creates them.")
    ] = None,
    hosts: Annotated[
        Path | None, typer.Option(help="A folder for the files of each host of a site on three machines.")
    ] = None,
    node: Annotated[
        list[str] | None, typer.Option(help="One of the three machines, as NAME=ADDRESS.")
    ] = None,
    pit: Annotated[
        list[str] | None, typer.Option(help="A pit with its own NATS server, as NAME=ADDRESS=TABLE,TABLE.")
    ] = None,
) -> None:
    """Set up a site: keys, logins, schema, initial staff, and floor file.

    Anything that exists is kept. Keys and logins need no database. The login must own the books; after an
    update, this command migrates them.
    """
    if keys is not None and renew:
        _renew(keys, host or ())
        return
    if not (keys or logins or site_key):
        given(dsn)
    following: list[str] = []
    if logins is not None:
        following += _logins(logins)
    if keys is not None:
        following += _keys(keys, floor, host or [], replace)
    site_key = site_key or keys
    public = _site_key(site_key)
    if hosts is not None:
        following += _hosts(hosts, floor, keys, logins, node or [], pit or [])
    if dsn:
        first = None if keys and not by else floor
        following += _books(dsn, person or [], first, (by, approved_by), site_key)
        if public:
            _register_site_key(dsn, public)
    typer.echo("next:")
    for step in following:
        typer.echo(f"  {step}")


def _site_key(folder: Path | None) -> str:
    from feltwork.site.books.audit.site_key import make_site_key
    from feltwork.site.books.people.pin_key import init_pin_key

    if folder is None:
        return ""
    typer.echo(f"PINs are hashed with {init_pin_key(folder)}; keep it apart from the backups of the books")
    public = make_site_key(folder).public
    typer.echo(f"the site signs with {public}; give {folder / 'site.pub'} to whoever verifies bundles")
    return public


def _logins(folder: Path) -> list[str]:
    from feltwork.site.books.people.logins import LOGINS, SQL_FILE, dsn_of, make_logins

    paths = make_logins(folder)
    for path in paths:
        typer.echo(f"{path} created")
    if not paths:
        typer.echo(f"{folder / SQL_FILE} already exists and is kept")
    owner, service, _ = LOGINS
    return [
        f"run it once as a PostgreSQL superuser: psql -f {folder / SQL_FILE}",
        f"feltwork init --dsn '{dsn_of(owner, folder, 'host=HOST')}'",
        f"for the service and the bookkeeper: {dsn_of(service, folder, 'host=HOST')}",
    ]


def _renew(folder: Path, hosts: Sequence[str]) -> None:
    """Reissue every certificate; devices keep working with their present ones until these expire."""
    from feltwork.site.servers.nats_keys import AUTHORITY, KeyRing
    from feltwork.site.servers.nats_permissions import SERVER

    ring = KeyRing(folder)
    for name in ring.names():
        if name != AUTHORITY:
            ring.renew(name, hosts if name == SERVER else ())
            typer.echo(f"{int(ring.days_left(name)):>6} days  {name}")
    typer.echo("next: copy server.pem to the NATS server, and reload it: nats-server --signal reload")


def _keys(folder: Path, floor: Path | None, hosts: list[str], replaced: str | None) -> list[str]:
    from feltwork.site.compliance.floor_file import read_floor
    from feltwork.site.servers.nats_config import CONFIGURATION, make_site
    from feltwork.site.servers.nats_keys import KeyRing

    if floor is None:
        problem = Problem("--keys", "keys need a floor file", "pass --floor")
        raise ProblemsError([problem])
    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    if replaced:
        KeyRing(folder).replace(replaced)
    path = make_site(read, folder, [*hosts, "127.0.0.1", "localhost"])
    typer.echo(f"{len(list(folder.glob('*.seed')))} keys are in {folder}; {path} written")
    return [
        f"feltwork up --keys {folder}",
        f"or your own NATS server: cd {folder} && nats-server -c {CONFIGURATION} -sd STORE_FOLDER",
        f"lock {folder / 'authority.key'} away: it can create any device",
        f"copy to {replaced or 'each table'} its three files and authority.pem, and nothing else",
    ]


def _hosts(
    folder: Path,
    floor: Path | None,
    keys: Path | None,
    logins: Path | None,
    nodes: list[str],
    pits: list[str],
) -> list[str]:
    from feltwork.cli.setup.host_files import parse_nodes, parse_pits, write_hosts
    from feltwork.site.compliance.floor_file import read_floor

    if floor is None or keys is None or logins is None:
        what = "hosts need keys, logins and a floor file"
        raise ProblemsError([Problem("--hosts", what, "pass --keys, --logins and --floor")])
    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    write_hosts(read, keys, logins, folder, parse_nodes(nodes), parse_pits(pits, read))
    typer.echo(f"the files of {len(nodes) + len(pits)} hosts are in {folder}")
    return [f"copy each folder of {folder} to /etc/feltwork on its host; see docs/guides/three_hosts.md"]


def _books(
    dsn: str, people: list[str], floor: Path | None, two: tuple[str, str], keys: Path | None
) -> list[str]:
    from feltwork.site.books.context import connected
    from feltwork.site.books.floors.floors import for_first_floor
    from feltwork.site.books.schema import migrate
    from feltwork.site.web.settings import read_settings

    policy = read_settings(dsn=dsn, site_key=keys).policy if people or floor else None
    typer.echo(f"schema {migrate(dsn)}")
    if policy is not None:
        with connected(dsn, policy, place="command line") as op:
            for person in people:
                _register(op, person)
            if floor is not None:
                apply_as_two(for_first_floor(op), floor, *two)
    return [
        "feltwork doctor",
        "feltwork serve and feltwork bookkeeper, or feltwork up for both on one machine",
    ]


def _register_site_key(dsn: str, public: str) -> None:
    from feltwork.site.books.audit.site_key import register_public_key
    from feltwork.site.books.context import Policy, connected

    with connected(dsn, Policy(), place="command line") as op:
        register_public_key(op.connection, public)


def _register(op: "Operation", text: str) -> None:
    """Register a person with a PIN and, for the office, a password."""
    from feltwork.site.books.people.credentials import Person
    from feltwork.site.books.people.people import register_people
    from feltwork.site.compliance.roles import COMMANDS, ROLES

    name, _, rest = text.partition(":")
    role, _, badge = rest.partition(":")
    if not name or not badge or role not in ROLES:
        remedy = f"write ID:ROLE:BADGE, the role one of: {', '.join(ROLES)}"
        raise ProblemsError([Problem(f"--person {text}", "cannot be read", remedy)])
    written = variable_of("PIN", name) in os.environ
    pin = typed("PIN", name, name, twice=True)
    password = os.environ.get(variable_of("password", name), "")
    office = any(COMMANDS[command].office for command in ROLES[role].may)
    if office and not written and not password:
        password = typed("password", name, name, twice=True)
    people = [Person(id=name, name=name, role=role, badge=badge)]
    # Only the owner of the database can grant the first security keys.
    register_people(op, people, pin=pin, password=password, pin_is_granted=True, grants_keys=bool(password))
    typer.echo(f"{name} is {role} with badge {badge}")
