"""Browsers behind a reverse proxy: each counts under its own address, and nobody chooses theirs."""

import asyncio

import httpx
import pytest

from feltwork.site.books.people import credentials as people
from feltwork.site.servers.ports import listen
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.app import application
from feltwork.site.web.http_server import HttpThread
from feltwork.site.web.settings import Settings
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PIN

PROXY, OUTSIDER = "127.0.9.1", "127.0.8.1"


def sign_in(url: str, pin: str, browser: str, *, through: str = PROXY) -> httpx.Response:
    with httpx.Client(base_url=url, transport=httpx.HTTPTransport(local_address=through)) as client:
        headers = {"X-Forwarded-For": browser}
        return client.post("/api/v1/sign-in", json={"badge": "B-sue", "pin": pin}, headers=headers)


@pytest.mark.requirement("GL-10")
def test_wrong_pins_of_one_browser_do_not_refuse_the_others(server: EmbeddedPostgres) -> None:
    """Attack 11: behind the proxy of the composition, all browsers had one address."""
    (house,) = serve(server, new_books(server, "proxies"))  # it leaves the books and the people
    listener = listen("127.0.0.1", 0)
    settings = Settings(
        dsn=house.dsn,
        port=listener.getsockname()[1],
        secure_cookie=False,
        payout_record="offered",
        trusted_proxies="127.0.9.0/24",
    )

    async def attack() -> None:
        thread = HttpThread(application(settings), listener)
        await thread.start()
        for _ in range(people.TRIES):
            refused = await asyncio.to_thread(sign_in, thread.url, "9999", "10.1.1.1")
            assert refused.status_code == 401
        assert (await asyncio.to_thread(sign_in, thread.url, PIN, "10.1.1.1")).status_code == 401
        assert (await asyncio.to_thread(sign_in, thread.url, PIN, "10.1.1.2")).status_code == 200
        for number in range(people.TRIES):
            browser = f"10.2.2.{number}"
            refused = await asyncio.to_thread(sign_in, thread.url, "9999", browser, through=OUTSIDER)
            assert refused.status_code == 401
        locked = await asyncio.to_thread(sign_in, thread.url, PIN, "10.1.1.2", through=OUTSIDER)
        assert "locked" in locked.json()["detail"], "it is not a proxy, and has one address"
        assert await thread.stop()

    asyncio.run(attack())
