"""A request whose commit no standby has confirmed is refused, and its repeat gets the one booking."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from psycopg import Rollback

from feltwork.site.books.connection import connect
from feltwork.site.books.journal.link_state import lock_link
from feltwork.site.servers.replicas import Replicas
from tests.support.standby import replicated_books, standby_away, until
from tests.web.conftest import serve
from tests.web.house import House

_BLOCKED = b"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
_ROUNDS = b"SELECT count(*) FROM books.round"


@pytest.fixture
def replicas() -> Iterator[Replicas]:
    with replicated_books() as replicas:
        yield replicas


@pytest.fixture
def house(replicas: Replicas) -> Iterator[House]:
    yield from serve(replicas.servers[replicas.primary], "postgres")


@pytest.mark.requirement("GEN-09", "GL-12")
def test_a_round_is_not_started_before_a_standby_has_it(house: House, replicas: Replicas) -> None:
    link = house.open("sure")
    meter = house.meter(link)
    path, body = f"/api/v1/tables/R1/start?link={link}", {"wagers": {link: [1, 2, 3]}, "players": [1, 2, 3]}

    def rounds() -> int:
        with connect(house.dsn) as connection:
            row = connection.execute(_ROUNDS).fetchone()
        assert row is not None
        return int(row[0])

    def is_blocked() -> bool:
        with connect(replicas.servers[replicas.primary].dsn()) as connection:
            return connection.execute(_BLOCKED).fetchone() == (1,)

    with ThreadPoolExecutor(1) as thread, ExitStack() as away:
        # The standby goes away while the request waits for the link, so that its own commit is the one.
        with connect(house.dsn) as busy, busy.transaction():
            lock_link(busy, link)
            answer = thread.submit(house.post, "dana", path, body, key="round-0001")
            until(is_blocked)
            away.enter_context(standby_away(replicas))
            raise Rollback
        refused = answer.result()
        assert rounds() == 1, "it is booked here"
        repeated = house.post("dana", path, body, key="round-0001")
    for refusal in (refused, repeated):
        assert (refusal.status_code, refusal.json()["rule"]) == (503, "unconfirmed"), refusal.text
        assert "Send the same again" in refusal.json()["remedy"]
    response = house.post("dana", path, body, key="round-0001")
    assert (response.status_code, response.headers["Idempotent-Replay"]) == (200, "true"), response.text
    assert (rounds(), house.meter(link) - meter) == (1, 3 * 240_000)
    house.sound()
