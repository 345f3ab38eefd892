"""Commands for device makers: conformance tests and settings."""

import asyncio
import os
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from feltwork.cli.arguments import AsData, Keys, NatsUrl, print_json
from feltwork.cli.secret_prompt import variable_of
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from nats.aio.client import Client

    from feltwork.conformance.checks import Check

#: The PIN of a dealer at a simulated site.
_PIN = "2580"


def prove_conformance(
    floor: Annotated[Path, typer.Option(help="The floor file.")],
    table: Annotated[str, typer.Option(help="The table to test or simulate.")],
    url: NatsUrl = "nats://127.0.0.1:4222",
    side: Annotated[str, typer.Option("--as", help="The side to simulate: server or device.")] = "server",
    keys: Keys = None,
    other_table: Annotated[
        str, typer.Option(help="A table whose subjects the simulated device must not use.")
    ] = "",
    badge: Annotated[
        str, typer.Option(help="A dealer's badge, for a simulated device; FELTWORK_PIN_BADGE is its PIN.")
    ] = "B-dealer",
    device: Annotated[
        str,
        typer.Option(help="The command of the device, if it is a program; it reads FELTWORK_NATS and lines."),
    ] = "",
    listen: Annotated[
        str, typer.Option(help="The address for the device, which is passed on to the NATS server.")
    ] = "127.0.0.1:4223",
    table_nats: Annotated[
        str, typer.Option(help="The URL of the table's own NATS server, if it has one.")
    ] = "",
    table_domain: Annotated[str, typer.Option(help="The JetStream domain of that server.")] = "",
    seconds: Annotated[
        float | None, typer.Option(help="The timeout; by default 60 for a device, 10 for a server.")
    ] = None,
    as_data: AsData = False,
) -> None:
    """Test a device against a simulated server, or the reverse; exit with 1 unless all checks pass."""
    from feltwork.conformance.checks import is_conformant

    if side not in ("server", "device"):
        raise ProblemsError(
            [Problem(f"--as {side}", "is neither server nor device", "choose from: server, device")]
        )
    if side == "server":
        line = _Line(url, table_nats or url, listen, table_domain)
        checks = asyncio.run(_test_device(line, floor, table, keys, device, seconds or 60.0))
    else:
        dealer = (badge, os.environ.get(variable_of("PIN", badge), _PIN))
        checks = asyncio.run(_test_server(url, floor, table, keys, other_table, seconds, dealer))
    if as_data:
        print_json([asdict(check) for check in checks])
    else:
        _print(checks)
    if not is_conformant(checks):
        raise typer.Exit(1)


def print_device_settings(
    floor: Annotated[Path, typer.Argument(metavar="FLOOR", help="The floor file.")],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id of the table.")],
) -> None:
    """Print the settings a table controller needs from the floor file as JSON: hashes, wager, hands, pays."""
    from feltwork.conformance.device_settings import device_settings
    from feltwork.site.compliance.floor_file import read_floor

    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    print_json(asdict(device_settings(read, table)))


@dataclass(frozen=True)
class _Line:
    """The connection from the device to the simulated books."""

    site: str
    near: str
    listen: str
    domain: str


async def _test_device(
    line: _Line, floor: Path, table: str, keys: Path | None, command: str, seconds: float
) -> "list[Check]":
    from feltwork.conformance.device_bench import bench_table
    from feltwork.conformance.device_conformance import play_server
    from feltwork.conformance.device_operator import ProgramOperator, PromptedOperator
    from feltwork.site.compliance.floor_file import read_floor
    from feltwork.site.servers import nats_permissions
    from feltwork.site.wire.tcp_relay import TcpRelay

    tested = bench_table(
        read_floor(floor.read_text(encoding="utf-8"), where=str(floor)), table, domain=line.domain
    )
    near, listen = urlsplit(line.near), urlsplit(f"//{line.listen}")
    host = listen.hostname or "127.0.0.1"
    client = await _connected(line.site, keys, nats_permissions.BOOKS)
    streams = await _connected(line.site, keys, nats_permissions.BOOKS, nats_permissions.STREAMS)
    relay = TcpRelay(near.port or 4222, to=near.hostname or "", host=host, port=listen.port or 0)
    await relay.start()
    at = f"{near.scheme}://{host}:{relay.port}"
    _say(f"the device finds NATS at {at}")
    environment = {"FELTWORK_NATS": at}
    operator = ProgramOperator(shlex.split(command), environment, _say) if command else PromptedOperator(_say)
    try:
        return await play_server(client, tested, operator, relay, seconds=seconds, streams=streams)
    finally:
        await relay.cut()
        await client.close()
        await streams.close()


def _say(text: str) -> None:
    typer.echo(text, err=True)


async def _test_server(
    url: str,
    floor: Path,
    table: str,
    keys: Path | None,
    other_table: str,
    seconds: float | None,
    dealer: tuple[str, str],
) -> "list[Check]":
    from feltwork.conformance.server_conformance import SECONDS, devices_of, play_device
    from feltwork.site.compliance.floor_file import read_floor

    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    devices = devices_of(read, table, badge=dealer[0], pin=dealer[1])
    client = await _connected(url, keys, table)
    try:
        return await play_device(client, *devices, other_table=other_table, seconds=seconds or SECONDS)
    finally:
        await client.close()


async def _connected(url: str, keys: Path | None, name: str, purpose: str = "") -> "Client":
    import nats

    from feltwork.site.servers.nats_keys import KeyRing

    ring = KeyRing(keys) if keys else None
    options = (ring.derived_options(name, purpose) if purpose else ring.options(name)) if ring else {}
    try:
        return await nats.connect(url.split(","), max_reconnect_attempts=3, error_cb=_quiet, **options)
    except (nats.errors.Error, OSError) as error:
        problem = Problem(url, f"no connection: {error}", "start nats-server, or correct --nats and --keys")
        raise ProblemsError([problem]) from error


async def _quiet(error: Exception) -> None:
    """Ignore refusals, which are test results here."""


def _print(checks: "list[Check]") -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    table = Table("verdict", "check", "what it must do", "asked by", "detail")
    for check in checks:
        table.add_row(check.verdict, check.name, check.says, check.requirement, check.detail)
    console_for_tables().print(table)
