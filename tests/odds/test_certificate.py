"""Certificates: one for every shipped paytable, and none of them survives a changed digit."""

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.odds.certificate import (
    Body,
    Issue,
    as_text,
    base_certificate,
    certificate,
    check,
    from_text,
    seal,
)
from feltwork.odds.title_odds import odds_of
from feltwork.odds.what_if.draft import edited
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytable_lock import locked
from feltwork.titles.paytables.paytable import Paytable

SHIPPED = [registry.library(title)[key] for title in registry.own_names() for key in registry.library(title)]
SMALL = registry.paytable("four_card", "jackpot", "3")


@pytest.mark.parametrize("paytable", SHIPPED, ids=lambda paytable: paytable.name)
def test_the_certificate_of_every_shipped_paytable_holds(paytable: Paytable) -> None:
    body = from_text(as_text(certificate(paytable)), where="file")
    verdict = check(body)
    assert verdict.differences == ()
    assert verdict.notes == ()
    assert body["fingerprints"]["paytable"] == locked()[paytable.name]
    probabilities = [Fraction(row["probability"]) for row in body["rows"]]
    assert sum(probabilities) + Fraction(body["nothing"]["probability"]) == 1
    deals = sum(int(row["deals"]) for row in body["rows"]) + int(body["nothing"]["deals"])
    assert deals == int(body["deals"])
    assert body["method"]
    assert body["strategy"]


SOLVED = [title for title in registry.own_names() if odds_of(title).base_game is not None]


@pytest.mark.parametrize("title", SOLVED)
def test_the_certificate_of_every_base_game_holds(title: str) -> None:
    body = from_text(as_text(base_certificate(title, issue=Issue("J. Doe", "2026-11-16"))), where="file")
    assert check(body).differences == ()
    assert (body["author"], body["date"]) == ("J. Doe", "2026-11-16")
    body["figures"][next(iter(body["figures"]))]["value"] = "1/2"
    body["seal"] = seal(body)
    assert len(check(body).differences) == 1


@pytest.mark.parametrize("name", ["crazy_4", "six_five_four", "holdem_bonus", "crazy_4/super_bonus/C4P-11"])
def test_net_results_give_the_edge_and_the_variance(name: str) -> None:
    """Against the definition: mean and variance of the listed results."""
    is_bonus = "/" in name
    body = certificate(registry.paytable(*name.split("/"))) if is_bonus else base_certificate(name)
    results = [
        (Fraction(net_result["net"]), Fraction(net_result["probability"]))
        for net_result in body["net_results"]
    ]
    assert sum(chance for _, chance in results) == 1
    assert is_bonus or sum(int(net_result["deals"]) for net_result in body["net_results"]) == int(
        body["deals"]
    )
    mean = sum(net * chance for net, chance in results)
    figures = {name.replace("_", " "): figure for name, figure in body["figures"].items()}
    assert mean == -Fraction(figures["house edge"]["value"])
    assert sum(net**2 * chance for net, chance in results) - mean**2 == Fraction(figures["variance"]["value"])


@pytest.mark.parametrize("paytable", SHIPPED, ids=lambda paytable: paytable.name)
def test_the_parts_of_a_return_add_up(paytable: Paytable) -> None:
    body = certificate(paytable)
    for part in (body, *body["other_sides"].values()):
        assert sum(Fraction(row["of_return"]) for row in part["rows"]) == 1
        split = part["progressive"]
        if not split:
            continue
        levels = [Fraction(share) for level in split["levels"].values() for share in level.values()]
        hold = 1 - Fraction(split["fixed_pays"]) - Fraction(split["envy"]) - sum(levels)
        assert hold == Fraction(split["hold"]) == Fraction(part["figures"]["hold"]["value"])
        assert Fraction(part["figures"]["return"]["value"]) == 1 - hold


def test_the_components_of_four_aces_by_hand() -> None:
    """Once in 54,145 hands a seed of 2,000 dollars; 24% and 5% of each dollar come back in time."""
    split = certificate(SMALL)["progressive"]
    assert split["levels"]["jackpot"] == {"seed": "400/10829", "contributions": "29/100"}
    assert Fraction(2_000, 54_145) == Fraction(400, 10_829)
    today = certificate(SMALL, settings={"meter.jackpot": "20000"})
    assert today["settings"]["meter.jackpot"] == "20000.00"
    assert check(today).differences == ()
    more = certificate(SMALL, settings={"seed.jackpot": "5000", "reserve.jackpot": "0%"})
    assert more["progressive"]["levels"]["jackpot"] == {"seed": "1000/10829", "contributions": "6/25"}
    assert check(more).differences == ()


