"""The verdicts: every printed figure has one, and a mistake that is named really gives the printed number."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from feltwork.odds import verify
from feltwork.odds.pricing import price, returned
from feltwork.odds.title_odds import TitleOdds, odds_of
from feltwork.odds.titles.crazy_4.counts import best_four_atoms
from feltwork.odds.titles.mini_baccarat import counts as baccarat
from feltwork.odds.verify import Printed, Verdict, printed_figures, rivals, verdict, verdicts
from feltwork.titles import registry
from tests.figures.simulated import priced


@cache
def everything() -> list[Verdict]:
    return verdicts()


def found(identifier: str) -> list[Verdict]:
    return [judgment for judgment in everything() if judgment.printed.id == identifier]


def test_every_printed_figure_gets_a_verdict() -> None:
    texts = [
        registry.folder(name).joinpath("printed.toml").read_text("utf-8") for name in registry.own_names()
    ]
    written = sum(text.count("[[figure]]") for text in texts)
    assert len(everything()) == len(list(printed_figures())) == written == 80
    assert all(judgment.printed.cites for judgment in everything())
    words = Counter(judgment.word for judgment in everything())
    assert words == {"agrees": 37, "disputed": 33, "contradicts itself": 4, "stated": 6}


def test_a_disputed_figure_says_why_and_what_is_right() -> None:
    for judgment in everything():
        if judgment.word == "disputed":
            assert judgment.ours is not None
            assert judgment.why
            assert not judgment.printed.is_met_by(judgment.ours.value)
        if judgment.word == "agrees":
            assert judgment.ours is not None
            assert judgment.printed.is_met_by(judgment.ours.value)


def test_all_eighteen_dragon_bonus_edges_agree() -> None:
    bonus = [judgment for judgment in everything() if "/dragon_bonus/" in judgment.printed.id]
    assert [judgment.word for judgment in bonus] == ["agrees"] * 18


def test_blazing_7s_agrees_throughout() -> None:
    blazing = [judgment for judgment in everything() if judgment.printed.id.startswith("blazing_7s")]
    assert [judgment.word for judgment in blazing] == ["agrees"] * 8


def test_the_edge_of_crazy_4_agrees() -> None:
    assert {judgment.word for judgment in found("crazy_4/base/house_edge")} == {"agrees"}


@pytest.mark.parametrize("number", ["09", "10", "11", "12"])
def test_queens_up_is_printed_a_hair_wrong(number: str) -> None:
    """By hand: pairs of queens, kings or aces whose other cards make no straight and no flush with them.

    Three other ranks of twelve, less the runs of four that hold the pair's rank: 217, 218 and 218. The pair
    has 6 pairs of suits and the others 64 suits, less 2 in which all three have a suit of the pair.
    """
    pairs = (217 + 218 + 218) * 6 * (64 - 2)
    better = 624 + 2_072 + 58_656 + 114_616 + 101_808 + 123_552
    (hits,) = found(f"crazy_4/queens_up/C4P-{number}/hit_frequency")
    assert hits.ours is not None
    assert hits.ours.value == Fraction(pairs + better, 2_598_960)
    assert (hits.word, hits.printed.text, hits.ours.decimal[:6]) == ("disputed", "24.88%", "0.2478")
    (edge,) = found(f"crazy_4/queens_up/C4P-{number}/house_edge")
    assert edge.ours is not None
    assert edge.word == "disputed"
    assert 0 < edge.printed.value - edge.ours.value < Fraction(2, 10_000)


@pytest.mark.parametrize("number", ["09", "10", "11", "12"])
def test_the_edges_of_queens_up_fit_2064_straight_flushes(number: str) -> None:
    """By hand: the same pays on closed counts, with eight straight flushes too few."""
    paytable = registry.paytable("crazy_4", "queens_up", f"C4P-{number}")
    counts = (624, 2_064, 58_656, 114_616, 101_808, 123_552, 242_916)
    back = sum(count * returned(row) for count, row in zip(counts, paytable.rows, strict=True))
    (edge,) = found(f"crazy_4/queens_up/C4P-{number}/house_edge")
    assert round((1 - Fraction(back, 2_598_960)) * 100, 2) == Fraction(edge.printed.text.rstrip("%"))
    assert edge.why.endswith("a match, not a proof")
    assert "2,064" in edge.why


@pytest.mark.parametrize(
    ("side", "odds", "hold"), [("banker", 2_011_729, "25.52"), ("player", 855_757, "17.41")]
)
def test_the_holds_of_dragon_2_follow_from_its_own_odds(side: str, odds: int, hold: str) -> None:
    """By hand: what the fixed rows do not return, less 20%, less a seed of 10,000 at the printed odds."""
    query = f"decks=8&side={side}&contribution=0.20&seed=10000"
    price = priced("dragon", "jackpot", "2", decks="8", side=side)
    fixed = sum(price.deals[place] * pay for place, pay in {2: 1_000, 3: 40, 4: 20, 5: 2}.items()) / Fraction(
        price.total
    )
    remainder = 1 - fixed - Fraction(1, 5) - Fraction(10_000, odds)
    assert round(remainder * 100, 2) == Fraction(hold)
    (judged,) = found(f"dragon/2/hold?{query}")
    assert (judged.word, judged.printed.text) == ("disputed", f"{hold}%")
    assert f"one in {odds:,}" in judged.why
    assert judged.why.endswith("a match, not a proof")


@pytest.mark.parametrize(
    ("side", "odds", "average"), [("banker", 2_011_729, 231_027), ("player", 855_757, 104_044)]
)
def test_the_averages_of_dragon_2_need_another_share(side: str, odds: int, average: int) -> None:
    """The named odds of the 25% row, put back, give the printed average."""
    query = f"decks=8&side={side}&contribution=0.20&seed=10000"
    (judged,) = found(f"dragon/2/mean_meter?{query}")
    needed = int(judged.why.partition("once in ")[2].partition(" ")[0].replace(",", ""))
    mean = (Fraction(10_000, odds) + Fraction(1, 5)) / (Fraction(1, odds) + Fraction(1, 4 * needed))
    assert abs(mean - average) < 1


def test_no_rule_of_play_wins_as_often_as_printed() -> None:
    (judged, *_) = found("crazy_4/base/hit_frequency")
    nearest = judged.why.partition("the nearest win ")[2].split(" and ")
    assert [float(part.partition("%")[0]) for part in nearest] == [48.054, 48.068]


def test_bad_beat_1_contradicts_itself() -> None:
    for kind, texts in {"house_edge": {"19.3%", "19.87%"}, "hit_frequency": {"2.4%", "6.59%"}}.items():
        printed = found(f"crazy_4/bad_beat/BBB-01/{kind}")
        assert {judgment.word for judgment in printed} == {"contradicts itself"}
        assert {judgment.printed.text for judgment in printed} == texts
        for judgment in printed:
            (other,) = texts - {judgment.printed.text}
            assert other in judgment.why


def test_a_hit_frequency_of_six_percent_cannot_stand_beside_its_edge() -> None:
    """Every hit of BBB-01 returns 21 units or more."""
    least = min(returned(row) for row in registry.paytable("crazy_4", "bad_beat", "BBB-01").rows)
    assert least == 21
    assert 1 - Fraction("0.0659") * least < Fraction("-0.38")


def test_the_super_bonus_frequency_is_that_of_another_event() -> None:
    printed = found("crazy_4/super_bonus/hit_frequency")
    assert {(judgment.word, judgment.printed.text) for judgment in printed} == {("disputed", "2.36%")}
    for judgment in printed:
        assert "three of a kind or better" in judgment.why
        assert "2.36" in judgment.why
    # 624 fours, 2,072 straight flushes and 58,656 threes of a kind; with flushes and straights 10.69%.
    assert round(Fraction(624 + 2_072 + 58_656, 2_598_960) * 100, 2) == Fraction("2.36")
    figure = printed[0].ours
    assert figure is not None
    assert round(figure.value * 100, 2) == Fraction("10.69")


def test_the_figures_of_dragon_3_agree_with_one_contribution() -> None:
    dragon = [judgment for judgment in everything() if judgment.printed.id.startswith("dragon/3/")]
    assert Counter(judgment.word for judgment in dragon) == {"agrees": 4, "stated": 1}
    (hold,) = (judgment for judgment in dragon if "/hold" in judgment.printed.id)
    assert "a bet on both sides" in hold.why, "nobody can bet what the letter prints"


MISTAKES = {key: mistake for name in registry.names() for key, mistake in odds_of(name).letter_errors.items()}
WITH_VALUE = [key for key, mistake in MISTAKES.items() if mistake.value is not None]


def printed_as(key: tuple[str, str]) -> Printed:
    identifier, text = key
    return next(figure for figure in printed_figures() if (figure.id, figure.text) == (identifier, text))


@pytest.mark.parametrize("key", MISTAKES, ids=" ".join)
def test_a_mistake_is_about_a_figure_that_a_letter_prints(key: tuple[str, str]) -> None:
    """And about one that our figure does not meet."""
    printed = printed_as(key)
    judged = verdict(printed, rivals(printed, list(printed_figures())))
    assert judged.word in ("disputed", "contradicts itself")
    assert judged.ours is not None
    assert not printed.is_met_by(judged.ours.value)


@pytest.mark.parametrize("key", WITH_VALUE, ids=" ".join)
def test_a_mistake_reproduces_the_printed_number_and_no_other(key: tuple[str, str]) -> None:
    printed, mistake = printed_as(key), MISTAKES[key]
    assert mistake.value is not None
    value = mistake.value()
    assert printed.is_met_by(value, cut_off=mistake.truncated)
    assert printed.written(value) in verdict(printed, set()).why
    for changed in one_digit_off(printed):
        assert not changed.is_met_by(value, cut_off=mistake.truncated), changed.text


def one_digit_off(printed: Printed) -> list[Printed]:
    """The same print with its last digit one up, and one down."""
    sign = printed.text[-1] if printed.text.endswith("%") else ""
    number = printed.text.removesuffix("%")
    decimals = len(number.partition(".")[2])
    changed = (Fraction(number.replace(",", "")) + step * Fraction(1, 10**decimals) for step in (1, -1))
    return [replace(printed, text=f"{float(value):.{decimals}f}{sign}") for value in changed]


def test_a_changed_print_is_no_longer_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake that gives another number than the printed one is refused, not told."""
    key = ("crazy_4/super_bonus/hit_frequency", "2.36%")
    printed = replace(printed_as(key), text="2.37%")
    assert "three of a kind" not in verdict(replace(printed, note=""), set()).why
    changed = TitleOdds(letter_errors={(printed.id, printed.text): MISTAKES[key]})
    monkeypatch.setattr(verify, "odds_of", lambda _title: changed)
    with pytest.raises(AssertionError):
        verdict(printed, set())


