"""The lock of a screen that nobody uses: by location, enforced by the service, opened by the PIN."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PIN, House


@pytest.fixture(scope="module")
def quiet(server: EmbeddedPostgres) -> Iterator[House]:
    yield from serve(server, new_books(server, "web_idle"), security_key="offered")


@contextmanager
def browser(house: House, person: str) -> Iterator[httpx.Client]:
    """A client with the session in its cookie, as a browser has it."""
    with httpx.Client(base_url=house.url, timeout=60, headers={"Accept": "application/json"}) as client:
        response = client.post("/api/v1/sign-in", json={"badge": f"B-{person}", "pin": PIN})
        assert response.status_code == 200, response.text
        yield client


def leave_alone(house: House, person: str, seconds: int) -> None:
    """Let time pass in which nobody touches the screens of a person."""
    with connect(house.dsn) as connection:
        connection.execute(
            "UPDATE books.session SET active_at = clock_timestamp() - make_interval(secs => %s)"
            " WHERE person = %s",
            (seconds, person),
        )


def test_an_idle_session_opens_nothing_until_its_person_enters_the_pin(quiet: House) -> None:
    with browser(quiet, "sam") as sam:
        assert sam.get("/api/v1/me").status_code == 200
        leave_alone(quiet, "sam", 901)
        for method, path in (
            ("GET", "/api/v1/me"),
            ("POST", "/api/v1/active"),
            ("POST", "/api/v1/lock"),
            ("GET", "/pit"),
        ):
            refused = sam.request(method, path)
            assert (refused.status_code, refused.json()["rule"]) == (401, "session-locked"), path
        swapped = sam.get("/pit", headers={"Accept": "text/html", "HX-Request": "true"})
        assert (swapped.status_code, swapped.headers["HX-Trigger"]) == (204, "session-locked"), (
            "the page stays"
        )
        wrong = sam.post("/api/v1/unlock", json={"pin": "0852"})
        assert (wrong.status_code, wrong.json()["rule"]) == (401, "badge-and-secret")
        assert sam.get("/api/v1/me").status_code == 401
        assert sam.post("/api/v1/unlock", json={"pin": PIN}).json()["person"] == "sam"
        assert sam.get("/api/v1/me").status_code == 200
        assert sam.post("/api/v1/lock").status_code == 200
        assert sam.get("/api/v1/me").json()["rule"] == "session-locked", "at once"
    with httpx.Client(base_url=quiet.url, timeout=60) as nobody:
        assert nobody.post("/api/v1/unlock", json={"pin": PIN}).json()["rule"] == "signed-in"


def test_a_command_keeps_the_screen_open_and_a_page_that_refreshes_itself_does_not(quiet: House) -> None:
    with browser(quiet, "sue") as sue:
        leave_alone(quiet, "sue", 890)
        assert sue.get("/api/v1/me").status_code == 200
        leave_alone(quiet, "sue", 901)
        assert sue.get("/api/v1/me").status_code == 401, "the reading before did not count"
        assert sue.post("/api/v1/unlock", json={"pin": PIN}).status_code == 200
        leave_alone(quiet, "sue", 890)
        assert sue.post("/api/v1/active").status_code == 200
        with connect(quiet.dsn) as connection:
            ((idle,),) = connection.execute(
                "SELECT clock_timestamp() - max(active_at) < interval '60 s' FROM books.session"
                " WHERE person = 'sue'"
            ).fetchall()
        assert idle, "a command counts"


def test_each_location_has_its_own_time(quiet: House) -> None:
    with browser(quiet, "dana") as table, browser(quiet, "vic") as pit:
        office = httpx.Client(base_url=quiet.url, timeout=60, headers={"Accept": "application/json"})
        credentials = {"badge": "B-ann", "password": "a long walk by the river"}
        assert office.post("/api/v1/sign-in/office", json=credentials).status_code == 200
        for seconds, still_open in ((590, (1, 1, 1)), (610, (1, 1, 0)), (910, (1, 0, 0)), (1_810, (0, 0, 0))):
            for person in ("dana", "vic", "ann"):
                leave_alone(quiet, person, seconds)
            answers = tuple(
                int(client.get("/api/v1/me").status_code == 200) for client in (table, pit, office)
            )
            assert answers == still_open, seconds
        office.close()


def test_a_program_that_reads_is_in_use(quiet: House) -> None:
    program = quiet.of("otto")
    leave_alone(quiet, "otto", 890)
    assert program.get("/api/v1/me").status_code == 200
    with connect(quiet.dsn) as connection:
        row = connection.execute(
            "SELECT clock_timestamp() - max(active_at) < interval '60 s' FROM books.session"
            " WHERE person = 'otto'"
        ).fetchone()
    assert row == (True,)
