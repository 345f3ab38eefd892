"""Answers that were wrong once, each derived here by other means than the pricing."""

import random
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.certificate import certificate
from feltwork.odds.meters import sampling
from feltwork.odds.meters.distribution import MeterLaw
from feltwork.odds.report import bet_reports
from feltwork.odds.returns import Crowd, returns
from feltwork.odds.sheet import sheet
from feltwork.odds.strategy import advise, player
from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, parse_card
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.paytables.paytable import Odds, Paytable, Push, Row, Share
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision

SUPER_BONUS = registry.paytable("crazy_4", "super_bonus", "C4P-09")


def edge(paytable: Paytable, **options: str) -> Fraction:
    return sheet(paytable, options).game["house edge"]


def test_for_one_includes_the_stake_in_a_base_game() -> None:
    as_for, as_to = (edited(SUPER_BONUS, {"flush": pays}) for pays in ("3 for 1", "2 to 1"))
    assert edge(as_for) == edge(as_to)
    assert round(float(edge(as_for)) * 100, 2) == 1.21
    certified = certificate(as_for)["figures"]["house_edge"]["value"]
    assert Fraction(certified) == edge(as_to)


def test_a_push_of_a_base_game_neither_wins_nor_loses() -> None:
    assert edge(edited(SUPER_BONUS, {"flush": "push"})) == edge(edited(SUPER_BONUS, {"flush": "1 for 1"}))
    # Without the row the bonus would lose to a better hand, so the push is worth something.
    without = replace(SUPER_BONUS, rows=tuple(row for row in SUPER_BONUS.rows if row.hand != "flush"))
    assert edge(edited(SUPER_BONUS, {"flush": "push"})) < edge(without)


@pytest.mark.parametrize("pays", ["3 for 1", "push", "0 for 1"])
def test_a_base_game_is_priced_as_it_is_settled(pays: str) -> None:
    """One player hand against dealer hands, settled."""
    draft = edited(SUPER_BONUS, {"flush": pays})
    decide = player("crazy_4", {"super_bonus": draft}, {"super_bonus_unqualified": "compare"})
    opened = open_round(registry.game("crazy_4"), 1)
    opened = replace(opened, jackpots=(), paytables={**opened.paytables, "super_bonus": draft})
    seat = replace(opened.seats[0], wagers={"ante": DOLLAR, "super_bonus": DOLLAR}, jackpots=frozenset())
    opened = replace(opened, seats=(seat,))
    hand = [card for card in DECK if str(card) in ("Ks", "Qs", "8s", "4s", "2d")]
    (row,) = (row for row in draft.rows if row.hand == "flush")
    dice = random.Random(1)
    for cards in (dice.sample([card for card in DECK if card not in hand], 5) for _ in range(20)):
        round_ = registry.game("crazy_4").play(opened, Shoe([*hand, *cards]), decide)
        (result,) = settle(round_).seats
        bonus = result.bets["super_bonus"]
        net = {"3 for 1": 2, "push": 0, "0 for 1": -1}[str(row.pays)]
        assert bonus.returned - bonus.staked == net * DOLLAR


def test_a_pushed_jackpot_row_gives_the_wager_back() -> None:
    draft = edited(registry.paytable("four_card", "jackpot", "3"), {"three_of_a_kind": "push"})
    opened = open_round(registry.game("crazy_4"), 1)
    jackpot = registry.jackpot("four_card")
    table = replace(
        opened.jackpots[0], jackpot=jackpot, paytable=draft, meters=dict.fromkeys(draft.levels, 0)
    )
    hand = [card for card in DECK if str(card) in ("Ks", "Kd", "Kc", "4s", "2d")]
    shoe = Shoe([*hand, *[card for card in DECK if card not in hand]])
    seats = (replace(opened.seats[0], jackpots=frozenset({"four_card"})),)
    opened = replace(opened, seats=seats, jackpots=(table,))
    round_ = registry.game("crazy_4").play(opened, shoe, lambda _: "1x")
    result = settle(round_).seats[0].jackpots["four_card"]
    assert (result.stake_returned, result.award) == (table.wager, 0)


@pytest.mark.parametrize("hands", range(2, 9))
def test_cover_all_is_priced_for_the_hands_of_its_column(hands: int) -> None:
    paytable = registry.paytable("caribbean_stud", "cover_all", str(hands))
    (report,) = bet_reports(paytable, {})
    assert report.options["hands"] == str(hands)
    assert report.figures["house edge"] < Fraction(1, 10)
    with pytest.raises(ProblemsError, match="only"):
        sheet(paytable, {"hands": str(hands % 7 + 2)})


