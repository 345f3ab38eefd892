"""The life of a link."""

from dataclasses import asdict, replace

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.progressive import life_cycle
from feltwork.site.progressive.facts import DAY, FundsCounted, Removed, Stopped
from feltwork.site.progressive.life_cycle import BankCount
from feltwork.site.progressive.link import NO_CAP, Link, verify_link
from feltwork.site.progressive.state import new_state
from tests.progressive.room import SECOND, Room, asked, bank_count, four_card, level, link_of

ALONE = asked(by="ann", approved_by="ann")


@pytest.mark.requirement("GEN-03", "GEN-19", "WA-08")
def test_a_link_opens_once_with_two_people_and_its_seeds() -> None:
    room = Room(four_card())
    with pytest.raises(ProblemsError, match="GEN-19"):
        life_cycle.open_link(room.state, ALONE, at=1)
    room.open()
    assert room.state.takes_wagers
    assert room.state.meter("jackpot") == 10_000 * DOLLAR == room.state.unrecovered_seed("jackpot")
    with pytest.raises(ProblemsError, match="a link can be opened only once"):
        room.open()


def broken(**changes: object) -> Link:
    link = four_card()
    values = {name: getattr(link, name) for name in link.__dataclass_fields__}
    return Link(**{**values, **changes})


@pytest.mark.parametrize(
    ("link", "why"),
    [
        (broken(wager=0), "not a wager in whole cents"),
        (broken(wager=CENT + 1), "not a wager in whole cents"),
        (broken(levels=(level(contribution=9_000, reserve=1_001),)), "take 10001 basis points"),
        (broken(levels=(level("mega"),)), "are not the meters of"),
        (broken(levels=()), "none are not the meters of"),
        (broken(levels=(level(), level())), "are not the meters of"),
        (broken(levels=(level(seed=-1),)), "a rate or the seed is negative"),
        (broken(levels=(replace(level(), seed=1),)), "not in whole cents"),
        (broken(levels=(level(cap=9_999 * DOLLAR),)), "is below the seed"),
        (broken(controls="aquarius"), "do not move the meter at confirm"),
        (broken(lock_at="run"), "do not move the meter at run"),
        (broken(options={}), "is not chosen"),
        (broken(options={**four_card().options, "colour": "red"}), "is not an option of this jackpot"),
        (broken(variant="loud"), "'loud' is unknown"),
        (broken(id="a/b"), "cannot name an account"),
    ],
)
@pytest.mark.requirement("GEN-01", "GEN-03", "WA-05")
def test_a_link_that_is_not_whole_does_not_go_live(link: Link, why: str) -> None:
    with pytest.raises(ProblemsError) as raised:
        verify_link(link)
    assert any(why in problem.what for problem in raised.value.problems)


def test_a_cap_at_the_seed_is_fine() -> None:
    verify_link(broken(levels=(level(cap=10_000 * DOLLAR),)))
    verify_link(broken(levels=(level(contribution=9_000, reserve=1_000),)))


@pytest.mark.requirement("WA-09", "GEN-15")
def test_a_cap_is_never_below_the_present_amount() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    room.start("T2")
    room.end("T1")
    room.book()
    meter = room.state.meter("jackpot")

    def cap(amount: int, rule: life_cycle.CapRule = "at_least") -> None:
        room.book(
            life_cycle.set_cap(room.state, asked(), level="jackpot", cap=amount, rule=rule, at=room.later())
        )

    for amount, rule in ((meter - CENT, "WA-09"), (meter + 1, "GEN-15")):
        with pytest.raises(ProblemsError, match=rule):
            cap(amount)
    with pytest.raises(ProblemsError, match="GEN-15"):
        cap(meter, "above")
    cap(meter)
    assert room.state.cap("jackpot") == meter
    assert life_cycle.cap_notice(room.state, "jackpot").startswith("jackpot is capped at 10003.36")
    cap(meter + CENT, "above")
    cap(NO_CAP)
    assert life_cycle.cap_notice(room.state, "jackpot") == ""


@pytest.mark.requirement("WA-20")
def test_a_seizure_stops_the_link_until_the_posted_amount_is_replaced() -> None:
    room = Room(four_card()).open()
    room.book(life_cycle.stop(room.state, cause="seized", reason="tax lien", at=room.later(), by="ann"))
    assert not room.state.takes_wagers
    with pytest.raises(ProblemsError, match="GEN-07"):
        room.start("T1")
    with pytest.raises(ProblemsError, match="restore the full posted amount"):
        life_cycle.restore_seized(room.state, asked(), replaced=10_000 * DOLLAR - 1, at=1)
    with pytest.raises(ProblemsError, match="it is not suspended"):
        life_cycle.resume(room.state, asked(), at=1)
    with pytest.raises(ProblemsError, match="WA-20"):
        life_cycle.restore_seized(room.state, ALONE, replaced=10_000 * DOLLAR, at=1)
    room.book(life_cycle.restore_seized(room.state, asked(), replaced=10_000 * DOLLAR, at=room.later()))
    assert room.state.takes_wagers


