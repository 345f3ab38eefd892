"""Sums: late and doubled ones are harmless, and books that rolled back are found out."""

from dataclasses import replace
from typing import Any

import pytest

from feltwork.ledger.chain import Tail
from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.progressive.link import verify_link
from feltwork.progressive.network import hub, hub_commands, site_rounds
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.hub_replies import booked
from feltwork.progressive.network.sums import judge
from feltwork.progressive.network.terms import NetworkTerms, award_name
from tests.progressive.network.network import Network, network_link
from tests.progressive.room import asked, four_card

SEED = 10_000 * DOLLAR


def sum_of(network: Network, name: str) -> m.SiteSum:
    member = network.sites[name]
    return member.books.sum(member.books.hub)


def test_a_window_books_the_sums_of_all_sites_as_one_entry() -> None:
    network = Network(network_link())
    network.start("A", (1, 2, 3))
    network.start("B", (1, 2))
    before = network.books.tail.number
    for name in ("A", "B"):
        assert network.up(sum_of(network, name)) == ()
    assert network.books.tail.number == before
    network.tick()
    assert network.kinds()[before:] == ["Summed"]
    assert network.books.state.meter("jackpot") == SEED + 5 * 24 * CENT
    assert network.books.state.reserve("jackpot") == 5 * 5 * CENT
    assert network.books.state.balances["clearing/L1/sites"] == -5 * 29 * CENT
    assert network.sites["A"].books.owes == network.books.members["A"].owes == 3 * 29 * CENT
    assert network.books.state.counters["jackpot"].wagers == 5
    network.start("A", (1,), table="T2")
    network.up(sum_of(network, "A"))
    memory, timing = network.hub.memory, hub.HubTiming()
    assert not hub.tick(network.books, memory, timing, memory.booked_at + timing.window - 1).facts
    assert hub.tick(network.books, memory, timing, memory.booked_at + timing.window).facts


def test_doubled_and_late_sums_change_nothing() -> None:
    network = Network(network_link())
    network.start("A")
    older = sum_of(network, "A")
    network.sites["A"].tables["T1"] = replace(network.sites["A"].tables["T1"], phase="idle")
    network.start("A")
    newer = sum_of(network, "A")
    for message in (newer, older, newer):
        network.up(message)
    network.tick()
    after = network.books
    for message in (older, newer):
        network.up(message)
        network.tick()
    assert network.books.tail == after.tail
    assert network.books.members["A"].sum == newer
    assert (judge(newer, older), judge(older, newer), judge(newer, newer)) == ("known", "newer", "known")


@pytest.mark.parametrize("changed", ["hash", "accrued", "wagers"])
def test_books_that_rolled_back_stop_their_site(changed: str) -> None:
    network = Network(network_link())
    network.start("A")
    known = sum_of(network, "A")
    network.up(known)
    network.tick()
    if changed == "hash":
        other = replace(known, hash="f" * 64)
    elif changed == "wagers":
        other = replace(known, entry=known.entry + 1, wagers=known.wagers - 1)
    else:
        other = replace(known, entry=known.entry + 1, accrued={"jackpot": known.accrued["jackpot"] - 1})
    network.up(other)
    network.up(other)
    network.tick()
    assert network.kinds().count("SiteStopped") == 1
    assert list(network.books.members["A"].stops) == ["rolled_back"]
    assert network.books.members["A"].sum == known
    network.down(booked(network.books, network.books.members["A"]))
    network.show()
    assert not network.takes_wagers("A")
    assert network.takes_wagers("B")


@pytest.mark.parametrize("contradiction", [{"booked_entry": 99}, {"booked_hash": "a" * 64}])
def test_a_site_restored_from_an_old_backup_notices_it_first(contradiction: dict[str, Any]) -> None:
    network = Network(network_link())
    network.start("A")
    network.up(sum_of(network, "A"))
    network.tick()
    message = booked(network.books, network.books.members["A"])
    network.down(message)
    assert "rolled_back" not in network.sites["A"].books.state.stops
    message = replace(message, **contradiction)
    network.down(message, message)
    assert network.kinds("A").count("Halted") == 1
    assert "rolled_back" in network.sites["A"].books.state.stops


def test_a_hub_restored_from_an_old_backup_is_found_out_by_the_first_site() -> None:
    network = Network(network_link())
    end = network.books.tail
    network.up(replace(sum_of(network, "A"), seen=end.number, seen_hash=end.hash))
    assert not network.books.state.stops
    network.up(replace(sum_of(network, "A"), seen=end.number + 5, seen_hash="a" * 64))
    network.up(replace(sum_of(network, "B"), seen=end.number, seen_hash="b" * 64))
    assert list(network.books.state.stops) == ["rolled_back"]
    assert network.kinds().count("Stopped") == 1


def test_the_hub_applies_the_cap_and_gives_a_misdeal_back_from_where_it_went() -> None:
    network = Network(network_link(cap=SEED + 48 * CENT))
    network.start("A", (1, 2, 3))
    network.up(sum_of(network, "A"))
    network.tick()
    state = network.books.state
    assert (state.meter("jackpot"), state.reserve("jackpot")) == (SEED + 48 * CENT, (15 + 24) * CENT)
    started = network.sites["A"].tables["T1"].started
    assert started is not None
    books = network.sites["A"].books
    network.at_site("A", site_rounds.misdeal(books.state, started, at=network.later(), by="sam"))
    assert network.sites["A"].books.owes == 0
    network.up(sum_of(network, "A"))
    network.tick()
    state = network.books.state
    assert (state.meter("jackpot"), state.reserve("jackpot")) == (SEED, 0)
    assert state.counters["jackpot"].returned == 3 * 29 * CENT
    assert state.balances.get("clearing/L1/sites", 0) == network.books.members["A"].owes == 0
    with pytest.raises(ProblemsError, match="already reversed"):
        site_rounds.misdeal(network.sites["A"].books.state, started, at=network.later(), by="sam")