def test_cover_all_at_seven_hands() -> None:
    (report,) = bet_reports(registry.paytable("caribbean_stud", "cover_all", "7"), {})
    assert round(float(report.figures["house edge"]) * 100, 2) == 7.02


def test_house_money_is_priced_for_its_decks_and_as_a_decision() -> None:
    six_decks, one_deck = (registry.paytable("blackjack", "house_money", identifier) for identifier in "12")
    assert (sheet(six_decks).options["decks"], sheet(one_deck).options["decks"]) == ("6", "1")
    assert round(float(sheet(six_decks).house_edge) * 100, 2) == 2.64
    assert sheet(six_decks).gain_error == 0
    assert "decision" in certificate(six_decks)["strategy"][0]
    assert certificate(six_decks)["figures"]["house_edge"]["value"] == str(sheet(six_decks).house_edge)
    assert certificate(one_deck)["figures"]["house_edge"]["how"] == "numeric"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("foo", "1", "not an option of caribbean_stud"),
        ("hnads", "7", "did you mean hands"),
        ("hands", "9", "hands=2, hands=3"),
        ("cover_all_on_fold", "false", "not priced, only cover_all_on_fold=true"),
    ],
)
def test_an_option_that_is_not_priced_is_refused(name: str, value: str, message: str) -> None:
    paytable = registry.paytable("caribbean_stud", "cover_all", "7")
    with pytest.raises(ProblemsError, match=message):
        sheet(paytable, {name: value})


def test_a_field_that_means_nothing_is_refused() -> None:
    with pytest.raises(ProblemsError, match=r"did you mean contribution\.jackpot"):
        question_from(registry.paytable("four_card", "jackpot", "3"), {"contributions.jackpot": "5%"})
    with pytest.raises(ProblemsError, match="envy_from"):
        question_from(registry.paytable("crazy_4", "queens_up", "C4P-09"), {"envy_from": "bettors"})


def drafted(*rows: tuple[str, Odds | Push | Share]) -> Paytable:
    return Paytable("draft", "crazy_4", "queens_up", tuple(Row(hand, pays, "a draft") for hand, pays in rows))


def test_a_row_of_a_draft_that_the_title_does_not_have_is_refused() -> None:
    with pytest.raises(ProblemsError, match="did you mean three_of_a_kind"):
        sheet(drafted(("three_of_kind", Odds(5, 1, stake_returned=True))))


def test_a_row_that_earlier_rows_shadow_is_refused() -> None:
    even = Odds(1, 1, stake_returned=True)
    with pytest.raises(ProblemsError, match=r"never paid.*\(queens_or_better\)"):
        sheet(drafted(("queens_or_better", even), ("flush", even)))
    with pytest.raises(ProblemsError, match="never paid"):
        sheet(drafted(("flush", even), ("flush", even)))


def test_a_meter_does_not_pay_a_bet_of_a_game() -> None:
    with pytest.raises(ProblemsError, match="cannot pay from a meter"):
        sheet(drafted(("flush", Share(10_000, "jackpot"))))


def test_envy_is_part_of_the_hold() -> None:
    """Six others, each with a hand that pays envy as often as one's own hand comes."""
    paytable = registry.paytable("four_card", "jackpot", "1")
    alone, among = (
        what_if(question_from(paytable, {"others": others})).bet["hold"].value for others in ("0", "6")
    )
    lines = zip(paytable.rows, sheet(paytable).price.row_returns(), strict=True)
    envy = sum((line.probability * row.envy / DOLLAR for row, line in lines), Fraction(0))
    assert among == alone - 6 * envy
    assert round(float(among) * 100, 2) == 32.54


def test_a_divided_share_follows_from_the_distribution_of_bettors() -> None:
    """Five others who bet half of the time: the mean of the returns over how many of them bet."""
    paytable = registry.paytable("dragon", "jackpot", "1")
    question = replace(usual(paytable), house={"share_with": "all_bettors"})
    hold = what_if(question).bet["hold"].value
    award = question.returns.mean_award["jackpot"]
    fixed = question.returns.fixed
    share = Fraction(0)
    for others in range(6):
        known = returns(question.offer, Crowd(6, 1 + others), side="player")
        per_dollar = sum(known.per_dollar.values(), Fraction(0))
        share += Fraction(comb(5, others), 32) * per_dollar * award
    assert hold == 1 - fixed - share
    at_the_mean = returns(question.offer, Crowd(6, 3), side="player").kept
    assert abs(hold - at_the_mean) > Fraction(1, 1_000)


