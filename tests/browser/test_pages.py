"""Every page: it can be used by everybody, fits its screens, has a twin, and asks nothing of another host."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from feltwork.site.books.context import Actor
from feltwork.site.web.rendering import hand_faces
from feltwork.site.web.rendering.navigation import NAVIGATION
from feltwork.site.web.security.middleware import POLICY
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from tests.browser.conftest import Visit
from tests.browser.house import AQUARIUS, POSTED, minor
from tests.browser.visitor import serious
from tests.sizes import NIGHTLY
from tests.web.house import House

#: Each page with who looks at it and the screens it is made for.
PAGES = (
    ("/", "", ("tablet", "desk")),
    ("/sign-in", "", ("table", "tablet", "desk")),
    ("/sign-in/office", "", ("tablet", "desk")),
    ("/me", "dana", ("table", "tablet", "desk")),
    ("/signs", "", ("tablet", "desk")),
    ("/signs/five-card", "", ("desk", "wall")),
    (f"/signs/{POSTED}", "", ("desk", "wall")),
    ("/rules/WA-24", "", ("tablet", "desk")),
    ("/dealer", "dana", ("tablet",)),
    ("/dealer/five-card/C2", "dana", ("table", "small table")),
    ("/dealer/dragon-1/M1", "dana", ("table", "small table")),
    (f"/dealer/{AQUARIUS}/X1", "dana", ("table",)),
    ("/pit", "sam", ("tablet", "desk", "table", "small table", "phone")),
    ("/cage", "cara", ("table", "small table", "phone")),
    ("/meters/five-card", "sam", ("tablet", "desk")),
    ("/awards/{award}/win-page", "sam", ("tablet", "desk")),
    ("/floor", "eve", ("tablet", "desk", "wall")),
    ("/manager", "eve", ("phone", "tablet", "desk")),
    ("/people", "eve", ("tablet", "desk")),
    ("/people/B-sam", "eve", ("tablet", "desk")),
    ("/service-accounts", "eve", ("tablet", "desk")),
    ("/nowhere", "sam", ("tablet",)),
)
OVERLAPS = """() => {
  const all = [...document.querySelectorAll('main :is(button, a, input)')];
  const seen = all.filter(one => one.checkVisibility());
  const boxes = seen.map(one => [one, one.getBoundingClientRect()]);
  const out = [];
  for (const [one, a] of boxes) for (const [other, b] of boxes) {
    if (one === other || one.contains(other) || other.contains(one)) continue;
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      out.push(`${one.textContent.trim()} over ${other.textContent.trim()}`);
  }
  return out;
}"""
SMALL = """() => [...document.querySelectorAll('button, a.button, a.tile, a.door, select')]
  .filter(one => one.checkVisibility())
  .filter(one => { const box = one.getBoundingClientRect(); return box.width < 44 || box.height < 44; })
  .map(one => one.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def claim(house: House) -> Iterator[str]:
    """A claim that waits, gone before others claim the same meter: it would be before them."""
    claimed = minor(house)
    yield claimed
    house.void("sue", "five-card", claimed, "the test is over")
    house.end("five-card", "C2")


@pytest.mark.parametrize(("path", "person", "screens"), PAGES, ids=[path for path, _, _ in PAGES])
def test_a_page_is_accessible_and_fits(
    house: House, visit: Visit, claim: str, path: str, person: str, screens: tuple[str, ...]
) -> None:
    for screen in screens:
        page = visit(path.format(award=claim), person=person, screen=screen)
        page.wait_for_timeout(150)
        # What axe finds is in the page, and seldom in its size.
        if screen == screens[0] or NIGHTLY:
            assert serious(page) == []
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], (screen, "it overflows")
        assert page.evaluate(OVERLAPS) == [], screen
        assert page.evaluate(SMALL) == [], screen


def test_dialogs_are_accessible(house: House, visit: Visit, claim: str) -> None:
    page = visit("/pit", person="sam")
    page.tap(f'[data-confirm="{claim}"]')
    assert serious(page) == []
    page.tap("#badge [data-close]")
    page.tap(f'[data-void="{claim}"]')
    assert serious(page) == []


def test_every_page_explains_itself(house: House, visit: Visit) -> None:
    page = visit("/pit", person="sam")
    page.tap("[data-help]")
    expect(page.locator("#help h2")).to_have_text(
        "Claims waiting for a badge, and the status of every table."
    )
    assert serious(page) == []
    page.tap("#help button")
    expect(page.locator("#help")).not_to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    dealer = visit("/dealer/five-card/C3", person="dana", screen="small table")
    dealer.tap("[data-help]")
    expect(dealer.locator("#help h2")).to_have_text("The dealer's buttons for the jackpots of one table.")


