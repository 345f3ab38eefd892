"""A real service on a free port with its own books in a real PostgreSQL."""

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from feltwork.simulation.stage import light_hash
from feltwork.site.books.connection import connect
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.servers.ports import listen
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.app import application
from feltwork.site.web.http_server import HttpServer
from feltwork.site.web.settings import Settings
from tests.support.books import new_books
from tests.web.house import PASSWORD, PEOPLE, PIN, House

#: Applications between two services: preparing the routes of a new one takes longer than most tests.
_idle: list[FastAPI] = []


def serve(
    server: EmbeddedPostgres, name: str, everybody: Sequence[people.Person] = PEOPLE, **set_to: Any
) -> Iterator[House]:
    """A service on the books of this name with the given staff; an origin may contain ``{port}``."""
    dsn = server.dsn(name, role="writer")
    with connect(dsn) as connection:
        with_badges = [replace(person, badge=f"B-{person.id}") for person in everybody]
        staff.register_people(
            connection, with_badges, pin=PIN, password=PASSWORD, by="setup", hasher=light_hash
        )
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    set_to = {"payout_record": "offered", **set_to}
    release = set_to.pop("release", "")
    if "origin" in set_to:
        set_to["origin"] = set_to["origin"].format(port=port)
    settings = Settings(**{"secure_cookie": False, "live_seconds": 0.1, **set_to}, dsn=dsn, port=port)
    app = _idle.pop() if _idle else application(settings)
    app.state.settings, app.state.release = settings, release
    # Longer than any pause of a test: no client may write to a connection that is being closed.
    service = HttpServer(app, log_level="error", timeout_graceful_shutdown=3, timeout_keep_alive=600)
    thread = threading.Thread(target=service.run, args=([listening],))
    thread.start()
    while not service.started:
        assert thread.is_alive(), "the service did not start"
        time.sleep(0.02)
    house = House(f"http://127.0.0.1:{port}", dsn)
    try:
        yield house
        assert 'status="500"' not in house.nobody.get("/metrics").text, "the service fell over in a test"
    finally:
        house.close()
        service.should_exit = True
        thread.join(20)
        if not thread.is_alive():
            _idle.append(app)


@pytest.fixture(scope="module")
def slips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a slip printer has printed."""
    file = tmp_path_factory.mktemp("printer") / "slips"
    file.touch()
    return file


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres, request: pytest.FixtureRequest) -> Iterator[House]:
    """A service for all tests of a module; each test opens its own links."""
    yield from serve(server, new_books(server, f"web_{request.module.__name__.rpartition('.')[2]}"))
