"""Random histories through the screens' API and through table controllers, against a model on one page."""

import ast
import asyncio
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict
from pathlib import Path

import psycopg
import pytest
import structlog

from feltwork.rehearsal.preparation import OBSERVER
from feltwork.rehearsal.refusal import StepRefusedError
from feltwork.rehearsal.script import Script
from feltwork.rehearsal.servers import rehearsal_servers
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.rehearsal.site import Site
from feltwork.rehearsal.table_devices import TableDevices
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.servers.temporary import TemporaryServers
from tests.properties.histories import History, Planned, Shown, shown_by
from tests.properties.link_rules import LINKS, floor_text
from tests.properties.table_model import LinkModel

#: `just histories` runs 5,000.
HISTORIES = int(os.environ.get("FELTWORK_HISTORIES", "15"))
HUNDRED = 100
#: Keys that a step leaves out.
_UNSAID: tuple[object, ...] = ("", 0, None, (), {}, False)
FLOOR = floor_text()
SCRIPT = Script(
    name="histories",
    title="Random histories",
    cites=(),
    comment="",
    floor_name="floor.toml",
    floor_text=FLOOR,
    floor=read_floor(FLOOR, where="histories"),
)


@pytest.fixture
def servers() -> Iterator[TemporaryServers]:
    box = rehearsal_servers()
    try:
        box.start()
        yield box
    finally:
        box.stop()


def histories(first: int, count: int) -> tuple[list[History], list[LinkModel]]:
    """Histories that follow each other on the same links, each on one of them, and how the links end."""
    models = [LinkModel(rules) for rules in LINKS]
    written = []
    for seed in range(first, first + count):
        history = History(models[seed % len(LINKS)], random.Random(seed)).write()
        models[seed % len(LINKS)] = history.model
        written.append(history)
    return written, models


class EntryPoint:
    """Takes steps through HTTP, the buttons of the tables through controllers where there are any."""

    def __init__(self, service: ServiceClient, devices: TableDevices | None = None) -> None:
        self._service = service
        self._devices = devices
        self._table = devices or service

    async def take(self, planned: Planned) -> str:
        """Take a step; return the rule that refuses it, or nothing."""
        try:
            await self._take(planned)
        except StepRefusedError as error:
            return error.refusal.rule
        link, table = planned.step.link, planned.step.table
        if self._devices and planned.step.do in ("confirm", "void"):
            await self._devices.rounds_at(table, {link: await self._service.awards(link)})
        return ""

    async def _take(self, planned: Planned) -> None:
        step, award = planned.step, planned.award
        link, table = step.link, step.table
        match step.do:
            case "start":
                await self._table.start(table, step.by[0], step.wagers, step.players or ())
            case "hand":
                await self._table.hand(link, table, step)
            case "end":
                await self._table.end(table, step.by[0])
            case "misdeal":
                await self._table.misdeal(table, step)
            case "confirm":
                await self._service.confirm(link, award, step)
            case "void":
                await self._service.void(link, award, step)
            case "pay":
                await self._service.pay(link, award, step)
            case "stop":
                await self._service.stop(step)
            case "resume":
                await self._service.resume(step)

    async def shown(self, link: str) -> Shown:
        """What the books show of a link."""
        levels = (await self._service.link(link))["meters"]
        award_rows = (await self._service.get(OBSERVER, f"/api/v1/links/{link}/awards"))["awards"]
        awards = {
            award["id"]: (
                award["seat"],
                award["hand"],
                award["status"],
                award["amount"],
                award["claimed_by"],
                frozenset({award["supervisor"], award["executive"]} - {""}),
            )
            for award in award_rows
        }
        return Shown(
            pools={level: (pools["meter"], pools["reserve"]) for level, pools in levels.items()},
            awards=awards,
        )


async def play(history: History, point: EntryPoint) -> str:
    """Take every step of a history; return the first difference from the model."""
    link = history.model.rules.id
    for number, planned in enumerate(history.steps, 1):
        rule = await point.take(planned)
        if rule != planned.rule:
            return f"{told(history, number)}\nrefused by {rule or 'nothing'}, not {planned.rule or 'nothing'}"
        if number == history.judged:
            deviations = differences(await point.shown(link), history.shown)
            if deviations:
                return f"{told(history, number)}\nshows {deviations}"
    return ""


