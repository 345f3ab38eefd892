"""House jackpots: posted prizes, paid by the operator, in the rounds and claims of any link."""

from dataclasses import replace

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.progressive import adjustment, life_cycle
from feltwork.site.progressive import house_jackpot as house
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.progressive.award import reverse
from feltwork.site.progressive.facts import Contributed, Locked
from feltwork.site.progressive.link import Link, verify_link
from feltwork.site.progressive.state import new_state
from tests.progressive.room import SAM, Room, asked, four_card, house_jackpot, level


def played(link: Link | None = None) -> Room:
    """A house jackpot whose first table has started a round."""
    room = Room(link or house_jackpot()).open()
    room.start("T1", (1, 2, 3))
    return room


def sevens() -> Link:
    """Blazing 7's ML03 with three posted prizes."""
    amounts = {"mega": 2_000, "major": 1_000, "minor": 500}
    return house_jackpot("blazing_7s", "ML03", amounts, variant="dealer_up_card")


@pytest.mark.requirement("WA-01")
def test_the_amount_changes_only_by_the_command_of_two_people() -> None:
    room = played()
    before = room.state.balances
    for amount in (0, -1, CENT + 1):
        with pytest.raises(ProblemsError, match="WA-01"):
            room.post("jackpot", amount)
    with pytest.raises(ProblemsError, match="there is no level mega"):
        room.post("mega", DOLLAR)
    alone = asked(approved_by="ann")
    with pytest.raises(ProblemsError, match="WA-01"):
        house.set_amount(room.state, alone, level="jackpot", amount=DOLLAR, at=room.later())
    room.post("jackpot", 600 * DOLLAR)
    assert room.state.meter("jackpot") == 600 * DOLLAR
    assert room.state.balances == before, "posting an amount moves no money"


@pytest.mark.requirement("WA-01")
def test_wagers_feed_nothing() -> None:
    room = played()
    (fact,) = [fact for fact in room.facts if isinstance(fact, Contributed)]
    assert (fact.to_meter, fact.to_reserve, fact.to_house) == ({"jackpot": 0}, {"jackpot": 0}, 3 * DOLLAR)
    assert room.state.balances == {"retention/H1": 3 * DOLLAR, "patrons/H1": -3 * DOLLAR}
    assert room.state.meter("jackpot") == 500 * DOLLAR
    room.misdeal("T1")
    assert set(room.state.balances.values()) <= {0}, "a void round gives wagers back"
    room.check()


@pytest.mark.requirement("WA-01")
def test_a_house_jackpot_has_no_seed_no_rates_and_no_cap() -> None:
    verify_link(house_jackpot())
    (posted,) = house_jackpot().levels
    for wrong in (
        replace(posted, seed=DOLLAR),
        replace(posted, contribution=100, unreasonable=DOLLAR),
        replace(posted, reserve=100),
        replace(posted, cap=DOLLAR),
        replace(posted, amount=0),
        replace(posted, amount=CENT + 1),
    ):
        with pytest.raises(ProblemsError, match=r"WA-0[13]"):
            verify_link(replace(house_jackpot(), levels=(wrong,)))


@pytest.mark.requirement("WA-03")
def test_a_house_jackpot_is_never_divided_and_its_fixed_pays_come_from_the_tray() -> None:
    for wrong in (house_jackpot(several_winners="split"), house_jackpot(fixed_pays_from="meter")):
        with pytest.raises(ProblemsError, match="WA-03"):
            verify_link(wrong)
    with pytest.raises(ProblemsError, match="divides its prize"):
        verify_link(house_jackpot("dragon", "1", share_with="all_bettors"))


@pytest.mark.requirement("WA-01")
def test_commands_about_meters_are_refused() -> None:
    room = played()
    state, at = room.state, room.later()
    change = Adjustment(
        id="J1",
        reason="HOUSE_ADDITION",
        pool="meter",
        level="jackpot",
        change=DOLLAR,
        text="a gift",
        evidence="memo",
        by="ann",
        approved_by="bob",
    )
    with pytest.raises(ProblemsError, match="has posted amounts and no meter"):
        adjustment.adjust(state, change, at=at)
    with pytest.raises(ProblemsError, match="has posted amounts and no meter"):
        life_cycle.set_cap(state, asked(), level="jackpot", cap=10**12, rule="at_least", at=at)
    with pytest.raises(ProblemsError, match="has posted amounts and no meter"):
        life_cycle.plan_removal(state, asked(), remove_at=at, notice_days=0, target="L2", at=at)
    progressive = Room(four_card()).open()
    with pytest.raises(ProblemsError, match="it is a progressive"):
        progressive.post("jackpot", DOLLAR)
    with pytest.raises(ProblemsError, match="the link is planned"):
        house.set_amount(new_state(house_jackpot()), asked(), level="jackpot", amount=DOLLAR, at=1)


