"""The example floors: lawful ones pass; each of the gallery gets its findings, its compliant twin none."""

import re
from datetime import date
from fractions import Fraction

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.figures import catalog
from feltwork.problem import ProblemsError
from feltwork.simulation.floors import room
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.floor import link_from_floor
from feltwork.site.progressive.link import verify_link
from feltwork.sources import citations, paragraphs
from tests.compliance.floors import DAY, EXAMPLES, compliant, example, findings, floor_of, found, text_of

#: Floors whose finding is about what the letters have in common, not about one paragraph.
UNCITED = ("unlawful/aquarius_at_claim", "unlawful/cards_not_seen", "unlawful/each_in_full")
LAWFUL = ("card_room", "resort", "house_jackpot_room")
GALLERY = sorted(
    file.relative_to(EXAMPLES).with_suffix("").as_posix()
    for folder in ("unlawful", "unwise")
    for file in (EXAMPLES / folder).glob("*.toml")
)


def day_of(name: str) -> date:
    on = re.search(r"^# on: (.+)$", text_of(name), flags=re.MULTILINE)
    assert on
    return date.fromisoformat(on[1])


@pytest.mark.parametrize("name", LAWFUL)
def test_a_lawful_floor_passes_without_a_warning(name: str) -> None:
    assert found(example(name)) == []


@pytest.mark.requirement("TX-01")
def test_the_demo_is_a_washington_card_room_that_passes_and_needs_a_tax_form() -> None:
    assert room().jurisdiction == "wa_cardroom"
    assert found(room()) == []
    rulings = rulings_of(room(), on=DAY)
    assert (rulings["tax_form_from"].amount, rulings["tax_form_times_wager"].number) == (600 * DOLLAR, 300)


@pytest.mark.parametrize("name", LAWFUL)
def test_every_link_of_a_lawful_floor_can_be_run(name: str) -> None:
    floor = example(name)
    for link in floor.links:
        verify_link(link_from_floor(floor, link))


@pytest.mark.parametrize("name", GALLERY)
def test_a_floor_of_the_gallery_gets_the_findings_in_its_head(name: str) -> None:
    expected = re.findall(r"^# gets: (.+)$", text_of(name), flags=re.MULTILINE)
    assert expected
    if expected == ["problem"]:
        with pytest.raises(ProblemsError):
            example(name)
        return
    assert sorted(found(example(name), on=day_of(name))) == sorted(expected)
    if name.startswith("unlawful/"):
        assert any(line.startswith("refused") for line in expected)
    else:
        assert all(line.startswith("warning") for line in expected)


@pytest.mark.parametrize("name", GALLERY)
def test_the_compliant_counterpart_passes_without_a_warning(name: str) -> None:
    text = text_of(name)
    assert compliant(text) != text
    assert found(floor_of(compliant(text)), on=day_of(name)) == []


