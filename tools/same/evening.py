"""The recorded evening: real PostgreSQL, NATS, service and controllers; its journal, chain heads and pages.

Times cannot repeat. Every time, day and random token in the answers and the journal becomes a mark, and each
link's chain is computed anew over the marked entries. A bookkeeper writes an entry per batch; the controllers
wait until each message is booked before the next, so that the entries are the same each time.
"""

import asyncio
import hashlib
import json
import re
import tomllib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

from feltwork.rehearsal import site as rehearsed
from feltwork.rehearsal.rehearse import FileReport, run_file
from feltwork.rehearsal.script import Script, read_script
from feltwork.rehearsal.servers import rehearsal_servers
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.rehearsal.site import OpenSite, RunBooks, Site
from feltwork.site.books.audit.site_key import make_site_key
from feltwork.site.books.connection import connect
from feltwork.site.servers.temporary import TemporaryServers
from feltwork.site.web.settings import Settings

FOLDER = Path(__file__).parents[2] / "tests/same/evening"
#: Facts name rounds and their ends by a digest that covers their times, so both are recorded beside them.
_QUERIES = {
    "journal": "SELECT link, number, kind, body, fact FROM books.entry ORDER BY link, number",
    "rounds": "SELECT link, table_id, number, wager, seats, entry FROM books.round ORDER BY link, entry",
    "audit": "SELECT who, place, what, why FROM books.audit ORDER BY id",
}
#: What differs from one evening to the next: hashes, keys, signatures, times, days and the program itself.
_MARKS = [
    (re.compile(r"\b[0-9a-f]{64}\b"), "<hash>"),
    (re.compile(r"\b1[6-9]\d{14}\b"), "<time>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"\b\d{1,2}:\d\d(:\d\d)?( [AP]M)?\b"), "<time>"),
    (re.compile(r"(?<!\d)20\d\d-\d\d-\d\d(?!\d)|\b[A-Z][a-z]{2} \d{1,2}, 20\d\d\b"), "<day>"),
    (re.compile(r"\bP[SD]T\b"), "<zone>"),
    (re.compile(r"\bP-[0-9a-f]{16}\b"), "<proposal>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<address>"),
    (re.compile(r"[A-Za-z0-9+/]{86,}={0,2}"), "<signature>"),
]


def evening() -> Iterable[tuple[str, str]]:
    """Play the evening; return its steps, its journal with the ends of its chains, and its pages."""
    asked = tomllib.loads((FOLDER / "pages.toml").read_text(encoding="utf-8"))
    return play(read_script(FOLDER / "evening.toml"), asked)


def play(script: Script, asked: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Play a script on new servers, and ask for pages as people."""
    servers = rehearsal_servers()
    servers.start()
    try:
        return asyncio.run(_play(servers, script, asked))
    finally:
        servers.stop()


async def _play(servers: TemporaryServers, script: Script, asked: Mapping[str, Any]) -> list[tuple[str, str]]:
    site = _RecordedSite(servers, asked)
    await site.start()
    report = FileReport(script=script)
    with TemporaryDirectory() as keys:
        make_site_key(Path(keys))
        # A rehearsal has no site key, and without one nobody closes a day.
        with patch.object(rehearsed, "Settings", partial(Settings, site_key=Path(keys))):
            await run_file(site, report, "nats")
        await site.finish()
    steps = [(f"steps/{result['step']:03} {result['do']}", _marked(result)) for result in report.results]
    return [*steps, ("end", _marked([report.runs[0].audit, report.runs[0].verifier])), *site.recorded]


class _RecordedSite(Site):
    """A site under rehearsal that is asked for everything before it is gone."""

    def __init__(self, servers: TemporaryServers, asked: Mapping[str, Any]) -> None:
        super().__init__(servers)
        self._asked = asked
        self.recorded: list[tuple[str, str]] = []

    @asynccontextmanager
    async def service(self, books: RunBooks) -> AsyncIterator[OpenSite]:
        """Give each request a known key, so that what is named after it has the same name each time."""
        async with super().service(books) as opened:
            opened.client._keys = (f"evening-{number:06}" for number in count(1))
            self._opened = opened
            yield opened

    async def verify(self, database: str) -> list[str]:
        """Record the journal and the pages, then verify."""
        with connect(self._dsn(database, role="writer")) as connection:
            for name, query in _QUERIES.items():
                rows = connection.execute(query).fetchall()
                self.recorded += _journal(rows) if name == "journal" else _rows(name, rows)
        self.recorded += [place async for place in _pages(self._opened.client, self._asked)]
        return await super().verify(database)


def _journal(rows: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield every fact of every chain, and the end of each chain over its marked entries."""
    ends: dict[str, str] = {}
    for link, number, kind, body, fact in rows:
        marked = _mark(fact)
        ends[link] = hashlib.sha256(f"{ends.get(link, '')}{_mark(body)}{marked}".encode()).hexdigest()
        yield f"journal/{link}/{number:03} {kind}", marked
    yield from ((f"ends/{link}", end) for link, end in ends.items())


def _rows(name: str, rows: list[Any]) -> Iterator[tuple[str, str]]:
    yield from ((f"{name}/{number:03}", _marked(list(row))) for number, row in enumerate(rows, 1))


async def _pages(client: ServiceClient, asked: Mapping[str, Any]) -> AsyncIterator[tuple[str, str]]:
    """Close the day, then ask for each page as each person: who may see it, and each field that it shows."""
    day = (datetime.now(ZoneInfo("America/Los_Angeles")) - timedelta(hours=6)).date()
    awards = await client.awards("five-card")
    names = {"day": str(day), "award": awards[0].id if awards else ""}
    answer = await client._http.request(
        "ann",
        "POST",
        f"/api/v1/days/{day}/close",
        key="evening-close",
        body={"explanations": asked["explanations"]},
    )
    yield "pages/close the day", _marked([answer.status, answer.body])
    for path in asked["pages"]:
        answers = {
            person: await client._http.request(person, "GET", path.format(**names))
            for person in asked["people"]
        }
        yield f"pages/{path}", " ".join(f"{person} {answer.status}" for person, answer in answers.items())
        shown = next((answer.body for answer in answers.values() if answer.status == 200), None)
        if isinstance(shown, dict):
            for field, value in shown.items():
                yield f"pages/{path} {field}", _marked(value)
        elif shown is not None:
            yield f"pages/{path} text", _marked(shown)


def _marked(value: object) -> str:
    return _mark(json.dumps(value, sort_keys=True, ensure_ascii=False))


def _mark(text: str) -> str:
    for pattern, mark in _MARKS:
        text = pattern.sub(mark, text)
    return text
