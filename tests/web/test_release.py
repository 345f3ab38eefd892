"""A release that nobody approved: every screen says who must, no money moves, and two people approve it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwork.site.books.authorize import moves_money
from feltwork.site.books.connection import connect
from feltwork.site.books.links import lifecycle
from feltwork.site.compliance.roles import COMMANDS
from feltwork.site.servers.components import unapproved_release
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.progressive.room import asked
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

_WHAT = "no money moves until two people do"
_WHO = "Ivy requests it on the page Pit, and Emil or Eve approves it in the office"


@pytest.fixture
def upgraded(server: EmbeddedPostgres) -> Iterator[House]:
    """A service whose components are not those on the list."""
    yield from serve(server, new_books(server, "web_release"), release="a1" * 32)


@pytest.mark.requirement("WA-31", "GEN-19")
def test_no_money_moves_until_two_people_approve(upgraded: House) -> None:
    house = upgraded
    began = time.monotonic()
    ready = house.nobody.get("/readyz")
    assert ready.status_code == 503
    assert _WHAT in ready.json()["cannot_book"]
    assert _WHO in ready.json()["cannot_book"]
    for person, path in (("sam", "/pit"), ("ivy", "/pit"), ("eve", "/office"), ("ann", "/office")):
        shown = house.of(person).get(path, headers={"Accept": "text/html"}).text
        assert _WHAT in shown, path
        assert _WHO in shown, path
        assert ("Request approval" in shown) == (person == "ivy")
    assert time.monotonic() - began < 60

    house.register("L1")
    with connect(house.dsn) as connection:
        lifecycle.open_link(connection, "L1", asked(), at=1)
    body = {"wagers": {"L1": [1]}, "players": [1]}
    for person, path, sent in (
        ("dana", "/api/v1/tables/A1/start?link=L1", body),
        ("dana", "/api/v1/links/L1/tables/A1/hand", {"seat": 1, "hand": "four_aces"}),
        ("ann", "/api/v1/proposals", {"command": "resume", "link": "L1", "reason": "go"}),
    ):
        refused = house.post(person, path, sent)
        assert (refused.status_code, refused.json()["rule"]) == (403, "unapproved-release"), refused.text
        assert _WHO in refused.json()["remedy"]
    assert house.get("sam", "/api/v1/links/L1")["link"] == "L1", "everybody may look"

    release = house.get("ivy", "/pit")["release_hash"]
    alone = house.post("eve", "/api/v1/proposals", {"command": "install", "release": release, "reason": "go"})
    assert alone.status_code == 403, "an executive only approves"
    house.two("ivy", "eve", command="install", release="0" * 64)
    assert house.nobody.get("/readyz").status_code == 503, "they approved another release"
    house.two("ivy", "eve", command="install", release=release)
    assert house.nobody.get("/readyz").status_code == 200
    assert house.start("L1", "A1", (1,))
    assert house.get("sam", "/pit")["release"] is None


@pytest.mark.requirement("WA-31")
def test_what_waits_for_the_approval() -> None:
    """Everything about rounds, awards and links, but nothing that people need to look or to stop."""
    waits = {name for name in COMMANDS if moves_money(name)}
    assert {"start_game", "press_hand", "confirm", "pay", "adjust", "book_parked", "open_link"} <= waits
    assert not waits & {"install", "watch", "read_books", "suspend", "manage_people", "open_incident"}


def test_a_hash_stands_for_the_whole_installation(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    for path in (one, other):
        path.write_text("[components]\n", encoding="utf-8")
    assert unapproved_release(one) == unapproved_release(other) != ""