def test_the_sponsor_adds_what_the_pools_lack_for_a_misdeal() -> None:
    network = Network(network_link(seed=0, reserve=0))
    network.start("A", (1, 2, 3))
    network.start("B", (1,))
    network.exchange()
    award = network.press("B")
    network.exchange()
    assert network.sites["B"].books.open[award].amount == 4 * 24 * CENT
    started = network.sites["A"].tables["T1"].started
    assert started is not None
    network.at_site(
        "A", site_rounds.misdeal(network.sites["A"].books.state, started, at=network.later(), by="sam")
    )
    network.exchange()
    assert network.books.state.meter("jackpot") == 0
    assert network.books.state.balances["house_pays/L1"] == -3 * 24 * CENT


def test_a_seat_is_corrected_before_the_first_card() -> None:
    network = Network(network_link())
    network.start("A", (1, 2))
    started = network.sites["A"].tables["T1"].started
    assert started is not None
    for act, seat in ((site_rounds.add_seat, 4), (site_rounds.return_seat, 1)):
        state = network.sites["A"].books.state
        network.at_site("A", act(state, started, seat=seat, at=network.later(), by="dana"))
    total = sum_of(network, "A")
    assert (total.wagers, total.passed) == (3, 2 * 29 * CENT)
    assert not network.sites["A"].books.state.misdealt, "the other seats play on"
    network.exchange(1)
    assert network.books.members["A"].owes == 2 * 29 * CENT


def test_a_reading_on_demand_is_a_sum() -> None:
    network = Network(network_link())
    assert [type(message) for message in network.outgoing("A")] == [m.SiteSum]
    end = network.books.tail
    network.down(m.ReadDown(link="L1", site="A", entry=end.number, hash=end.hash))
    assert [type(message) for message in network.outgoing("A")] == [m.SiteSum]


def test_a_network_link_has_terms_and_a_card_room_has_none() -> None:
    plain = four_card()
    assert plain.network is None
    linked = network_link()
    verify_link(linked)
    assert linked.fingerprint != replace(linked, network=None).fingerprint
    other = replace(linked, network=NetworkTerms(hub="HUB", several_sites="shown"))
    assert other.fingerprint != linked.fingerprint
    wrong = replace(linked, lock_at="confirm", options={**linked.options, "several_winners": "split"})
    with pytest.raises(ProblemsError) as error:
        verify_link(wrong)
    places = [problem.where for problem in error.value.problems]
    assert places == ["link L1, lock_at", "link L1, several_winners"]


def test_an_award_has_a_name_that_fits_the_books() -> None:
    assert award_name("A", "T1", 7, 3, 0) == "A:T1:7:3:0"
    with pytest.raises(ValueError, match="more than 64"):
        award_name("A" * 16, "T" * 60, 7, 3, 0)


def test_a_site_whose_books_rolled_back_is_heard_again_when_it_has_every_round() -> None:
    network = Network(network_link())
    network.start("A")
    known = sum_of(network, "A")
    network.up(known)
    network.tick()
    with pytest.raises(ProblemsError, match="did not roll back"):
        hub_commands.readmit_site(network.books, asked(), site="A", end=Tail(known.entry, known.hash), at=1)
    network.up(replace(known, hash="f" * 64))
    for end in (Tail(known.entry - 1, "a" * 64), Tail(known.entry, "f" * 64)):
        with pytest.raises(ProblemsError, match="its books end at entry"):
            hub_commands.readmit_site(network.books, asked(), site="A", end=end, at=1)
    lower = replace(known, entry=known.entry + 1, hash="b" * 64, wagers=known.wagers - 1)
    whole = replace(known, entry=known.entry + 2, hash="c" * 64, wagers=known.wagers + 1)
    whole = replace(whole, accrued={"jackpot": known.accrued["jackpot"] + 24 * CENT})
    before = network.books.state.meter("jackpot")
    for new, stops, grown in ((lower, ["rolled_back"], 0), (whole, [], 24 * CENT)):
        end = Tail(new.entry, new.hash)
        network.hub.commit(
            [hub_commands.readmit_site(network.books, asked(), site="A", end=end, at=network.now)]
        )
        assert not network.books.members["A"].stops
        network.up(new)
        network.tick()
        assert list(network.books.members["A"].stops) == stops
        assert network.books.state.meter("jackpot") - before == grown, "nothing is lost or booked twice"


def test_a_hub_whose_books_rolled_back_opens_when_they_are_restored() -> None:
    network = Network(network_link())
    end = network.books.tail
    tail = Tail(end.number + 2, "a" * 64)
    network.up(replace(sum_of(network, "A"), seen=tail.number, seen_hash=tail.hash))
    assert network.books.state.stops.keys() == {"rolled_back"}
    history = network.hub.journal
    for lost in (tail, Tail(end.number, "b" * 64)):
        with pytest.raises(ProblemsError, match="do not have entry"):
            hub_commands.reopen_hub(network.books, asked(), seen_tail=lost, history=history, at=1)
    network.hub.commit(
        [hub_commands.reopen_hub(network.books, asked(), seen_tail=end, history=history, at=network.now)]
    )
    assert network.books.state.takes_wagers
    with pytest.raises(ProblemsError, match="did not roll back"):
        hub_commands.reopen_hub(network.books, asked(), seen_tail=end, history=history, at=1)
    network.up(replace(sum_of(network, "A"), seen=network.books.tail.number + 9, seen_hash="a" * 64))
    assert not network.books.state.takes_wagers, "a site that has seen more stops it again"
