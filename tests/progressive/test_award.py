"""Awards: claim, confirm, pay, void, reverse."""

from typing import Any

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import HandInTheWay, ProblemsError
from feltwork.site.books.audit.award_rules import AwardRules
from feltwork.site.progressive import award as awards
from feltwork.site.progressive import life_cycle
from feltwork.site.progressive.adjustment import Adjustment, adjust
from feltwork.site.progressive.badges import needs_executive
from feltwork.site.progressive.button_pays import cards_of_record, verify_cards
from feltwork.site.progressive.facts import Reversed
from feltwork.site.progressive.fold import apply
from feltwork.site.progressive.layout import LaidHand, Layout
from feltwork.site.progressive.link import LockAt
from feltwork.site.progressive.round import press
from feltwork.site.progressive.sign_offs import Badge
from feltwork.site.progressive.state import new_state
from tests.progressive.room import EVE, SAM, Room, asked, four_card, level, link_of


def claimed(*, cards: str = "as dealt", **changes: Any) -> tuple[Room, str]:
    room = Room(four_card(**changes)).open()
    room.start("T1")
    return room, room.press("T1", 4, "four_aces", cards=cards)


@pytest.mark.requirement("LT-02")
def test_above_the_executive_level_the_cards_come_before_the_confirmation() -> None:
    room, award = claimed(cards="")
    with pytest.raises(ProblemsError, match="the cards of seat 4 are not entered"):
        room.confirm(award)
    room.book(*awards.enter_cards(room.state, award=award, cards="Ah As Ad Ac 2d", at=1, by="sam"))
    room.confirm(award)
    small, below = claimed(cards="", executive_above=20_000 * DOLLAR)
    small.confirm(below, badges=[SAM])


@pytest.mark.requirement("LT-03")
def test_nothing_moves_before_the_badge() -> None:
    room, award = claimed()
    before = room.state.balances
    assert room.state.awards[award].status == "claimed"
    with pytest.raises(ProblemsError, match="no badge was shown"):
        room.confirm(award, badges=[])
    assert room.state.balances == before
    room.confirm(award, badges=[SAM, EVE])
    assert room.state.awards[award].status == "confirmed"
    assert room.state.balances[f"payable/L1/{award}"] == 10_000 * DOLLAR + 7 * 24 * CENT


@pytest.mark.requirement("LT-03")
def test_an_executive_is_needed_above_the_threshold() -> None:
    room, award = claimed()
    with pytest.raises(ProblemsError, match="ask an executive to confirm"):
        room.confirm(award, badges=[SAM])
    room.confirm(award, badges=[SAM, EVE])
    assert (room.state.awards[award].supervisor, room.state.awards[award].executive) == ("sam", "eve")


@pytest.mark.requirement("LT-03")
def test_a_supervisor_is_enough_at_the_threshold() -> None:
    amount = 10_000 * DOLLAR + 7 * 24 * CENT
    room, award = claimed(executive_above=amount)
    room.confirm(award, badges=[SAM])
    assert room.state.awards[award].executive == ""
    assert room.pay(award) == amount


@pytest.mark.requirement("LT-03")
def test_a_level_may_need_an_executive_whatever_the_amount() -> None:
    link = four_card(executive_above=10**12)
    assert not needs_executive(link, level="jackpot", amount=10**12)
    assert needs_executive(link, level="jackpot", amount=10**12 + 1)
    strict = type(link)(**{**vars_of(link), "executive_levels": ("jackpot",)})
    assert needs_executive(strict, level="jackpot", amount=1)


def vars_of(link: Any) -> dict[str, Any]:
    return {name: getattr(link, name) for name in link.__dataclass_fields__}


@pytest.mark.requirement("WA-30")
def test_who_entered_a_win_does_not_confirm_it() -> None:
    room, award = claimed()
    with pytest.raises(ProblemsError, match="WA-30"):
        room.confirm(award, badges=[Badge("dana", "executive")])


@pytest.mark.requirement("LT-02")
@pytest.mark.parametrize("lock_at", ["claim", "confirm", "run"])
def test_a_cleared_claim_leaves_no_trace_in_the_money(lock_at: str) -> None:
    room = Room(four_card(lock_at=lock_at)).open()
    room.start("T1")
    before = room.state.balances
    shown = room.state.shown("jackpot")
    award = room.press("T1", 4, "four_aces")
    assert room.state.balances != before
    assert (room.state.shown("jackpot") != shown) == (lock_at == "claim")
    room.press("T1", 4, "four_aces")
    assert room.state.balances == before
    assert room.state.awards[award].status == "voided"
    assert room.rounds["T1"].phase == "playing"