@pytest.mark.requirement("WA-02")
def test_a_house_jackpot_is_removed_without_notice() -> None:
    room = played()
    award = room.press("T1", 1, "royal_flush")
    with pytest.raises(ProblemsError, match="not settled"):
        life_cycle.remove(room.state, asked(), at=room.later())
    room.confirm(award)
    room.pay(award)
    room.end("T1")
    before = room.state.balances
    room.book(life_cycle.remove(room.state, asked(), at=room.later()))
    assert (room.state.life, room.state.balances) == ("removed", before)


@pytest.mark.requirement("WA-03", "WA-06")
@pytest.mark.parametrize("lock_at", ["claim", "confirm", "run"])
def test_a_claim_keeps_the_amount_that_was_posted_when_it_was_made(lock_at: str) -> None:
    room = played(house_jackpot(lock_at=lock_at))
    room.start("T2", (1, 2))
    first = room.press("T1", 1, "royal_flush")
    room.post("jackpot", 200 * DOLLAR)
    second = room.press("T1", 2, "royal_flush")
    tenth = room.press("T2", 1, "straight_flush")
    assert [room.state.awards[name].amount for name in (first, second, tenth)] == [
        500 * DOLLAR,
        200 * DOLLAR,
        20 * DOLLAR,
    ]
    room.post("jackpot", 900 * DOLLAR)
    for table, names in (("T2", [tenth]), ("T1", [first, second])):
        if lock_at == "run":
            room.turn_key(table, "JPH")
        room.confirm(*names)
        if lock_at == "run":
            room.turn_key(table, "RUN")
    assert [room.pay(name) for name in (first, second, tenth)] == [500 * DOLLAR, 200 * DOLLAR, 20 * DOLLAR]
    assert room.state.meter("jackpot") == 900 * DOLLAR, "a win changes no posted amount"
    assert room.state.balances["house_pays/H1"] == -720 * DOLLAR
    assert not {account for account in room.state.balances if account.startswith(("meter", "seed"))}
    room.check()


@pytest.mark.requirement("WA-03")
def test_winners_of_two_tables_are_confirmed_in_any_order_and_a_void_claim_changes_no_other() -> None:
    room = played()
    room.start("T2", (1, 2))
    first, second = room.press("T1", 1, "royal_flush"), room.press("T2", 1, "royal_flush")
    third = room.press("T2", 2, "royal_flush")
    locks = [fact.award for fact in room.facts if isinstance(fact, Locked)]
    assert locks == [first, second, third], "a later claim locks no earlier one again"
    room.confirm(third)
    room.void(first)
    room.confirm(second)
    assert [room.pay(name) for name in (second, third)] == [500 * DOLLAR, 500 * DOLLAR]
    assert room.state.balances["house_pays/H1"] == -1_000 * DOLLAR
    assert room.state.pending("jackpot") == 0
    room.check()


@pytest.mark.requirement("LT-03", "LT-04")
def test_badges_go_by_each_prize_and_a_reversal_gives_it_back_to_the_operator() -> None:
    room = played(sevens())
    mega, minor = room.press("T1", 1, "three_7s_diamonds"), room.press("T1", 2, "three_7s_same_color")
    with pytest.raises(ProblemsError, match="LT-03"):
        room.confirm(mega, badges=[SAM])
    room.confirm(minor, badges=[SAM])
    room.confirm(mega)
    again = asked("the deck was short", by="cid", approved_by="deb")
    (back,) = reverse(room.state, again, award=mega, adjustment="R1", evidence="camera 2", at=room.later())
    assert (back.to_meter, back.to_house) == (0, 2_000 * DOLLAR)
    room.book(back)
    assert room.state.balances["house_pays/H1"] == -500 * DOLLAR
    assert room.state.player_funds == 500 * DOLLAR, "the minor is owed, and no posted amount is"
    room.check()


def test_a_new_version_posts_the_amounts_that_it_changes() -> None:
    room = Room(sevens()).open()
    room.post("major", 1_500 * DOLLAR)
    room.book(life_cycle.stop(room.state, cause="suspended", reason="new prizes", at=room.later(), by="ann"))
    amounts = {"mega": 3_000, "major": 1_000, "minor": 500}
    room.reconfigure(house_jackpot("blazing_7s", "ML03", amounts, variant="dealer_up_card"))
    posted = [room.state.meter(name) // DOLLAR for name in ("mega", "major", "minor")]
    assert posted == [3_000, 1_500, 500], "what the version leaves as it was stays as it is posted"
    with pytest.raises(ProblemsError, match="the id, the kind or the levels differ"):
        room.reconfigure(replace(sevens(), kind="progressive", levels=tuple(map(level, amounts))))
