"""The round's state machine and its two sets of controls."""

from dataclasses import replace
from typing import get_args

import pytest

from feltwork import sources
from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.progressive import life_cycle
from feltwork.site.progressive import round as rounds
from feltwork.site.progressive.link import options_of
from feltwork.site.progressive.round import Action, TableRound, can, labels_of
from feltwork.site.progressive.round_facts import HandCleared, HandPressed
from feltwork.titles import registry
from tests.progressive.room import Room, four_card, level, link_of


def begin(**options: object) -> TableRound:
    table = TableRound(table="T1", link=four_card(**options))
    round_, _ = rounds.start(table, covered=[2, 4, 6], players=[1, 2, 4], takes_wagers=True, at=1)
    return round_


@pytest.mark.requirement("LT-01")
def test_start_locks_seats_with_a_covered_sensor_and_a_regular_wager() -> None:
    table = TableRound(table="T1", link=four_card(), number=41)
    round_, started = rounds.start(table, covered=[6, 4, 2, 4], players=[1, 2, 4], takes_wagers=True, at=5)
    assert started.seats == round_.seats == (2, 4)
    assert (started.round, started.wager, started.at) == (42, DOLLAR, 5)
    with pytest.raises(ProblemsError, match="START GAME is disabled now"):
        rounds.start(round_, covered=[6], players=[6], takes_wagers=True, at=6)


@pytest.mark.requirement("LT-02", "LT-08")
def test_a_corrected_press_leaves_the_own_hand_of_who_shares_the_prize() -> None:
    link = link_of("five_card", "01", [level()], several_winners="split")
    table = TableRound(table="T1", link=link)
    round_, _ = rounds.start(table, covered=[1, 2], players=[1, 2], takes_wagers=True, at=1)
    for seat, hand in ((1, "royal_flush"), (2, "royal_flush"), (2, "full_house")):
        round_, _ = rounds.press(round_, seat=seat, hand=hand, at=2, by="dana")
    assert (round_.hands, round_.claims) == ({1: "royal_flush", 2: "full_house"}, (1,))


@pytest.mark.requirement("LT-01")
def test_a_hand_is_named_only_where_somebody_plays() -> None:
    round_ = begin()
    with pytest.raises(ProblemsError, match="there is no player in this seat"):
        rounds.press(round_, seat=6, hand="four_aces", at=2, by="dana")
    with pytest.raises(ProblemsError, match="sensor was not covered"):
        rounds.press(round_, seat=1, hand="three_of_a_kind", at=2, by="dana")
    with pytest.raises(ProblemsError, match="royal has no button"):
        rounds.press(round_, seat=2, hand="royal", at=2, by="dana")


@pytest.mark.requirement("LT-01")
def test_one_locked_seat_is_corrected_before_the_first_card() -> None:
    off = rounds.correct(begin(), seat=4, wagered=False)
    assert off.seats == (2,)
    on = rounds.correct(off, seat=1, wagered=True)
    assert (on.seats, on.number, on.players) == ((1, 2), 1, (1, 2, 4))
    with pytest.raises(ProblemsError, match="there is no player in this seat"):
        rounds.correct(on, seat=6, wagered=True)
    with pytest.raises(ProblemsError, match="its wager is locked already"):
        rounds.correct(on, seat=1, wagered=True)
    with pytest.raises(ProblemsError, match="it has no locked wager"):
        rounds.correct(on, seat=4, wagered=False)


@pytest.mark.requirement("LT-01")
def test_after_the_first_hand_no_seat_is_corrected() -> None:
    """A hand that was cleared was named all the same: the cards are out."""
    pressed, _ = rounds.press(begin(), seat=2, hand="three_of_a_kind", at=2, by="dana")
    cleared, _ = rounds.press(pressed, seat=2, hand="three_of_a_kind", at=3, by="dana")
    assert cleared.hands == {}
    for round_ in (pressed, cleared):
        assert "CORRECT SEAT" not in round_.buttons
        with pytest.raises(ProblemsError, match="the cards are out"):
            rounds.correct(round_, seat=4, wagered=False)
    again, _ = rounds.start(rounds.end(cleared, at=4)[0], covered=[2], players=[2], takes_wagers=True, at=5)
    assert rounds.correct(again, seat=2, wagered=False).seats == ()


