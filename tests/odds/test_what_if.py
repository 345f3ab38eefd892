"""What if: figures by hand, agreement with the catalogue, and what must hold for every shipped paytable."""

import time
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.money import DOLLAR
from feltwork.odds.figures import catalog
from feltwork.odds.meters import long_run
from feltwork.odds.meters.distribution import ERROR, power
from feltwork.odds.returns import Terms
from feltwork.odds.sheet import bets, sheet
from feltwork.odds.verify import verdicts_on
from feltwork.odds.what_if.answer import compare
from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.fields import before_and_after, question_from
from feltwork.odds.what_if.figure_labels import LABELS, label, written
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.parse import parse_paytable
from feltwork.titles.paytables.paytable import Paytable, Share
from feltwork.titles.paytables.write import as_toml

SHIPPED = [registry.library(title)[key] for title in registry.own_names() for key in registry.library(title)]
FOUR_ACES = registry.paytable("four_card", "jackpot", "3")


def test_every_shipped_paytable_can_be_asked_about() -> None:
    assert {(paytable.title, paytable.bet) for paytable in SHIPPED} == set(bets())


@pytest.mark.parametrize("paytable", SHIPPED, ids=lambda paytable: paytable.name)
def test_rows_bring_back_what_the_house_does_not_keep(paytable: Paytable) -> None:
    answer = what_if(usual(paytable))
    assert all(name in LABELS for name in answer.bet)
    probabilities = sum(row.probability for row in answer.rows)
    assert 0 < probabilities <= 1
    returns = sum((row.returns for row in answer.rows if row.returns is not None), Fraction(0))
    if "hold" in answer.bet:
        assert returns == 1 - answer.bet["hold"].value
    elif sheet(paytable, answer.question.options).stands_alone:
        # A decision adds to what the rows return.
        edge = answer.bet.get("house_edge_taken", answer.bet["house_edge"])
        assert returns == 1 - edge.value


@pytest.mark.parametrize(
    ("paytable", "fields", "figure", "name"),
    [
        ("crazy_4/queens_up/C4P-11", {}, "crazy_4/queens_up/C4P-11/house_edge", "house_edge"),
        ("crazy_4/super_bonus/C4P-09", {}, "crazy_4/base/element_of_risk", "element_of_risk"),
        ("crazy_4/super_bonus/C4P-09", {}, "crazy_4/super_bonus/hit_frequency", "hit_frequency"),
        ("six_five_four/ante_bonus/1", {}, "six_five_four/base/house_edge", "house_edge"),
        (
            "blazing_7s/jackpot/1",
            {"contribution.jackpot": "24%", "seed.jackpot": "2000"},
            "blazing_7s/1/hold?decks=6&contribution=0.24&seed=2000",
            "hold",
        ),
        ("trilux/jackpot/6", {}, "trilux/6/break_even_meter?decks=6", "jackpot.break_even_meter"),
        (
            "four_card/jackpot/1",
            {"others": "6"},
            "four_card/1/break_even_meter?envy=6",
            "jackpot.break_even_meter",
        ),
        (
            "dragon/jackpot/3",
            {
                "side": "either",
                "contribution.jackpot": "26%",
                "seed.jackpot": "5000",
                "seats": "1",
                "betting": "100%",
            },
            "dragon/3/mean_meter?decks=8&side=either&contribution=0.26&seed=5000",
            "jackpot.mean_jackpot",
        ),
    ],
)
def test_figures_are_those_of_the_catalogue(
    paytable: str, fields: dict[str, str], figure: str, name: str
) -> None:
    answer = what_if(question_from(registry.paytable(*paytable.split("/")), fields))
    level, _, kind = name.rpartition(".")
    answer_figure = answer.meters[level][kind] if level else answer.bet[kind]
    assert answer_figure.how == "exact"
    assert answer_figure.value == catalog.figure(figure).value


def test_meter_figures_by_hand() -> None:
    """Four aces come once in 54,145 hands; 24% and 5% of a dollar; a seed of 2,000 dollars."""
    answer = what_if(question_from(FOUR_ACES, {"tables": "10", "within": "54145"}))
    figures = answer.meters["jackpot"]
    assert figures["mean_jackpot"].value == 2_000 + Fraction(29, 100) * 54_145
    assert figures["wagers_to_hit"].value == 54_145
    assert figures["hours_to_hit"].value == Fraction(54_145, 10 * 50 * 3)
    # 39,999 wagers leave five cents less than the seed in the reserve.
    missing = power(1 - Fraction(1, 54_145), 39_999)
    assert abs(figures["shortfall_risk"].value - (1 - missing)) < ERROR
    assert float(figures["back_to_back"].value) == pytest.approx(0.6321, abs=1e-4)
    price = sheet(FOUR_ACES, {}).price
    hold = long_run.hold(price, contribution=Fraction(29, 100), seeds={"jackpot": Fraction(2_000)})
    assert answer.bet["hold"].value == hold


