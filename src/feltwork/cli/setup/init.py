"""The command that sets up a site."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import Dsn, Hosts, given
from feltwork.cli.run.serve import Pair, Second, apply_as_two
from feltwork.cli.secret_prompt import typed, variable_of
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.operations.context import Operation


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
    host: Hosts = None,
    logins: Annotated[
        Path | None, typer.Option(help="A folder for three database logins and the SQL that creates them.")
    ] = None,
) -> None:
    """Set up a site: keys, logins, schema, initial staff, and floor file.

    Whatever exists is kept. Keys and logins need no database. The login must own the books; after an update,
    this command migrates them.
    """
    if not (keys or logins):
        given(dsn)
    following: list[str] = []
    if logins is not None:
        following += _logins(logins)
    if keys is not None:
        following += _keys(keys, floor, host or [])
    if dsn:
        following += _books(dsn, person or [], None if keys and not by else floor, by, approved_by)
    typer.echo("next:")
    for step in following:
        typer.echo(f"  {step}")


def _logins(folder: Path) -> list[str]:
    from feltwork.operations.people.logins import LOGINS, SQL_FILE, dsn_of, make_logins

    made = make_logins(folder)
    for path in made:
        typer.echo(f"{path} created")
    if not made:
        typer.echo(f"{folder / SQL_FILE} already exists and is kept")
    owner, service, _ = LOGINS
    return [
        f"run it once as a PostgreSQL superuser: psql -f {folder / SQL_FILE}",
        f"feltwork init --dsn '{dsn_of(owner, folder, 'host=HOST')}'",
        f"for the service and the bookkeeper: {dsn_of(service, folder, 'host=HOST')}",
    ]


def _keys(folder: Path, floor: Path | None, hosts: list[str]) -> list[str]:
    from feltwork.compliance.floor_file import read_floor
    from feltwork.servers.nats_config import CONFIGURATION, make_site

    if floor is None:
        problem = Problem("--keys", "keys need a floor file", "pass --floor")
        raise ProblemsError([problem])
    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    path = make_site(read, folder, [*hosts, "127.0.0.1", "localhost"])
    typer.echo(f"{len(list(folder.glob('*.seed')))} keys are in {folder}; {path} written")
    return [
        f"feltwork up --keys {folder}",
        f"or your own NATS server: cd {folder} && nats-server -c {CONFIGURATION} -sd STORE_FOLDER",
        f"lock {folder / 'authority.key'} away: it can create any device",
        "copy to each table its three files and authority.pem, and nothing else",
    ]


def _books(dsn: str, people: list[str], floor: Path | None, by: str, approved_by: str) -> list[str]:
    from feltwork.operations.context import connected
    from feltwork.operations.floors.floors import apply_first_floor
    from feltwork.operations.schema import migrate
    from feltwork.web.settings import read_settings

    policy = read_settings(dsn=dsn).policy
    typer.echo(f"schema {migrate(dsn)}")
    with connected(dsn, policy, place="command line") as op:
        for one in people:
            _register(op, one)
        if floor is not None:
            apply_as_two(op, apply_first_floor, floor, by, approved_by)
    return [
        "feltwork doctor",
        "feltwork serve and feltwork bookkeeper, or feltwork up for both on one machine",
    ]


def _register(op: "Operation", text: str) -> None:
    """Register a person with a PIN and, for the office, a password."""
    from feltwork.compliance.roles import COMMANDS, ROLES
    from feltwork.operations.people.people import NewPerson, RegisterPeople, register_people

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
    people = [NewPerson(id=name, name=name, role=role, badge=badge)]
    # Nobody can grant the first security keys but the owner of the database.
    command = RegisterPeople(people=people, pin=pin, password=password, grants_keys=bool(password))
    register_people(op, command)
    typer.echo(f"{name} is {role} with badge {badge}")