@pytest.mark.requirement("LT-09")
def test_the_hand_of_a_player_without_the_wager_gives_envy_but_makes_no_claim() -> None:
    round_, _ = rounds.press(begin(), seat=1, hand="four_aces", at=2, by="dana")
    assert round_.claims == ()
    _, ended = rounds.end(round_, at=3)
    assert ended.envy == 2 * 100 * DOLLAR


@pytest.mark.requirement("LT-02")
def test_the_same_button_again_clears_the_hand() -> None:
    pressed, (first,) = rounds.press(begin(), seat=2, hand="four_aces", at=2, by="dana")
    assert isinstance(first, HandPressed)
    assert pressed.phase == "claimed"
    cleared, (second,) = rounds.press(pressed, seat=2, hand="four_aces", at=3, by="dana")
    assert isinstance(second, HandCleared)
    assert (cleared.hands, cleared.phase) == ({}, "playing")
    other, facts = rounds.press(pressed, seat=2, hand="straight_flush", at=3, by="dana")
    assert [type(fact) for fact in facts] == [HandCleared, HandPressed]
    assert other.hands == {2: "straight_flush"}


@pytest.mark.requirement("LT-04")
def test_a_confirmed_hand_is_not_cleared() -> None:
    pressed, _ = rounds.press(begin(), seat=2, hand="four_aces", at=2, by="dana")
    confirmed = rounds.confirm(pressed, seats=[2])
    assert confirmed.phase == "playing"
    with pytest.raises(ProblemsError, match="LT-04"):
        rounds.press(confirmed, seat=2, hand="four_aces", at=3, by="dana")


@pytest.mark.requirement("LT-03")
def test_end_is_refused_while_a_claim_is_open() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    award = room.press("T1", 2, "four_aces")
    with pytest.raises(ProblemsError, match="END GAME waits for the claim of seat 2"):
        room.end("T1")
    room.confirm(award)
    assert room.end("T1").envy == 6 * 100 * DOLLAR
    with pytest.raises(ProblemsError, match="is disabled now"):
        room.end("T1")


@pytest.mark.requirement("LT-05")
def test_to_one_gives_the_stake_back_and_for_one_does_not() -> None:
    dragon = link_of("dragon", "1-5", [level(seed=50_000)], wager=5 * DOLLAR)
    table, _ = rounds.start(
        TableRound(table="T1", link=dragon), covered=[1], players=[1], takes_wagers=True, at=1
    )
    pressed, _ = rounds.press(table, seat=1, hand="nine_over_zero", at=2, by="dana")
    assert rounds.end(pressed, at=3)[1].fixed == 10 * 5 * DOLLAR + 5 * DOLLAR
    pressed, _ = rounds.press(begin(), seat=2, hand="three_of_a_kind", at=2, by="dana")
    assert rounds.end(pressed, at=3)[1].fixed == 15 * DOLLAR


@pytest.mark.requirement("LT-05")
def test_fixed_pays_off_the_meter_are_claims_and_leave_the_tray_alone() -> None:
    room = Room(four_card(fixed_pays_from="meter")).open()
    room.start("T1")
    before = room.state.meter("jackpot")
    assert room.hit("T1", 3, "four_of_a_kind") == 300 * DOLLAR
    assert room.state.meter("jackpot") == before - 300 * DOLLAR
    assert room.end("T1").fixed == 0


@pytest.mark.requirement("GEN-07", "WA-20")
def test_start_is_refused_while_the_link_takes_no_wagers() -> None:
    room = Room(four_card()).open()
    room.book(life_cycle.stop(room.state, cause="suspended", reason="drill", at=room.later(), by="ann"))
    with pytest.raises(ProblemsError, match="GEN-07"):
        room.start("T1")


