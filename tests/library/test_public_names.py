"""The public names of `import feltwork`."""

import json
import subprocess
import sys
import tomllib
from typing import Any

import pytest

import feltwork
from feltwork.titles.paytables.write import as_toml
from feltwork.titles.worked_rounds import worked_rounds
from tests.docs.console import ROOT

NAMES = sorted(set(feltwork.__all__) - {"__version__"})
TOML = """
game = "mini_baccarat"
player = "9c 8d"
banker = "4h 2s"
seats = [{ seat = 1, wagers = { player = "25" } }, { seat = 2, wagers = { banker = "100" } }]
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_exists_and_has_a_place_on_the_reference_page(name: str) -> None:
    assert getattr(feltwork, name).__doc__
    page = (ROOT / "docs/reference/library.md").read_text(encoding="utf-8")
    assert name == "Round" or f".{name}\n" in page


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'settel'"):
        _ = feltwork.settel  # type: ignore[attr-defined]


def test_importing_the_library_loads_none_of_it() -> None:
    code = (
        "import sys, feltwork; print([name for name in sys.modules"
        " if name.startswith('feltwork.') or name in ('dataclasses', 'numpy', 'pydantic', 'typer')])"
    )
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout == "[]\n"


def test_a_round_is_a_dictionary_toml_or_json() -> None:
    data: dict[str, Any] = tomllib.loads(TOML)
    settled = feltwork.settle(data)
    assert [seat.net for seat in settled.seats] == [25_000_000, -100_000_000]
    assert feltwork.settle(TOML) == feltwork.settle(json.dumps(data)) == settled


def test_a_paytable_is_a_dictionary_toml_or_json() -> None:
    released = feltwork.paytable("trilux")
    toml = as_toml(released, cites="draft")
    data = tomllib.loads(toml)
    drafts = [feltwork.read_paytable(source) for source in (toml, data, json.dumps(data), released)]
    assert {draft.fingerprint for draft in drafts} == {released.fingerprint}
    for source in (released, toml, data, "6"):
        assert feltwork.odds("trilux", paytable=source).figures == feltwork.odds("trilux").figures


def test_a_draft_with_mistakes_lists_them_all() -> None:
    rows = [{"hand": "flush", "pays": "lots"}, {"pays": "5 for 1"}]
    with pytest.raises(feltwork.ProblemsError) as raised:
        feltwork.read_paytable({"id": "1", "title": "trilux", "bet": "jackpot", "cites": "x", "row": rows})
    assert [problem.where for problem in raised.value.problems] == ["paytable", "paytable"]
    with pytest.raises(feltwork.ProblemsError, match="is not valid JSON"):
        feltwork.read_paytable('{"id": ')
    with pytest.raises(feltwork.ProblemsError, match="it is a paytable of trilux/jackpot"):
        feltwork.odds("dragon", paytable=feltwork.paytable("trilux"))


def test_the_odds_are_those_of_the_command_whichever_part_is_loaded_first() -> None:
    edge = feltwork.odds("crazy_4").figures["house edge"]
    assert f"{float(edge):.4%}" == "3.4189%"
    assert feltwork.odds("mini_baccarat", "dragon_bonus", "1").options["side"] == "player"
    code = "import feltwork.odds.sheet as _, feltwork; print(feltwork.odds('trilux').name)"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout == "trilux/jackpot/6\n"


def test_options_may_be_numbers_and_truth_values() -> None:
    six = feltwork.odds("blackjack", options={"decks": 6})
    assert six.options["decks"] == "6"
    push, compare = (
        feltwork.advise("crazy_4", "9s 7d 5c 3h 2s", options={"super_bonus_unqualified": how})
        for how in ("push", "compare")
    )
    assert push.worth["1x"] > compare.worth["1x"]
    with pytest.raises(feltwork.ProblemsError, match="decks"):
        feltwork.odds("blackjack", options={"decks": 11})


def test_a_meter_has_terms_by_level() -> None:
    paytable = feltwork.paytable("blazing_7s", "jackpot", "ML03")
    meters = feltwork.simulate_meter(paytable, seed={"major": "10000"}, wager="1.00")
    assert list(meters) == list(paytable.levels)
    assert meters["major"].seed == 10_000
    assert meters["major"].mean.value > 10_000
    with pytest.raises(feltwork.ProblemsError, match=r"seed\.grand"):
        feltwork.simulate_meter(paytable, seed={"grand": "1"})
    with pytest.raises(feltwork.ProblemsError, match="pays from no meter"):
        feltwork.simulate_meter(feltwork.paytable("blackjack", "house_money", "1"))


def test_many_rounds_are_settled_like_each_of_them() -> None:
    rounds = [dict(worked.data) for worked in worked_rounds("crazy_4")]
    settled = feltwork.settle_many(rounds)
    assert list(settled) == [feltwork.settle(round_) for round_ in rounds]
    assert settled[-1] == settled[len(rounds) - 1]
    columns = settled.columns()
    staked, returned = sum(map(int, columns["staked"])), sum(map(int, columns["returned"]))
    assert returned - staked == sum(seat.net for settlement in settled for seat in settlement.seats)


def test_a_problem_names_its_round() -> None:
    with pytest.raises(feltwork.ProblemsError, match=r"rounds\[1\], game"):
        feltwork.settle_many([TOML, {}])
