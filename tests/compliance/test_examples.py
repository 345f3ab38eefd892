"""The example floors: three that a manager would recognise pass; of the gallery each gets its finding."""

import re
from datetime import date
from fractions import Fraction

import pytest

from feltwork.compliance.floor import link_from_floor
from feltwork.odds.figures import catalog
from feltwork.progressive.link import verify_link
from tests.compliance.floors import DAY, EXAMPLES, example, findings, found, text_of

LAWFUL = ("card_room", "resort", "house_jackpot_room")
GALLERY = sorted(
    file.relative_to(EXAMPLES).with_suffix("").as_posix()
    for folder in ("unlawful", "unwise")
    for file in (EXAMPLES / folder).glob("*.toml")
)


@pytest.mark.parametrize("name", LAWFUL)
def test_a_lawful_floor_passes_without_a_warning(name: str) -> None:
    assert found(example(name)) == []


@pytest.mark.parametrize("name", LAWFUL)
def test_every_link_of_a_lawful_floor_can_be_run(name: str) -> None:
    floor = example(name)
    for link in floor.links:
        verify_link(link_from_floor(floor, link))


@pytest.mark.parametrize("name", GALLERY)
def test_a_floor_of_the_gallery_gets_the_findings_in_its_head(name: str) -> None:
    text = text_of(name)
    on = re.search(r"^# on: (.+)$", text, flags=re.MULTILINE)
    assert on
    expected = re.findall(r"^# gets: (.+)$", text, flags=re.MULTILINE)
    assert sorted(found(example(name), on=date.fromisoformat(on[1]))) == sorted(expected)
    severity = "refused" if name.startswith("unlawful/") else "warning"
    assert all(one.startswith(severity) for one in expected)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("house_jackpot_with_a_meter", "no player money", marks=pytest.mark.requirement("WA-01")),
        pytest.param("house_and_progressive", "one type", marks=pytest.mark.requirement("WA-04")),
        pytest.param("three_jackpots", "a layout carries 2", marks=pytest.mark.requirement("WA-04")),
        pytest.param("one_sensor_for_two", "serves one jackpot", marks=pytest.mark.requirement("WA-04")),
        pytest.param("more_than_the_wager", "10500 basis points", marks=pytest.mark.requirement("WA-05")),
        pytest.param("meter_not_shown", "B2 does not show", marks=pytest.mark.requirement("WA-07")),
        pytest.param(
            "cap_below_the_meter", "at or above its 25000.00", marks=pytest.mark.requirement("WA-09")
        ),
        pytest.param("overflow_to_the_house", "overflow = house", marks=pytest.mark.requirement("WA-09")),
        pytest.param("cap_at_the_meter", "not above its 25000.00", marks=pytest.mark.requirement("GEN-15")),
        pytest.param("two_locations", "annex and example", marks=pytest.mark.requirement("WA-10")),
        pytest.param("folded_hands_on_a_link", "folded on", marks=pytest.mark.requirement("WA-11")),
        pytest.param("second_connected_jackpot", "besides", marks=pytest.mark.requirement("WA-12")),
        pytest.param("dragon_linked", "never linked", marks=pytest.mark.requirement("WA-13")),
        pytest.param("different_decks", "6 and 8 decks", marks=pytest.mark.requirement("WA-13")),
        pytest.param("too_few_decks", "the 2 decks of B1", marks=pytest.mark.requirement("WA-13")),
        pytest.param("title_not_listed", "Super Fun 21", marks=pytest.mark.requirement("WA-13")),
        pytest.param("house_money_and_two_jackpots", "just one", marks=pytest.mark.requirement("WA-13")),
        pytest.param("house_money_for_one_deck", "made for 1 deck", marks=pytest.mark.requirement("LT-16")),
        pytest.param("mixed_manufacturers", "Another Maker", marks=pytest.mark.requirement("WA-14")),
        pytest.param("wager_before_its_day", "allows 300.00", marks=pytest.mark.requirement("WA-26")),
        pytest.param("wager_above_the_limit", "since 2023-09-01", marks=pytest.mark.requirement("WA-26")),
        pytest.param("four_high_games", "on 4 games", marks=pytest.mark.requirement("WA-26")),
        pytest.param("contradicts_the_law", "cannot change it", marks=pytest.mark.requirement("WA-29")),
        pytest.param("watcher_who_confirms", "independent", marks=pytest.mark.requirement("WA-30")),
        pytest.param("it_keeps_books", "neither sign payouts", marks=pytest.mark.requirement("TR-04")),
        pytest.param("sixteen_tables", "16 tables", marks=pytest.mark.requirement("WA-33")),
        pytest.param("short_notice", "3 days of notice", marks=pytest.mark.requirement("WA-22")),
        pytest.param("cards_not_seen", "best_four_of_five", marks=pytest.mark.requirement("LT-11")),
        pytest.param("each_in_full", "each_in_full", marks=pytest.mark.requirement("LT-07", "GEN-10")),
        pytest.param("aquarius_at_claim", "at claim", marks=pytest.mark.requirement("LT-03")),
        pytest.param("odds_not_stated", "cannot state its odds", marks=pytest.mark.requirement("GEN-03")),
        pytest.param("low_aggregate", "wants at least 25000.00", marks=pytest.mark.requirement("GEN-23")),
        pytest.param("no_access_plan", "no plan of who has access", marks=pytest.mark.requirement("GEN-03")),
        pytest.param("plays_on_when_cut_off", "store_and_forward", marks=pytest.mark.requirement("GEN-07")),
        pytest.param("no_concurrence", "by: state", marks=pytest.mark.requirement("TR-01")),
    ],
)
def test_an_unlawful_floor_is_refused_with_its_place_and_a_remedy(name: str, says: str) -> None:
    text = text_of(f"unlawful/{name}")
    on = re.search(r"^# on: (.+)$", text, flags=re.MULTILINE)
    assert on
    (finding,) = findings(example(f"unlawful/{name}"), on=date.fromisoformat(on[1]))
    assert finding.severity == "refused"
    assert says in finding.what
    assert finding.remedy
    assert 3 < finding.line <= len(text.splitlines())


