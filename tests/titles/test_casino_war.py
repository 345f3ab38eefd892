"""The second example title, Casino War: figures as published, and approval by fingerprint."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.compliance.floors import EXAMPLES
from tests.titles.packages import install, run

EXAMPLE = EXAMPLES / "casino_war"
FLOOR = """\
site = "Example"
location = "example"
jurisdiction = "nevada"
titles = { casino_war = "APPROVED" }

[gambling_day]
time_zone = "America/Los_Angeles"
starts_at_hour = 6

[[table]]
id = "W1"
game = "casino_war"
seats = 5
entry = "dealer"
manufacturer = "Example"
lowest_wager = "5.00"
highest_wager = "100.00"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(tmp_path_factory.mktemp("installed"), EXAMPLE)


def edge_of(decks: int, *, bonus: bool) -> Fraction:
    """The house edge of going to war, from the chances of ties alone and by none of Feltwork."""
    same, cards = 4 * decks, 52 * decks
    tie = Fraction(same - 1, cards - 1)
    # Two more cards: two are gone of the rank that tied, none of the twelve others.
    others, left = 12 * same * (same - 1), (cards - 2) * (cards - 3)
    again = Fraction(others + (same - 2) * (same - 3), left)
    lost = (1 - again) / 2
    return -(tie * ((1 - lost) - 2 * lost + (again if bonus else 0)))


@pytest.mark.parametrize(
    ("decks", "bonus", "published"), [(6, False, "2.88%"), (6, True, "2.33%"), (8, False, "2.90%")]
)
def test_its_base_game_is_as_published(
    installed: dict[str, str], decks: int, bonus: bool, published: str
) -> None:
    options = (f"--option=decks={decks}", f"--option=second_tie_bonus={str(bonus).lower()}")
    (report,) = json.loads(run(installed, "feltwork", "odds", "casino_war", *options, "--json"))
    edge = Fraction(report["figures"]["house edge"]["value"])
    assert edge == edge_of(decks, bonus=bonus)
    assert f"{float(edge):.2%}" == published


def test_its_tie_bet_is_as_published(installed: dict[str, str]) -> None:
    figures = json.loads(run(installed, "feltwork", "figures", "casino_war", "--json"))
    edge = Fraction(figures["casino_war/tie/10/house_edge?decks=6"]["value"])
    assert edge == 1 - 11 * Fraction(23, 311)
    assert f"{float(edge):.2%}" == "18.65%"


def test_surrender_costs_what_is_published(installed: dict[str, str]) -> None:
    """Whoever always surrenders loses half an Ante in 23 of 311 rounds: 3.70%."""
    advice = json.loads(
        run(installed, "feltwork", "advise", "casino_war", "7s", "--sees", "dealer=7d", "--json")
    )
    assert advice["best"] == "war"
    assert Fraction(advice["choices"]["surrender"]["value"]) == Fraction(-1, 2)
    assert f"{float(Fraction(23, 311) / 2):.2%}" == "3.70%"


def test_an_operator_approves_it_by_fingerprint(installed: dict[str, str], tmp_path: Path) -> None:
    """The floor is refused with another fingerprint, and with one byte of the package changed."""
    rules = json.loads(run(installed, "feltwork", "titles", "casino_war", "--json"))
    floor = tmp_path / "floor.toml"
    floor.write_text(FLOOR.replace("APPROVED", "0" * 64), encoding="utf-8")
    assert "approved is 000000000000" in run(installed, "feltwork", "check", str(floor), code=1)
    floor.write_text(FLOOR.replace("APPROVED", rules["fingerprint"]), encoding="utf-8")
    run(installed, "feltwork", "check", str(floor))
    changed = install(tmp_path / "changed", EXAMPLE)
    paytable = tmp_path / "changed" / "feltwork_casino_war" / "paytables" / "tie-10.toml"
    text = paytable.read_text(encoding="utf-8")
    paytable.unlink()  # a hard link to what the other tests have installed
    paytable.write_text(text.replace("10 to 1", "11 to 1"), encoding="utf-8")
    assert f"approved is {rules['fingerprint'][:12]}" in run(changed, "feltwork", "check", str(floor), code=1)
