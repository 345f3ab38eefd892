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


@pytest.mark.requirement("GL-04")
def test_the_floor_plan_shows_alarms_and_who_cleared_them(house: House, visit: Visit) -> None:
    page = visit("/floor", person="eve", screen="desk")
    expect(page.locator("#table-B2")).to_contain_text("idle")
    with connect(house.dsn) as connection:
        raise_alarm(connection, "gap", "table B2", {"missing": "3-4,7"}, by="bookkeeper 1")
    expect(page.locator(".alarm")).to_contain_text("These rounds have not arrived: 3-4,7.")
    expect(page.locator("#table-B2")).to_contain_text("Round missing")
    floor = house.get("eve", "/floor.json")
    assert "table B2" in [alarm["place"] for alarm in floor["alarms"] if alarm["cleared_at"] is None]
    with connect(house.dsn) as connection:
        clear_alarm(connection, "gap", "table B2", by="bookkeeper 2", why="all of them are booked")
    expect(page.locator("#table-B2")).not_to_contain_text("Round missing")
    expect(page.locator("section:has(#cleared)")).to_contain_text("by bookkeeper 2")


@pytest.mark.requirement("GL-04")
def test_an_alarm_states_what_to_do(house: House, visit: Visit) -> None:
    own = {"what": "its round has not arrived", "remedy": "check the table", "requirement": ""}
    with connect(house.dsn) as connection:
        raise_alarm(connection, "gap", "table B3", {"missing": "12"}, by="bookkeeper 1")
        raise_alarm(connection, "waiting message", "table B4", own, by="bookkeeper 1")
    page = visit("/floor", person="eve", screen="desk")
    gap = page.locator(".alarm li", has_text="table B3")
    expect(gap).to_contain_text("What to do: Check the controller of the table and its cable.")
    waiting = page.locator(".alarm li", has_text="table B4")
    expect(waiting).to_contain_text(
        "Its round has not arrived.What to do: Check the controller of the table."
    )
    with connect(house.dsn) as connection:
        for kind, place in (("gap", "table B3"), ("waiting message", "table B4")):
            clear_alarm(connection, kind, place, by="bookkeeper 1", why="it is booked")


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
    twice = {"places": [{"table": name, "column": 1, "row": 1} for name in ("B1", "B2")]}
    assert house.post("sam", "/api/v1/floors/plan", twice).status_code == 409
    with connect(house.dsn) as connection:
        row = connection.execute("SELECT arranged_by FROM books.floor_plan ORDER BY number DESC").fetchone()
    assert row == ("sam",)


@pytest.mark.parametrize("screen", ["tablet", "phone"])
def test_a_small_screen_shows_every_column_while_tables_are_arranged(visit: Visit, screen: str) -> None:
    page = visit("/floor/arrange", person="sam", screen=screen)
    wide = page.evaluate(
        "[...document.querySelectorAll('html, .scroll')].map(one => [one.scrollWidth, one.clientWidth])"
    )
    assert len(wide) == 2
    assert all(needed <= visible for needed, visible in wide), wide
    assert serious(page) == []


def test_the_floor_plan_follows_tables_sensors_and_links(house: House, visit: Visit) -> None:
    page = visit("/floor", person="eve", screen="desk")
    expect(page.locator("#table-H2")).to_contain_text("no sensor signal")
    sees = {"covered": [1, 4]}
    assert house.of("dana").put("/api/v1/links/five-card/tables/H2/sensors", json=sees).status_code == 200
    expect(page.locator("#table-H2 .seat.lit")).to_have_count(2)
    house.start("five-card", "H2", (1, 4))
    expect(page.locator("#table-H2")).to_contain_text("playing")
    expect(page.locator("#table-X2")).to_contain_text("manual entry")
    house.end("five-card", "H2")
    expect(page.locator("#table-H2")).to_contain_text("idle")
    stop = {"cause": "suspended", "reason": "the layout is changed"}
    house.done("sam", f"/api/v1/links/{AQUARIUS}/stop", stop)
    expect(page.locator(f"#link-{AQUARIUS}")).to_contain_text("suspended")
    house.two("sam", "sue", command="resume", link=AQUARIUS)
    expect(page.locator(f"#link-{AQUARIUS}")).to_contain_text("open")


def test_a_table_on_the_wire_is_seen_to_play(house: House, visit: Visit) -> None:
    page = visit("/floor", person="eve", screen="desk")
    table = page.locator("#table-H3")
    expect(table).to_contain_text("idle")
    expect(table).to_contain_text("round 1700")
    house.book("five-card", "H3", (1_701,), seats=(2, 3, 5))
    expect(table).to_contain_text("playing")
    expect(table).to_contain_text("round 1701")
    expect(table).to_contain_text("sensors online")
    expect(table.locator(".seat.lit")).to_have_count(3)
    pit = visit("/pit", person="sam")
    expect(pit.locator(".tile.playing", has_text="H3")).to_contain_text("round 1701")


def test_who_supervises_stops_a_link_and_two_of_them_open_it_again(house: House, visit: Visit) -> None:
    sam = visit("/meters/dragon-2", person="sam")
    sam.tap("summary")
    sam.fill("details [name=reason]", "the sign shows another amount")
    sam.tap("details button")
    expect(sam.get_by_role("status")).to_contain_text("Wagers stopped: suspended")
    expect(visit("/signs/dragon-2", screen="wall").locator("#state")).to_have_text("Closed")
    sam.fill("form:has(#resume) [name=reason]", "it is mended")
    sam.tap("form:has(#resume) button")
    expect(sam.get_by_text("someone else must approve")).to_be_visible()
    sue = visit("/meters/dragon-2", person="sue")
    approve(sue)
    expect(sue.locator(".tag.go")).to_have_text("open")
    assert house.get("otto", "/api/v1/links/dragon-2")["takes_wagers"] is True


