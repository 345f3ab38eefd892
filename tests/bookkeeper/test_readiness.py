"""The service is not ready while nothing from the tables can be booked."""

import os
from pathlib import Path

import httpx
import pytest

from feltwork.site.servers.ports import free_port
from tests.bookkeeper.house import House, say, started
from tests.support.commands import Program


@pytest.mark.requirement("GL-04")
def test_not_ready_without_a_bookkeeper_or_without_nats(house: House) -> None:
    port, keeper = free_port(), house.keeper()
    say(house, [started(1)])
    house.until(lambda: house.booked() == "{[1,2)}")
    options = ("--nats", house.log.url, "--port", str(port), "--plain-http")

    def ready() -> tuple[int, str]:
        try:
            answer = httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=30)
        except httpx.TransportError:
            return 0, ""
        return answer.status_code, answer.json()["cannot_book"]

    def connected() -> bool:
        metrics = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text
        return "feltwork_nats_connected 1.0" in metrics.splitlines()

    service = Program(("serve", "--dsn", house.dsn, *options), Path(os.devnull))
    try:
        house.until(lambda: ready() == (200, ""))
        assert connected()
        keeper.kill()
        keeper.wait()
        house.until(lambda: ready() == (503, "no bookkeeper is running"))
        house.keeper()
        house.until(lambda: ready() == (200, ""))
        house.log.kill()
        house.until(lambda: ready() == (503, "NATS is not responding"))
        assert not connected()
    finally:
        service.terminate()
        service.wait(60)
