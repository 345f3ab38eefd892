"""Pages as HTML and as their JSON twins: what they hold, whom they refuse, and what the sign leaves out."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor
from feltwork.site.books.watch.alarms import raise_alarm
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.rendering import hand_faces
from feltwork.site.web.rendering.navigation import NAVIGATION
from feltwork.site.web.security.middleware import POLICY
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from tests.browser.house import furnished, minor
from tests.browser.test_pages import PAGES, READ
from tests.web.house import House

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    yield from furnished(server, "web_pages")


@pytest.fixture(scope="module")
def award(house: House) -> str:
    claimed = minor(house, "C3")
    assert house.confirm("five-card", claimed, "sam", "eve").status_code == 200
    house.end("five-card", "C3")
    return claimed


def html(house: House, person: str, path: str) -> str:
    return (house.of(person) if person else house.nobody).get(path, headers=HTML).text


def test_a_page_asked_for_without_a_type_is_html(house: House) -> None:
    headers = {"Authorization": house.of("sam").headers["Authorization"]}
    with httpx.Client(base_url=house.url, headers=headers) as client:
        for accept in ("*/*", ""):
            page = client.get("/pit", headers={"Accept": accept})
            assert page.headers["content-type"].startswith("text/html"), accept
        assert client.get("/api/v1/links/none").headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("pages", [PAGES, READ], ids=["pages", "figures"])
def test_every_page_has_a_json_twin(house: House, award: str, pages: dict[str, Any]) -> None:
    addresses = [(person, path) for person, paths in pages.items() for path in paths]
    for person, path in addresses:
        if path in ("/", "/nowhere"):
            continue
        client = house.of(person) if person else house.nobody
        address, _, query = path.format(award=award).partition("?")
        twin = client.get(f"{address}.json?{query}")
        response = client.get(f"{address}?{query}", headers={"Accept": "application/json"})
        assert twin.status_code == response.status_code == 200, path
        assert twin.headers["content-type"] == "application/json"
        assert twin.json().keys() == response.json().keys()
        page = client.get(f"{address}?{query}", headers=HTML)
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["content-security-policy"] == POLICY
    assert house.nobody.get("/").json()["site"] == "Evergreen Card Room"


def test_every_door_leads_somewhere(house: House) -> None:
    executive = Actor(id="eve", name="Eve", role="executive", place="office")
    for door in NAVIGATION:
        answer = house.of("eve").get(door.to, headers=HTML)
        assert answer.status_code == (200 if door.is_open(executive) else 403), door


def test_a_refusal_and_a_missing_page_say_what_to_do(house: House) -> None:
    refused = html(house, "ann", "/dealer")
    for text in ("What to do:", "Ask a dealer", "WA-30", "Sign out", "Sign in as someone else"):
        assert text in refused, text
    missing = html(house, "ann", "/nowhere")
    assert "go to the home page" in missing
    assert ">Sign in<" not in missing


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


@pytest.mark.requirement("LT-12")
def test_a_sign_has_no_inputs_and_no_rights(house: House) -> None:
    page = house.nobody.get("/signs/five-card", headers=HTML)
    (main,) = re.findall(r"<main.*</main>", page.text, flags=re.DOTALL)
    assert not re.search(r"<(button|input|select|textarea|a|form)\b", main)
    assert "set-cookie" not in page.headers
    sign = house.get("otto", "/signs/five-card.json")["sign"]
    assert {"reserve", "player_funds", "hash"} & set(sign) == set()
    assert all(set(level) == {"level", "amount", "wins", "base"} for level in sign["levels"])
    for path in ("/api/v1/links/five-card", "/api/v1/links/five-card/live", "/api/v1/reports/funds", "/pit"):
        assert house.nobody.get(path).status_code == 401
    for path in ("/signs/five-card", "/signs/five-card/live"):
        assert house.nobody.post(path).status_code == 405


def test_an_award_leads_down_to_its_letter(house: House, award: str) -> None:
    page = html(house, "otto", f"/audit/awards/five-card/{award}")
    assert "Summary of the letter" in page
    assert re.search(r"WSGC submission \d+ of \d{4}-\d{2}-\d{2}", page)
    assert "100% of minor" in page
    table = re.search(r'href="([^"]+)"[^>]*>[^<]*at table C3', page)
    assert table
    assert "round booked" in html(house, "otto", table[1]).lower()


def test_charts_stand_beside_their_figures(house: House) -> None:
    view = house.get("ann", "/office/charts?group=game")
    assert view["total"]["drop"] == sum(row["drop"] for row in view["figures"]) > 0


def test_the_manager_sees_alarms_stopped_links_and_people_and_installs_the_page(house: House) -> None:
    with connect(house.dsn) as connection:
        details = {"what": "the tray differs", "remedy": "count the tray", "requirement": "LT-09"}
        raise_alarm(connection, "tray difference", "table C3", details, by="test")
    house.of("dana")
    house.done("sam", "/api/v1/links/sevens/stop", {"cause": "suspended", "reason": "a test"})
    page = html(house, "eve", "/manager")
    for part in (
        r'data-alarm="tray difference".*Count the tray\.',
        r'data-stopped="sevens".*suspended since',
        r'data-place="pit 1".*Dana',
        r"data-drop.*\$",
    ):
        assert re.search(part, page, flags=re.DOTALL), part
    answer = house.nobody.get("/static/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    app = answer.json()
    assert (app["display"], app["scope"]) == ("standalone", "/")
    for address in (app["start_url"], *(shortcut["url"] for shortcut in app["shortcuts"])):
        assert house.of("eve").get(address, headers=HTML).status_code == 200
    assert Path(app["icons"][0]["src"]).suffix == ".svg"
    assert house.nobody.get(app["icons"][0]["src"]).status_code == 200
