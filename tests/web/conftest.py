"""A real service on a free port, on books of its own in a real PostgreSQL."""

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import uvicorn

from feltwork.books import people
from feltwork.books.carried import Carried
from feltwork.books.connection import connect
from feltwork.web.app import application
from feltwork.web.settings import Settings
from tests.books.conftest import database, new_books, reader, server, superuser, writer
from tests.web.house import PASSWORD, PEOPLE, PIN, House

__all__ = ["database", "reader", "server", "superuser", "writer"]


def serve(
    server: Carried, name: str, everybody: Sequence[people.Person] = PEOPLE, **set_to: Any
) -> Iterator[House]:
    """A service on the books of this name, with everybody in the house."""
    dsn = server.dsn(name, role="writer")
    with connect(dsn) as connection:
        for person in everybody:
            secrets = people.Secrets(pin=PIN, password=PASSWORD)
            people.register_person(connection, person, f"B-{person.id}", secrets, by="setup")
    set_to = {"payout_record": "offered", **set_to}
    settings = Settings(dsn=dsn, port=0, secure_cookie=False, live_seconds=0.1, **set_to)
    config = uvicorn.Config(
        application(settings), host="127.0.0.1", port=0, log_level="error", timeout_graceful_shutdown=3
    )
    service = uvicorn.Server(config)
    thread = threading.Thread(target=service.run)
    thread.start()
    while not service.started:
        time.sleep(0.02)
    port = service.servers[0].sockets[0].getsockname()[1]
    house = House(f"http://127.0.0.1:{port}", dsn)
    try:
        yield house
        assert 'status="500"' not in house.nobody.get("/metrics").text, "the service fell over in a test"
    finally:
        house.close()
        service.should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def house(server: Carried, request: pytest.FixtureRequest) -> Iterator[House]:
    """A service for all tests of a module; each makes the links it plays on."""
    yield from serve(server, new_books(server, f"web_{request.module.__name__.rpartition('.')[2]}"))
