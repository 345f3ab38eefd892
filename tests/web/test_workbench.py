"""The workbench for programs: figures as JSON, charts, drafts and certificates; refusals with a remedy."""

import csv
import io
import sys
import zipfile
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from feltwork.odds.certificate import check
from feltwork.odds.question import advice_for
from feltwork.odds.what_if.goal_seek import goal_seek
from feltwork.titles import registry
from feltwork.titles.paytables.parse import parse_paytable
from tests.web.house import House

BLAZING = {"paytable": "blazing_7s/jackpot/1", "cap.jackpot": "15000"}


def test_figures_before_and_after(house: House) -> None:
    query = {"paytable": "crazy_4/queens_up/C4P-09", "pays.flush": "3 to 1"}
    figures = house.nobody.get("/workbench/figures", params=query).json()
    assert figures["before"]["bet"]["house_edge"]["value"] == "9943/324870"
    assert figures["after"]["name"] == "crazy_4/queens_up/C4P-09-draft"
    assert house.nobody.get("/workbench.json", params=query).json()["headlines"][0]["before"] == "3.0606%"


@pytest.mark.parametrize("path", ["/workbench/returns.svg", "/workbench/meter.svg?level=jackpot"])
def test_charts_are_pictures_without_scripts(house: House, path: str) -> None:
    answer = house.nobody.get(path, params={**BLAZING, "level": "jackpot"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    root = ElementTree.fromstring(answer.text)
    assert root.tag.endswith("svg")
    assert not [element for element in root.iter() if element.tag.endswith("script")]


def test_sampled_figures_come_with_their_interval(house: House) -> None:
    answer = house.nobody.get("/workbench/depth", params=BLAZING)
    assert "jackpot: Seed shortfall, share of hits" in answer.text
    assert "±" in answer.text
    assert "Cards that are gone" in answer.text
    assert ">7</th>" in answer.text, "the sevens alone are the worst to lose"
    plain = house.nobody.get("/workbench/depth", params={"paytable": "crazy_4/queens_up/C4P-09"})
    assert "±" not in plain.text
    assert "Cards that are gone" not in plain.text, "it is dealt from a fresh deck"
    assert "One unit more" in plain.text
    # 114,616 flushes of 2,598,960 hands.
    assert "4.4101%" in plain.text
    assert "Hold over many rounds" in plain.text


def test_drafts_and_certificates(house: House) -> None:
    query = {"paytable": "four_card/jackpot/3", "pays.four_of_a_kind": "250 for 1"}
    draft = parse_paytable(house.nobody.get("/workbench/draft.toml", params=query).text, where="draft")
    body = house.nobody.get("/workbench/certificate.json", params=query).json()
    assert body["fingerprints"]["paytable"] == draft.fingerprint
    assert check(body).differences == ()
    pdf = house.nobody.get("/workbench/certificate.pdf", params=query)
    assert pdf.content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("path", "query", "where"),
    [
        ("/workbench", {"paytable": "no/such/one"}, "paytable"),
        ("/workbench", {"paytable": "four_card/jackpot/99"}, "four_card/jackpot"),
        ("/workbench/figures", {"pays.four_aces": "gold"}, "four_aces"),
        ("/workbench/figures", {"compare": "99"}, "four_card/jackpot"),
        ("/workbench/meter.svg", {"level": "mega"}, "level"),
        ("/workbench/draft.toml", {"seed.jackpot": "x"}, "seed.jackpot"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_remedy(
    house: House, path: str, query: dict[str, str], where: str
) -> None:
    answer = house.nobody.get(path, params=query)
    assert answer.status_code == 409
    assert answer.json()["where"] == where
    assert answer.json()["remedy"]


def test_a_person_sees_a_problem_in_place_of_the_figures(house: House) -> None:
    answer = house.nobody.get(
        "/workbench/figures", params={"pays.four_aces": "gold"}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200
    assert "Not valid yet" in answer.text


def test_a_spreadsheet_has_the_same_figures(house: House) -> None:
    query = {"paytable": "crazy_4/queens_up/C4P-09", "pays.flush": "3 to 1"}
    figures = house.nobody.get("/workbench/figures", params=query).json()
    answer = house.nobody.get("/workbench/figures.csv", params=query)
    assert answer.headers["content-disposition"] == 'attachment; filename="queens_up-C4P-09-draft.csv"'
    rows = {row["figure"]: row for row in csv.DictReader(answer.text.splitlines())}
    for when in ("before", "after"):
        for name, figure in figures[when]["bet"].items():
            assert float(rows[name][when]) == pytest.approx(float(figure["decimal"]))
        for row in figures[when]["rows"]:
            assert rows[f"return of {row['hand']}"][when] == row["decimal"]


def test_a_workbook_has_the_numbers_of_the_spreadsheet(house: House) -> None:
    query = {"paytable": "crazy_4/queens_up/C4P-09", "pays.flush": "none"}
    answer = house.nobody.get("/workbench/figures.xlsx", params=query)
    assert answer.headers["content-disposition"] == 'attachment; filename="queens_up-C4P-09-draft.xlsx"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as book:
        page = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    numbers = {cell[0].text for cell in page.iter() if cell.tag.endswith("}c") and "t" not in cell.attrib}
    figures = house.nobody.get("/workbench/figures", params=query).json()
    edge = float(figures["after"]["bet"]["house_edge"]["decimal"])
    assert any(float(number or 0) == pytest.approx(edge) for number in numbers)


def test_paytables_are_compared_side_by_side(house: House) -> None:
    query = {"paytable": "crazy_4/queens_up/C4P-09", "pays.flush": "3 to 1", "with.C4P-12": "on"}
    comparison = house.nobody.get("/workbench/compare.json", params=query).json()
    assert comparison["names"] == ["C4P-09-draft", "C4P-12"]
    edges = next(figure["values"] for figure in comparison["figures"] if figure["label"] == "House edge")
    assert edges[0] == "7.4707%"
    every = house.nobody.get("/workbench/compare.json", params={"paytable": "crazy_4/queens_up/C4P-09"})
    assert len(every.json()["names"]) > 2
    picture = house.nobody.get("/workbench/compare.svg", params=query)
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "C4P-12" in picture.text
    refused = house.nobody.get("/workbench/compare.json", params={**query, "with.99": "on"})
    assert (refused.status_code, refused.json()["where"]) == (409, "with.99")


def test_a_comparison_names_each_meter_once(house: House) -> None:
    """One heading for the figures of a meter, which does not stand before each of them again."""
    query = {"paytable": "four_card/jackpot/3"}
    page = house.nobody.get("/workbench/compare", params=query, headers={"Accept": "text/html"}).text
    assert page.count("Jackpot meter</th>") == 1
    assert '<th scope="row">Jackpot, median</th>' in page


def test_goal_seek_is_that_of_the_command(house: House) -> None:
    query = {
        "paytable": "crazy_4/queens_up/C4P-09",
        "goal": "house_edge",
        "target": "5%",
        "vary.flush": "3..6",
    }
    goal = house.nobody.get("/workbench/goal", params={**query, "vary.straight": ""}).json()
    search = goal_seek(
        registry.paytable("crazy_4", "queens_up", "C4P-09"), {}, "house_edge=5%", {"flush": "3..6"}
    )
    assert goal == search.as_json()
    page = house.nobody.get("/workbench/goal", params=query, headers={"HX-Request": "true"}).text
    assert "pays.flush=4+to+1" in page
    refused = house.nobody.get("/workbench/goal", params={**query, "vary.flush": "1..2000"})
    assert refused.status_code == 409
    assert "at most 1,000" in refused.text


@pytest.mark.parametrize(
    ("title", "cards", "sees", "options"),
    [
        ("crazy_4", "As Ad 9c 5h 2s", {}, {}),
        ("blackjack", "Ts 6d", {"dealer": "9h"}, {"soft_17": "hit"}),
        ("caribbean_stud", "As Kd 9c 5h 2s", {"dealer": "Qh"}, {}),
        ("caribbean_stud", "As Kd 9c 5h 2s", {"dealer": "Qh", "hole": "Qd", "exposed": "Ac Kc"}, {}),
    ],
)
def test_advice_is_that_of_the_command(
    house: House, title: str, cards: str, sees: dict[str, str], options: dict[str, str]
) -> None:
    query = {"title": title, "cards": cards}
    query |= {f"sees.{place}": text for place, text in sees.items()}
    query |= {f"option.{name}": value for name, value in options.items()}
    reply = house.nobody.get("/workbench/advise.json", params=query).json()
    assert reply["advice"] == advice_for(registry.game(title), cards, sees, options).as_json()
    assert reply["choices"][0]["choice"] == reply["advice"]["best"]
    page = house.nobody.get("/workbench/advise", params=query, headers={"Accept": "text/html"}).text
    assert "Value of each choice" in page


def test_cards_seen_before_the_bet(house: House) -> None:
    """Two cards tell the bettor something; the page has the field where they are counted."""
    query = {"paytable": "holdem_bonus/bonus/1", "exposed": "2"}
    figures = house.nobody.get("/workbench/figures.json", params=query).json()["after"]["bet"]
    figures |= house.nobody.get("/workbench/figures.json", params={**query, "exposed": "As Ad"}).json()[
        "after"
    ]["bet"]
    assert {figures[name]["how"] for name in ("exposed_gain", "exposed_favorable", "exposed_edge")} == {
        "exact"
    }
    assert Fraction(figures["exposed_edge"]["value"]) > Fraction(figures["house_edge"]["value"])
    page = house.nobody.get("/workbench", params=query, headers={"Accept": "text/html"}).text
    assert "Win per round when betting only in those rounds" in page
    assert 'name="exposed" value="2"' in page
    other = {"paytable": "mini_baccarat/dragon_bonus/1"}
    assert (
        'name="exposed"'
        not in house.nobody.get("/workbench", params=other, headers={"Accept": "text/html"}).text
    )
    assert house.nobody.get("/workbench/figures.json", params={**other, "exposed": "2"}).status_code == 409


def test_advice_that_must_be_counted_without_numba_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the container image, which leaves Numba out."""
    monkeypatch.setitem(sys.modules, "numba", None)
    for name in [name for name in sys.modules if name.startswith("feltwork.odds.kernels.")]:
        monkeypatch.delitem(sys.modules, name)
    query = {"title": "blackjack", "cards": "As 7d", "sees.dealer": "9h", "option.decks": "2"}
    refused = house.nobody.get("/workbench/advise.json", params=query)
    assert (refused.status_code, refused.json()["rule"]) == (501, "not-installed"), refused.text


def test_advice_without_the_right_cards_says_so(house: House) -> None:
    query = {"title": "crazy_4", "cards": "As Ad"}
    refused = house.nobody.get("/workbench/advise.json", params=query)
    assert (refused.status_code, refused.json()["where"]) == (409, "CARDS")
    response = house.nobody.get("/workbench/advise", params=query, headers={"Accept": "text/html"})
    assert response.status_code == 200
    assert "The number of cards is 2; it must be 5." in response.text
    for wrong in ({"title": "dragon"}, {"title": "crazy_4", "cards": "As Ad 9c 5h 2s", "foo": "1"}):
        assert house.nobody.get("/workbench/advise.json", params=wrong).status_code == 409
