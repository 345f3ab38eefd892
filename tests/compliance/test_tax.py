"""Tax and cash flags of an award, by the day it is paid."""

from datetime import date

import pytest

from feltwork.money import DOLLAR
from feltwork.site.compliance.jurisdiction import Rulings, jurisdiction
from feltwork.site.compliance.tax import Flag, Identity, Payer, Win, cash_flags, flags, revenue_flags

GROSS = Payer(less_wager=False, together=False, reports_cash=True)
NET = Payer(less_wager=True, together=False, reports_cash=True)
KNOWN = Identity(documents=2, photo=True, taxpayer_number=True)


def on(year: int, place: str = "wa_cardroom") -> Rulings:
    return jurisdiction(place).on(date(year, 6, 1))


def told(
    dollars: int, wager: int = 1, *, year: int = 2025, payer: Payer = GROSS, identity: Identity | None = KNOWN
) -> list[tuple[str, str]]:
    wins = [Win(amount=dollars * DOLLAR, wager=wager * DOLLAR)]
    return [
        (flag.name, flag.requirement)
        for flag in flags(wins, rulings=on(year), payer=payer, identity=identity)
    ]


@pytest.mark.requirement("TX-01")
@pytest.mark.parametrize(
    ("dollars", "wager", "flagged"),
    [(599, 1, False), (600, 1, True), (1_499, 5, False), (1_500, 5, True)],
)
def test_a_form_from_600_dollars_and_300_times_the_progressive_wager(
    dollars: int, wager: int, flagged: bool
) -> None:
    assert (told(dollars, wager) != []) is flagged


@pytest.mark.requirement("TX-01")
def test_the_payers_choice_decides_300_for_1() -> None:
    """300 for 1 at $5 is 300 times the wager, and 299 times when the wager is taken off first."""
    assert told(1_500, 5) == [("tax_form", "TX-01")]
    assert told(1_500, 5, payer=NET) == []


@pytest.mark.requirement("TX-02")
def test_the_amount_is_that_of_the_year() -> None:
    assert told(1_999, year=2025) == [("tax_form", "TX-01")]
    assert told(1_999, year=2026) == []
    assert told(2_000, year=2026) == [("tax_form", "TX-02")]
    assert on(2026)["tax_form_from"].uncertain
    assert on(2026)["tax_form_times_wager"].uncertain


@pytest.mark.requirement("TX-03")
def test_withholding_above_5000_dollars_of_proceeds() -> None:
    assert told(5_001) == [("tax_form", "TX-01")], "the wager comes off"
    assert told(5_002) == [("tax_form", "TX-01"), ("withholding", "TX-03")]
    (_, held) = flags(
        [Win(amount=25_001 * DOLLAR, wager=DOLLAR)], rulings=on(2025), payer=GROSS, identity=KNOWN
    )
    assert held == Flag(name="withholding", requirement="TX-03", why=held.why, amount=6_000 * DOLLAR), (
        "24% of 25,000"
    )


@pytest.mark.requirement("TX-04")
def test_a_reportable_win_waits_for_papers() -> None:
    for identity in (None, Identity(documents=1, photo=True, taxpayer_number=True)):
        assert ("hold_payout", "TX-04") in told(1_000, identity=identity)
    member = Identity(documents=1, photo=False, taxpayer_number=True, excepted=True)
    assert told(1_000, identity=member) == [("tax_form", "TX-01")]
    nameless = Identity(documents=2, photo=True, taxpayer_number=False)
    assert told(1_000, identity=nameless) == [("tax_form", "TX-01"), ("backup_withholding", "TX-04")]


@pytest.mark.requirement("TX-05")
def test_each_share_of_a_split_is_tested_by_itself() -> None:
    share = Win(amount=500 * DOLLAR, wager=DOLLAR)
    assert flags([share], rulings=on(2025), payer=GROSS, identity=None) == ()
    assert flags([share, share], rulings=on(2025), payer=GROSS, identity=None) == ()


@pytest.mark.requirement("TX-06")
def test_identical_wagers_of_one_person_are_taken_together_where_the_house_does_so() -> None:
    wins = [Win(amount=500 * DOLLAR, wager=DOLLAR)] * 2
    together = Payer(less_wager=False, together=True, reports_cash=True)
    (flag,) = flags(wins, rulings=on(2025), payer=together, identity=KNOWN)
    assert (flag.name, flag.amount) == ("tax_form", 1_000 * DOLLAR)


@pytest.mark.requirement("AM-01", "AM-02")
def test_cash_of_a_gambling_day_is_added_up_table_jackpots_included() -> None:
    exactly = [4_000 * DOLLAR, 6_000 * DOLLAR]
    assert cash_flags(exactly, rulings=on(2025), payer=GROSS) == ()
    (flag,) = cash_flags([*exactly, 1], rulings=on(2025), payer=GROSS)
    assert (flag.name, flag.requirement) == ("cash_report", "AM-01")


@pytest.mark.requirement("AM-03")
def test_a_small_house_reports_no_cash() -> None:
    small = Payer(less_wager=False, together=False, reports_cash=False)
    assert cash_flags([20_000 * DOLLAR], rulings=on(2025), payer=small) == ()


def test_elsewhere_nothing_is_flagged() -> None:
    rulings = on(2025, "generic")
    win = Win(amount=100_000 * DOLLAR, wager=DOLLAR)
    assert flags([win], rulings=rulings, payer=GROSS, identity=None) == ()
    assert cash_flags([100_000 * DOLLAR], rulings=rulings, payer=GROSS) == ()


@pytest.mark.requirement("GEN-25")
def test_payouts_of_a_link_across_casinos_are_tagged_where_they_are_not_deducted() -> None:
    def tags_at(place: str, *, linked: bool) -> list[tuple[str, int]]:
        tags = revenue_flags(700 * DOLLAR, rulings=on(2026, place), linked=linked)
        return [(flag.name, flag.amount) for flag in tags]

    assert tags_at("nevada", linked=True) == [("not_deducted", 700 * DOLLAR)]
    assert tags_at("nevada", linked=False) == []
    assert tags_at("wa_cardroom", linked=True) == []
    assert tags_at("wa_cardroom", linked=False) == []