def test_a_question_mark_lists_the_keys_of_the_screen(house: House, visit: Visit) -> None:
    page = visit("/pit", person="sam", screen="desk")
    page.locator("[data-help]").focus()
    page.keyboard.press("?")
    keys = page.locator("#help .keys")
    expect(keys.locator("kbd")).to_have_text(["Arrow keys", "Enter", "?", "Esc"])
    expect(keys).to_contain_text("Move through the deck where you choose the winning cards.")
    expect(page.locator("#help button")).to_be_focused()
    assert serious(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#help")).not_to_be_visible()
    expect(page.locator("[data-help]")).to_be_focused()
    floor = visit("/floor", person="sam", screen="desk")
    floor.keyboard.press("?")
    expect(floor.locator("#help .keys")).to_contain_text("Move the selected table while you arrange")
    typing = visit("/office/reports/audit_log?day=ALL", person="ann", screen="desk")
    typing.locator("input[type=search]").press("?")
    expect(typing.locator("#help")).not_to_be_visible()
    expect(typing.locator("input[type=search]")).to_have_value("?")


def test_a_rule_code_leads_to_its_explanation(house: House, visit: Visit) -> None:
    """In a table of a report, and in a refusal."""
    proposal = house.done(
        "sam", "/api/v1/proposals", {"command": "resume", "link": "sevens", "reason": "as WA-20 asks"}
    )
    house.done("sam", f"/api/v1/proposals/{proposal['proposal']}/decline", {"reason": "not needed"})
    page = visit("/office/reports/audit_log?day=ALL", person="ann", screen="desk")
    page.locator("table.figures a.code", has_text="WA-20").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rule WA-20")
    incident = house.done("ann", "/api/v1/incidents", {"what": "a wrong sign", "link": "sevens"})["number"]
    about = {"adjustment": "ADJ-RULE", "pool": "meter", "level": "mega", "evidence": "memo", "reason": "why"}
    about |= {"command": "adjust", "link": "sevens", "lawful_reason": "MALFUNCTION_CORRECTION"}
    proposal = house.done("ann", "/api/v1/proposals", {**about, "change": -(10**12), "incident": incident})
    bob = visit("/office/proposals", person="bob", screen="desk")
    bob.locator("article", has_text="ADJ-RULE").get_by_role("button", name="Approve").click()
    expect(bob.locator("#refusal-what")).to_contain_text("and the meter holds")
    assert serious(bob) == []
    bob.locator("#refusal a.code").click()
    expect(bob.get_by_role("heading", level=1)).to_have_text("Rule WA-15")
    house.done("ann", f"/api/v1/proposals/{proposal['proposal']}/decline", {"reason": "a test"})


def test_light_or_dark_is_chosen_for_a_device(house: House, visit: Visit) -> None:
    page = visit("/me", person="sam")
    page.select_option("[name=theme]", "light")
    for path in ("/pit", "/", "/floor", "/meters/five-card"):
        page.goto(path)
        assert page.evaluate("getComputedStyle(document.body).colorScheme") == "light"
        assert serious(page) == [], path
    page.goto("/signs/five-card")
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    page.goto("/me")
    page.select_option("[name=theme]", "dark")
    for path in ("/workbench", "/verdicts", "/rules/WA-24"):
        page.goto(path)
        assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
        assert serious(page) == [], path


def test_a_page_asked_for_without_a_type_is_html(house: House) -> None:
    headers = {"Authorization": house.of("sam").headers["Authorization"]}
    with httpx.Client(base_url=house.url, headers=headers) as client:
        for accept in ("*/*", ""):
            page = client.get("/pit", headers={"Accept": accept})
            assert page.headers["content-type"].startswith("text/html"), accept
        assert client.get("/api/v1/links/none").headers["content-type"] == "application/problem+json"


def test_every_page_has_a_json_twin(house: House, claim: str) -> None:
    for path, person, _ in PAGES:
        if path in ("/", "/nowhere"):
            continue
        client = house.of(person) if person else house.nobody
        address = path.format(award=claim)
        twin = client.get(f"{address}.json")
        response = client.get(address, headers={"Accept": "application/json"})
        assert twin.status_code == response.status_code == 200, address
        assert twin.headers["content-type"] == "application/json"
        assert twin.json().keys() == response.json().keys()
        page = client.get(address, headers={"Accept": "text/html"})
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["content-security-policy"] == POLICY
    assert (
        house.nobody.get("/", headers={"Accept": "application/json"}).json()["site"] == "Evergreen Card Room"
    )


def test_every_door_leads_somewhere(house: House) -> None:
    executive = Actor(id="eve", name="Eve", role="executive", place="office")
    for door in NAVIGATION:
        answer = house.of("eve").get(door.to, headers={"Accept": "text/html"})
        assert answer.status_code == (200 if door.is_open(executive) else 403), door


def test_who_is_not_signed_in_is_asked_to_and_comes_back(house: House, visit: Visit) -> None:
    page = visit("/pit")
    assert page.url == f"{house.url}/sign-in?next=/pit"
    for digit in "42":
        page.tap(f'[data-key="{digit}"]')
    expect(page.locator('[data-form="floor"] [name=badge]')).to_have_value("42")
    page.fill('[data-form="floor"] [name=badge]', "B-sam")
    page.tap('[data-form="floor"] [name=pin]')
    for digit in "2580":
        page.tap(f'[data-key="{digit}"]')
    page.wait_for_url(f"{house.url}/pit")
    page.tap("text=Sign out")
    page.wait_for_url(f"{house.url}/sign-in")


def test_the_office_signs_in_with_a_password(house: House, visit: Visit) -> None:
    page = visit("/sign-in?next=//evil.example/", screen="desk")
    page.click("text=Office")
    page.fill('[data-form="office"] [name=badge]', "B-ann")
    page.fill('[data-form="office"] [name=password]', "a long walk by the river")
    page.click('[data-form="office"] button')
    page.wait_for_url(f"{house.url}/")


def test_a_refusal_is_a_page_with_rule_and_remedy(house: House, visit: Visit) -> None:
    page = visit("/dealer", person="ann", screen="desk")
    expect(page.locator("main")).to_contain_text("What to do: Ask a dealer")
    expect(page.locator("main")).to_contain_text("WA-30")
    expect(page.locator(".bar")).to_contain_text("Sign out")
    expect(page.get_by_role("link", name="Sign in as someone else")).to_be_visible()


def test_a_page_that_is_not_there_leads_home(house: House, visit: Visit) -> None:
    page = visit("/nowhere", person="ann", screen="desk")
    expect(page.locator("main")).to_contain_text("go to the home page")
    expect(page.locator(".bar")).not_to_contain_text("Sign in")
    page.get_by_role("link", name="Home").click()
    page.wait_for_url(f"{house.url}/")


@pytest.mark.requirement("GL-10")
def test_an_order_from_another_page_is_refused(house: House) -> None:
    cookie = {"feltwork_session": house.token("dana")}
    for headers in (
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "null"},
    ):
        answer = httpx.post(
            f"{house.url}/api/v1/tables/Z1/start",
            json={"wagers": {"sevens": [1]}, "players": [1]},
            cookies=cookie,
            headers={"Idempotency-Key": house.key(), **headers},
        )
        assert (answer.status_code, answer.json()["rule"]) == (403, "same-origin"), headers
    own = {"Origin": house.url, "Sec-Fetch-Site": "same-origin", "Idempotency-Key": house.key()}
    answer = httpx.post(f"{house.url}/api/v1/tables/Z1/end", json={}, cookies=cookie, headers=own)
    assert answer.json()["rule"] != "same-origin"


def test_the_example_of_each_hand_is_what_its_jackpot_calls_it() -> None:
    by_name = {str(card): card for card in DECK}
    for jackpot in registry.jackpots():
        for hand in jackpot.rows:
            sight = tuple(
                tuple(by_name[card] for card in group) for group in hand_faces.groups(jackpot.name, hand)
            )
            assert sight, (jackpot.name, hand)
            assert hand in jackpot.names(sight), (jackpot.name, hand)


@pytest.mark.requirement("GL-01")
def test_every_figure_of_a_level_is_shown_on_demand(house: House) -> None:
    view = house.get("otto", "/meters/sevens.json")
    mega = view["levels"][0]
    stands = house.get("otto", "/api/v1/links/sevens")["meters"]["mega"]
    assert (mega["current"], mega["limit"]) == (stands["meter"], None)
    assert mega["reset"] == mega["base"] + stands["reserve"]
    assert (mega["increment"], mega["hidden_increment"]) == ("10%", "1%")
    assert mega["wagers"] >= 5 * 1_700
    assert {"overflow", "hits", "won", "paid", "pending"} <= mega.keys()
    assert [table["id"] for table in view["tables"]][:6] == ["B1", "B2", "B3", "B4", "B5", "B6"]
