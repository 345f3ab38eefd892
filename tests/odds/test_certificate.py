"""Certificates: one for every shipped paytable, and none of them survives a changed digit."""

import json
import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.odds.certificate import Body, as_text, certificate, check, from_text, seal
from feltwork.odds.what_if.question import edited
from feltwork.paytables.paytable import Paytable
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytable_lock import locked

SHIPPED = [registry.library(title)[key] for title in registry.own_names() for key in registry.library(title)]
SMALL = registry.paytable("four_card", "jackpot", "3")


@pytest.mark.parametrize("paytable", SHIPPED, ids=lambda one: one.name)
def test_the_certificate_of_every_shipped_paytable_holds(paytable: Paytable) -> None:
    body = from_text(as_text(certificate(paytable)), where="file")
    found = check(body)
    assert found.differences == ()
    assert found.notes == ()
    assert body["fingerprints"]["paytable"] == locked()[paytable.name]
    probabilities = [Fraction(row["probability"]) for row in body["rows"]]
    assert sum(probabilities) + Fraction(body["nothing"]["probability"]) == 1
    deals = sum(int(row["deals"]) for row in body["rows"]) + int(body["nothing"]["deals"])
    assert deals == int(body["deals"])
    assert body["method"]
    assert body["strategy"]


def one_digit_changed(text: str, place: int, by: int) -> str:
    places = [match.start() for match in re.finditer(r"\d", text)]
    at = places[place % len(places)]
    digit = str((int(text[at]) + by) % 10)
    return text[:at] + digit + text[at + 1 :]


@given(st.sampled_from(SHIPPED), st.integers(0, 10**6), st.integers(1, 9))
@settings(max_examples=150, deadline=None)
def test_a_certificate_with_one_digit_changed_is_rejected(paytable: Paytable, place: int, by: int) -> None:
    text = one_digit_changed(as_text(certificate(paytable)), place, by)
    assert check(from_text(text, where="file")).differences


def test_every_single_digit_of_one_certificate_counts() -> None:
    text = as_text(certificate(SMALL))
    digits = len(re.findall(r"\d", text))
    assert digits > 300
    kept = [
        at
        for at in range(digits)
        if not check(from_text(one_digit_changed(text, at, 3), where="x")).differences
    ]
    assert kept == []


def _pay(body: Body) -> None:
    body["rows"][1]["pays"] = "400 for 1"


def _probability(body: Body) -> None:
    body["rows"][0]["probability"] = "1/54144"


def _figure(body: Body) -> None:
    body["figures"]["fixed_return"]["value"] = "1/2"


def _method(body: Body) -> None:
    body["method"] = "a guess"


def _rules(body: Body) -> None:
    body["fingerprints"]["rules"] = "0" * 64


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (_pay, "rows 2.pays"),
        (_probability, "rows 1.probability"),
        (_figure, "figures.fixed_return.value"),
        (_method, "method"),
        (_rules, "fingerprints.rules"),
    ],
)
def test_who_seals_a_lie_anew_is_found_out_by_deriving(change: Callable[[Body], None], where: str) -> None:
    body = certificate(SMALL)
    change(body)
    body["seal"] = seal(body)
    assert [one.where for one in check(body).differences] == [where]


def test_a_certificate_of_another_release_holds_with_a_note() -> None:
    body = certificate(SMALL)
    body["program"] = "feltwork 0.0.1"
    body["fingerprints"]["program"] = "0" * 64
    body["seal"] = seal(body)
    found = check(body)
    assert found.differences == ()
    assert "another release (feltwork 0.0.1)" in found.notes[0]


def test_a_draft_is_certified_from_its_own_rows() -> None:
    draft = edited(registry.paytable("crazy_4", "queens_up", "C4P-09"), {"flush": "5 to 1"})
    body = certificate(draft)
    assert body["paytable"] == "C4P-09-draft"
    assert check(body).differences == ()
    body["rows"][0]["pays"] = "60 to 1"
    body["seal"] = seal(body)
    assert {one.where for one in check(body).differences} >= {
        "fingerprints.paytable",
        "figures.house_edge.value",
    }


@pytest.mark.parametrize("text", ["{}", '{"form": "feltwork certificate 1"}', '{"title": 3, "options": []}'])
def test_what_is_no_certificate_is_refused_and_not_believed(text: str) -> None:
    assert check(from_text(text, where="file")).differences


@pytest.mark.parametrize("text", ["", "[]", "not json"])
def test_what_is_not_even_an_object_is_a_problem(text: str) -> None:
    with pytest.raises(ProblemsError):
        from_text(text, where="file")


def test_options_are_part_of_the_certificate() -> None:
    dragon = registry.paytable("dragon", "jackpot", "2")
    player, banker = (certificate(dragon, {"side": side}) for side in ("player", "banker"))
    assert player["figures"] != banker["figures"]
    assert check(json.loads(json.dumps(banker))).differences == ()