@pytest.mark.parametrize("name", GALLERY)
def test_a_finding_about_a_letter_cites_its_paragraphs(name: str) -> None:
    try:
        floor_findings = findings(example(name), on=day_of(name))
    except ProblemsError:
        return
    for finding in floor_findings:
        cited = [
            paragraph
            for brackets in re.findall(r"\[([^]]+)\]", finding.what)
            for paragraph in citations(brackets)
        ]
        assert set(cited) <= paragraphs().keys()
        assert cited or not finding.requirement.startswith("LT-") or name in UNCITED


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        pytest.param("house_jackpot_with_a_meter", "no player money", marks=pytest.mark.requirement("WA-01")),
        pytest.param("house_and_progressive", "one type", marks=pytest.mark.requirement("WA-04")),
        pytest.param("three_jackpots", "a layout carries 2", marks=pytest.mark.requirement("WA-04")),
        pytest.param("one_sensor_for_two", "serves one jackpot", marks=pytest.mark.requirement("WA-04")),
        pytest.param("more_than_the_wager", "10500 basis points", marks=pytest.mark.requirement("WA-05")),
        pytest.param("meter_not_shown", "B2 does not show", marks=pytest.mark.requirement("WA-07")),
        pytest.param(
            "cap_below_the_meter", "at or above its $25,000.00", marks=pytest.mark.requirement("WA-09")
        ),
        pytest.param("overflow_to_the_house", "overflow = house", marks=pytest.mark.requirement("WA-09")),
        pytest.param("cap_at_the_meter", "not above its $25,000.00", marks=pytest.mark.requirement("GEN-15")),
        pytest.param("two_locations", "annex and example", marks=pytest.mark.requirement("WA-10")),
        pytest.param("second_connected_jackpot", "and also", marks=pytest.mark.requirement("WA-12")),
        pytest.param("dragon_linked", "never linked", marks=pytest.mark.requirement("WA-13")),
        pytest.param("different_decks", "6 and 8 decks", marks=pytest.mark.requirement("WA-13")),
        pytest.param("too_few_decks", "the 2 decks of B1", marks=pytest.mark.requirement("WA-13")),
        pytest.param("title_not_listed", "Super Fun 21", marks=pytest.mark.requirement("WA-13")),
        pytest.param("house_money_and_two_jackpots", "only one", marks=pytest.mark.requirement("WA-13")),
        pytest.param("house_money_for_one_deck", "made for 1 deck", marks=pytest.mark.requirement("LT-16")),
        pytest.param("mixed_manufacturers", "Another Maker", marks=pytest.mark.requirement("WA-14")),
        pytest.param("wager_before_its_day", "allows $300.00", marks=pytest.mark.requirement("WA-26")),
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
        pytest.param(
            "low_aggregate", "requires at least $25,000.00", marks=pytest.mark.requirement("GEN-23")
        ),
        pytest.param("no_access_plan", "no access plan", marks=pytest.mark.requirement("GEN-03")),
        pytest.param("plays_on_when_cut_off", "store_and_forward", marks=pytest.mark.requirement("GEN-07")),
        pytest.param("no_concurrence", "the state's concurrence", marks=pytest.mark.requirement("TR-01")),
        pytest.param(
            "no_tribal_agency", "approval of the Tribal Gaming", marks=pytest.mark.requirement("TR-01")
        ),
        pytest.param(
            "no_internal_controls", "C4.approval.cardroom-controls", marks=pytest.mark.requirement("LT-17")
        ),
        pytest.param("no_supervisor", "no supervisor", marks=pytest.mark.requirement("LT-03")),
        pytest.param("no_executive", "no executive", marks=pytest.mark.requirement("LT-03")),
        pytest.param(
            "one_person_from_accounting", "not the two people", marks=pytest.mark.requirement("LT-04")
        ),
        pytest.param(
            "four_card_on_6_5_4",
            "no letter names 6-5-4 Poker for four_card",
            marks=pytest.mark.requirement("WA-13"),
        ),
        pytest.param(
            "four_card_link_of_two_games",
            "connects Crazy 4 Poker and Four Card Poker",
            marks=pytest.mark.requirement("WA-13"),
        ),
        pytest.param(
            "play_above_the_limit", "highest play is $1,200.00", marks=pytest.mark.requirement("WA-26")
        ),
        pytest.param(
            "flop_above_the_limit", "highest flop is $800.00", marks=pytest.mark.requirement("WA-26")
        ),
        *(
            pytest.param(name, phrase, marks=pytest.mark.requirement("LT-05"))
            for name, phrase in (
                ("four_card_fixed_pays_off_the_meter", "[C4.{aquarius,nexus}.9.b]"),
                ("five_card_fixed_pays_off_the_meter", "at crazy_4 [C4.link.9.b]"),
                ("holdem_fixed_pays_off_the_meter", "[TH.{aquarius,nexus}.9.b]"),
                ("blazing_fixed_pays_off_the_meter", "HM.blazing_upcard.11.b]"),
                ("trilux_fixed_pays_off_the_meter", "[HM.trilux.9.a]"),
            )
        ),
        *(
            pytest.param(name, phrase, marks=pytest.mark.requirement("LT-16"))
            for name, phrase in (
                ("blazing_on_aquarius", "no aquarius system for blazing_7s"),
                ("trilux_on_aquarius", "no aquarius system for trilux"),
                ("five_card_link_on_aquarius", "no aquarius system for five_card"),
                ("paytable_3_without_its_reserve", "a reserve of 5%, not of 1%"),
                ("blazing_1_on_eight_decks", "made for 6 decks, and B1 has 8"),
                ("blazing_2_on_eight_decks", "made for 6 decks, and B1 has 8"),
                ("blazing_ml04_on_eight_decks", "made for 6 decks, and B1 has 8"),
                ("dragon_1_at_5_dollars", "for a wager of $1.00, not of $5.00"),
                ("dragon_1_5_at_1_dollar", "for a wager of $5.00, not of $1.00"),
                ("dragon_2_at_5_dollars", "for a wager of $1.00, not of $5.00"),
                ("dragon_3_at_5_dollars", "for a wager of $1.00, not of $5.00"),
                ("thbp_08_at_5_dollars", "for a wager of $1.00, not of $5.00"),
                ("shuffler_not_listed", "Card Mixer, and the letter lists i-Deal or i-Deal Plus"),
                ("shuffler_mode_not_listed", "in the mode Three Card Poker"),
                ("cover_all_in_another_mode", "in the mode Caribbean Stud"),
                ("cover_all_on_old_software", "i-Deal Plus v1.0.101"),
                ("shoe_on_old_software", "i-Shoe v2.0.140"),
                ("other_aquarius_controller", "Aquarius Controller v6.5.7"),
                ("old_game_manager", "Game Manager v6.6 Build 519"),
                ("old_atlas", "GM Atlas v5.3.9"),
                ("components_of_two_systems", "does not list together"),
                ("display_not_listed", "networked tablet at B1"),
            )
        ),
    ],
)
def test_an_unlawful_floor_is_refused_with_its_place_and_a_remedy(name: str, phrase: str) -> None:
    (finding,) = (
        finding
        for finding in findings(example(f"unlawful/{name}"), on=day_of(f"unlawful/{name}"))
        if finding.severity == "refused"
    )
    assert phrase in finding.what
    assert finding.remedy
    assert 3 < finding.line <= len(text_of(f"unlawful/{name}").splitlines())