@pytest.mark.requirement("LT-01")
def test_a_seat_listed_twice_is_not_what_the_sensors_show() -> None:
    rounds.verify_listed("T1", [3, 1], {1, 3})
    for listed in ([1, 1], [1, 3, 1], [1]):
        with pytest.raises(ProblemsError, match="LT-01"):
            rounds.verify_listed("T1", listed, {1, 3})


@pytest.mark.requirement("LT-10")
def test_folded_hands_is_fixed_with_the_round() -> None:
    """The round keeps the configuration it started with, and every option of the jackpot is in it."""
    round_ = begin(folded_hands_qualify=False)
    assert round_.link.options["folded_hands_qualify"] is False
    other = options_of(registry.jackpot("four_card"))
    assert other["folded_hands_qualify"] is True
    assert four_card().fingerprint != round_.link.fingerprint


@pytest.mark.requirement("LT-02", "LT-03")
@pytest.mark.parametrize(
    ("controls", "phase", "labels"),
    [
        ("nexus", "idle", ("START GAME",)),
        ("nexus", "playing", ("CORRECT SEAT", "seat + hand button", "END GAME", "MISDEAL")),
        ("nexus", "claimed", ("seat + hand button", "CONFIRM + badge")),
        ("aquarius", "idle", ("COIN IN",)),
        ("aquarius", "playing", ("CORRECT SEAT", "hand on the keypad", "GAME OVER", "MISDEAL")),
        ("aquarius", "claimed", ("hand on the keypad", "key to JPH")),
        ("aquarius", "key_at_jackpot", ("J-POT", "key to RUN")),
        ("aquarius", "logged", ("key to RUN",)),
    ],
)
def test_what_each_button_may_do_in_each_state(
    controls: str, phase: rounds.Phase, labels: tuple[str, ...]
) -> None:
    link = four_card(lock_at="run" if controls == "aquarius" else "confirm")
    round_ = TableRound(table="T1", link=link, phase=phase)
    assert round_.buttons == labels
    allowed = [action for action in get_args(Action) if can(round_, action)]
    assert {labels_of(link)[action] for action in allowed} == set(labels)


#: The labels of the Aquarius keypad and the paragraph that prints each.
AQUARIUS = [
    ("four_card", "start", "COIN IN", "C4.aquarius.6"),
    ("four_card", "key_to_jackpot", "key to JPH", "C4.aquarius.9.f"),
    ("four_card", "confirm", "J-POT", "C4.aquarius.9.f"),
    ("four_card", "key_to_run", "key to RUN", "C4.aquarius.9.g"),
    ("four_card", "end", "GAME OVER", "C4.aquarius.9.h"),
    ("holdem", "start", "COIN IN", "TH.aquarius.6"),
    ("holdem", "key_to_jackpot", "key to JPH", "TH.aquarius.9.f"),
    ("holdem", "confirm", "J-POT", "TH.aquarius.9.f"),
    ("holdem", "key_to_run", "key to RUN", "TH.aquarius.9.g"),
    ("holdem", "end", "GAME OVER", "TH.aquarius.9.h"),
    ("dragon", "start", "START GAME", "DB.aquarius.2"),
    ("dragon", "key_to_jackpot", "key to JPH", "DB.aquarius.7.e"),
    ("dragon", "confirm", "J-POT", "DB.aquarius.7.e"),
    ("dragon", "key_to_run", "key to RUN", "DB.aquarius.7.f"),
    ("dragon", "end", "GAME OVER", "DB.aquarius.7.g"),
]


@pytest.mark.parametrize(("jackpot", "action", "label", "paragraph"), AQUARIUS)
def test_aquarius_labels_are_those_of_the_letter(
    jackpot: str, action: Action, label: str, paragraph: str
) -> None:
    """The letters print J-pot, Run and Game Over; a key is labeled in capitals."""
    link = replace(four_card(lock_at="run"), jackpot=jackpot)
    assert labels_of(link)[action] == label
    assert label.removeprefix("key to ") in sources.paragraphs()[paragraph].says.upper()