@pytest.mark.requirement("LT-07", "LT-02")
def test_a_void_lets_the_others_of_the_round_move_up() -> None:
    room = Room(link_of("five_card", "01", [level()], lock_at="claim")).open()
    room.start("T1")
    meter = room.state.meter("jackpot")
    left, right = room.press("T1", 2, "royal_flush"), room.press("T1", 6, "royal_flush")
    assert room.state.awards[right].amount == meter
    room.void(right, "the hand was folded")
    assert room.state.awards[left].amount == meter
    room.confirm(left)
    assert room.pay(left) == meter


@pytest.mark.requirement("LT-04")
def test_after_confirmation_there_is_no_undo() -> None:
    room, award = claimed()
    room.confirm(award)
    with pytest.raises(ProblemsError, match="LT-04"):
        room.void(award)


def confirm_alone(room: Room, award: str) -> None:
    """Confirm a claim of a round of its own, with both turns of the key where there is one."""
    table = room.state.awards[award].table
    before = room.rounds[table]
    try:
        if room.first.lock_at == "run":
            room.turn_key(table, "JPH")
        room.confirm(award)
    except ProblemsError:
        room.rounds[table] = before
        raise
    if room.first.lock_at == "run":
        room.turn_key(table, "RUN")


def take_back(room: Room, award: str, **changes: str) -> None:
    about = {"by": "ann", "approved_by": "bob", "adjustment": "R1", "evidence": "video 4", **changes}
    room.book(
        *awards.reverse(
            room.state,
            asked("the card was misread", by=about["by"], approved_by=about["approved_by"]),
            award=award,
            adjustment=about["adjustment"],
            evidence=about["evidence"],
            at=room.later(),
        )
    )


@pytest.mark.requirement("LT-04", "WA-30", "WA-15")
@pytest.mark.parametrize("paid", [False, True])
def test_a_reversal_is_a_linked_unique_adjustment_of_two_others(paid: bool) -> None:
    room = Room(four_card()).open()
    room.start("T1")
    before = room.state.balances
    award = room.press("T1", 4, "four_aces")
    room.confirm(award)
    if paid:
        room.pay(award)
    for refused, rule in (
        ({"by": "bob"}, "LT-04"),
        ({"approved_by": ""}, "LT-04"),
        ({"by": "sam"}, "WA-30"),
        ({"approved_by": "eve"}, "WA-30"),
        ({"evidence": " "}, "WA-15"),
    ):
        with pytest.raises(ProblemsError, match=rule):
            take_back(room, award, **refused)
    take_back(room, award)
    assert room.state.balances == before, "meter, reserve and seed are as if it had not happened"
    assert room.entries[-1].entry.references["award"] == award
    with pytest.raises(ProblemsError, match="the award is reversed"):
        take_back(room, award, adjustment="R2")


@pytest.mark.requirement("LT-04")
def test_an_adjustment_id_is_used_once() -> None:
    room, award = claimed()
    room.confirm(award)
    take_back(room, award)
    other = room.press("T1", 5, "four_aces")
    room.confirm(other)
    with pytest.raises(ProblemsError, match="adjustment R1 exists"):
        take_back(room, other)


@pytest.mark.requirement("LT-04", "LT-08")
@pytest.mark.parametrize("place", [0, 1])
def test_a_divided_prize_is_reversed_as_a_whole(place: int) -> None:
    room = Room(link_of("five_card", "01", [level()], several_winners="split")).open()
    room.start("T1")
    held = room.state.meter("jackpot"), room.state.reserve("jackpot")
    names = [room.press("T1", seat, "royal_flush") for seat in (1, 2)]
    room.confirm(*names)
    room.pay(names[1])
    take_back(room, names[place], adjustment="R-first")
    assert [room.state.awards[name].status for name in names] == ["reversed", "reversed"]
    assert (room.state.meter("jackpot"), room.state.reserve("jackpot")) == held
    back = {fact.award: (fact.adjustment, fact.was_paid) for fact in room.facts if isinstance(fact, Reversed)}
    assert back[names[place]] == ("R-first", place == 1)
    assert back[names[1 - place]][0] in {"R-first-1", "R-first-2"}
    with pytest.raises(ProblemsError, match="the award is reversed"):
        take_back(room, names[1 - place], adjustment="R-last")


