"""A new title goes from `feltwork dev new-title` to exact figures without a change to Feltwork."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from tests.titles.packages import install, run


def ranked(card: tuple[int, int], other: tuple[int, int]) -> tuple[int, ...]:
    """The rank of a hand of the template's game, by none of Feltwork."""
    high, low, flush = max(card[0], other[0]), min(card[0], other[0]), card[1] == other[1]
    if high - low in (1, 12):
        return (4 if flush else 2, high if high - low == 1 else 2)
    return (3, high) if high == low else (1 if flush else 0, high, low)


def edge_of_two_cards() -> Fraction:
    """The house edge of the template's game: every hand against every other, the better of fold and play."""
    cards = [(rank, suit) for rank in range(2, 15) for suit in range(4)]
    hands = [({card, other}, ranked(card, other)) for card, other in combinations(cards, 2)]
    total = 0
    for held, own in hands:
        others = [dealer for pair, dealer in hands if not held & pair]
        qualified = [dealer for dealer in others if dealer >= (0, 11)]
        beaten = sum(dealer < own for dealer in qualified) - sum(dealer > own for dealer in qualified)
        total += max(-len(others), len(others) - len(qualified) + 2 * beaten)
    return Fraction(-total, 1326 * 1225)


def test_from_the_template_to_exact_figures(tmp_path: Path) -> None:
    run({}, "feltwork", "dev", "new-title", "lucky_two", "--title", "Lucky Two!", "--folder", str(tmp_path))
    package = tmp_path / "lucky_two"
    assert not [file for file in package.rglob("*") if "my_title" in file.name]
    texts = [file.read_text(encoding="utf-8") for file in package.rglob("*") if file.is_file()]
    assert not [text for text in texts if "my_title" in text or "My Title" in text or "my-title" in text]

    installed = install(tmp_path / "installed", package) | {"FELTWORK_CACHE": str(tmp_path / "counts")}
    own = installed | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    assert "15 passed" in run(own, "pytest", "-q", cwd=package)
    (report,) = json.loads(run(installed, "feltwork", "odds", "lucky_two", "--json"))
    assert Fraction(report["figures"]["house edge"]["value"]) == edge_of_two_cards()
    assert "# Lucky Two!" in run(installed, "feltwork", "titles", "lucky_two")


def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    for name, why in {
        "Lucky-Two": "is not a name for a title",
        "blackjack": "a title with this name already exists",
        "lucky_two": "is there already",
    }.items():
        (tmp_path / "lucky_two").mkdir(exist_ok=True)
        assert why in run({}, "feltwork", "dev", "new-title", name, "--folder", str(tmp_path), code=2)