@pytest.mark.requirement("WA-18", "WA-06")
def test_a_bank_balance_below_what_is_held_for_players_stops_the_link() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    required = 10_000 * DOLLAR + 7 * 29 * CENT
    room.book(
        *life_cycle.count_funds(room.state, bank_count(room.state, required - 1), at=room.later(), by="ann")
    )
    counted, stopped = room.facts[-2:]
    assert isinstance(counted, FundsCounted)
    assert (counted.required, counted.accrued) == (required, required)
    assert isinstance(stopped, Stopped)
    assert list(room.state.stops) == ["shortfall"]
    (again,) = life_cycle.count_funds(room.state, bank_count(room.state, 0), at=room.later(), by="ann")
    assert isinstance(again, FundsCounted)
    room.book(
        *life_cycle.count_funds(room.state, bank_count(room.state, required), at=room.later(), by="ann")
    )
    assert room.state.takes_wagers
    assert isinstance(room.facts[-2], FundsCounted)
    assert room.facts[-2].accrued == 0


@pytest.mark.requirement("WA-18")
def test_a_count_is_compared_with_its_cutoff_and_may_miss_as_much_as_the_floor_allows() -> None:
    room = Room(four_card()).open()
    count = BankCount(bank_balance=10_000 * DOLLAR, entry=1, required=10_000 * DOLLAR, tolerance=CENT)
    room.start("T1")
    room.book(*life_cycle.count_funds(room.state, count, at=room.later(), by="ann"))
    assert room.state.takes_wagers, "what came after the cutoff is not missing"
    within = replace(count, bank_balance=count.required - CENT)
    room.book(*life_cycle.count_funds(room.state, within, at=room.later(), by="ann"))
    assert room.state.takes_wagers
    short = replace(within, bank_balance=within.bank_balance - 1, entry=2)
    room.book(*life_cycle.count_funds(room.state, short, at=room.later(), by="ann"))
    assert not room.state.takes_wagers
    with pytest.raises(ProblemsError, match="choose a later cutoff"):
        life_cycle.count_funds(room.state, count, at=room.later(), by="ann")


@pytest.mark.requirement("WA-18")
def test_claims_and_unpaid_awards_are_still_held_for_players() -> None:
    room = Room(four_card(lock_at="claim")).open()
    room.start("T1")
    held = room.state.player_funds
    award = room.press("T1", 1, "four_aces")
    assert room.state.player_funds == held + 10_000 * DOLLAR, "and the new seed"
    room.confirm(award)
    assert room.state.player_funds == held + 10_000 * DOLLAR
    room.pay(award)
    assert room.state.player_funds == 10_000 * DOLLAR + 7 * 5 * CENT


def suspend(room: Room) -> None:
    room.book(life_cycle.stop(room.state, cause="suspended", reason="change", at=room.later(), by="ann"))


@pytest.mark.requirement("GEN-06", "LT-10", "GEN-19")
def test_a_new_version_takes_effect_only_on_a_closed_link() -> None:
    room = Room(four_card()).open()
    new = link_of("four_card", "3", [level(contribution=3_000)], folded_hands_qualify=False)
    with pytest.raises(ProblemsError, match="the link is open"):
        room.reconfigure(new)
    room.start("T1")
    suspend(room)
    with pytest.raises(ProblemsError, match="a round or a claim is open"):
        room.reconfigure(new)
    award = room.press("T1", 1, "four_aces")
    room.confirm(award)
    room.end("T1")
    with pytest.raises(ProblemsError, match="a round or a claim is open"):
        room.reconfigure(new)
    room.pay(award)
    with pytest.raises(ProblemsError, match="the id, the kind or the levels differ"):
        room.reconfigure(link_of("four_card", "3", [level()], name="L2"))
    room.reconfigure(new)
    assert room.state.link == new
    assert room.entries[-1].entry.references["version"] == new.fingerprint
    room.book(life_cycle.resume(room.state, asked(), at=room.later()))
    before = room.state.meter("jackpot")
    room.start("T1")
    assert room.state.meter("jackpot") == before + 7 * 30 * CENT


@pytest.mark.requirement("WA-09")
def test_a_new_seed_stays_below_the_cap() -> None:
    room = Room(link_of("four_card", "3", [level(cap=12_000 * DOLLAR)])).open()
    suspend(room)
    with pytest.raises(ProblemsError, match="the seed of jackpot is above its cap"):
        room.reconfigure(link_of("four_card", "3", [level(seed=12_001)]))
    room.reconfigure(link_of("four_card", "3", [level(seed=12_000)]))
    assert room.state.cap("jackpot") == 12_000 * DOLLAR


def test_a_link_stops_for_one_cause_once() -> None:
    room = Room(four_card()).open()
    suspend(room)
    with pytest.raises(ProblemsError, match="there is nothing to stop"):
        suspend(room)
    with pytest.raises(ProblemsError, match="there is nothing to stop"):
        suspend(Room(four_card()))


