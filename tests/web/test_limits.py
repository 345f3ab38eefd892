"""What one client may take from the service, and that the floor goes on beside one who takes all of it."""

import asyncio
import resource
import statistics
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import pytest

from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web import http_server
from feltwork.site.web.security import limits
from tests.sizes import size
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

STREAMS = 20
IDLE = size(220, 1_100)
JUNK_MEGABYTES = size(60, 600)


async def hang_up(writers: Iterable[asyncio.StreamWriter]) -> None:
    for writer in writers:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def post_junk(port: int | None, megabytes: int) -> None:
    for _ in range(megabytes // 10):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /api/v1/sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            for _ in range(10):
                writer.write(b"F4240\r\n" + b"x" * 1_000_000 + b"\r\n")
                await writer.drain()
        except ConnectionError:
            continue
        finally:
            await hang_up([writer])


@pytest.fixture(scope="module")
def limited(server: EmbeddedPostgres) -> Iterator[House]:
    """A service whose addresses may each have a few streams."""
    yield from serve(server, new_books(server, "limits"), streams_per_address=STREAMS)


def test_a_body_that_is_too_long_is_refused_announced_or_not(limited: House) -> None:
    long = b"[" * (limits.BODY_BYTES + 1)
    for content in (long, iter([long[:1_000_000], long[1_000_000:]])):
        try:
            refused = httpx.post(f"{limited.url}/api/v1/sign-in", content=content, timeout=60)
        except httpx.WriteError:  # it hung up before all was sent, which is as good
            continue
        assert (refused.status_code, refused.json()["detail"]) == (413, "The request is too large.")
        assert refused.json()["remedy"] == "Send it in several smaller requests."
    floor = {"command": "reconfigure", "floor": "#\n" * 100_000, "day": "2026-01-01", "reason": "long"}
    assert limited.post("eve", "/api/v1/proposals", floor).status_code == 200, (
        "the longest floor file is read"
    )


def test_a_body_that_never_ends_is_refused(limited: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_BODY_SECONDS", 0.3)

    async def send_slowly() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(limited.url).port)
        writer.write(b"POST /api/v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        line = await asyncio.wait_for(reader.readline(), 10)
        await hang_up([writer])
        return line

    assert b"408" in asyncio.run(send_slowly())


def test_heads_that_never_end_are_hung_up(limited: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attack 13: so many requests whose heads never end."""
    monkeypatch.setattr(http_server, "HEAD_SECONDS", 0.5)
    port = urlsplit(limited.url).port

    async def begin(*, later: bool) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        if later:
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"200" in await reader.readline()
        writer.write(b"GET /sign-in HTTP/1.1\r\nHost: x\r\nX-Never: ")
        rest = await asyncio.wait_for(reader.read(), 30)
        await hang_up([writer])
        return rest

    async def attack() -> list[bytes]:
        return await asyncio.gather(*(begin(later=number % 2 == 1) for number in range(100)))

    assert not any(b"HTTP/1.1" in answer for answer in asyncio.run(attack()))
    assert httpx.get(f"{limited.url}/healthz").status_code == 200


def test_the_workbench_computes_for_one_at_a_time(limited: House) -> None:
    """Attack 13: clients without a session who let the service compute."""

    async def attack() -> list[int]:
        async with httpx.AsyncClient(base_url=limited.url, timeout=60) as client:
            address = "/workbench/depth?paytable=crazy_4/super_bonus/C4P-09"
            answers = await asyncio.gather(*(client.get(f"{address}&n={n}") for n in range(40)))
        return [answer.status_code for answer in answers]

    codes = asyncio.run(attack())
    assert codes.count(503) == 40 - codes.count(200) > 0
    assert codes.count(200) >= 16


def test_an_address_has_so_many_streams_and_gets_them_back(limited: House) -> None:
    link = limited.open("streams")
    port = urlsplit(limited.url).port

    writers: list[asyncio.StreamWriter] = []

    async def status(address: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        writers.append(writer)
        writer.write(f"GET /signs/{link}/live HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        line = (await asyncio.wait_for(reader.readline(), 20)).split()[1]
        if line == b"200":
            await asyncio.wait_for(reader.readuntil(b"retry"), 20)
        return line

    async def attack() -> None:
        opened = [await status("127.0.0.9") for _ in range(STREAMS)]
        assert set(opened) == {b"200"}
        assert await status("127.0.0.9") == b"429"
        assert await status("127.0.0.8") == b"200", "another address is not concerned"
        await hang_up(writers)
        for _ in range(100):
            if await status("127.0.0.9") == b"200":
                break
            await asyncio.sleep(0.1)
        else:
            pytest.fail("a closed stream still counts")
        await hang_up(writers)

    asyncio.run(attack())


def test_a_floor_check_is_for_those_who_may_propose_and_is_over_at_once(limited: House) -> None:
    """Attack 2: twelve files that would take the parser minutes each."""
    files = ["a." * 90_000 + "a = 1", "x = " + "[" * 199_000, *["x = " + "[" * 900] * 10]
    for file in files:
        assert limited.of("dana").post("/api/v1/floors/check", json={"floor": file}).status_code == 403
    began = time.monotonic()
    for file in files:
        answer = limited.of("ann").post("/api/v1/floors/check", json={"floor": file})
        assert (answer.status_code, answer.json()["lawful"], len(answer.json()["errors"])) == (200, False, 1)
    too_long = limited.of("ann").post("/api/v1/floors/check", json={"floor": "x" * 200_001})
    assert too_long.status_code == 422
    assert time.monotonic() - began < 60


@pytest.mark.timeout(300)
def test_the_pit_and_the_tables_answer_beside_idle_streams_and_junk(limited: House) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * IDLE)), hard))
    link = limited.open("junk")
    port = urlsplit(limited.url).port
    pit, dealer = limited.of("sam"), limited.of("dana")

    def work(times: int) -> list[float]:
        durations = []
        for _ in range(times):
            for client, address in ((pit, "/pit"), (dealer, f"/api/v1/links/{link}/tables/A1")):
                began = time.perf_counter()
                assert client.get(address).status_code == 200
                durations.append(time.perf_counter() - began)
        return durations

    async def attack() -> list[float]:
        idle = []
        for number in range(IDLE):
            address = (f"127.0.2.{number % 200 + 1}", 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=address)
            writer.write(f"GET /signs/{link}/live HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            idle.append((reader, writer))
        for reader, _ in idle:
            assert b"200" in await asyncio.wait_for(reader.readline(), 60)
        junk = [asyncio.create_task(post_junk(port, JUNK_MEGABYTES // 2)) for _ in range(2)]
        durations = await asyncio.to_thread(work, 20)
        await asyncio.gather(*junk)
        await hang_up(writer for _, writer in idle)
        return durations

    work(2)
    alone = statistics.median(work(10))
    beside = statistics.median(asyncio.run(attack()))
    assert beside < max(0.3, 10 * alone), f"{alone * 1e3:.0f} ms alone, {beside * 1e3:.0f} ms beside it"
