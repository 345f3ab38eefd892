"""The chart of accounts."""

from pathlib import Path

import pytest

from feltwork.site.progressive import accounts
from feltwork.site.progressive.accounts import (
    CHART,
    HOUSE_FUNDS,
    PLAYER_FUNDS,
    kind_of,
    verify_account,
    verify_name,
)

MADE = [
    accounts.meter("L", "mega"),
    accounts.reserve("L", "mega"),
    accounts.pending("L", "mega"),
    accounts.payable("L", "A1"),
    accounts.seed_advanced("L", "mega"),
    accounts.retention("L"),
    accounts.tray("T1"),
    accounts.house_pays("L"),
    accounts.gross_receipts("L"),
    accounts.merchandise("L"),
    accounts.problem_gambling("L"),
    accounts.patrons("L1"),
    accounts.correction("L"),
    accounts.clearing("L", "M"),
]


def test_every_line_of_the_chart_has_its_path() -> None:
    assert [kind_of(account) for account in MADE] == list(CHART)
    for account in MADE:
        verify_account(account)


def test_the_page_tells_every_account() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "accounts.md").read_text(encoding="utf-8")
    for kind in CHART.values():
        path = "/".join((kind.name, *(part.upper() for part in kind.of)))
        assert f"| `{path}` | {kind.owner} | {kind.says} |" in page


@pytest.mark.requirement("WA-06")
def test_players_money_is_what_meters_reserves_and_claims_hold() -> None:
    assert {"meter", "reserve", "pending", "payable"} == PLAYER_FUNDS
    assert {"seed_advanced", "retention", "tray", "house_pays", "gross_receipts"} == HOUSE_FUNDS


@pytest.mark.parametrize(
    "account", ["", "meter", "meter/L", "meter/L/a/b", "meter//a", "purse/L", "meter/L/a b"]
)
def test_what_is_not_on_the_chart_is_refused(account: str) -> None:
    with pytest.raises(ValueError, match="is no account; "):
        verify_account(account)


def test_a_name_fits_into_a_path() -> None:
    verify_name("C4-1.a:b+c@d_e")
    for name in ("", "a/b", "a b", "é"):
        with pytest.raises(ValueError, match="cannot name an account"):
            verify_name(name)
