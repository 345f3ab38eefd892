"""Amounts and permissions at the edge of a rule."""

from datetime import date

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.site.compliance.jurisdiction import jurisdiction
from feltwork.site.compliance.roles import Context, PriorAction, RoleHolder, may
from feltwork.site.compliance.tax import Flag, Identity, Payer, Win, cash_flags, flags
from feltwork.site.compliance.two_person import Command

RULINGS = jurisdiction("wa_cardroom").on(date(2025, 6, 1))
PAYER = Payer(less_wager=False, together=False, reports_cash=True)
IDENTIFIED = Identity(documents=2, photo=True, taxpayer_number=True)
WITHOUT_NUMBER = Identity(documents=2, photo=True, taxpayer_number=False)


def flagged(amount: int, wager: int, identity: Identity = IDENTIFIED) -> dict[str, Flag]:
    win = Win(amount=amount, wager=wager)
    return {flag.name: flag for flag in flags([win], rulings=RULINGS, payer=PAYER, identity=identity)}


@pytest.mark.requirement("TX-03")
def test_withholding_is_cut_to_whole_cents() -> None:
    """24% of $5,001.03 is $1,200.2472."""
    withheld = flagged(5_002 * DOLLAR + 3 * CENT, DOLLAR)["withholding"].amount
    assert withheld == 1_200 * DOLLAR + 24 * CENT


@pytest.mark.requirement("TX-03")
def test_withholding_needs_proceeds_of_300_times_the_wager() -> None:
    at, below = flagged(6_020 * DOLLAR, 20 * DOLLAR), flagged(6_010 * DOLLAR, 20 * DOLLAR)
    assert at.keys() == {"tax_form", "withholding"}
    assert below.keys() == {"tax_form"}, "the form counts the wager, withholding does not"


@pytest.mark.requirement("TX-04")
def test_backup_withholding_says_how_much() -> None:
    flags = flagged(1_001 * DOLLAR, DOLLAR, WITHOUT_NUMBER)
    assert flags["backup_withholding"].amount == 240 * DOLLAR


@pytest.mark.requirement("AM-01")
def test_a_cash_report_names_the_total_of_the_day() -> None:
    (flag,) = cash_flags([6_000 * DOLLAR, 5_000 * DOLLAR], rulings=RULINGS, payer=PAYER)
    assert flag.amount == 11_000 * DOLLAR


@pytest.mark.requirement("LT-03")
def test_an_action_of_somebody_else_does_not_hide_ones_own() -> None:
    before = [PriorAction("dana", "press_hand", "A1"), PriorAction("pat", "press_hand", "A1")]
    command = Command(name="confirm", about="A1", body={})
    answer = may(RoleHolder("pat", ("supervisor",)), command, Context(deeds=before))
    assert (answer.allowed, answer.rule) == (False, "entry-and-confirmation")


@pytest.mark.requirement("WA-30")
@pytest.mark.parametrize(("role", "rule"), [("dealer", "roles"), ("auditor", "read-only")])
def test_a_refusal_names_the_rule_that_decided(role: str, rule: str) -> None:
    command = Command(name="confirm_executive", about="A1", body={})
    answer = may(RoleHolder("pat", (role,)), command, Context())
    assert (answer.allowed, answer.rule) == (False, rule)
