"""The workbench for programs: figures as JSON, charts, drafts and certificates; refusals with a remedy."""

from xml.etree import ElementTree

import pytest

from feltwork.odds.certificate import check
from feltwork.paytables.parse import parse_paytable
from tests.web.house import House

BLAZING = {"paytable": "blazing_7s/jackpot/1", "cap.jackpot": "15000"}


def test_figures_before_and_after(house: House) -> None:
    asked = {"paytable": "crazy_4/queens_up/C4P-09", "pays.flush": "3 to 1"}
    told = house.nobody.get("/workbench/figures", params=asked).json()
    assert told["before"]["bet"]["house_edge"]["value"] == "9943/324870"
    assert told["after"]["name"] == "crazy_4/queens_up/C4P-09-draft"
    assert house.nobody.get("/workbench.json", params=asked).json()["headlines"][0]["before"] == "3.0606 %"


@pytest.mark.parametrize("path", ["/workbench/returns.svg", "/workbench/meter.svg?level=jackpot"])
def test_charts_are_pictures_without_scripts(house: House, path: str) -> None:
    answer = house.nobody.get(path, params={**BLAZING, "level": "jackpot"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    root = ElementTree.fromstring(answer.text)
    assert root.tag.endswith("svg")
    assert not [one for one in root.iter() if one.tag.endswith("script")]


def test_sampled_figures_come_with_their_interval(house: House) -> None:
    answer = house.nobody.get("/workbench/depth", params=BLAZING)
    assert "jackpot: Risk of running dry" in answer.text
    assert "±" in answer.text
    plain = house.nobody.get("/workbench/depth", params={"paytable": "crazy_4/queens_up/C4P-09"})
    assert "±" not in plain.text


def test_drafts_and_certificates(house: House) -> None:
    asked = {"paytable": "four_card/jackpot/3", "pays.four_of_a_kind": "250 for 1"}
    draft = parse_paytable(house.nobody.get("/workbench/draft.toml", params=asked).text, where="draft")
    body = house.nobody.get("/workbench/certificate.json", params=asked).json()
    assert body["fingerprints"]["paytable"] == draft.fingerprint
    assert check(body).differences == ()
    pdf = house.nobody.get("/workbench/certificate.pdf", params=asked)
    assert pdf.content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("path", "asked", "where"),
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
    house: House, path: str, asked: dict[str, str], where: str
) -> None:
    answer = house.nobody.get(path, params=asked)
    assert answer.status_code == 409
    assert answer.json()["where"] == where
    assert answer.json()["remedy"]


def test_a_person_sees_a_problem_in_place_of_the_figures(house: House) -> None:
    answer = house.nobody.get(
        "/workbench/figures", params={"pays.four_aces": "gold"}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200
    assert "Not valid yet" in answer.text
