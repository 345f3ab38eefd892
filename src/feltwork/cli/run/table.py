"""The command that runs a table controller with buttons and sensors as lines on standard input."""

import asyncio
import ssl
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltwork.cli.arguments import Keys, NatsUrl
from feltwork.cli.secret_prompt import typed
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from nats.aio.client import Client

    from feltwork.site.table.button_lines import Dealer
    from feltwork.site.table.controller import Controller
    from feltwork.site.table.table_controller import TableController
    from feltwork.telemetry.table_metrics import TableCounts

_LOOK_SECONDS = 0.1


def run_table(
    table: Annotated[str, typer.Argument(help="The id of the table in the floor file.")],
    floor: Annotated[Path, typer.Option(help="The floor file.")],
    nats: NatsUrl = "nats://127.0.0.1:4222",
    keys: Keys = None,
    site_domain: Annotated[
        str, typer.Option(help="The site's JetStream domain, if the nearest server is a leaf node.")
    ] = "",
    badge: Annotated[
        str, typer.Option(help="The dealer's badge, to sign on at the start; it prompts for the PIN.")
    ] = "",
    metrics_port: Annotated[int, typer.Option(help="The Prometheus port; 0 is none.")] = 0,
    metrics_host: Annotated[str, typer.Option(help="The address of the Prometheus port.")] = "127.0.0.1",
) -> None:
    """Run a table controller: each line on standard input is a button or a sensor; `help` lists them.

    Each line of output begins with `ok`, `no` or `told`. `ok` means that the action is stored.
    """
    from feltwork.site.table.button_lines import Dealer
    from feltwork.telemetry.tracing import start_tracing

    pin = typed("PIN", f"badge {badge}", badge) if badge else ""
    start_tracing("table")
    metrics = (metrics_host, metrics_port) if metrics_port else None
    asyncio.run(_play(table, floor, nats, keys, site_domain, Dealer(badge, pin), metrics))


async def _play(
    table: str,
    floor: Path,
    url: str,
    keys: Path | None,
    site_domain: str,
    dealer: "Dealer",
    metrics: tuple[str, int] | None,
) -> None:
    import nats
    from nats.errors import Error

    from feltwork.site.compliance.floor_file import read_floor
    from feltwork.site.table.controller_factory import open_table

    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    refusals = _Refusals(url, table)
    client = await nats.connect(
        url.split(","),
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        error_cb=refusals.hear,
        **_options(keys, table),
    )
    refusals.let_in()
    controller = open_table(
        client, read, table, site_domain=site_domain, show=lambda text: _print("told", text)
    )
    if metrics:
        _serve_metrics(table, controller, client, *metrics)
    await _open(controller, refusals)
    running = asyncio.create_task(controller.run(every_seconds=1.0))
    _print("ok", _status(controller))
    try:
        while line := await asyncio.to_thread(sys.stdin.readline):
            if line.strip() == "quit":
                break
            await _answer(controller, line.split(), dealer)
    finally:
        running.cancel()
        with suppress(Error, TimeoutError):
            await controller.close()
        await client.close()


def _serve_metrics(table: str, controller: "TableController", client: "Client", host: str, port: int) -> None:
    from prometheus_client import start_http_server

    from feltwork.telemetry.table_metrics import TableMetrics

    metrics = TableMetrics(table)
    metrics.follow_nats(lambda: client.is_connected)
    for link, row in controller.rows.items():
        metrics.follow_link(link, partial(_counts, row))
    start_http_server(port, host, registry=metrics.registry)


def _counts(row: "Controller") -> "TableCounts":
    from feltwork.telemetry.table_metrics import TableCounts

    return TableCounts(
        round=row.round.number, booked=row.booked_to, unsent=len(row.unsent), is_cut_off=row.is_cut_off
    )


class _Refusals:
    """Handler of NATS errors: an unreachable server is retried, a refusal is final."""

    def __init__(self, url: str, table: str) -> None:
        self._url = url
        self._table = table
        self._is_in = False
        self.not_allowed: Problem | None = None

    def let_in(self) -> None:
        """Treat later errors as temporary, now that the first connection is established."""
        self._is_in = True

    async def hear(self, error: Exception) -> None:
        """Raise if the server refuses the connection; remember a permissions violation."""
        text = str(error).lower()
        wrong_certificate = isinstance(error, ssl.SSLCertVerificationError) or "alert" in text
        if not self._is_in and (wrong_certificate or "authorization" in text):
            remedy = (
                f"Copy the table's key to it and pass its folder with --keys, or correct --nats {self._url}."
            )
            raise ProblemsError([Problem(self._url, f"no connection: {error}", remedy, "GEN-07")])
        if "permissions violation" in text:
            remedy = "Use the table's own key; after a new floor file, reload the NATS configuration."
            what = f"NATS does not allow this with the table's key: {error}"
            self.not_allowed = Problem(f"table {self._table}", what, remedy, "GEN-07")


async def _open(controller: "TableController", refusals: _Refusals) -> None:
    """Resume where the table was, retrying while NATS has no streams yet."""
    from nats.errors import Error

    while True:
        try:
            return await controller.open()
        except (Error, TimeoutError):
            if refusals.not_allowed:
                raise ProblemsError([refusals.not_allowed]) from None
            _print("told", "NATS does not answer yet")
            await asyncio.sleep(1)


async def _answer(controller: "TableController", words: list[str], dealer: "Dealer") -> None:
    from feltwork.site.table.button_lines import help_text, press_line

    try:
        while words == ["wait"] and any(
            row.welcome is None or row.is_cut_off for row in controller.rows.values()
        ):
            await asyncio.sleep(_LOOK_SECONDS)
        await press_line(controller, words, dealer)
    except ProblemsError as error:
        for problem in error.problems:
            _print("no", str(problem))
    except (ValueError, IndexError):
        _print("no", f"{' '.join(words)}: unknown; type help for a list")
    else:
        if words:
            _print("ok", help_text(controller) if words[0] == "help" else _status(controller))


def _status(controller: "TableController") -> str:
    rows = controller.rows
    if len(rows) == 1:
        return _status_of(next(iter(rows.values())))
    return " · ".join(f"{link}: {_status_of(row)}" for link, row in rows.items())


def _status_of(controller: "Controller") -> str:
    from feltwork import money

    round_ = controller.round
    seats = ", ".join(map(str, round_.seats)) or "none"
    parts = [f"round {round_.number} {round_.phase}", f"seats {seats}"]
    parts += [f"seat {seat} {hand}" for seat, hand in round_.hands.items()]
    parts.append(f"press: {', '.join(round_.buttons)}")
    if controller.snapshot:
        parts += [f"{level} {money.text(amount)}" for level, amount in controller.snapshot.meters.items()]
    if controller.is_cut_off:
        waiting = f"{controller.contact.rounds} rounds, {money.text(controller.contact.wagers)} wait"
        parts.append(f"CUT OFF from the books ({waiting})")
    return " · ".join(parts)


def _options(keys: Path | None, name: str) -> dict[str, Any]:
    from feltwork.site.servers.nats_keys import KeyRing

    return KeyRing(keys).options(name) if keys else {}


def _print(what: str, text: str) -> None:
    sys.stdout.write(f"{what} {text}\n")
    sys.stdout.flush()
