"""Members, settlements and versions of a network."""

from dataclasses import replace

import pytest

from feltwork.ledger.chain import Tail
from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.progressive.facts import DAY
from feltwork.progressive.network import hub, hub_commands, site_commands, versions
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.facts import ChangeProposed
from feltwork.progressive.network.statement import in_transit, statement_of_hub, statement_of_site
from tests.progressive.network.network import Network, network_link
from tests.progressive.room import asked

V1 = network_link()
V2 = replace(V1, levels=tuple(replace(level, contribution=2_000) for level in V1.levels))


def changing(names: tuple[str, ...] = ("A", "B")) -> Network:
    return Network(V1, names, versions=(V2,))


def versions_of(network: Network) -> set[str]:
    sites = {member.books.state.link.fingerprint for member in network.sites.values()}
    return {network.books.state.link.fingerprint, *sites}


def propose(network: Network) -> None:
    network.hub.commit(versions.propose(network.books, V2, asked(), at=network.later()))


def test_a_version_takes_effect_when_every_site_is_ready() -> None:
    network = changing()
    network.start("B")
    propose(network)
    network.show()
    assert not network.takes_wagers("A")
    network.exchange(3)
    assert versions.not_ready(network.books) == ("B",), "a round is open there"
    assert versions_of(network) == {V1.fingerprint}
    network.sites["B"].tables["T1"] = replace(network.sites["B"].tables["T1"], phase="idle")
    network.exchange(3)
    assert versions_of(network) == {V2.fingerprint}
    assert versions.not_ready(network.books) == ()
    assert network.takes_wagers("A")
    assert network.takes_wagers("B")
    assert network.kinds("A")[-2:] == ["VersionAdopted", "Continued"]


def test_two_people_may_proceed_without_a_site() -> None:
    network = changing()
    network.start("B")
    propose(network)
    network.exchange(2)
    with pytest.raises(ProblemsError, match="not exactly those that are not ready"):
        versions.proceed_without(network.books, ["A"], asked(), at=network.later())
    network.hub.commit(versions.proceed_without(network.books, ["B"], asked(), at=network.later()))
    network.exchange(1)
    assert network.takes_wagers("A")
    assert not network.takes_wagers("B")
    award = network.press("B")
    network.exchange(1)
    assert "another version" in network.sites["B"].memory.refused[award]
    network.clear("B", award)
    network.sites["B"].tables["T1"] = replace(network.sites["B"].tables["T1"], phase="idle")
    network.exchange(2)
    assert network.takes_wagers("B")
    assert versions_of(network) == {V2.fingerprint}


def test_a_proposal_is_dropped_and_what_was_said_to_it_counts_for_nothing() -> None:
    network = changing()
    propose(network)
    network.show()
    (late,) = [message for message in network.outgoing("A") if isinstance(message, m.ReadyUp)]
    network.hub.commit(versions.drop(network.books, asked(), at=network.later()))
    network.show()
    assert network.takes_wagers("A")
    with pytest.raises(ProblemsError, match="no version is proposed"):
        versions.drop(network.books, asked(), at=network.later())
    propose(network)
    with pytest.raises(ProblemsError, match="proposed already"):
        propose(network)
    network.up(late)
    assert versions.not_ready(network.books) == ("A", "B")
    network.exchange(3)
    assert versions_of(network) == {V2.fingerprint}


def test_a_version_for_a_link_that_is_suspended_already_does_not_stop_it_again() -> None:
    network = changing()
    state = replace(network.books.state, stops={"suspended": network.now})
    (fact,) = versions.propose(replace(network.books, state=state), V2, asked(), at=network.later())
    assert isinstance(fact, ChangeProposed)


def test_an_open_award_keeps_the_version() -> None:
    network = changing()
    network.start("A")
    award = network.press("A")
    propose(network)
    network.exchange(2)
    with pytest.raises(ProblemsError, match="an award is open"):
        versions.proceed_without(network.books, ["A"], asked(), at=network.later())
    network.clear("A", award)
    network.sites["A"].tables["T1"] = replace(network.sites["A"].tables["T1"], phase="idle")
    network.exchange(3)
    assert versions_of(network) == {V2.fingerprint}


