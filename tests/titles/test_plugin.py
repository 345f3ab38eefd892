"""A title in a package of its own is found, checked, played and priced like ours: Three Card Poker."""

import json
from collections import Counter
from fractions import Fraction
from importlib import import_module
from itertools import combinations

import pytest

from feltwork.titles.cards.shoe import decks_of
from feltwork.titles.hands.category import names_of
from feltwork.titles.hands.three_card import three_card_hand
from tests.titles.packages import ROOT, install, run

GUIDE, PART = "docs/guides/add_a_title.md", "odds"
EXAMPLE = ROOT / "examples" / "three_card_poker"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("made")
    run({}, "feltwork", "dev", "new-title", "lucky_two", "--folder", str(folder))
    packages = (EXAMPLE, ROOT / "examples" / "casino_war", folder / "lucky_two")
    return install(tmp_path_factory.mktemp("installed"), *packages)


def test_it_is_short() -> None:
    lines = [line for file in EXAMPLE.rglob("*.py") for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) < 165


def test_the_generic_test_accepts_the_examples_and_the_template(installed: dict[str, str]) -> None:
    generic = "tests/titles/test_every_title.py"
    names = ("three_card_poker", "casino_war", "lucky_two")
    output = run(installed, "pytest", "-vv", "-p", "no:randomly", generic, "-k", " or ".join(names))
    for name in names:
        replayed = f"{generic}::test_worked_round_replays[{name}-"
        rounds = [line for line in output.splitlines() if line.startswith(replayed)]
        assert len(rounds) >= 10
        assert all("PASSED" in line for line in rounds)


def test_the_commands_know_it(installed: dict[str, str]) -> None:
    assert "three_card_poker" in run(installed, "feltwork", "titles")
    assert "Queen-high or better qualifies" in run(installed, "feltwork", "titles", "three_card_poker")
    assert "40 to 1" in run(installed, "feltwork", "titles", "three_card_poker", "pair_plus", "4030641")
    dealt = run(installed, "feltwork", "dev", "deal", "three_card_poker", "--seed", "7")
    assert dealt == run(installed, "feltwork", "dev", "deal", "three_card_poker", "--seed", "7")


def test_its_rows_split_all_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    rows = import_module("feltwork_three_card_poker.rules").ROWS
    counts: Counter[str] = Counter()
    for cards in combinations(decks_of(1), 3):
        names = names_of(three_card_hand(cards), rows)
        assert len(names) <= 1
        counts.update(names or {"nothing"})
    assert sum(counts.values()) == 22_100
    assert counts["straight_flush"] == 12 * 4  # twelve runs in four suits
    assert counts["three_of_a_kind"] == 13 * 4
    assert counts["straight"] == 12 * (4**3 - 4)
    assert counts["flush"] == (286 - 12) * 4
    assert counts["pair"] == 13 * 6 * 48


#: The pays of the example's Pair Plus paytable, to 1.
PAIR_PLUS = {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1}


def enumerated() -> Counter[str]:
    """All hands of three cards, classified here and by nothing of Feltwork."""
    counts: Counter[str] = Counter()
    for cards in combinations([(rank, suit) for rank in range(2, 15) for suit in "cdhs"], 3):
        ranks = sorted(rank for rank, _ in cards)
        flush = len({suit for _, suit in cards}) == 1
        straight = ranks in ([2, 3, 14], [ranks[0], ranks[0] + 1, ranks[0] + 2])
        if straight:
            counts["straight_flush" if flush else "straight"] += 1
        elif flush:
            counts["flush"] += 1
        else:
            counts[{1: "three_of_a_kind", 2: "pair", 3: "nothing"}[len(set(ranks))]] += 1
    return counts


def test_its_odds_are_exact(installed: dict[str, str]) -> None:
    counts = enumerated()
    hands = sum(counts.values())
    assert hands == 22_100
    returned = sum(Fraction(counts[row] * (pays + 1), hands) for row, pays in PAIR_PLUS.items())
    assert round(float(1 - returned), 4) == 0.0232, "as published for this paytable"
    expected = {"house_edge": 1 - returned, "hit_frequency": 1 - Fraction(counts["nothing"], hands)}

    figures = json.loads(run(installed, "feltwork", "figures", "three_card_poker", "--json"))
    assert {name: Fraction(figure["value"]) for name, figure in figures.items()} == {
        f"three_card_poker/pair_plus/4030641/{kind}": value for kind, value in expected.items()
    }

    (report,) = json.loads(run(installed, "feltwork", "odds", "three_card_poker", "pair_plus", "--json"))
    assert {line["hand"]: line["deals"] for line in report["distribution"]} == counts
    assert Fraction(report["figures"]["house edge"]["value"]) == expected["house_edge"]

    certificate = json.loads(run(installed, "feltwork", "certify", "three_card_poker", "pair_plus"))
    assert Fraction(certificate["figures"]["house_edge"]["value"]) == expected["house_edge"]


def test_its_base_game_is_solved(installed: dict[str, str]) -> None:
    """The net results of all 22,100 x 18,424 deals, as published for this Ante Bonus."""
    (report,) = json.loads(run(installed, "feltwork", "odds", "three_card_poker", "--json"))
    assert sum(line["deals"] for line in report["distribution"]) == 22_100 * 18_424
    edge = Fraction(report["figures"]["house edge"]["value"])
    assert f"{float(edge):.4%}" == "3.3730%"
    assert f"{float(Fraction(report['figures']['element of risk']['value'])):.4%}" == "2.0147%"
    assert "play: 67.42% of the hands, from high card Q-6-4 to straight flush A." in report["strategy"]


@pytest.mark.whole
def test_its_decision_is_valued(installed: dict[str, str]) -> None:
    """Queen, six, four is the lowest hand worth playing."""
    for cards, best in {"Qs 6d 4c": "play", "Qs 6d 3c": "fold", "2s 2d 3c": "play"}.items():
        advice = json.loads(run(installed, "feltwork", "advise", "three_card_poker", cards, "--json"))
        assert advice["best"] == best
        assert advice["choices"]["fold"]["value"] == "-1"
    simulated = json.loads(
        run(installed, "feltwork", "simulate", "three_card_poker", "--rounds", "3000", "--json")
    )
    assert abs(simulated["mean_net"] + 0.033730) <= 4.5 * simulated["standard_error"]


ALIKE = """
import random
from feltwork.titles.cards.card import DECK
from feltwork_three_card_poker.odds import GAME

opened = GAME.opened({}, {})
examples = {}
for cards in GAME.counts["examples"].tolist():
    dealt = tuple(DECK[card] for card in cards)
    examples[GAME.outcome(GAME.value(dealt[:3]), GAME.value(dealt[3:]))] = GAME.results(opened, dealt)
dice = random.Random(4)
for _ in range(2_000):
    dealt = tuple(dice.sample(DECK, 6))
    outcome = GAME.outcome(GAME.value(dealt[:3]), GAME.value(dealt[3:]))
    assert GAME.results(opened, dealt) == examples[outcome], dealt
"""


@pytest.mark.whole
def test_deals_of_one_outcome_are_settled_alike(installed: dict[str, str]) -> None:
    run(installed, "python", "-c", ALIKE)


def test_the_guide_shows_these_odds() -> None:
    """So that what the guide shows is what the tests above ran."""
    odds = (EXAMPLE / "feltwork_three_card_poker" / "odds.py").read_text(encoding="utf-8")
    block = "\n".join((f"<!-- run: {PART} -->", "```python", f"{odds}```"))
    assert block in (ROOT / GUIDE).read_text(encoding="utf-8"), "copy odds.py into the guide"