@pytest.mark.requirement("GEN-10")
def test_each_in_full_makes_the_house_add_what_the_meter_lacks() -> None:
    room = Room(link_of("five_card", "01", [level()], several_winners="each_in_full")).open()
    room.start("T1")
    meter = room.state.meter("jackpot")
    names = [room.press("T1", seat, "royal_flush") for seat in (1, 2)]
    room.confirm(*names)
    assert [room.pay(name) for name in names] == [meter, meter]
    assert room.state.balances["house_pays/L1"] == -meter
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + 7 * 5 * CENT, "it starts again once"


@pytest.mark.requirement("GEN-10", "GEN-28")
def test_wins_on_two_tables_have_one_order() -> None:
    room = Room(link_of("five_card", "01", [level()], lock_at="claim")).open()
    room.start("T1")
    room.start("T2")
    first, second = room.press("T2", 1, "royal_flush"), room.press("T1", 7, "royal_flush")
    assert room.state.awards[first].amount == 10_000 * DOLLAR + 14 * 24 * CENT
    assert room.state.awards[second].amount == 10_000 * DOLLAR + 14 * 5 * CENT
    with pytest.raises(ProblemsError, match="table T2, seat 1 claimed the jackpot before it"):
        room.confirm(second)
    room.void(first)
    assert room.state.awards[second].amount == 10_000 * DOLLAR + 14 * 24 * CENT
    with pytest.raises(
        ProblemsError, match=r"it is now \$10,003\.36, because the claim of table T2, seat 1 was cleared"
    ):
        room.confirm(second, amount=10_000 * DOLLAR + 14 * 5 * CENT)
    room.confirm(second)
    assert room.state.reserve("jackpot") == 0
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + 14 * 5 * CENT
    room.check()


@pytest.mark.requirement("GEN-10", "LT-03")
@pytest.mark.parametrize("lock_at", ["claim", "confirm", "run"])
@pytest.mark.parametrize("settled", ["confirmed", "voided"])
def test_a_claim_behind_a_disputed_one_is_confirmed_for_the_amount_of_its_press(
    lock_at: LockAt, settled: str
) -> None:
    room = Room(link_of("five_card", "01", [level()], lock_at=lock_at), ("T1", "T2", "T3")).open()
    audit = AwardRules()
    for table in room.rounds:
        room.start(table)
    first, second, third = (room.press(table, 1, "royal_flush") for table in room.rounds)
    amounts = [room.due(name) for name in (first, second, third)]
    taken = room.state.awards[first]
    with pytest.raises(ProblemsError, match="dana entered the win"):
        room.set_aside(first, approved_by="dana")
    with pytest.raises(ProblemsError, match="ann"):
        room.set_aside(first, approved_by="ann")
    with pytest.raises(ProblemsError, match="T1, seat 1 claimed the jackpot before it"):
        confirm_alone(room, second)
    room.set_aside(first)
    with pytest.raises(ProblemsError, match="set aside already"):
        room.set_aside(first)
    with pytest.raises(ProblemsError, match="T2, seat 1 claimed the jackpot before it"):
        confirm_alone(room, third)
    confirm_alone(room, second)
    with pytest.raises(ProblemsError, match="set aside claims that are not confirmed"):
        room.set_aside(second)
    assert [room.due(name) for name in (first, second, third)] == amounts
    pressed, _ = press(room.rounds["T1"], seat=2, hand="royal_flush", at=room.later(), by="dana")
    with pytest.raises(ProblemsError, match="the claim of seat 1 in this round is set aside"):
        awards.verify_claim(room.state, pressed, seat=2, award="another")
    if settled == "confirmed":
        confirm_alone(room, first)
        assert [room.due(name) for name in (first, second, third)] == amounts
    else:
        room.void(first)
        assert room.due(second) == amounts[1]
        assert room.due(third) == amounts[2] + taken.from_meter - taken.seed - taken.reserve
    assert room.state.aside == {}
    confirm_alone(room, third)
    room.check()
    state = new_state(room.first)
    for fact in room.facts:
        audit.verify(state, fact)
        state = apply(state, fact)


