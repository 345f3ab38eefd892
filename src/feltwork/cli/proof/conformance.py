"""The commands of whoever builds or installs devices: conformance of either side, and the keys of a floor."""

import asyncio
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.table.conformance import Check

FloorFile = Annotated[Path, typer.Option("--floor", help="The floor file.")]
Keys = Annotated[Path | None, typer.Option(help="The folder with keys and certificates.")]


def prove_conformance(
    floor: FloorFile,
    table: Annotated[str, typer.Option(help="The table that is tested, or played.")],
    url: Annotated[
        str, typer.Option("--nats", envvar="FELTWORK_NATS", help="The NATS server between the two: a URL.")
    ] = "nats://127.0.0.1:4222",
    side: Annotated[str, typer.Option("--as", help="Which side is played: server or device.")] = "server",
    keys: Keys = None,
    other_table: Annotated[
        str, typer.Option(help="A table whose subject must be refused to the played device.")
    ] = "",
    badge: Annotated[str, typer.Option(help="The badge of a dealer, for a played device.")] = "B-dealer",
    pin: Annotated[str, typer.Option(help="The PIN of that dealer, for a played device.")] = "2580",
    seconds: Annotated[
        float | None, typer.Option(help="How long to wait: 60 for a device, 10 for a server unless said.")
    ] = None,
    as_data: AsData = False,
) -> None:
    """Play a server against a device, or a device against a server. Ends with 1 unless all pass."""
    from feltwork.table.conformance import is_conformant

    if side not in ("server", "device"):
        raise ProblemsError([Problem(f"--as {side}", "is no side", "choose from: server, device")])
    checks = asyncio.run(_played(url, floor, table, side, keys, other_table, seconds, (badge, pin)))
    if as_data:
        print_json([asdict(one) for one in checks])
    else:
        _print(checks)
    if not is_conformant(checks):
        raise typer.Exit(1)


def make_keys(
    floor: Annotated[Path, typer.Argument(metavar="FLOOR", help="The floor file.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the keys are kept.")],
    host: Annotated[
        list[str] | None, typer.Option(help="A name or address under which devices reach the log.")
    ] = None,
    as_data: AsData = False,
) -> None:
    """Make the keys and certificates of a floor that are not there yet, and say who has which public key."""
    from feltwork.compliance.floor_file import read_floor
    from feltwork.servers import nats_permissions
    from feltwork.servers.nats_keys import KeyRing

    ring = KeyRing(folder)
    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    nats_permissions.make_keys(read, ring, host or ("127.0.0.1", "localhost"))
    public = {path.stem: ring.public(path.stem) for path in sorted(folder.glob("*.seed"))}
    if as_data:
        print_json(public)
        return
    for name, key in public.items():
        typer.echo(f"{key}  {name}")


async def _played(
    url: str,
    floor: Path,
    table: str,
    side: str,
    keys: Path | None,
    other_table: str,
    seconds: float | None,
    dealer: tuple[str, str],
) -> "list[Check]":
    import nats

    from feltwork.compliance.floor_file import read_floor
    from feltwork.servers import nats_permissions
    from feltwork.servers.nats_keys import KeyRing
    from feltwork.table.controller_factory import device_of
    from feltwork.table.device_conformance import play_server
    from feltwork.table.server_conformance import SECONDS, play_device

    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    device = replace(device_of(read, table), badge=dealer[0], pin=dealer[1])
    name = nats_permissions.BOOKS if side == "server" else table
    options = KeyRing(keys).options(name) if keys else {}
    try:
        client = await nats.connect(url, max_reconnect_attempts=3, error_cb=_quiet, **options)
    except (nats.errors.Error, OSError) as error:
        problem = Problem(url, f"no connection: {error}", "start nats-server, or correct --nats and --keys")
        raise ProblemsError([problem]) from error
    try:
        if side == "server":
            say = lambda text: typer.echo(text, err=True)  # noqa: E731
            return await play_server(client, device.link, seconds=seconds or 60.0, show=say)
        return await play_device(client, device, other_table=other_table, seconds=seconds or SECONDS)
    finally:
        await client.close()


async def _quiet(error: Exception) -> None:
    """What the server refuses is a verdict, not an error."""


def _print(checks: "list[Check]") -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    shown = Table("verdict", "check", "what it must do", "asked by", "detail")
    for one in checks:
        shown.add_row(one.verdict, one.name, one.says, one.requirement, one.detail)
    console_for_tables().print(shown)
