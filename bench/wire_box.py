"""The machine under measurement: books, log and bookkeeper, with an open link, and what each part costs."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nats
from bench_link import sign_on_of, the_floor, the_link

from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import register_floor
from feltwork.site.books.links import lifecycle
from feltwork.site.books.migrate import migrate
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.books.queries import statement
from feltwork.site.progressive.sign_offs import TwoPersonRequest
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.wire.streams import FELT, ensure_streams

#: What of each wager goes to the first meter, in basis points.
BARE = """
CREATE TABLE IF NOT EXISTS bare_round (
  table_id text, number bigint, link text, started_at bigint, wager bigint, seats smallint[], entry bigint,
  booked_at timestamptz DEFAULT now(), PRIMARY KEY (table_id, number));
CREATE TABLE IF NOT EXISTS bare_meter (link text PRIMARY KEY, amount bigint);
INSERT INTO bare_meter VALUES ('L1', 0) ON CONFLICT DO NOTHING;
"""


class TemporaryServers:
    """One machine: books, log and bookkeeper, with its link open."""

    def __init__(self, folder: Path, *, sync_always: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        books = folder / "books"
        books.mkdir()
        books.chmod(0o755)
        self.folder = folder
        self.postgres = EmbeddedPostgres(books, {"shared_buffers": "512MB"}).start()
        self.log = EmbeddedNats(folder / "log", NatsPlan(sync_always=sync_always)).start()
        self.dsn = self.postgres.dsn(role="writer")
        migrate(self.postgres.dsn())
        with connect(self.dsn) as connection:
            dana = people.Person(id="dana", name="Dana", role="dealer", badge="B-dana")
            staff.register_people(connection, [dana], pin="2580", by="bench")
            lifecycle.register_link(connection, the_link("L1"), by="bench")
            lifecycle.open_link(
                connection, "L1", TwoPersonRequest(by="ann", approved_by="bob", reason="benchmark")
            )
        with connect(self.postgres.dsn()) as owner:
            owner.execute(BARE.encode())
        self.keeper: subprocess.Popen[bytes] | None = None
        self._placed: set[tuple[str, str]] = set()
        self._signed_on: set[str] = set()
        self._look = connect(self.dsn)

    def lay(self, names: list[tuple[str, str]]) -> None:
        """Put a floor into effect on which these tables, and all before them, play: (link, table)."""
        if not self._placed.issuperset(names):
            self._placed.update(names)
            text = the_floor(self._placed)
            with connect(self.dsn) as connection:
                register_floor(
                    connection, text, TwoPersonRequest(by="ann", approved_by="bob", reason="benchmark")
                )
                for table in {table for _, table in names} - self._signed_on:
                    row = (people.token_hash(sign_on_of(table)), "dana", "dealer", table, 86_400)
                    connection.execute(statement("begin_sign_on"), row)
                    self._signed_on.add(table)

    def keep(self) -> "TemporaryServers":
        """Start the bookkeeper, as people start it, and wait until it reads the link."""
        command = str(Path(sys.executable).parent / "feltwork")
        with (self.folder / "keeper.log").open("ab") as log:
            self.keeper = subprocess.Popen(
                [command, "bookkeeper", "--dsn", self.dsn, "--nats", self.log.url],
                env={**os.environ, "FELTWORK_PIN_KEY": "none"},
                stdout=log,
                stderr=log,
            )
        asyncio.run(self._wait_for_readers())
        return self

    async def _wait_for_readers(self) -> None:
        client = await nats.connect(self.log.url)
        js = client.jetstream()
        await ensure_streams(js)
        for _ in range(300):
            if await js.consumers_info(FELT):
                break
            await asyncio.sleep(0.1)
        await client.close()

    def wagers(self) -> int:
        """How many wagers the books have."""
        row = self._look.execute(
            "SELECT sum((state #>> '{counters,mega,wagers}')::bigint) FROM books.link_state"
        ).fetchone()
        return int(row[0]) if row else 0

    def ends(self) -> int:
        """How many rounds have ended in the books."""
        row = self._look.execute("SELECT count(*) FROM books.round_end").fetchone()
        return int(row[0]) if row else 0

    def cpu(self) -> dict[str, float]:
        """Seconds of processor time of each part."""
        keeper = {"bookkeeper": cpu_of(self.keeper.pid)} if self.keeper else {}
        return {**keeper, "nats-server": cpu_of(self.log.pid), "postgres": cpu_of_tree(self.postgres.pid)}

    def close(self) -> None:
        """End everything."""
        self._look.close()
        if self.keeper:
            self.keeper.send_signal(signal.SIGTERM)
            self.keeper.wait(20)
        self.log.remove()
        self.postgres.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def a_box(*, sync_always: bool = False) -> Iterator[TemporaryServers]:
    """A box in a folder of its own that leaves nothing behind."""
    box = TemporaryServers(Path(tempfile.mkdtemp(prefix="feltwork-wire-")), sync_always=sync_always)
    try:
        yield box
    finally:
        box.close()


def cpu_of(pid: int) -> float:
    """Processor seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_of_tree(pid: int) -> float:
    """Of a process, its children, and the children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    total = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        try:
            total += cpu_of(int(child))
        except OSError:
            continue
    return total