def test_the_variance_with_a_meter_is_that_of_every_outcome() -> None:
    """Against the definition: fixed rows as they are, the meter by its first two moments."""
    question = usual(FOUR_ACES)
    answer = what_if(question)
    price = sheet(FOUR_ACES, {}).price
    jackpot = answer.meters["jackpot"]
    second = jackpot["mean_jackpot"].value ** 2 + jackpot["jackpot_deviation"].value ** 2
    squares = price.probability(0) * second
    squares += sum(price.probability(place) * pay**2 for place, pay in ((1, 300), (2, 100), (3, 15)))
    mean = 1 - answer.bet["hold"].value
    assert abs(answer.bet["variance"].value - (squares - mean**2)) < Fraction(1, 10**20)


@given(st.integers(0, 50_000), st.integers(0, 3_000), st.integers(0, 1_000), st.integers(1, 10_000))
@settings(max_examples=60, deadline=None)
def test_hold_falls_and_jackpots_rise_with_seed_and_rates(
    seed: int, rate: int, reserve: int, more: int
) -> None:
    def figures_of(seed: int, rate: int, reserve: int) -> dict[str, Fraction]:
        terms = Terms(
            seed=Fraction(seed), contribution=Fraction(rate, 10_000), reserve=Fraction(reserve, 10_000)
        )
        answer = what_if(replace(usual(FOUR_ACES), terms={"jackpot": terms}))
        figures = {name: figure.value for name, figure in answer.meters["jackpot"].items()}
        return {**figures, "hold": answer.bet["hold"].value}

    first = figures_of(seed, rate, reserve)
    for other in (figures_of(seed + more, rate, reserve), figures_of(seed, rate + more // 10, reserve + 1)):
        assert other["hold"] < first["hold"]
        assert other["mean_jackpot"] > first["mean_jackpot"]
        assert other["jackpot_50"] >= first["jackpot_50"]
    assert figures_of(seed, rate, reserve + 1)["shortfall_risk"] <= first["shortfall_risk"]


def test_an_edit_is_answered_in_less_than_50_ms() -> None:
    """Every paytable with one pay changed, its counts at hand; in processor time, since cores are shared."""
    slowest = 0.0
    for paytable in SHIPPED:
        row = next((row for row in reversed(paytable.rows) if not isinstance(row.pays, Share)), None)
        if row is None:
            continue
        fields = {f"pays.{row.hand}": "7 to 2"}
        what_if(question_from(paytable, fields))
        took = []
        for _ in range(3):
            start = time.process_time()
            before, after = before_and_after(paytable, fields)
            compare(what_if(before), what_if(after))
            took.append(time.process_time() - start)
        slowest = max(slowest, min(took))
    assert slowest < 0.050


def test_before_and_after_tell_what_changed() -> None:
    before, after = before_and_after(FOUR_ACES, {"seed.jackpot": "5000"})
    assert before.floor == after.floor
    changed = {
        figure.name: figure.difference
        for figure in compare(what_if(before), what_if(after))
        if figure.difference
    }
    assert changed["jackpot.mean_jackpot"] == 3_000
    assert changed["hold"] == -Fraction(3_000, 54_145)
    assert "hit_frequency" not in changed
    assert "jackpot.hours_to_hit" not in changed


def test_two_paytables_are_compared_on_the_same_terms() -> None:
    other = registry.paytable("four_card", "jackpot", "1")
    before, after = before_and_after(
        FOUR_ACES, {"seed.jackpot": "5000", "pays.four_aces": "100% of jackpot"}, other=other
    )
    assert (before.paytable.id, after.paytable.id) == ("1", "3")
    assert before.terms["jackpot"].seed == after.terms["jackpot"].seed == 5_000


def test_a_cap_that_strands_money_says_so() -> None:
    answer = what_if(question_from(FOUR_ACES, {"cap.jackpot": "10000"}))
    figures = answer.meters["jackpot"]
    assert figures["mean_jackpot"].value == 10_000
    assert figures["stranded_per_hit"].value == 2_000 + Fraction(29, 100) * 54_145 - 10_000
    assert "shortfall_risk" not in figures
    assert any("grows without limit" in note for note in answer.notes)
    sampled = what_if(question_from(FOUR_ACES, {"cap.jackpot": "10000", "sampled": "yes"})).meters["jackpot"]
    assert sampled["shortfall_risk"].how == "sampled"
    assert "±" in written(sampled["jackpot_deviation"])


def test_a_losing_setting_says_so() -> None:
    answer = what_if(
        question_from(registry.paytable("crazy_4", "queens_up", "C4P-09"), {"pays.flush": "5 to 1"})
    )
    assert answer.bet["house_edge"].value < 0
    assert answer.notes[0].startswith("The house loses 1.349%")


def test_a_meter_that_is_never_paid_whole_has_no_long_run() -> None:
    answer = what_if(question_from(FOUR_ACES, {"pays.four_aces": "50% of jackpot"}))
    assert answer.meters == {}
    assert any("never paid in full" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"pays.four_aces": "lots"}, "four_aces"),
        ({"pays.five_aces": "1 to 1"}, "five_aces"),
        ({"seed.jackpot": "-5"}, "seed.jackpot"),
        ({"contribution.jackpot": "much"}, "contribution.jackpot"),
        ({"contribution.jackpot": "99%"}, "terms"),
        ({"cap.jackpot": "10"}, "jackpot"),
        ({"tables": "0"}, "tables"),
        ({"betting": "0%"}, "floor"),
        ({"wager": "0"}, "wager"),
    ],
)
def test_what_cannot_be_asked_is_said_with_a_remedy(fields: dict[str, str], where: str) -> None:
    with pytest.raises(ProblemsError) as refused:
        what_if(question_from(FOUR_ACES, fields))
    assert [problem.where for problem in refused.value.problems] == [where]
    assert all(problem.remedy for problem in refused.value.problems)