def test_volatility_by_hand() -> None:
    """Queens Up from closed counts of the best four of five cards; long sums are nearly normal."""
    body = certificate(registry.paytable("crazy_4", "queens_up", "C4P-09"))
    pays = {624: 51, 2_072: 31, 58_656: 10, 114_616: 5, 101_808: 4, 123_552: 3, 242_916: 2}
    mean = sum(deals * pay for deals, pay in pays.items()) / 2_598_960
    deviation = math.sqrt(sum(deals * pay**2 for deals, pay in pays.items()) / 2_598_960 - mean**2)
    spread = body["volatility"]["house_edge"]
    assert float(spread["standard_deviation"]) == pytest.approx(deviation, rel=1e-12)
    z = NormalDist().inv_cdf(0.95)
    assert float(spread["volatility_index"]) == pytest.approx(z * deviation, rel=1e-4)
    assert [int(band["rounds"]) for band in spread["bands"]] == [10**3, 10**4, 10**5, 10**6, 10**7]
    for interval in spread["bands"][2:]:
        rounds = int(interval["rounds"])
        within = z * deviation / math.sqrt(rounds)
        assert float(interval["low"]) == pytest.approx(mean - within, abs=1e-4)
        assert float(interval["high"]) == pytest.approx(mean + within, abs=1e-4)


def test_a_band_holds_ninety_percent_of_dealt_rounds() -> None:
    """Ten thousand sums of a thousand wagers on Queens Up, drawn by their counts."""
    body = certificate(registry.paytable("crazy_4", "queens_up", "C4P-09"))
    pays = [0, 51, 31, 10, 5, 4, 3, 2]
    deals = [int(body["nothing"]["deals"]), *(int(row["deals"]) for row in body["rows"])]
    dealt = np.random.default_rng(18).multinomial(1_000, np.array(deals) / sum(deals), 10_000) @ pays / 1_000
    band = body["volatility"]["house_edge"]["bands"][0]
    inside = np.mean((dealt >= float(band["low"])) & (dealt <= float(band["high"])))
    assert 0.885 < inside < 0.915


def test_the_cycle_of_a_game_of_several_bets_is_counted_once() -> None:
    assert base_certificate("mini_baccarat")["deals"] == "4998398275503360"


def test_printed_figures_come_with_their_verdict() -> None:
    (edge, hits) = certificate(registry.paytable("crazy_4", "queens_up", "C4P-09"))["printed"]
    assert (edge["printed"], edge["ours"], edge["verdict"]) == ("3.07%", "3.0606%", "disputed")
    assert hits["printed"] == "24.88%"


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


@pytest.mark.whole
def test_every_single_digit_of_one_certificate_counts() -> None:
    text = as_text(certificate(SMALL))
    digits = len(re.findall(r"\d", text))
    assert digits > 300
    unnoticed_digits = [
        at
        for at in range(digits)
        if not check(from_text(one_digit_changed(text, at, 3), where="x")).differences
    ]
    assert unnoticed_digits == []


def _pay(body: Body) -> None:
    body["rows"][1]["pays"] = "400 for 1"


def _probability(body: Body) -> None:
    body["rows"][0]["probability"] = "1/54144"


def _figure(body: Body) -> None:
    body["figures"]["fixed_return"]["value"] = "1/2"


def _band(body: Body) -> None:
    body["volatility"]["hold"]["bands"][2]["low"] = "0.31"


def _reset(body: Body) -> None:
    body["progressive"]["levels"]["jackpot"]["seed"] = "1/10829"


def _printed(body: Body) -> None:
    body["printed"][0]["verdict"] = "agrees"


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
        (_band, "volatility.hold.bands 3.low"),
        (_reset, "progressive.levels.jackpot.seed"),
        (_printed, "printed 1.verdict"),
        (_method, "method"),
        (_rules, "fingerprints.rules"),
    ],
)
def test_who_seals_a_lie_anew_is_found_out_by_deriving(change: Callable[[Body], None], where: str) -> None:
    body = certificate(SMALL)
    change(body)
    body["seal"] = seal(body)
    assert [difference.where for difference in check(body).differences] == [where]


def test_a_certificate_of_another_release_holds_with_a_note() -> None:
    body = certificate(SMALL)
    body["program"] = "feltwork 0.0.1"
    body["fingerprints"]["program"] = "0" * 64
    body["seal"] = seal(body)
    verdict = check(body)
    assert verdict.differences == ()
    assert "another release (feltwork 0.0.1)" in verdict.notes[0]


def test_a_draft_is_certified_from_its_own_rows() -> None:
    draft = edited(registry.paytable("crazy_4", "queens_up", "C4P-09"), {"flush": "5 to 1"})
    body = certificate(draft)
    assert body["paytable"] == "C4P-09-draft"
    assert check(body).differences == ()
    body["rows"][0]["pays"] = "60 to 1"
    body["seal"] = seal(body)
    assert {difference.where for difference in check(body).differences} >= {
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