def test_a_site_joins_with_the_same_version_only() -> None:
    network = changing(("A",))
    join = replace(
        site_commands.join(
            replace(network.sites["A"].books, joined=False, site="C"),
            asked(),
            agreement="A-2",
            limit=DOLLAR,
            hub=network.books.tail,
            at=network.later(),
        )
    )

    def admit(**changes: object) -> object:
        about: dict[str, object] = {
            "application": join,
            "link": V1,
            "tail": Tail(),
            "at": network.later(),
            **changes,
        }
        return hub_commands.admit(network.books, asked(), **about)  # type: ignore[arg-type]

    assert admit()
    for changes, what in (
        ({"link": V2}, "another version"),
        ({"link": replace(V1, wager=2 * DOLLAR)}, "its wager is"),
        ({"application": replace(join, site="A")}, "it is already a member"),
        ({"application": replace(join, site="A:B")}, "1 to 16 letters"),
        ({"application": replace(join, agreement="")}, "it has no agreement"),
    ):
        with pytest.raises(ProblemsError, match=what):
            admit(**changes)
    with pytest.raises(ProblemsError, match="it has joined"):
        site_commands.join(
            network.sites["A"].books, asked(), agreement="A", limit=1, hub=Tail(), at=network.later()
        )


def settle(network: Network, name: str, amount: int) -> m.SettleUp:
    books = network.sites[name].books
    network.at_site(name, site_commands.settle(books, asked(), amount=amount, at=network.later()))
    (settlement,) = [message for message in network.outgoing(name) if isinstance(message, m.SettleUp)]
    network.up(settlement)
    fact = hub_commands.receive_settlement(network.books, settlement, asked(), at=network.later())
    network.hub.commit([fact])
    return settlement


def test_a_settlement_has_one_number_and_opposite_signs() -> None:
    network = Network(V1)
    network.start("A")
    network.exchange(1)
    settlement = settle(network, "A", 3 * 29 * CENT)
    with pytest.raises(ProblemsError, match="on its way"):
        site_commands.settle(network.sites["A"].books, asked(), amount=1, at=network.later())
    with pytest.raises(ProblemsError, match="booked once"):
        hub_commands.receive_settlement(network.books, settlement, asked(), at=network.later())
    network.exchange(2)
    assert network.sites["A"].books.settling is None
    trust = network.books.state.balances["trust/L1"]
    assert -trust == network.sites["A"].books.state.balances["trust/L1"] == 3 * 29 * CENT
    assert network.sites["A"].books.owes == network.books.members["A"].owes == 0
    settle(network, "A", -DOLLAR)
    assert network.sites["A"].books.owes == network.books.members["A"].owes == DOLLAR
    held = sum(network.books.state.balances.get(f"{pool}/L1/jackpot", 0) for pool in ("meter", "reserve"))
    owed = network.books.members["A"].owes
    seed = network.books.state.unrecovered_seed("jackpot")
    assert held == owed + seed - network.books.state.balances["trust/L1"]


def test_both_sides_write_the_same_statement_but_for_what_is_on_its_way() -> None:
    network = Network(V1)
    hub, own = network.books, network.sites["A"].books
    network.start("A")
    now = network.sites["A"].books
    ahead = in_transit(statement_of_site(own, now), statement_of_hub(hub, network.books, "A"))
    assert ahead == {"passed": 3 * 29 * CENT}
    network.exchange(1)
    settle(network, "A", 50 * CENT)
    network.start("A", table="T2")
    network.exchange(2)
    site_statement = statement_of_site(own, network.sites["A"].books)
    hub_statement = statement_of_hub(hub, network.books, "A")
    assert in_transit(site_statement, hub_statement) == {}
    assert (site_statement.opening, site_statement.passed, site_statement.awards, site_statement.settled) == (
        0,
        6 * 29 * CENT,
        0,
        50 * CENT,
    )
    assert site_statement.closing == hub_statement.closing == network.books.members["A"].owes == 124 * CENT
    assert (site_statement.last, hub_statement.last) == (network.sites["A"].books.tail, network.books.tail)