def test_every_title_with_an_aquarius_section_has_its_labels_tested() -> None:
    """The five-card link, Blazing 7's and TriLux have only Nexus controls in their letters."""
    sections = {known.split(".aquarius.")[0] for known in sources.paragraphs() if ".aquarius." in known}
    assert {registry.jackpot(name).letter for name, *_ in AQUARIUS} == sections


def test_refusals_and_buttons_have_the_label_of_the_title() -> None:
    link = replace(four_card(lock_at="run"), jackpot="dragon")
    assert TableRound(table="T1", link=link).buttons == ("START GAME",)
    with pytest.raises(ProblemsError, match="START GAME is disabled now"):
        rounds.verify_action(TableRound(table="T1", link=link, phase="playing"), "start")


def test_the_key_may_go_back_to_run_before_j_pot() -> None:
    room = Room(four_card(lock_at="run")).open()
    room.start("T1")
    room.press("T1", 2, "four_aces")
    before = room.state.balances
    room.turn_key("T1", "JPH")
    room.turn_key("T1", "RUN")
    assert room.rounds["T1"].phase == "claimed"
    assert room.state.balances == before


@pytest.mark.letter("site.progressive.round.key_to_run", "{C4,TH}.aquarius.9.g", "DB.aquarius.7.f")
@pytest.mark.letter("site.progressive.award.move_meter", "{C4,TH}.aquarius.9.g", "DB.aquarius.7.f")
def test_the_key_back_at_run_moves_the_meter_and_restores_the_table() -> None:
    room = Room(four_card(lock_at="run")).open()
    room.start("T1")
    name = room.press("T1", 2, "four_aces")
    amount = room.state.shown("jackpot")
    room.turn_key("T1", "JPH")
    room.confirm(name)
    room.start("T2", [1])
    assert room.state.shown("jackpot") == amount + 24 * CENT
    room.turn_key("T1", "RUN")
    assert room.rounds["T1"].phase == "playing"
    assert room.state.shown("jackpot") == room.state.meter("jackpot") < amount
    assert room.pay(name) == amount


def test_the_key_is_not_back_at_run_before_it_left() -> None:
    with pytest.raises(ProblemsError, match="is disabled now"):
        rounds.key_to_run(begin(lock_at="run"))


def test_nexus_has_no_key() -> None:
    round_, _ = rounds.press(begin(), seat=2, hand="four_aces", at=2, by="dana")
    with pytest.raises(ProblemsError, match="key_to_jackpot is disabled now"):
        rounds.key_to_jackpot(round_)


def begin_dragon(share_with: str) -> TableRound:
    table = TableRound(table="M1", link=link_of("dragon", "1", [level()], share_with=share_with))
    round_, _ = rounds.start(table, covered=[1, 2, 5], players=[1, 2, 3, 5], takes_wagers=True, at=1)
    return round_


DRAGON = "two_three_four_diamonds"


@pytest.mark.requirement("LT-08")
def test_one_press_enters_the_hand_for_the_winning_side() -> None:
    round_, facts = rounds.press(
        begin_dragon("winning_side"), seat=1, hand=DRAGON, at=2, by="dana", winners=[1, 5]
    )
    assert round_.hands == {1: DRAGON, 5: DRAGON}
    assert [type(fact) for fact in facts] == [HandPressed, HandPressed]
    again, facts = rounds.press(round_, seat=1, hand=DRAGON, at=3, by="dana", winners=[1, 2])
    assert again.hands == {1: DRAGON, 2: DRAGON}
    assert {(type(fact), fact.seat) for fact in facts} == {(HandCleared, 5), (HandPressed, 2)}  # type: ignore[attr-defined]
    cleared, _ = rounds.press(again, seat=1, hand=DRAGON, at=4, by="dana", winners=[1, 2])
    assert cleared.hands == {}