def test_bad_beat_2_comes_from_two_decks() -> None:
    """The mistake by hand: the same five-card frequencies for both hands, ties counted as beats."""
    atoms = best_four_atoms()
    total = sum(atoms.values())
    order = ("two_pair", "straight", "flush", "three_of_a_kind", "straight_flush", "four_of_a_kind")
    chance = {
        kind: Fraction(sum(deals for names, deals in atoms.items() if kind in names), total) for kind in order
    }
    table = registry.paytable("crazy_4", "bad_beat", "BBB-02")
    edge = Fraction(1)
    for place, kind in enumerate(order):
        names = {kind, "queens_or_better"} | ({"straight_flush_or_better"} if place >= 4 else set())
        pays = price(table, {frozenset(names): 1}).fixed_return
        above = sum((chance[better] for better in order[place + 1 :]), Fraction(0))
        edge -= (chance[kind] ** 2 + 2 * chance[kind] * above) * pays
    mistake = MISTAKES["crazy_4/bad_beat/BBB-02/house_edge", "17.3%"]
    assert mistake.value is not None
    assert mistake.value() == edge
    assert round(100 * edge, 1) == Fraction("17.3")


def test_no_number_of_decks_gives_the_top_odds_of_dragon_1_and_2() -> None:
    """One event, printed as one in 569,182 for either side, 855,757 and 2,011,729 for each."""
    either, player, banker = 569_182, 855_757, 2_011_729
    together = 1 / (Fraction(1, player) + Fraction(1, banker))
    assert abs(together - either) > 30_000, "the prints disagree with each other"
    table = registry.paytable("dragon", "jackpot", "2")
    for decks in (1, 2, 4, 6, 8, 10):
        counted = baccarat.count_decks(decks)
        for side, printed in {"either": either, "player": player, "banker": banker}.items():
            top = price(table, counted.dragon(side)).top_odds
            assert abs(top - printed) > 1_000, (decks, side)


def test_to_one_and_for_one_cannot_hold_the_same() -> None:
    """The $5 column of Dragon 1 returns the stake on its fixed rows, the $1 column does not."""
    dollar_price, five = (
        priced("dragon", "jackpot", paytable, decks="8", side="either") for paytable in ("1", "1-5")
    )
    fixed = sum(
        dollar_price.probability(place)
        for place, row in enumerate(dollar_price.paytable.rows)
        if returned(row)
    )
    assert five.fixed_return - dollar_price.fixed_return == fixed
    assert {
        judgment.printed.text for judgment in everything() if judgment.printed.id.startswith("dragon/1")
    } >= {"22.90%"}