def told(history: History, number: int) -> str:
    """The steps of a history so far, as a rehearsal file has them."""
    words = []
    for planned_step in history.steps[:number]:
        fields = {name: value for name, value in asdict(planned_step.step).items() if value not in _UNSAID}
        words.append(f"  {fields} {planned_step.rule}")
    return "\n".join([history.model.rules.id, *words])


def differences(actual: Shown, expected: Shown) -> list[str]:
    """What the books show otherwise than the model."""
    pairs = [(actual.pools, expected.pools), (actual.awards, expected.awards)]
    return [
        f"{name}: {actual_values.get(name)}, not {expected_values.get(name)}"
        for actual_values, expected_values in pairs
        for name in dict.fromkeys([*actual_values, *expected_values])
        if actual_values.get(name) != expected_values.get(name)
    ]


async def play_all(written: Sequence[History], models: Sequence[LinkModel], point: EntryPoint) -> list[str]:
    """Play histories; a link is left alone after its first difference, which changes all that follows."""
    problems: dict[str, str] = {}
    for number, history in enumerate(written):
        link = history.model.rules.id
        if link not in problems and (difference := await play(history, point)):
            problems[link] = f"history {number} of the hundred, {difference}"
    for model in models:
        ends = differences(await point.shown(model.rules.id), shown_by(model))
        if ends and model.rules.id not in problems:
            problems[model.rules.id] = f"{model.rules.id} ends with {ends}"
    return list(problems.values())


def trays(dsn: str) -> dict[str, int]:
    """What the trays of each link have paid, by the books."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT link, sum(fixed + envy)::bigint FROM books.round_end GROUP BY link")
        return {link: paid for link, paid in rows if paid}


async def run(servers: TemporaryServers, site: Site, first: int, count: int, via: str) -> list[str]:
    """Play histories through one entry point, audit the books and run the independent verifier."""
    written, models = histories(first, count)
    (books,) = await site.databases(SCRIPT, 1)
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(site.service(books))
        devices = None
        if via == "nats":
            await stack.enter_async_context(site.bookkeeper(books.database, [rules.id for rules in LINKS]))
            devices = TableDevices(site.nats_url, SCRIPT.floor, opened.client)
            stack.push_async_callback(devices.close)
        problems = await play_all(written, models, EntryPoint(opened.client, devices))
        audit = await opened.client.audit()
        problems += [f"audit: {audit}"] if not audit["ok"] else []
        problems += await site.verify(books.database)
        assert servers.books is not None
        paid = trays(servers.books.dsn(books.database))
        due = {model.rules.id: model.tray for model in models if model.tray}
        problems += [f"the trays paid {paid}, not {due}"] if paid != due else []
    return [f"{via}: {problem}" for problem in problems]


async def run_both(servers: TemporaryServers, first: int, count: int) -> list[str]:
    site = Site(servers)
    await site.start()
    try:
        await site.databases(SCRIPT, 1)
        both = (run(servers, site, first, count, via) for via in ("http", "nats"))
        http, nats = await asyncio.gather(*both)
        return http + nats
    finally:
        await site.finish()


@pytest.mark.requirement("GEN-10", "LT-02", "LT-03", "LT-07", "WA-30")
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("first", range(0, HISTORIES, HUNDRED))
def test_screens_controllers_and_the_model_agree(servers: TemporaryServers, first: int) -> None:
    logging = structlog.get_config()
    problems = asyncio.run(run_both(servers, first, min(HUNDRED, HISTORIES - first)))
    assert not problems, "\n\n".join(problems)
    assert structlog.get_config() == logging, "the tests after it log as before"


def test_the_model_has_fewer_than_150_lines() -> None:
    text = Path(__file__).with_name("table_model.py").read_text(encoding="utf-8")
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    docs = [node for node in ast.walk(ast.parse(text)) if isinstance(node, documented)]
    prose = sum(len(doc.splitlines()) for node in docs if (doc := ast.get_docstring(node)))
    assert sum(bool(line.strip()) for line in text.splitlines()) - prose < 150