@pytest.mark.requirement("WA-11", "GL-05")
def test_odds_are_compared_as_exact_fractions() -> None:
    decks, odds = findings(example("unlawful/different_odds"), on=DAY)
    assert (decks.requirement, odds.requirement) == ("WA-13", "WA-11")
    assert "three_7s_diamonds comes one in 250,666 and one in 212717.143" in odds.what


@pytest.mark.requirement("WA-11")
def test_folded_hands_that_do_not_count_change_the_chances_of_a_link() -> None:
    chance, folded = findings(example("unlawful/folded_hands_on_a_link"), on=DAY)
    assert "C1 and H1 do not have the same chance" in chance.what
    assert "are folded on different cards" in folded.what


@pytest.mark.requirement("LT-14")
@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("seed_zero", "restarts at zero"),
        ("seed_below_a_fixed_prize", "below the largest fixed prize, $300.00"),
        ("seed_below_preset", "below the preset, $5,000.00 [DB.recommendations.seed.preset]"),
        ("no_reserve", "no reserve"),
        ("reserve_for_a_seed", "reserve alone"),
        (
            "all_from_the_meter",
            "grow by 50% only [C4.recommendations.contribution.all-from-meter.growth]; fixed",
        ),
        ("house_loses", "the house loses"),
    ],
)
def test_an_unwise_meter_is_warned_of(name: str, phrase: str) -> None:
    (finding,) = findings(example(f"unwise/{name}"))
    assert finding.requirement == "LT-14"
    assert phrase in finding.what


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        pytest.param("locked_at_the_claim", "at the claim", marks=pytest.mark.requirement("LT-03")),
        pytest.param(
            "house_jackpot_without_a_letter", "as a progressive only", marks=pytest.mark.requirement("WA-04")
        ),
        pytest.param(
            "five_card_on_6_5_4", "no letter names 6-5-4 Poker", marks=pytest.mark.requirement("WA-13")
        ),
        pytest.param(
            "five_card_on_caribbean_stud", "names Caribbean Stud", marks=pytest.mark.requirement("WA-13")
        ),
        pytest.param("no_shuffler_named", "names no shuffler", marks=pytest.mark.requirement("LT-16")),
        pytest.param("no_manufacturer_license", "state license", marks=pytest.mark.requirement("LT-17")),
    ],
)
def test_what_the_letters_leave_to_another_approval_is_warned_of(name: str, phrase: str) -> None:
    (finding,) = findings(example(f"unwise/{name}"))
    assert phrase in finding.what
    assert finding.remedy


@pytest.mark.requirement("LT-08")
def test_a_dragon_must_say_who_shares_its_prizes() -> None:
    with pytest.raises(ProblemsError, match=r"share_with is not chosen.*\[DB\.{aquarius,nexus}\.7\.b\]"):
        example("unlawful/dragon_without_share_with")


@pytest.mark.requirement("GL-06")
def test_levels_out_of_order_are_warned_of() -> None:
    (finding,) = findings(example("unwise/minor_above_major"))
    assert "minor of five-card starts at more than major" in finding.what


@pytest.mark.requirement("LT-14")
def test_a_contribution_above_the_preset_is_told_with_the_exact_new_house_edge() -> None:
    (finding,) = findings(example("unwise/contribution_above_preset"))
    printed = catalog.figure("blazing_7s/ML03/hold?decks=6&contribution=0.24&seed=2000,1000,500").value
    assert isinstance(printed, Fraction)
    edge = printed - Fraction(12, 100)  # 11% above the preset, and 1% for the reserve
    assert "contributes 35%, above the preset 24% [HM.figures.blazing-ml03]" in finding.what
    assert f"the house edge is 10.3892% ({edge}) instead of 22.3892% ({printed})" in finding.what
