"""Devices on the bench of the conformance kit, in this process: the reference controller, right or wrong."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import nats
from nats.aio.client import Client

from feltwork.background_tasks import is_cancelled
from feltwork.conformance.checks import Check
from feltwork.conformance.device_bench import BenchTable
from feltwork.conformance.device_conformance import play_server
from feltwork.conformance.device_operator import ProgramOperator
from feltwork.problem import ProblemsError
from feltwork.site.progressive.link import Link
from feltwork.site.servers import nats_permissions
from feltwork.site.servers.nats import EmbeddedNats, LeafUplink, NatsPlan
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.table.button_lines import Dealer, press_line
from feltwork.site.table.controller import Controller
from feltwork.site.table.offline_policy import TablePolicy
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.table_controller import TableController
from feltwork.site.wire.streams import AT_A_TABLE, ensure_streams
from feltwork.site.wire.tcp_relay import TcpRelay
from tests.table.conftest import STOP

PATIENT = replace(STOP, patience=5_000_000)
Row = Callable[[Client, Link], Controller]


def row_of(
    kind: type[Controller] = Controller,
    *,
    line: type[TablePublisher] = TablePublisher,
    policy: TablePolicy = PATIENT,
    site_domain: str = "",
    table: str = "C1",
    game: str = "crazy_4",
) -> Row:
    """How one row of a device is built."""
    return lambda client, link: kind(
        line(client, link=link.id, table=table, site_domain=site_domain), link, policy, game=game
    )


class InProcess:
    """The operator of a controller in this process."""

    watch_seconds = 1.0

    def __init__(
        self,
        relay: TcpRelay,
        links: tuple[Link, ...],
        row: Row,
        table: type[TableController] = TableController,
    ) -> None:
        self._relay = relay
        self._links = links
        self._row = row
        self._table = table
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._client: Client | None = None

    async def power_on(self) -> None:
        url = f"nats://127.0.0.1:{self._relay.port}"
        self._client = await nats.connect(
            url, max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=_quiet
        )
        table = self._table({link.id: self._row(self._client, link) for link in self._links})
        await table.open()
        self._lines = asyncio.Queue()
        self._tasks = [
            asyncio.create_task(table.run(every_seconds=0.2)),
            asyncio.create_task(self._press_on(table)),
        ]

    async def power_off(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        if self._client is not None:
            await self._client.close()

    async def press(self, line: str) -> None:
        self._lines.put_nowait(line)

    async def _press_on(self, table: TableController) -> None:
        dealer = Dealer("", "")
        while not is_cancelled():
            with suppress(ProblemsError):
                await press_line(table, (await self._lines.get()).split(), dealer)


class NoOperator:
    """Nobody at the buttons."""

    watch_seconds = 0.5

    async def power_on(self) -> None: ...

    async def power_off(self) -> None: ...

    async def press(self, line: str) -> None: ...


async def verdicts_on(
    folder: Path,
    tested: BenchTable,
    row: Row,
    *,
    table: type[TableController] = TableController,
    leaf: EmbeddedNats | None = None,
    site: EmbeddedNats | None = None,
) -> dict[str, str]:
    """The verdicts on a device, on servers of its own."""
    running = site or EmbeddedNats(folder, NatsPlan()).start()
    relay = await TcpRelay((leaf or running).port).start()
    client = await nats.connect(running.url, error_cb=_quiet)
    try:
        operator = InProcess(relay, tested.links, row, table)
        checks = await play_server(client, tested, operator, relay, seconds=8, silence=5.5)
    finally:
        await relay.cut()
        await client.close()
        if site is None:
            running.remove()
    return verdicts(checks)


async def verdicts_on_program(
    server: EmbeddedNats,
    tested: BenchTable,
    command: Sequence[str],
    *,
    near: EmbeddedNats | None = None,
    keys: KeyRing | None = None,
    show: Callable[[str], None] = lambda text: None,
) -> dict[str, str]:
    """The verdicts on a device that is a program of its own."""
    relay = await TcpRelay((near or server).port).start()
    options = keys.options(nats_permissions.BOOKS) if keys else {}
    manages = keys.derived_options(nats_permissions.BOOKS, nats_permissions.STREAMS) if keys else {}
    client = await nats.connect(server.url, error_cb=_quiet, **options)
    streams = await nats.connect(server.url, error_cb=_quiet, **manages)
    scheme = server.url.partition(":")[0]
    environment = {"FELTWORK_NATS": f"{scheme}://127.0.0.1:{relay.port}"}
    operator = ProgramOperator(command, environment, show)
    try:
        return verdicts(await play_server(client, tested, operator, relay, seconds=15, streams=streams))
    finally:
        await relay.cut()
        await client.close()
        await streams.close()


@contextmanager
def site_and_leaf(folder: Path) -> Iterator[tuple[EmbeddedNats, EmbeddedNats]]:
    """The server of a site, and a table's own server below it."""
    site = EmbeddedNats(folder / "site", NatsPlan(name="site", domain="site", leaves=True)).start()
    above = LeafUplink(url=f"nats://127.0.0.1:{site.leaf_port}")
    box = EmbeddedNats(folder / "box", NatsPlan(name="box", domain="box", leaf_of=above)).start()
    try:
        yield site, box
    finally:
        box.remove()
        site.remove()


def failed(verdicts: dict[str, str]) -> str:
    """The names of the checks that did not pass."""
    return ", ".join(name for name, verdict in verdicts.items() if verdict != "pass")


def verdicts(checks: list[Check]) -> dict[str, str]:
    assert len({check.name for check in checks}) == len(checks)
    return {check.name: check.verdict for check in checks}


async def wait_for_leaf(box: EmbeddedNats) -> None:
    """The table's own server is up, with its stream."""
    below = await nats.connect(box.url)
    await ensure_streams(below.jetstream(), AT_A_TABLE)
    await below.close()


async def _quiet(error: Exception) -> None:
    """What a cut line says is what the test is about."""