def test_a_restart_that_others_have_won_is_given_back_as_far_as_it_is_there() -> None:
    """A small meter, a big seed: the first claim is voided after another table won what it had put in."""
    room = Room(link_of("five_card", "01", [level(seed=10_000)], lock_at="claim")).open()
    room.start("T1")
    room.start("T2")
    room.book(
        adjust(
            room.state,
            Adjustment(
                id="J1",
                reason="SEED_RECOVERY",
                pool="meter",
                level="jackpot",
                change=5 * DOLLAR - room.state.meter("jackpot"),
                text="seed back",
                evidence="memo",
                by="ann",
                approved_by="bob",
            ),
            at=room.later(),
        )
    )
    first, second = room.press("T1", 1, "royal_flush"), room.press("T2", 1, "royal_flush")
    assert room.state.awards[first].amount == 5 * DOLLAR
    assert room.state.awards[second].amount > 10_000 * DOLLAR
    room.void(first)
    assert room.state.meter("jackpot") >= 0
    assert room.state.unrecovered_seed("jackpot") >= 0
    room.check()


@pytest.mark.requirement("LT-02", "LT-11")
def test_the_button_is_checked_against_the_cards_where_they_are_known() -> None:
    link = four_card()
    verify_cards(link, hand="four_aces", cards="Ah As Ad Ac 2d")
    for hand, cards, why in (
        ("four_of_a_kind", "Ah As Ad Ac 2d", "the cards make four_aces"),
        ("four_aces", "2h 7s 9d Jc Kd", "the cards make nothing on the paytable"),
        ("four_aces", "Ah As Ad Ac", "is not a hand in this game"),
        ("four_aces", "Ah As Ad Ac Ac", "is not a hand in this game"),
        ("four_aces", "five aces", "is not a hand in this game"),
    ):
        with pytest.raises(ProblemsError, match=why):
            verify_cards(link, hand=hand, cards=cards)


@pytest.mark.requirement("LT-02")
def test_one_coup_has_one_result() -> None:
    room = Room(link_of("dragon", "1", [level()], share_with="winning_side")).open()
    room.start("T1")
    room.press("T1", 2, "two_three_four_suited")
    other = next(row.hand for row in room.state.link.paytable.rows if row.hand != "two_three_four_suited")
    with pytest.raises(ProblemsError, match="one coup has one result"):
        room.press("T1", 1, other)


def test_an_award_is_paid_once_in_a_known_form() -> None:
    room, award = claimed()
    with pytest.raises(ProblemsError, match="an award is paid once"):
        room.pay(award)
    room.confirm(award)
    with pytest.raises(ProblemsError, match="not a form of payment"):
        awards.pay(room.state, award=award, form="promise", at=1, by="cara")
    room.pay(award)
    with pytest.raises(ProblemsError, match="the award is paid"):
        room.pay(award)


def test_claims_that_cannot_be() -> None:
    room, award = claimed()
    round_ = room.rounds["T1"]
    for seat, name, why in (
        (4, award, "exists"),
        (4, "X", "the seat has claim"),
        (5, "X", "does not win a meter"),
    ):
        with pytest.raises(ProblemsError, match=why):
            awards.verify_claim(room.state, round_, seat=seat, award=name)
    with pytest.raises(ProblemsError, match="no open claim there matches: X"):
        awards.confirm(room.state, round_, awards=["X"], badges=[EVE], amount=0, at=1)
    with pytest.raises(ProblemsError, match="none is named"):
        awards.confirm(room.state, round_, awards=[], badges=[EVE], amount=0, at=1)
    with pytest.raises(ProblemsError, match="it does not exist"):
        awards.verify_void(room.state, award="X", reason="why")
    with pytest.raises(ProblemsError, match="it has no reason"):
        awards.verify_void(room.state, award=award, reason=" ")


@pytest.mark.requirement("GEN-02")
def test_counters_and_the_last_25_hits() -> None:
    room = Room(four_card()).open()
    won = 0
    for _ in range(27):
        room.start("T1", [1])
        won += room.hit("T1", 1, "four_aces")
        room.end("T1")
    counters = room.state.counters["jackpot"]
    assert (counters.hits, counters.won, counters.paid) == (27, won, won)
    assert (counters.wagers, counters.wagered) == (27, 27 * DOLLAR)
    assert (counters.accrued, counters.reserved) == (27 * 24 * CENT, 27 * 5 * CENT)
    assert len(room.state.hits) == 25
    assert room.state.hits[-1] == "A27"


@pytest.mark.requirement("WA-20")
def test_a_claim_of_a_round_that_was_under_way_survives_a_stop() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    room.book(life_cycle.stop(room.state, cause="seized", reason="tax", at=room.later(), by="ann"))
    room.hit("T1", 2, "four_aces")
    room.end("T1")
    room.check()