def test_a_site_that_owes_too_much_or_for_too_long_is_stopped_until_it_settles() -> None:
    network = Network(V1, limit=50 * CENT)
    network.start("A", (1, 2))
    network.exchange(3)
    assert list(network.books.members["A"].stops) == ["owes"]
    assert not network.takes_wagers("A")
    settle(network, "A", 20 * CENT)
    network.exchange(3)
    assert not network.books.members["A"].stops
    assert network.takes_wagers("A")
    network.now += 7 * DAY
    network.exchange(2)
    assert list(network.books.members["A"].stops) == ["overdue"]


def test_an_award_below_the_debt_does_not_restart_its_time() -> None:
    network = Network(network_link(seed=0))
    network.start("A")
    network.exchange(1)
    since = network.books.members["A"].owes_since
    award = network.press("A")
    network.exchange(1)
    network.sign("A", award)
    network.exchange(1)
    network.pay("A", award)
    network.exchange(1)
    assert (network.books.members["A"].owes, network.books.members["A"].owes_since) == (15 * CENT, since)


def test_the_hub_hears_members_only_and_only_about_its_link() -> None:
    network = Network(V1)
    network.start("A")
    network.press("A")
    (claim,) = (message for message in network.outgoing("A") if isinstance(message, m.ClaimUp))
    for other in (replace(claim, link="L9"), replace(claim, site="Z")):
        step = hub.receive(network.books, network.hub.memory, other, network.hub.journal, network.later())
        assert (step.facts, step.rows) == ((), ())
    assert hub.receive(network.books, network.hub.memory, claim, network.hub.journal, network.later()).facts


def test_a_site_leaves_with_nothing_open_and_nothing_owed_and_may_come_back() -> None:
    network = Network(V1)
    network.start("A")
    award = network.press("A")
    network.exchange(2)
    member = network.sites["A"]
    network.at_site(
        "A", site_commands.ask_to_leave(member.books, asked(), hub=network.books.tail, at=network.later())
    )

    def release() -> None:
        last = member.books.sum(member.books.hub)
        fact = hub_commands.release(network.books, asked(), site="A", last=last, at=network.later())
        network.hub.commit([fact])

    assert not network.takes_wagers("A")
    with pytest.raises(ProblemsError, match="an award is open"):
        release()
    network.clear("A", award)
    network.exchange(2)
    with pytest.raises(ProblemsError, match=r"it owes \$0\.87"):
        release()
    settle(network, "A", 3 * 29 * CENT)
    network.exchange(2)
    release()
    network.exchange(2)
    assert not member.books.joined
    assert network.kinds("A")[-1] == "Left"
    assert network.books.state.meter("jackpot") == 10_000 * DOLLAR + 72 * CENT, "its contributions stay"
    with pytest.raises(ProblemsError, match="it is not a member"):
        release()
    join = site_commands.join(
        member.books, asked(), agreement="A-3", limit=DOLLAR, hub=network.books.tail, at=network.later()
    )
    about = {"application": join, "link": V1, "tail": member.books.tail}
    network.hub.commit([hub_commands.admit(network.books, asked(), at=network.now, **about)])  # type: ignore[arg-type]
    network.at_site("A", join)
    network.exchange(2)
    assert network.takes_wagers("A")
    assert network.books.members["A"].owes == 0


def test_another_limit_stops_a_site_or_lets_it_go_on() -> None:
    network = Network(V1)
    network.start("A")
    network.exchange(1)
    owes = network.books.members["A"].owes
    for limit, stops in ((owes - 1, ["owes"]), (owes, [])):
        fact = hub_commands.change_limit(network.books, asked(), site="A", limit=limit, at=network.now)
        network.hub.commit([fact])
        network.exchange(2)
        assert list(network.books.members["A"].stops) == stops
        with pytest.raises(ProblemsError, match="that limit already"):
            hub_commands.change_limit(network.books, asked(), site="A", limit=limit, at=network.now)
    with pytest.raises(ProblemsError, match="not a member"):
        hub_commands.change_limit(network.books, asked(), site="Z", limit=1, at=network.now)
