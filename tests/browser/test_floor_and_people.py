"""The floor plan follows the room without a reload; two people add somebody, who then signs in."""

import httpx
import pytest
from playwright.sync_api import Page, expect

from feltwork.site.books.connection import connect
from feltwork.site.books.watch.alarms import clear_alarm, raise_alarm
from tests.browser.conftest import Visit
from tests.browser.house import AQUARIUS
from tests.browser.visitor import serious
from tests.web.house import House


@pytest.mark.whole
def test_tables_are_arranged_once_by_mouse_and_by_keyboard(house: House, visit: Visit) -> None:
    def place(page: Page, table: str) -> int:
        number: int = page.evaluate(
            "table => [...document.querySelectorAll('.cell')]"
            ".findIndex(cell => cell.querySelector(`#table-${table}`))",
            table,
        )
        return number

    page = visit("/floor", person="sam", screen="desk")
    page.click("text=Arrange tables")
    page.wait_for_url(f"{house.url}/floor/arrange")
    expect(page.locator(".cell #table-B2")).to_be_visible()
    before = {table: place(page, table) for table in ("B1", "B2", "C1")}
    page.locator("#table-B1").drag_to(page.locator(".cell:empty").first)
    dragged = place(page, "B1")
    assert dragged != before["B1"]
    assert place(page, "B2") == before["B2"]
    page.focus("#table-C1")
    page.keyboard.press("ArrowRight")
    assert place(page, "C1") == before["C1"] + 1, "it changes places with its neighbor"
    expect(page.locator("#moved")).to_contain_text("Table C1: row")
    assert serious(page) == []
    page.click("[data-save]")
    page.wait_for_url(f"{house.url}/floor")
    other = visit("/floor", person="eve", screen="desk")
    assert place(other, "B1") == dragged, "everyone sees it"
    assert place(other, "C1") == before["C1"] + 1
    assert serious(other) == []
    for screen in ("tablet", "phone"):
        small = visit("/floor/arrange", person="sam", screen=screen)
        wide = small.evaluate(
            "[...document.querySelectorAll('html, .scroll')].map(one => [one.scrollWidth, one.clientWidth])"
        )
        assert len(wide) == 2
        assert all(needed <= visible for needed, visible in wide), (screen, wide)


@pytest.mark.requirement("GL-04")
def test_the_floor_plan_follows_tables_sensors_links_and_alarms(house: House, visit: Visit) -> None:
    page = visit("/floor", person="eve", screen="desk")
    table = page.locator("#table-B5")
    expect(table).to_contain_text("no sensor signal")
    house.of("dana").put("/api/v1/links/sevens/tables/B5/sensors", json={"covered": [1, 4]})
    expect(table.locator(".seat.lit")).to_have_count(2)
    house.start("sevens", "B5", (1, 4))
    expect(table).to_contain_text("playing")
    expect(page.locator("#table-X2")).to_contain_text("manual entry")
    house.end("sevens", "B5")
    expect(table).to_contain_text("idle")
    stop = {"cause": "suspended", "reason": "the layout is changed"}
    house.done("sam", f"/api/v1/links/{AQUARIUS}/stop", stop)
    expect(page.locator(f"#link-{AQUARIUS}")).to_contain_text("suspended")
    expect(visit(f"/signs/{AQUARIUS}", screen="wall").locator("#state")).to_have_text("Closed")
    house.two("sam", "sue", command="resume", link=AQUARIUS)
    expect(page.locator(f"#link-{AQUARIUS}")).to_contain_text("open")
    expect(page.locator("#table-B2")).to_contain_text("idle")
    with connect(house.dsn) as connection:
        raise_alarm(connection, "gap", "table B2", {"missing": "3-4,7"}, by="bookkeeper 1")
    alarm = page.locator(".alarm li", has_text="table B2")
    expect(alarm).to_contain_text("These rounds have not arrived: 3-4,7.")
    expect(alarm).to_contain_text("What to do: Check the controller of the table and its cable.")
    expect(page.locator("#table-B2")).to_contain_text("Round missing")
    with connect(house.dsn) as connection:
        clear_alarm(connection, "gap", "table B2", by="bookkeeper 2", why="all of them are booked")
    expect(page.locator("#table-B2")).not_to_contain_text("Round missing")
    expect(page.locator("section:has(#cleared)")).to_contain_text("by bookkeeper 2")