@pytest.mark.requirement("LT-02")
def test_cards_are_entered_once_and_make_the_hand() -> None:
    room, award = claimed(cards="")
    for cards, why in (("2h 7s 9d Jc Kd", "the cards make nothing"), ("Ah", "is not a hand in this game")):
        with pytest.raises(ProblemsError, match=why):
            awards.enter_cards(room.state, award=award, cards=cards, at=1, by="sam")
    room.book(*awards.enter_cards(room.state, award=award, cards="Ah As Ad Ac 2d", at=1, by="sam"))
    assert room.state.awards[award].cards == "Ah As Ad Ac 2d"
    with pytest.raises(ProblemsError, match="its cards are entered"):
        awards.enter_cards(room.state, award=award, cards="Ah As Ad Ac 3d", at=1, by="sam")
    with pytest.raises(ProblemsError, match="it does not exist"):
        awards.enter_cards(room.state, award="X", cards="Ah As Ad Ac 3d", at=1, by="sam")


@pytest.mark.requirement("LT-02")
def test_one_deck_deals_a_card_once() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    first, second = (room.press("T1", seat, "four_aces", cards="") for seat in (2, 5))
    room.book(*awards.enter_cards(room.state, award=first, cards="Ah As Ad Ac 2d", at=1, by="sam"))
    there = LaidHand(link=room.state.link, seat=2, hand="four_aces", cards="Ah As Ad Ac 2d")
    layout = Layout(game="crazy_4", decks=1, hands=(there,))
    with pytest.raises(ProblemsError, match=r"the Four Aces of seat 2 \(Ah As Ad Ac 2d\)"):
        awards.enter_cards(room.state, award=second, cards="Ah As Ad Ac 3d", at=1, by="sam", layout=layout)


@pytest.mark.requirement("LT-02")
def test_a_press_that_no_deal_gives_names_the_hand_in_its_way() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    room.press("T1", 2, "four_aces")
    round_ = room.rounds["T1"]
    aces = LaidHand(link=round_.link, seat=2, hand="four_aces")
    layout = Layout(game="crazy_4", decks=1, hands=(aces,))
    about: dict[str, Any] = {"at": 1, "by": "dana", "layout": layout}
    with pytest.raises(ProblemsError, match="no deal gives this hand and the Four Aces of seat 2") as refused:
        press(round_, seat=5, hand="four_aces", **about)
    assert refused.value.problems[0].in_the_way == HandInTheWay(link="L1", seat=2, hand="four_aces")
    # The seat itself may be corrected, and its button pressed again clears it.
    assert press(round_, seat=2, hand="straight_flush", **about)[0].hands[2] == "straight_flush"
    assert press(round_, seat=2, hand="four_aces", **about)[0].hands == {}


@pytest.mark.requirement("LT-02", "WA-24")
def test_the_record_of_a_payment_has_the_cards_of_its_award() -> None:
    room, award = claimed(cards="")
    link = room.state.link
    claim = room.state.awards[award]
    assert cards_of_record(claim, link, "as shown") == "as shown"
    assert cards_of_record(claim, link, "As Ah Ad Ac 2c") == "As Ah Ad Ac 2c"
    for text, why in (("Ks Kh Kd Kc 2c", "the cards make four_of_a_kind"), ("As Ah", "is not a hand")):
        with pytest.raises(ProblemsError, match=why):
            cards_of_record(claim, link, text)
    room.book(*awards.enter_cards(room.state, award=award, cards="As Ah Ad Ac 2c", at=1, by="sam"))
    known = room.state.awards[award]
    for text in ("as shown", "", "2c, Ac Ad Ah As", "As Ah Ad Ac"):
        assert cards_of_record(known, link, text) == "As Ah Ad Ac 2c"
    with pytest.raises(ProblemsError, match="the cards entered for this hand are As Ah Ad Ac 2c"):
        cards_of_record(known, link, "As Ah Ad Ac 3c")


@pytest.mark.requirement("LT-02")
def test_the_cards_of_a_coup_belong_to_everybody_who_divides_its_prize() -> None:
    room = Room(link_of("dragon", "1", [level()], share_with="winning_side")).open()
    room.start("T1", [1, 2])
    for seat in (1, 2):
        room.press("T1", seat, "two_three_four_suited", cards="")
    first = room.claims("T1")[0].id
    room.book(*awards.enter_cards(room.state, award=first, cards="2h 3h 4h", at=1, by="sam"))
    assert [claim.cards for claim in room.claims("T1")] == ["2h 3h 4h"] * 2
