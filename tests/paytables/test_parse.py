"""The paytable parser: what it reads, and how it says what it cannot read."""

import pytest

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.titles.paytables.parse import parse_pay, parse_paytable
from feltwork.titles.paytables.paytable import Odds, Push, Share

GOOD = """\
id = "ML01"
title = "five_card"
bet = "jackpot"
cites = "C4.link.ml01"

[[row]]
hand = "royal_flush"
pays = "100% of mega"
envy = "1000"

[[row]]
hand = "straight_flush"
pays = "100% of major"

[[row]]
hand = "four_of_a_kind"
pays = "300 for 1"

[recommended]
seed = "10000.00"
"""


@pytest.mark.parametrize(
    ("text", "pay"),
    [
        ("50 to 1", Odds(50, 1, stake_returned=True)),
        ("3 to 2", Odds(3, 2, stake_returned=True)),
        ("25,000 to 1", Odds(25_000, 1, stake_returned=True)),
        ("300 for 1", Odds(300, 1, stake_returned=False)),
        ("$3000", Odds(3000, 1, stake_returned=False)),
        ("10% of major", Share(1000, "major")),
        ("12.5% of jackpot", Share(1250, "jackpot")),
        ("push", Push()),
    ],
)
def test_a_pay_is_read_as_it_is_printed(text: str, pay: object) -> None:
    assert parse_pay(text) == pay


def test_a_paytable_knows_its_levels_and_rows() -> None:
    paytable = parse_paytable(GOOD, where="ml01.toml")
    assert paytable.name == "five_card/jackpot/ML01"
    assert paytable.levels == ("mega", "major")
    assert paytable.rows[0].envy == 1000 * DOLLAR
    assert paytable.rows[0].cites == "C4.link.ml01, row 1"
    row = paytable.row_for(frozenset({"four_of_a_kind", "straight_flush"}))
    assert row is not None
    assert row.hand == "straight_flush"
    assert paytable.row_for(frozenset({"pair"})) is None


@pytest.mark.parametrize(
    ("wrong", "line", "what"),
    [
        (GOOD.replace("300 for 1", "300 times"), 17, "row 3, pays: '300 times' is not a pay"),
        (GOOD.replace('envy = "1000"', 'envy = "lots"'), 9, "row 1, envy: 'lots' is not an amount"),
        (GOOD.replace('hand = "straight_flush"', ""), 11, "row 2, hand: hand is missing"),
        (GOOD.replace("envy", "envyy"), 9, "'envyy' is not a known key here"),
        (GOOD.replace('id = "ML01"', ""), 1, "id is missing"),
    ],
)
def test_a_problem_names_its_line_and_its_remedy(wrong: str, line: int, what: str) -> None:
    with pytest.raises(ProblemsError) as error:
        parse_paytable(wrong, where="ml01.toml")
    (problem,) = error.value.problems
    assert problem.where == f"ml01.toml:{line}"
    assert what in problem.what
    assert problem.remedy


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(ProblemsError) as error:
        parse_paytable(GOOD.replace("for", "times").replace("100%", "all"), where="ml01.toml")
    assert len(error.value.problems) == 3


def test_broken_toml_is_located_too() -> None:
    with pytest.raises(ProblemsError, match="line 2"):
        parse_paytable('id = "x"\nbet = 1 2\n', where="ml01.toml")


def test_the_fingerprint_covers_money_and_nothing_else() -> None:
    paytable = parse_paytable(GOOD, where="")
    same = parse_paytable(GOOD.replace("C4.link.ml01", "TH.link.ml01"), where="")
    assert same.fingerprint == paytable.fingerprint
    for old, new in (
        ("300 for 1", "301 for 1"),
        ("300 for 1", "300 to 1"),
        ('"1000"', '"999"'),
        ("10000", "9999"),
    ):
        assert parse_paytable(GOOD.replace(old, new), where="").fingerprint != paytable.fingerprint