@pytest.mark.requirement("TR-03")
def test_two_people_add_somebody_who_then_signs_in(house: House, visit: Visit) -> None:
    eve = visit("/people", person="eve", screen="desk")
    eve.click("#add")
    form = "form[aria-labelledby=add] "
    for name, value in {
        "person": "gwen",
        "name": "Gwen",
        "badge": "B-gwen",
        "reason": "begins today",
    }.items():
        eve.fill(f"{form}[name={name}]", value)
    eve.select_option(f"{form}[name=role]", "dealer")
    eve.click(f"{form}button")
    expect(eve.get_by_text("someone else must approve")).to_be_visible()
    approve(visit("/people", person="ivy", screen="desk"))
    eve.goto(f"{house.url}/people/B-gwen")
    expect(eve.locator("main")).to_contain_text("can't sign in yet")
    propose(eve, "grant_secret", "the first PIN")
    ivy = visit("/people/B-gwen", person="ivy", screen="desk")
    approve(ivy)
    eve.reload()
    expect(eve.locator("main")).to_contain_text("Gwen enters it on the screen of ivy.")
    ivy.fill("[name=secret]", "7319")
    ivy.click("text=Save")
    expect(ivy.locator("[name=secret]")).to_have_count(0)
    gwen = visit("/sign-in", screen="phone")
    gwen.fill("[name=badge]", "B-gwen")
    gwen.fill("[name=pin]", "7319")
    expect(gwen.get_by_role("alert")).to_contain_text("The office set this PIN: choose your own first.")
    gwen.fill("[name=pin]", "6204")
    expect(gwen.locator("#pin-label")).to_have_text("Your own PIN once more")
    gwen.fill("[name=pin]", "6205")
    expect(gwen.get_by_role("alert")).to_contain_text("The two PINs differ.")
    for _ in range(2):
        gwen.fill("[name=pin]", "6204")
    gwen.wait_for_url(f"{house.url}/")
    credentials = {"badge": "B-gwen", "pin": "6204", "place": "pit 1"}
    assert httpx.post(f"{house.url}/api/v1/sign-in", json=credentials, timeout=60).status_code == 200


@pytest.mark.requirement("TR-03", "GL-10")
def test_the_token_of_a_machine_is_shown_once_and_revoked(house: House, visit: Visit) -> None:
    about = {"command": "manage_people", "service_account": "robot"}
    house.two(
        "eve", "ivy", **about, act="add_service_account", name="Robot", scopes=["floor:read"], tables=[]
    )
    house.two("eve", "ivy", **about, act="grant_token", days=30)
    page = visit("/service-accounts", person="ivy", screen="desk")
    page.click("text=Make the token")
    expect(page.locator("#made")).to_contain_text("fws_")
    headers = {"Authorization": f"Bearer {page.locator('#made').inner_text().split(': ')[1]}"}
    assert httpx.get(f"{house.url}/api/v1/links", headers=headers, timeout=60).status_code == 200
    page.reload()
    expect(page.locator("#made")).to_be_hidden()
    page.click("text=Revoke")
    expect(page.locator("main")).to_contain_text("revoked")
    assert httpx.get(f"{house.url}/api/v1/links", headers=headers, timeout=60).status_code == 401


def propose(page: Page, act: str, reason: str) -> None:
    page.click(f"#do-{act}")
    page.fill(f"form[aria-labelledby=do-{act}] [name=reason]", reason)
    page.click(f"form[aria-labelledby=do-{act}] button")
    expect(page.get_by_text("someone else must approve")).to_be_visible()


def approve(page: Page) -> None:
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
