"""Two jackpots on one layout: one START GAME and one END GAME, and the books of each link apart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from feltwork.site.books.connection import connect
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

EXAMPLES = Path(__file__).parents[2] / "examples"
FLOOR = EXAMPLES / "rehearsals" / "floors" / "dual_progressives.toml"
BOTH = {"sevens": [1, 2], "trilux": [1, 3]}


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    for house in serve(server, new_books(server, "two_jackpots")):
        house.two("ann", "eve", command="reconfigure", floor=FLOOR.read_text(encoding="utf-8"))
        for link in ("sevens", "trilux"):
            house.two("ann", "eve", command="open_link", link=link)
        yield house


@pytest.fixture(scope="module")
def resort(server: EmbeddedPostgres) -> Iterator[House]:
    for house in serve(server, new_books(server, "resort")):
        house.open_floor((EXAMPLES / "resort.toml").read_text(encoding="utf-8"), "resort", "royals")
        yield house


def start(house: House, wagers: dict[str, list[int]] | None = None) -> dict[str, Any]:
    body = {"wagers": BOTH if wagers is None else wagers, "players": [1, 2, 3]}
    return house.done("dana", "/api/v1/tables/B1/start", body)


def press(house: House, link: str, seat: int, hand: str) -> str:
    reply = house.done("dana", f"/api/v1/links/{link}/tables/B1/hand", {"seat": seat, "hand": hand})
    return str(reply["award"])


def gaps(house: House) -> list[Any]:
    with connect(house.dsn) as connection:
        return connection.execute("SELECT link, first, last FROM books.gap").fetchall()


@pytest.mark.requirement("LT-01", "LT-09")
def test_one_start_and_one_end_for_both_jackpots(house: House) -> None:
    view = start(house)
    number = view["round"]
    assert {link: jackpot["started"]["round"] for link, jackpot in view["started"].items()} == {
        "sevens": number,
        "trilux": number,
    }
    assert [jackpot["started"]["seats"] for jackpot in view["started"].values()] == [[1, 2], [1, 3]]
    again = house.post("dana", "/api/v1/tables/B1/start", {"wagers": BOTH, "players": [1, 2, 3]})
    assert (again.status_code, again.json()["requirement"]) == (409, "LT-02")
    ended = house.done("dana", "/api/v1/tables/B1/end")["ended"]
    assert {link: jackpot["ended"]["round"] for link, jackpot in ended.items()} == {
        "sevens": number,
        "trilux": number,
    }
    assert start(house, {"trilux": [2]})["round"] == number + 1
    assert house.get("dana", "/api/v1/tables/B1")["links"]["sevens"]["seats"] == [], (
        "no chip, and the same number"
    )
    house.done("dana", "/api/v1/tables/B1/end")
    house.sound()


@pytest.mark.requirement("LT-03")
def test_a_hand_that_wins_both_makes_two_awards_and_the_end_waits_for_both(resort: House) -> None:
    wagers = {"resort": [1, 2], "royals": [1, 2]}
    resort.done("dana", "/api/v1/tables/TH-1/start", {"wagers": wagers, "players": [1, 2]})
    hands = {"resort": "royal_flush", "royals": "royal_after_5"}
    awards = {link: resort.claim(link, "TH-1", hand=hand) for link, hand in hands.items()}
    for link, award in awards.items():
        refused = resort.post("dana", "/api/v1/tables/TH-1/end")
        assert (refused.status_code, refused.json()["requirement"]) == (409, "LT-03")
        assert resort.get("dana", "/api/v1/tables/TH-1")["links"][link]["phase"] == "claimed"
        response = resort.confirm(link, award, "sam", "eve")
        assert response.status_code == 200, response.text
    resort.done("dana", "/api/v1/tables/TH-1/end")
    page = resort.get("sam", f"/awards/{awards['resort']}/win-page.json")
    wins = {win["link"]: (win["award"]["hand"], win["award"]["status"]) for win in (page, *page["also"])}
    assert wins == {link: (hand, "confirmed") for link, hand in hands.items()}, "one win page"
    read = resort.of("sam").get(f"/awards/{awards['royals']}/win-page", headers={"Accept": "text/html"})
    assert "Same hand on" in read.text
    assert resort.of("sam").get(f"/awards/{awards['royals']}/win-page.pdf").status_code == 200
    dealer = resort.get("dana", "/dealer/resort/TH-1.json")
    assert {jackpot["link"] for jackpot in dealer["jackpots"]} == {"resort", "royals"}
    sign = resort.get("sam", "/signs/tables/TH-1.json")
    assert {view["link"] for view in (sign["sign"], *sign["also"])} == {"resort", "royals"}
    resort.sound()


@pytest.mark.requirement("LT-02")
def test_the_refusal_of_an_impossible_hand_names_the_hand_in_its_way(house: House) -> None:
    start(house)
    press(house, "sevens", 1, "three_7s_suited")
    body = {"seat": 3, "hand": "three_aces_suited"}
    refused = house.post("dana", "/api/v1/links/trilux/tables/B1/hand", body)
    assert (refused.status_code, refused.json()["requirement"]) == (409, "LT-02")
    assert refused.json()["in_the_way"] == {"link": "sevens", "seat": 1, "hand": "three_7s_suited"}
    other = refused.json()["in_the_way"]
    house.done(
        "dana", f"/api/v1/links/{other['link']}/tables/B1/hand", {key: other[key] for key in ("seat", "hand")}
    )
    house.done("dana", "/api/v1/links/trilux/tables/B1/hand", body)
    house.done("dana", "/api/v1/links/trilux/tables/B1/hand", body)
    house.done("dana", "/api/v1/tables/B1/end")


@pytest.mark.requirement("GEN-07")
def test_a_stopped_jackpot_is_left_out_and_the_other_plays_on(house: House) -> None:
    house.done("sam", "/api/v1/links/trilux/stop", {"cause": "suspended", "reason": "the sign is dark"})
    view = start(house)
    assert list(view["started"]) == ["sevens"]
    assert view["refused"] == {"trilux": "link trilux is not accepting wagers; return its chips"}
    assert list(house.done("dana", "/api/v1/tables/B1/end")["ended"]) == ["sevens"]
    house.two("sam", "eve", command="resume", link="trilux")
    assert start(house)["round"] == view["round"] + 1
    house.done("dana", "/api/v1/tables/B1/end")
    assert gaps(house) == [], "the number that was left out is known"
    for link in ("sevens", "trilux"):
        house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "closing"})
    refused = house.post("dana", "/api/v1/tables/B1/start", {"wagers": BOTH, "players": [1, 2, 3]})
    assert (refused.status_code, refused.json()["requirement"]) == (409, "GEN-07")
    for link in ("sevens", "trilux"):
        house.two("sam", "eve", command="resume", link=link)
    house.sound()


@pytest.mark.requirement("LT-01")
def test_a_misdeal_gives_the_wagers_of_both_back(house: House) -> None:
    before = {link: house.get("dana", f"/api/v1/links/{link}")["meters"] for link in BOTH}
    start(house)
    voided = house.done("sam", "/api/v1/tables/B1/misdeal", {"reason": "a card short"})["voided"]
    assert sorted(voided) == ["sevens", "trilux"]
    assert {link: house.get("dana", f"/api/v1/links/{link}")["meters"] for link in BOTH} == before
    house.sound()