def test_both_sides_of_a_bet_are_priced() -> None:
    for title, bet in (("mini_baccarat", "dragon_bonus"), ("dragon", "jackpot")):
        paytable = registry.paytable(title, bet, "1")
        assert [report.options["side"] for report in bet_reports(paytable, {})] == ["player", "banker"]
        name = "house_edge_on_banker" if bet == "dragon_bonus" else "hold_on_banker"
        banker = what_if(question_from(paytable, {"side": "banker"})).bet
        assert what_if(usual(paytable)).bet[name].value == banker[name.removesuffix("_on_banker")].value
        certified = certificate(paytable)
        assert list(certified["other_sides"]) == ["banker"]
        assert certified["other_sides"]["banker"]["rows"] == certificate(paytable, {"side": "banker"})["rows"]


def law(*, growth: str, fixed: str = "", cap: int | None = None) -> MeterLaw:
    """A meter of 50 dollars that one wager in a hundred takes; a tenth of the wagers get a fixed pay."""
    pays = ((Fraction(fixed), Fraction(1, 10)),) if fixed else ()
    return MeterLaw(
        Fraction(50),
        Fraction(growth),
        Fraction(0),
        ((Fraction(1), Fraction(1, 100)),),
        None if cap is None else Fraction(cap),
        pays,
    )


@pytest.mark.parametrize("growth", ["0.2", "0.7", "1.2"])
def test_running_dry_is_a_random_walk_of_all_pays(growth: str) -> None:
    """Wager by wager, as the letters describe a paytable whose pays all come off the meter."""
    walk, dice = law(growth=growth, fixed="8"), random.Random(growth)
    runs, dry = 4_000, 0
    for _ in range(runs):
        meter = 50.0
        while True:
            meter += float(growth)
            draw = dice.random()
            if draw < 0.01:
                break
            if draw < 0.11:
                meter -= 8
                if meter < 0:
                    dry += 1
                    break
    risk = sampling.dry_risk(walk)
    share = dry / runs
    assert abs(share - risk.value) < risk.within + 3.3 * (share * (1 - share) / runs) ** 0.5 + 1e-3


def test_only_fixed_pays_off_the_meter_can_run_it_dry() -> None:
    paytable = registry.paytable("four_card", "jackpot", "3")
    from_tray = what_if(question_from(paytable, {"sampled": "yes"})).meters["jackpot"]
    assert "dry_risk" not in from_tray
    fields = {"sampled": "yes", "fixed_pays_from": "meter", "contribution.jackpot": "70%"}
    off_meter = what_if(question_from(paytable, fields))
    assert off_meter.meters["jackpot"]["dry_risk"].value < Fraction(2, 100)
    assert off_meter.bet["hold"].how == "sampled"


@pytest.mark.parametrize("cap", [151, 165, 200])
def test_sampled_intervals_hold_near_a_cap(cap: int) -> None:
    """The mean jackpot is known exactly, and the sample of a meter that settles agrees with it."""
    capped = law(growth="1", cap=cap)
    if not sampling.settles(capped):
        assert cap == 151
        return
    drawn = sampling.sample(capped).mean()
    assert capped.long_run_mean is not None
    assert abs(drawn.value - float(capped.long_run_mean)) <= drawn.within


def test_values_after_a_split_say_that_they_are_not_exact() -> None:
    decisions: list[Decision] = []

    def decide(decision: Decision) -> str:
        decisions.append(decision)
        return "split" if "split" in decision.choices and len(decisions) == 1 else "stand"

    opened = open_round(registry.game("blackjack"), 1)
    opened = replace(
        opened, jackpots=(), seats=(replace(opened.seats[0], wagers={"bet": DOLLAR}, jackpots=frozenset()),)
    )
    order = ["8s", "6d", "8h", "Td", "3c", "Tc", "5h", "9d", "7c"]
    registry.game("blackjack").play(opened, Shoe([parse_card(card) for card in order]), decide)
    exact = [advise("blackjack", decision, opened.paytables).exact for decision in decisions]
    assert exact == [True, False, False]