def removed(room: Room, target: str = "L2") -> Removed:
    plan = life_cycle.plan_removal(
        room.state,
        asked("Removed on Friday; the money goes to L2."),
        remove_at=room.now + 8 * DAY,
        notice_days=7,
        target=target,
        at=room.later(),
    )
    room.book(plan)
    with pytest.raises(ProblemsError, match="the notice period is not over"):
        life_cycle.remove(room.state, asked(), at=plan.remove_at - 1)
    room.now = plan.remove_at
    fact = life_cycle.remove(room.state, asked(), at=room.later())
    room.book(fact)
    return fact


@pytest.mark.requirement("WA-22")
def test_a_removal_waits_for_its_notice_and_leaves_nothing_behind() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    room.end("T1")
    with pytest.raises(ProblemsError, match="no removal is planned"):
        life_cycle.remove(room.state, asked(), at=room.later())
    with pytest.raises(ProblemsError, match="7 days of notice"):
        life_cycle.plan_removal(
            room.state, asked(), remove_at=room.now + 6 * DAY, notice_days=7, target="L2", at=room.now
        )
    with pytest.raises(ProblemsError, match="it has no target"):
        life_cycle.plan_removal(
            room.state, asked(), remove_at=room.now + 9 * DAY, notice_days=7, target="", at=room.now
        )
    held = room.state.player_funds
    removed(room)
    assert room.state.player_funds == 0
    assert room.state.balances["clearing/L1/L2"] == held
    assert room.state.life == "removed"
    with pytest.raises(ProblemsError, match="GEN-07"):
        room.start("T1")
    room.check()


@pytest.mark.requirement("WA-22")
def test_a_link_with_an_unpaid_award_is_not_removed() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    room.confirm(room.press("T1", 1, "four_aces"))
    with pytest.raises(ProblemsError, match="an award is not settled"):
        removed(room)


@pytest.mark.requirement("GEN-16")
def test_the_money_of_a_removed_link_arrives_at_a_like_one_within_30_days() -> None:
    source, target = Room(four_card()).open(), Room(four_card(name="L2")).open()
    source.start("T1")
    source.end("T1")
    fact = removed(source)
    levels = {"jackpot": "jackpot"}
    with pytest.raises(ProblemsError, match="the 30 days are over"):
        life_cycle.receive(
            target.state, fact, source.state.link, asked(), levels=levels, at=fact.at + 30 * DAY + 1
        )
    with pytest.raises(ProblemsError, match="the money goes to L2"):
        life_cycle.receive(
            Room(four_card(name="L3")).open().state,
            fact,
            source.state.link,
            asked(),
            levels=levels,
            at=fact.at,
        )
    target.book(
        life_cycle.receive(
            target.state, fact, source.state.link, asked(), levels=levels, at=fact.at + 30 * DAY
        )
    )
    assert target.state.meter("jackpot") == 20_000 * DOLLAR + 7 * 24 * CENT
    assert target.state.reserve("jackpot") == 7 * 5 * CENT
    assert source.state.balances["clearing/L1/L2"] + target.state.balances["clearing/L1/L2"] == 0


def test_a_new_link_has_counted_nothing_and_is_not_being_removed() -> None:
    state = new_state(four_card())
    assert set(asdict(state.counters["jackpot"]).values()) == {0}
    assert (state.remove_at, state.removed_at, state.funds_at_count, state.counted_entry) == (0, 0, 0, 0)


@pytest.mark.requirement("GEN-16", "WA-09")
@pytest.mark.parametrize("room", [5_000, 0])
def test_what_a_cap_of_the_target_stops_goes_to_its_reserve(room: int) -> None:
    source = Room(four_card()).open()
    target = Room(link_of("four_card", "3", [level(cap=(10_000 + room) * DOLLAR)], name="L2")).open()
    fact = removed(source)
    received = life_cycle.receive(
        target.state, fact, source.state.link, asked(), levels={"jackpot": "jackpot"}, at=fact.at + SECOND
    )
    assert received.to_meter == {"jackpot": room * DOLLAR}
    assert received.to_reserve == {"jackpot": (10_000 - room) * DOLLAR}


@pytest.mark.requirement("GEN-16")
@pytest.mark.parametrize(
    ("target", "why"),
    [
        (four_card(wager=5 * DOLLAR), "its wager is"),
        (link_of("four_card", "1", [level()]), "it pays by four_card/jackpot/1"),
        (link_of("five_card", "01", [level()]), "its jackpot is five_card, not four_card"),
    ],
)
def test_an_unlike_link_may_not_take_the_money(target: Link, why: str) -> None:
    with pytest.raises(ProblemsError, match=why):
        life_cycle.verify_target(four_card(), target)
    life_cycle.verify_target(four_card(), four_card(name="L9"))
