"""Jurisdictions: every rule answered, sourced and dated; what is uncertain says so."""

from dataclasses import replace
from datetime import date

import pytest

from feltwork import money
from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.compliance.check import check
from feltwork.site.compliance.jurisdiction import NONE, Ruling, ids, jurisdiction
from feltwork.site.compliance.requirements import MARKS, REQUIREMENTS
from tests.compliance.floors import DAY, example, findings, found, small

GENERIC = jurisdiction("generic").on(DAY)


def rulings_in(name: str) -> list[Ruling]:
    return [ruling for line in jurisdiction(name).rules.values() for ruling in line]


@pytest.mark.parametrize("name", ids())
def test_a_ruling_has_a_source_a_mark_and_a_requirement(name: str) -> None:
    for ruling in rulings_in(name):
        assert ruling.says
        assert ruling.source
        assert ruling.mark in MARKS
        assert ruling.requirement in REQUIREMENTS


@pytest.mark.parametrize("name", ids())
def test_a_ruling_is_of_the_kind_that_the_rule_has_everywhere(name: str) -> None:
    for ruling in rulings_in(name):
        verify_kind(ruling)


def verify_kind(ruling: Ruling) -> None:
    base = GENERIC[ruling.name].value
    if ruling.value == NONE:
        return
    if isinstance(base, bool | list):
        assert type(ruling.value) is type(base)
    elif isinstance(ruling.value, int):
        assert ruling.number == ruling.value
        assert not isinstance(base, str) or base == NONE
    elif ruling.name == "withholding_rate":
        assert ruling.rate == money.parse_rate(str(ruling.value))
    elif base == NONE:
        assert ruling.amount is not None


@pytest.mark.parametrize("name", ids())
def test_a_jurisdiction_knows_no_rule_that_generic_does_not(name: str) -> None:
    assert jurisdiction(name).rules.keys() == jurisdiction("generic").rules.keys()


@pytest.mark.requirement("WA-26")
@pytest.mark.parametrize(
    ("day", "limit"),
    [(date(2008, 1, 1), 300), (date(2023, 8, 31), 300), (date(2023, 9, 1), 400), (date(2030, 1, 1), 400)],
)
def test_the_wager_limit_is_that_of_the_day(day: date, limit: int) -> None:
    ruling = jurisdiction("wa_cardroom").on(day)["single_wager"]
    assert ruling.amount == limit * DOLLAR
    assert bool(ruling.uncertain) == (limit == 400)


@pytest.mark.requirement("WA-26")
def test_a_wager_that_only_an_uncertain_limit_allows_is_lawful_until_settled_otherwise() -> None:
    high = ('highest_wager = "300.00"', 'highest_wager = "400.00"')
    settled = (
        "[[table]]",
        '[[confirmed]]\nrule = "single_wager"\nis = "300.00"\nreference = "a text"\n\n[[table]]',
    )
    assert found(small(high)) == []
    assert found(small(high, settled)) == ["refused WA-26"]


@pytest.mark.requirement("WA-26")
def test_the_largest_wager_of_a_game_is_held_to_the_limit() -> None:
    """With $450 for a wager three Antes of $150 are above $400, and the finding names them."""
    (refused,) = findings(small(('highest_wager = "300.00"', 'highest_wager = "450.00"')))
    assert "highest play is $450.00; WAC 230-15-140 (text unread) allows $400.00" in refused.what
    winnings = [finding for finding in check(example("card_room"), on=DAY) if finding.requirement == "WA-26"]
    assert [finding.severity for finding in winnings] == ["note"] * 3, "one for each table with House Money"
    assert "bet with house money may come to $550.00 with winnings left on it" in winnings[0].what


