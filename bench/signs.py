"""How smoothly a sign climbs, and how soon a thousand signs of one service hear of a change.

Frame times are taken in Chromium with the three meters of the example's five-card link climbing; `--display`
chooses 1080p, 4K, 16:10 or portrait.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright
from screens import FLOOR, served

from feltwork.money import DOLLAR
from feltwork.simulation.stage import open_site
from feltwork.site.books.connection import connect
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.servers.postgres import EmbeddedPostgres

LINK = "five-card"
DISPLAYS = {"1080p": (1920, 1080), "4K": (3840, 2160), "16:10": (1920, 1200), "portrait": (1080, 1920)}
SEATS = (1, 2, 3, 4, 5, 6, 7)
#: Between two rounds.
PAUSE_SECONDS = 0.4
CHROMIUM = {"executable_path": "/usr/bin/chromium", "args": ["--no-sandbox", "--no-first-run"]}
_FRAMES = """seconds => new Promise(done => {
  const times = [], until = performance.now() + seconds * 1000;
  let last = performance.now();
  const frame = now => {
    times.push(now - last);
    last = now;
    if (now < until) requestAnimationFrame(frame); else done(times.slice(1));
  };
  requestAnimationFrame(frame);
})"""


class Play(threading.Thread):
    """Books a round every moment and notes when."""

    def __init__(self, dsn: str) -> None:
        super().__init__(daemon=True)
        self._dsn = dsn
        self._ended = threading.Event()
        #: The number of an entry -> when it was booked.
        self.booked: dict[int, float] = {}

    def run(self) -> None:
        """Play until ended."""
        number = 0
        with connect(self._dsn) as writer:
            while not self._ended.wait(PAUSE_SECONDS):
                number += 1
                at = time.time_ns() // 1_000
                started = RoundStarted(
                    link=LINK, at=at, table="H1.bench", round=number, wager=DOLLAR, seats=SEATS
                )
                after = book_rounds(writer, LINK, [started], at=at).after
                self.booked[after.tail.number] = time.time()

    def end(self) -> None:
        """Stop."""
        self._ended.set()
        self.join()


@contextmanager
def played() -> Iterator[tuple[str, Play]]:
    """A service with a link that is played."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-signs-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder).start()
    try:
        open_site(carried.dsn(), FLOOR.read_text(encoding="utf-8"))
        dsn = carried.dsn(role="writer")
        with served(dsn) as url:
            play = Play(dsn)
            play.start()
            try:
                yield url, play
            finally:
                play.end()
    finally:
        carried.remove()


def frames(url: str, display: str, seconds: float) -> dict[str, object]:
    """The times between frames on a display."""
    width, height = DISPLAYS[display]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)  # type: ignore[arg-type]
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{url}/signs/{LINK}")
        page.wait_for_timeout(5_000)
        times = sorted(page.evaluate(_FRAMES, seconds))
        browser.close()
    return {
        "display": display,
        "frames_per_second": round(1_000 * len(times) / sum(times), 1),
        "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(times[int(len(times) * 0.95)], 1),
        "p99_ms": round(times[int(len(times) * 0.99)], 1),
        "longest_ms": round(times[-1], 1),
    }


async def listen(url: str, signs: int, seconds: float, play: Play) -> list[float]:
    """How old each change was when a sign heard it."""
    port = urlsplit(url).port
    head = f"GET /signs/{LINK}/live HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
    opened = []
    for number in range(signs):
        address = (f"127.0.1.{number % 250 + 1}", 0)  # each sign is a machine of its own
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16, local_addr=address)
        writer.write(head)
        opened.append((reader, writer))
    for reader, _ in opened:
        assert b"200" in await reader.readline(), "the service lets it listen"
    since, until = time.time(), asyncio.get_running_loop().time() + seconds
    lags_by_sign = await asyncio.gather(*(_hear(reader, play, since, until) for reader, _ in opened))
    for _, writer in opened:
        writer.close()
    return [lag for lags in lags_by_sign for lag in lags]


async def _hear(reader: asyncio.StreamReader, play: Play, since: float, until: float) -> list[float]:
    lags = []
    try:
        async with asyncio.timeout_at(until):
            while True:
                line = await reader.readline()
                if line.startswith(b"data:"):
                    booked = play.booked.get(int(json.loads(line[5:])["entry"]), 0)
                    if booked > since:
                        lags.append(time.time() - booked)
    except TimeoutError:
        return lags


def main() -> None:
    """Measure, and tell people or programs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--display", choices=DISPLAYS, action="append")
    parser.add_argument("--signs", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with played() as (url, play):
        drawn = [frames(url, display, options.seconds) for display in options.display or ["1080p"]]
        lags = sorted(asyncio.run(listen(url, options.signs, options.seconds, play)))
    figures = {
        "frames": drawn,
        "signs": options.signs,
        "changes_heard": len(lags),
        "p50_ms": round(1_000 * statistics.median(lags), 1),
        "p99_ms": round(1_000 * lags[int(len(lags) * 0.99)], 1),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