def test_a_bonus_of_a_base_game_is_not_paid_by_a_meter() -> None:
    bonus = edited(registry.paytable("crazy_4", "super_bonus", "C4P-09"), {"four_aces": "100% of jackpot"})
    with pytest.raises(ProblemsError, match="cannot pay from a meter"):
        sheet(bonus, {})


@pytest.mark.parametrize("paytable", SHIPPED, ids=lambda paytable: paytable.name)
def test_a_paytable_written_as_toml_is_read_back_the_same(paytable: Paytable) -> None:
    text = as_toml(paytable, cites="C4.nexus.four-card-3")
    assert parse_paytable(text, where="draft").fingerprint == paytable.fingerprint


@given(
    st.lists(
        st.sampled_from(["50 to 1", "3 to 2", "300 for 1", "12.5% of jackpot", "push", "$250"]),
        min_size=4,
        max_size=4,
    )
)
@settings(max_examples=40, deadline=None)
def test_a_draft_is_read_back_as_it_was_edited(pays: list[str]) -> None:
    draft = edited(FOUR_ACES, dict(zip((row.hand for row in FOUR_ACES.rows), pays, strict=True)))
    read = parse_paytable(as_toml(draft, cites="a draft"), where="draft")
    assert read.fingerprint == draft.fingerprint
    assert [row.envy for row in read.rows] == [row.envy for row in FOUR_ACES.rows]
    assert FOUR_ACES.rows[0].envy % DOLLAR == 0


def test_what_the_letters_print_is_found_for_its_paytable() -> None:
    (edge, frequency) = verdicts_on(registry.paytable("crazy_4", "queens_up", "C4P-09"))
    assert (edge.printed.text, frequency.printed.text) == ("3.07%", "24.88%")
    assert verdicts_on(registry.paytable("caribbean_stud", "cover_all", "3")) == ()
    assert label("jackpot.shortfall_risk") == "Seed shortfall, share of hits"


def test_the_edge_at_todays_meter_by_hand() -> None:
    """Fixed rows return 1,259,840 of 2,598,960; four aces take the meter once in 54,145 hands."""
    figures = what_if(question_from(FOUR_ACES, {"meter.jackpot": "20000"})).bet
    fixed = Fraction(576 * 300 + 2_072 * 100 + 58_656 * 15, 2_598_960)
    assert figures["edge_at_meter"].value == 1 - fixed - Fraction(20_000, 54_145)
    even = what_if(usual(FOUR_ACES)).meters["jackpot"]["break_even_meter"].value
    assert what_if(replace(usual(FOUR_ACES), meters={"jackpot": even})).bet["edge_at_meter"].value == 0


def test_a_meter_that_is_not_named_stands_at_its_seed() -> None:
    three = registry.paytable("five_card", "jackpot", "ML03")
    figures = what_if(question_from(three, {"meter.minor": "500", "seed.minor": "200"})).bet
    # Four of a kind come 624 times in 2,598,960 hands and take the minor.
    assert figures["edge_at_seed"].value - figures["edge_at_meter"].value == Fraction(624 * 300, 2_598_960)
    assert "edge_at_meter" not in what_if(usual(three)).bet