@pytest.mark.requirement("WA-30")
def test_a_page_says_why_somebody_may_do_a_thing_or_not(house: House, visit: Visit) -> None:
    page = visit("/people", person="otto", screen="desk")
    assert page.get_by_role("button", name="Propose").count() == 0, "an auditor proposes nothing"
    places = {
        duty["place"] for duty in house.get("otto", "/api/v1/people")["on_duty"] if duty["person"] == "otto"
    }
    assert places, "the auditor is signed in"
    expect(page.locator("[data-duty=otto]")).to_have_text(", ".join(sorted(places)))
    page.get_by_role("link", name="Sam", exact=True).click()
    answers = {
        answer["command"]: answer for answer in house.get("otto", "/api/v1/people/B-sam/may")["answers"]
    }
    for command, answer in (("confirm", "Yes"), ("resume", "With a second person"), ("adjust", "No")):
        group = page.locator("tbody", has=page.locator(f"#command-{command}"))
        expect(group.locator("tr").first).to_contain_text(answer)
        line = page.locator(f"#command-{command}")
        for part in ("why", "requirement", "remedy"):
            expect(line).to_contain_text(answers[command][part][1:])


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
    propose(eve, "shut_out", "has left")
    approve(visit("/people/B-gwen", person="ivy", screen="desk"))
    eve.reload()
    expect(eve.locator("section[aria-labelledby=may] tbody")).to_have_count(1)
    expect(eve.locator("#command-start_game")).to_contain_text("was shut out")
    assert httpx.post(f"{house.url}/api/v1/sign-in", json=credentials, timeout=60).status_code == 401


@pytest.mark.requirement("TR-03", "GL-10")
def test_two_people_give_a_machine_a_token_and_one_revokes_it(house: House, visit: Visit) -> None:
    eve = visit("/service-accounts", person="eve", screen="desk")
    expect(eve.locator("main")).to_contain_text("No machine has a service account.")
    eve.click("#do-add_service_account-")
    form = "form[aria-labelledby=do-add_service_account-] "
    for name, value in {
        "service_account": "robot",
        "name": "Robot",
        "tables": "C1, C2",
        "reason": "new",
    }.items():
        eve.fill(f"{form}[name={name}]", value)
    eve.check(f"{form}[value='floor:read']")
    eve.click(f"{form}button")
    expect(eve.get_by_text("someone else must approve")).to_be_visible()
    ivy = visit("/service-accounts", person="ivy", screen="desk")
    approve(ivy)
    (account,) = house.get("otto", "/api/v1/service-accounts")["service_accounts"]
    assert (account["scopes"], account["tables"]) == (["floor:read"], ["C1", "C2"])
    eve.reload()
    propose(eve, "grant_token-robot", "the first token")
    ivy.reload()
    approve(ivy)
    ivy.click("text=Make the token")
    expect(ivy.locator("#made")).to_contain_text("fws_")
    token = ivy.locator("#made").inner_text().split(": ")[1]
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{house.url}/api/v1/links", headers=headers, timeout=60).status_code == 200
    ivy.reload()
    expect(ivy.locator("#made")).to_be_hidden()
    ivy.click("text=Revoke")
    expect(ivy.locator("main")).to_contain_text("revoked")
    assert httpx.get(f"{house.url}/api/v1/links", headers=headers, timeout=60).status_code == 401


@pytest.mark.requirement("TR-03")
def test_access_is_reviewed_until_nothing_is_left_to_change(house: House, visit: Visit) -> None:
    hugo = {"act": "add", "person": "hugo", "name": "Hugo", "role": "dealer", "badge": "B-hugo"}
    house.two("eve", "ivy", command="manage_people", **hugo)
    ann = visit("/people", person="ann", screen="desk")
    ann.get_by_role("link", name="Access review").click()
    answers = ann.get_by_role("combobox")
    ann.fill("[name=says]", "one dealer has left")
    ann.get_by_role("button", name="Record the review").click()
    expect(ann.get_by_text("Still to change")).to_have_count(0)  # the browser asks for every answer
    for answer in answers.all():
        answer.select_option("keep")
    ann.get_by_label("Answer for Hugo", exact=True).select_option("change")
    ann.get_by_label("What to change for Hugo", exact=True).fill("deactivate, left in October")
    assert serious(ann) == []
    ann.get_by_role("button", name="Record the review").click()
    left = ann.locator("section[aria-labelledby=to-change]")
    expect(left).to_contain_text("Hugo: deactivate, left in October")

    eve = visit("/people/B-hugo", person="eve", screen="desk")
    propose(eve, "shut_out", "the access review")
    approve(visit("/people/B-hugo", person="ivy", screen="desk"))
    ann.reload()
    expect(left).to_have_count(0)
    expect(ann.locator("section[aria-labelledby=on-file]")).to_contain_text("One dealer has left.")


def propose(page: Page, act: str, reason: str) -> None:
    page.click(f"#do-{act}")
    page.fill(f"form[aria-labelledby=do-{act}] [name=reason]", reason)
    page.click(f"form[aria-labelledby=do-{act}] button")
    expect(page.get_by_text("someone else must approve")).to_be_visible()


def approve(page: Page) -> None:
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