@pytest.mark.requirement("LT-08")
def test_winners_are_locked_seats_of_a_prize_that_a_side_divides() -> None:
    with pytest.raises(ProblemsError, match="seat 3 has no locked wager"):
        rounds.press(begin_dragon("winning_side"), seat=1, hand=DRAGON, at=2, by="dana", winners=[1, 3])
    for round_, hand in (
        (begin_dragon("all_bettors"), DRAGON),
        (begin_dragon("winning_side"), "nine_over_zero"),
        (begin(), "four_aces"),
    ):
        with pytest.raises(ProblemsError, match="not shared by a winning side"):
            rounds.press(round_, seat=2, hand=hand, at=2, by="dana", winners=[2])


@pytest.mark.requirement("LT-02", "LT-08")
def test_a_shared_prize_that_is_corrected_leaves_nothing_at_other_seats() -> None:
    shared, _ = rounds.press(begin_dragon("all_bettors"), seat=5, hand=DRAGON, at=2, by="dana")
    assert shared.hands == dict.fromkeys(shared.seats, DRAGON)
    fixed, facts = rounds.press(shared, seat=5, hand="nine_over_zero", at=3, by="dana")
    assert fixed.hands == {5: "nine_over_zero"}
    assert [fact.seat for fact in facts if isinstance(fact, HandCleared)] == [1, 2, 5]
    side, _ = rounds.press(begin_dragon("winning_side"), seat=1, hand=DRAGON, at=2, by="dana", winners=[1, 5])
    assert rounds.press(side, seat=5, hand="nine_over_zero", at=3, by="dana")[0].hands == {
        5: "nine_over_zero"
    }
    with pytest.raises(ProblemsError, match="one coup has one result"):
        rounds.press(side, seat=2, hand="nine_over_zero", at=3, by="dana")


@pytest.mark.requirement("LT-08")
def test_a_divided_prize_that_is_confirmed_has_no_further_winner() -> None:
    round_, _ = rounds.press(begin_dragon("winning_side"), seat=1, hand=DRAGON, at=2, by="dana")
    confirmed = rounds.confirm(round_, seats=[1])
    with pytest.raises(ProblemsError, match="confirmed and divided already"):
        rounds.press(confirmed, seat=5, hand=DRAGON, at=3, by="dana")


@pytest.mark.requirement("LT-02")
def test_a_folded_seat_cannot_claim_where_folded_hands_do_not_qualify() -> None:
    round_, _ = rounds.fold(begin(folded_hands_qualify=False), seat=2, folded=True, at=2, by="dana")
    assert round_.folded == {2}
    with pytest.raises(ProblemsError, match="folded hands do not qualify"):
        rounds.press(round_, seat=2, hand="four_aces", at=3, by="dana")
    with pytest.raises(ProblemsError, match="the cards are out"):
        rounds.correct(round_, seat=4, wagered=False)
    with pytest.raises(ProblemsError, match="marked as folded already"):
        rounds.fold(round_, seat=2, folded=True, at=3, by="dana")
    with pytest.raises(ProblemsError, match="no player in this seat"):
        rounds.fold(round_, seat=6, folded=True, at=3, by="dana")
    back, _ = rounds.fold(round_, seat=2, folded=False, at=4, by="dana")
    claimed, _ = rounds.press(back, seat=2, hand="four_aces", at=5, by="dana")
    assert claimed.claims == (2,)
    with pytest.raises(ProblemsError, match="its hand is entered"):
        rounds.fold(claimed, seat=2, folded=True, at=6, by="dana")


def test_where_folded_hands_qualify_nobody_marks_them() -> None:
    assert "FOLDED" not in begin().buttons
    assert "FOLDED" in begin(folded_hands_qualify=False).buttons
    with pytest.raises(ProblemsError, match="folded hands qualify at this table"):
        rounds.fold(begin(), seat=2, folded=True, at=2, by="dana")