@pytest.mark.requirement("WA-11", "GL-05")
def test_odds_are_compared_as_exact_fractions() -> None:
    decks, odds = findings(example("unlawful/different_odds"), on=DAY)
    assert (decks.requirement, odds.requirement) == ("WA-13", "WA-11")
    assert "three_7s_diamonds comes one in 250,666 and one in 212717.143" in odds.what


@pytest.mark.requirement("LT-14")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("seed_zero", "starts again at nothing"),
        ("seed_below_a_fixed_prize", "below the largest fixed prize, 300.00"),
        ("reserve_for_a_seed", "reserve alone"),
        ("all_from_the_meter", "grow by 50% only; fixed pays alone take 34.9334 %"),
        ("house_loses", "the house loses"),
    ],
)
def test_an_unwise_meter_is_warned_of(name: str, says: str) -> None:
    (finding,) = findings(example(f"unwise/{name}"))
    assert finding.requirement == "LT-14"
    assert says in finding.what


@pytest.mark.requirement("GL-06")
def test_levels_out_of_order_are_warned_of() -> None:
    (finding,) = findings(example("unwise/minor_above_major"))
    assert "minor of five-card starts at more than major" in finding.what


@pytest.mark.requirement("LT-14")
def test_a_contribution_above_the_preset_is_told_with_the_exact_new_house_edge() -> None:
    (finding,) = findings(example("unwise/contribution_above_preset"))
    printed = catalog.figure("blazing_7s/ML03/hold?decks=6&contribution=0.24&seed=2000,1000,500").value
    assert isinstance(printed, Fraction)
    edge = printed - Fraction(11, 100)
    assert "contributes 35%, above the preset 24% [HM.figures.blazing-ml03]" in finding.what
    assert f"the house edge is 11.3892 % ({edge}) instead of 22.3892 % ({printed})" in finding.what
