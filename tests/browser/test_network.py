"""A hub in the browser: the map and the sites, a settlement by two people, a large award, and a statement."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.conftest import new_books
from tests.books.hub_room import the_claim
from tests.browser.conftest import Visit
from tests.browser.test_pit import fits
from tests.browser.visitor import serious
from tests.web.conftest import serve
from tests.web.house import House
from tests.web.network_room import Room


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    """The service of a hub."""
    yield from serve(server, new_books(server, "browser_network"))


@pytest.mark.requirement("GEN-18", "GEN-19", "LT-03")
def test_people_of_a_hub_settle_and_countersign(house: House, visit: Visit) -> None:
    assert "/network" not in house.of("ann").get("/", headers={"Accept": "text/html"}).text
    room = Room(house, "aces").opened("north", "south", "west")
    room.hear(room.sum("north", 50, 20_000), room.sum("south", 40, 9_000), room.sum("west", 7, 800))
    room.hear(room.sum("west", 8, 799))
    claim = the_claim(room.version(), room.sum("north", 51, 20_001), "north:C1:7:1:1")
    room.receive(claim)

    desk = visit("/network", person="ann", screen="desk")
    expect(desk.locator(".network-map a")).to_have_count(3)
    expect(desk.get_by_role("navigation", name="Screens").get_by_role("link", name="Network")).to_be_visible()
    expect(desk.locator("main")).to_contain_text("Books rolled back")
    assert serious(desk) == []
    desk.locator(".network-map a", has_text="south").click()
    expect(desk.get_by_role("heading", name="Site south")).to_be_visible()
    expect(desk.locator("#closing")).to_have_text("$2,610.00")
    assert serious(desk) == []
    settle = desk.locator("form", has=desk.get_by_role("heading", name="Settle"))
    settle.get_by_label("Paid to the trust").fill("2610.00")
    settle.get_by_label("Reason").fill("bank statement of Monday")
    settle.get_by_role("button", name="Propose").click()
    expect(desk.get_by_role("heading", name="Waiting for a second person")).to_be_visible()

    office = visit("/office/proposals", person="eve", screen="desk")
    office.get_by_role("button", name="Approve").click()
    expect(office.locator("main")).to_contain_text("Nothing waiting.")
    assert room.site("south")["owes"] == 0

    phone = visit("/network", person="eve", screen="phone")
    phone.get_by_role("button", name="Countersign $").click()
    expect(phone.locator("[data-award]")).to_contain_text("countersigned")
    fits(phone)
    paper = house.of("ann").get(f"/network/{room.link}/sites/south/statement.pdf")
    assert (paper.status_code, paper.content[:5]) == (200, b"%PDF-")