@pytest.mark.requirement("WA-28")
@pytest.mark.parametrize(
    ("key", "phrases"),
    [
        (
            'lowest_wager = "100.01"',
            ["ante is at least $100.01 and at most $100.00", "super", "queens_up"],
        ),
        ('lowest_wager = "100.00"\nlowest_side_bet = "25.00"', []),
        ('lowest_side_bet = "25.01"', ["queens_up is at least $25.01 and at most $25.00"]),
    ],
)
def test_a_bet_that_nobody_could_make_is_refused(key: str, phrases: list[str]) -> None:
    floor = small(('highest_wager = "300.00"', f'highest_wager = "300.00"\n{key}'))
    refused = [finding.what for finding in findings(floor)]
    assert all(phrase in what for phrase, what in zip(phrases, refused, strict=True))


@pytest.mark.requirement("TR-05")
def test_tribal_limits_are_data_of_their_own() -> None:
    assert jurisdiction("wa_tribal").on(DAY)["single_wager"].amount == 500 * DOLLAR


@pytest.mark.requirement("WA-27")
def test_poker_limits_are_a_profile() -> None:
    rulings = jurisdiction("wa_cardroom").on(DAY)
    assert [rulings[f"poker_{name}"].number for name in ("betting_rounds", "wagers_per_round")] == [5, 4]
    assert rulings["poker_single_wager"].amount == 300 * DOLLAR


@pytest.mark.requirement("WA-12")
def test_one_connected_jackpot_is_a_switch_that_a_text_can_turn_off() -> None:
    ruling = jurisdiction("wa_cardroom").on(DAY)["one_connected_jackpot"]
    assert ruling.flag
    assert "2023" in ruling.uncertain
    assert (
        not jurisdiction("wa_cardroom")
        .on(DAY)
        .confirmed("one_connected_jackpot", False, "a text")["one_connected_jackpot"]
        .flag
    )


@pytest.mark.requirement("GEN-15", "WA-09")
def test_the_comparison_of_a_cap_belongs_to_the_jurisdiction() -> None:
    at_meter = ('reserve = "5%"', 'reserve = "5%"\ncap = "20000.00"\nnow = "20000.00"')
    elsewhere = ('"wa_cardroom"', '"generic"')
    assert found(small(at_meter)) == []
    assert found(small(at_meter, elsewhere)) == ["refused GEN-15"]


@pytest.mark.requirement("GEN-18", "WA-10")
def test_a_link_across_locations_is_on_elsewhere_and_off_in_washington() -> None:
    assert jurisdiction("generic").on(DAY)["link_across_locations"].flag
    assert not jurisdiction("wa_cardroom").on(DAY)["link_across_locations"].flag


@pytest.mark.requirement("WA-29")
def test_a_house_settles_what_is_uncertain_and_nothing_else() -> None:
    def settled(rule: str, value: str) -> list[str]:
        text = f'[[confirmed]]\nrule = "{rule}"\nis = {value}\nreference = "a text"\n\n[[table]]'
        return found(small(("[[table]]", text)))

    assert settled("one_connected_jackpot", "false") == []
    assert settled("tables_per_site", "20") == ["refused WA-29"]
    with pytest.raises(ProblemsError):
        settled("no_such_rule", "1")
    for rule, value in (("one_connected_jackpot", "1"), ("single_wager", '"lots"'), ("notice_days", '"ten"')):
        with pytest.raises(ProblemsError, match=r"floor\.toml:11: confirmed 1, is"):
            settled(rule, value)


@pytest.mark.requirement("LT-07", "WA-29")
def test_internal_controls_open_a_policy_that_the_letters_leave_to_them() -> None:
    each = ('cut_off = "stop"', 'cut_off = "stop"\noptions = { several_winners = "each_in_full" }')
    approved = ('cut_off = "stop"', 'cut_off = "stop"\ninternal_controls = "IC-7"')
    assert found(small(each)) == ["refused LT-07"]
    assert found(small(each, approved)) == []


def test_the_first_ruling_serves_the_days_before_it() -> None:
    early = jurisdiction("wa_cardroom").on(date(1999, 1, 1))["single_wager"]
    assert replace(early) == jurisdiction("wa_cardroom").on(date(2010, 1, 1))["single_wager"]


def test_an_unknown_jurisdiction_is_answered_with_those_there_are() -> None:
    with pytest.raises(ProblemsError, match="wa_cardroom"):
        jurisdiction("mars")
