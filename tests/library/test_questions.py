"""The library's questions: the same answers as the commands, from what a person would write."""

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import feltwork


def test_what_if_takes_numbers_and_text() -> None:
    answer = feltwork.what_if("four_card", paytable="3", fields={"seed.jackpot": 5000, "tables": 3})
    assert answer.meters["jackpot"]["mean_jackpot"].value > 5_000
    same = feltwork.what_if("four_card", paytable="3", fields={"seed.jackpot": Decimal(5000), "tables": "3"})
    assert answer.as_json() == same.as_json()
    assert repr(answer).startswith("<WhatIfAnswer four_card/jackpot/3: hold 0.1")
    assert "<td>hold</td>" in answer._repr_html_()


def test_a_rate_is_a_percentage_or_a_part_of_one() -> None:
    written = [
        feltwork.simulate_meter(feltwork.paytable("trilux"), seed="5000", contribution=rate)
        for rate in ("24%", 24, Decimal("0.24"), Fraction(6, 25))
    ]
    assert len({meters["jackpot"].growth for meters in written}) == 1
    with pytest.raises(feltwork.ProblemsError, match="write it like 24%"):
        feltwork.simulate_meter(feltwork.paytable("trilux"), contribution="0.24")


def test_figures_verdicts_and_certificates() -> None:
    (edge,) = feltwork.figures("crazy_4/base/house_edge*")[:1]
    assert edge.value == feltwork.odds("crazy_4").figures["house edge"]
    body = feltwork.certify("crazy_4", "queens_up", "C4P-09", date="2026-11-20")
    assert body["date"] == "2026-11-20"
    assert {"crazy_4", "blackjack"} <= set(feltwork.games())


def test_best_hands_and_their_mistakes() -> None:
    assert str(feltwork.best_hand("As Kd Ac 7h 2s")) == "pair A-K-7-2"
    assert str(feltwork.best_hand("As Kd Ac 7h 2s", size=4)) == "pair A-K-7"
    for wrong in ("As As Kd 7h 2s", "As Kd", "1x"):
        with pytest.raises(feltwork.ProblemsError):
            feltwork.best_hand(wrong)


def test_simulate_plays_rounds() -> None:
    played = feltwork.simulate("mini_baccarat", rounds=50, strategy="simple")
    assert played.base.rounds == 50


def test_a_distribution_adds_up() -> None:
    die = feltwork.Distribution.of((Fraction(side), Fraction(1, 6)) for side in range(1, 7))
    two = die.power(2)
    assert (die.mean, die.var) == (Fraction(7, 2), Fraction(35, 12))
    assert (two.mean, two.var) == (Fraction(7), Fraction(35, 6))
    assert two == die.plus(die)
    assert two.pmf[Fraction(7)] == Fraction(1, 6)
    quantiles = [two.quantile(Fraction(1, 6)), two.quantile(1)]
    assert two.cdf(4) == Fraction(1, 6)
    assert quantiles == [Fraction(4), Fraction(12)]
    assert abs(float(die.rvs(4_000).mean()) - 3.5) < 0.15
    assert repr(two) == "<Distribution of 11 values, mean 7>"
    bet = feltwork.odds("crazy_4", "queens_up", "C4P-09").distribution
    assert 1 - bet.mean == feltwork.odds("crazy_4", "queens_up", "C4P-09").figures["house edge"]
    assert bet.var == feltwork.odds("crazy_4", "queens_up", "C4P-09").figures["variance"]
    with pytest.raises(feltwork.ProblemsError, match="too many values"):
        bet.power(10**9)


@pytest.mark.parametrize("wrong", [42, None, [1], b"game"])
def test_wrong_types_are_problems(wrong: Any) -> None:
    with pytest.raises(feltwork.ProblemsError, match=f"cannot be a {type(wrong).__name__}"):
        feltwork.settle(wrong)
    with pytest.raises(feltwork.ProblemsError, match=f"cannot be a {type(wrong).__name__}"):
        feltwork.read_paytable(wrong)


def test_a_path_is_read(tmp_path: Path) -> None:
    text = 'game = "mini_baccarat"\nplayer = "9c 8d"\nbanker = "4h 2s"\n'
    file = tmp_path / "round.toml"
    file.write_text(f'{text}seats = [{{ seat = 1, wagers = {{ player = "25" }} }}]\n', encoding="utf-8")
    assert feltwork.settle(file).seats[0].net == 25_000_000
    assert len(feltwork.settle_many([file, file])) == 2
    with pytest.raises(feltwork.ProblemsError, match=r"missing\.toml"):
        feltwork.settle(tmp_path / "missing.toml")


def test_the_base_install_has_every_name_and_says_what_a_call_needs() -> None:
    """Without numpy, numba and pyarrow."""
    code = """
import sys
for name in ("numpy", "numba", "pyarrow"):
    sys.modules[name] = None
import feltwork
from feltwork import *
import inspect, typing
for name in feltwork.__all__:
    assert hasattr(feltwork, name), name
    if inspect.isfunction(getattr(feltwork, name)):
        inspect.signature(getattr(feltwork, name))
        typing.get_type_hints(getattr(feltwork, name))
print(feltwork.odds("crazy_4"))
try:
    feltwork.simulate_meter(feltwork.paytable("five_card", "jackpot", "01"))
except feltwork.ProblemsError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert result.stderr == ""
    report, problem = result.stdout.splitlines()
    assert report == "<FigureReport crazy_4/base: house edge 0.0341885, element of risk 0.0109014>"
    assert problem == "simulate_meter: needs numpy, which is not installed; pip install 'feltwork[odds]'"
