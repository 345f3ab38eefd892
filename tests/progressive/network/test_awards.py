"""Awards of a network: the hub's order decides, and both ends come out with the same amount."""

from dataclasses import replace

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.progressive.network import hub_commands, site_commands
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.hub_replies import answer
from feltwork.progressive.network.terms import NetworkTerms
from tests.progressive.network.network import SAM, Network, network_link

SEED = 10_000 * DOLLAR


def two_claims(network: Network) -> tuple[str, str]:
    """A royal flush at A, then one at B, both granted."""
    network.start("A")
    network.start("B")
    first = network.press("A")
    network.exchange(1)
    second = network.press("B")
    network.exchange(1)
    return first, second


def test_an_award_from_the_button_to_the_books_of_both() -> None:
    network = Network(network_link())
    network.start("A")
    award = network.press("A")
    assert award == "A:T1:1:1:0"
    with pytest.raises(ProblemsError, match="wait for the amount"):
        network.sign("A", award)
    network.exchange(1)
    amount = SEED + 3 * 24 * CENT
    assert network.sites["A"].books.open[award].amount == amount
    assert network.books.state.meter("jackpot") == SEED + 3 * 5 * CENT, "seed and reserve"
    network.sign("A", award)
    network.exchange(1)
    assert network.sites["A"].books.open[award].stage == "confirmed"
    assert network.books.state.balances[f"payable/L1/{award}"] == amount
    network.pay("A", award)
    network.exchange(1)
    assert not network.sites["A"].books.open
    assert network.books.state.awards[award].status == "paid"
    owed = 3 * 29 * CENT - amount
    assert network.sites["A"].books.owes == network.books.members["A"].owes == owed
    assert network.books.state.balances["clearing/L1/sites"] == -owed
    for state in (network.books.state, network.sites["A"].books.state):
        assert sum(state.balances.values()) == 0
        assert not state.pending("jackpot")


def test_the_winners_own_round_is_in_the_award() -> None:
    network = Network(network_link())
    network.start("B")
    network.start("A")
    award = network.press("A")
    (claim,) = [message for message in network.outgoing("A") if isinstance(message, m.ClaimUp)]
    (grant,) = network.up(claim)
    assert isinstance(grant, m.GrantDown)
    assert grant.award == award
    assert grant.amount == SEED + 3 * 24 * CENT, "what B has not sent is not in it"


def test_the_same_request_gets_the_same_answer() -> None:
    network = Network(network_link())
    network.start("A")
    network.press("A")
    (claim,) = [message for message in network.outgoing("A") if isinstance(message, m.ClaimUp)]
    first = network.up(claim)
    assert network.books.state.awards[claim.award].least == 0, "no sign promised more than the meter held"
    entries = network.books.tail
    network.hub.restart(whole=True)
    assert network.up(claim) == first == answer(network.books, claim)
    assert network.books.tail == entries
    assert claim in network.outgoing("A"), "until the answer arrives"
    network.down(*first)
    assert not [message for message in network.outgoing("A") if isinstance(message, m.ClaimUp)]


def test_awards_are_confirmed_in_the_order_of_their_locks() -> None:
    network = Network(network_link())
    first, second = two_claims(network)
    network.sign("B", second)
    network.exchange(2)
    assert network.sites["B"].books.open[second].stage == "signed", "it waits for its turn"
    with pytest.raises(ProblemsError, match="on its way to the hub"):
        network.clear("B", second)
    network.sign("A", first)
    network.exchange(2)
    assert network.sites["A"].books.open[first].stage == "confirmed"
    assert network.sites["B"].books.open[second].stage == "confirmed"


def test_a_wrong_claim_does_not_shortchange_the_winner_at_another_site() -> None:
    network = Network(network_link())
    first, second = two_claims(network)
    assert network.sites["B"].books.open[second].amount == SEED + (3 * 5 + 3 * 24) * CENT
    network.sign("B", second)
    lower = network.sites["B"].books.open[second]
    network.clear("A", first)
    (void,) = [message for message in network.outgoing("A") if isinstance(message, m.VoidUp)]
    replies = network.up(void)
    assert [type(reply) for reply in replies] == [m.VoidedDown, m.GrantDown]
    late = m.ConfirmUp(
        link="L1",
        site="B",
        award=second,
        grant=lower.grant,
        amount=lower.amount,
        supervisor="sam",
        executive="eve",
    )
    (again,) = network.up(late)
    assert again == replies[1], "what was signed for the older lock counts for nothing"
    network.down(*replies)
    granted = network.sites["B"].books.open[second]
    assert (granted.stage, granted.amount) == ("granted", SEED + 6 * 24 * CENT)
    assert network.kinds("B")[-2:] == ["Withdrawn", "Granted"]
    network.down(replace(replies[1], entry=lower.grant, amount=lower.amount))  # type: ignore[arg-type]
    assert network.sites["B"].books.open[second] == granted, "a late grant is not taken"
    network.sign("B", second)
    network.exchange(2)
    assert network.books.state.awards[second].status == "confirmed"
    assert first not in network.sites["A"].books.open


def test_a_changed_grant_that_was_lost_is_asked_for_again() -> None:
    network = Network(network_link())
    first, second = two_claims(network)
    network.clear("A", first)
    for message in network.outgoing("A"):
        network.up(message)  # Nothing that the hub says arrives.
    network.exchange(2)
    assert network.sites["B"].books.open[second].amount == SEED + 6 * 24 * CENT


def test_a_claim_that_was_cleared_before_it_came_is_barred() -> None:
    network = Network(network_link())
    network.start("A")
    award = network.press("A")
    (late,) = [message for message in network.outgoing("A") if isinstance(message, m.ClaimUp)]
    network.clear("A", award)
    network.exchange(1)
    assert network.kinds().count("Barred") == 1
    assert not network.sites["A"].books.open
    (reply,) = network.up(late)
    assert isinstance(reply, m.VoidedDown)
    assert "Locked" not in network.kinds()


@pytest.mark.parametrize(("rule", "extra"), [("order", 0), ("shown", 72 * CENT)])
def test_several_sites_get_the_meter_in_order_or_no_less_than_was_shown(rule: str, extra: int) -> None:
    terms = NetworkTerms(hub="HUB", several_sites="shown" if rule == "shown" else "order")
    network = Network(network_link(terms=terms, reserve=0))
    network.start("A")
    network.exchange(2)
    network.start("B")
    first, second = network.press("A"), network.press("B")
    network.exchange(1)
    first_award, other = network.sites["A"].books.open[first], network.sites["B"].books.open[second]
    assert first_award.amount == SEED + 72 * CENT
    by_order = SEED + 72 * CENT  # The seed again, and B's own round.
    assert other.amount == by_order
    assert network.books.state.awards[second].least == (SEED + extra if rule == "shown" else 0)
    assert (network.kinds().count("LeastAmount") == 2) == (rule == "shown")


def test_the_sponsor_adds_what_the_sign_showed() -> None:
    terms = NetworkTerms(hub="HUB", several_sites="shown")
    network = Network(network_link(terms=terms, reserve=0))
    for _ in range(2):
        network.start("A", tuple(range(1, 8)), table="T1" if _ == 0 else "T2")
    network.exchange(2)
    network.start("B", (1,))
    first, second = network.press("A"), network.press("B")
    network.exchange(1)
    sign_amount = SEED + 14 * 24 * CENT
    award = network.books.state.awards[second]
    assert (award.amount, award.from_house) == (sign_amount, 13 * 24 * CENT)
    network.clear("A", first)
    network.exchange(2)
    award = network.books.state.awards[second]
    assert (award.amount, award.from_house) == (sign_amount + 24 * CENT, 0)


def test_an_executive_of_the_hub_signs_large_awards() -> None:
    network = Network(network_link(terms=NetworkTerms(hub="HUB", countersign_above=5_000 * DOLLAR)))
    network.start("A")
    award = network.press("A")
    network.exchange(1)
    network.sign("A", award)
    network.exchange(2)
    assert network.sites["A"].books.open[award].stage == "signed"
    network.hub.commit(
        [hub_commands.countersign(network.books, award=award, executive="max", at=network.later())]
    )
    network.exchange(2)
    assert network.sites["A"].books.open[award].stage == "confirmed"
    with pytest.raises(ProblemsError, match="nothing is locked"):
        hub_commands.countersign(network.books, award=award, executive="max", at=network.later())


def test_later_claims_of_a_round_follow_in_turn() -> None:
    network = Network(network_link(reserve=0))
    network.start("A")
    first = network.press("A", seat=3)
    network.exchange(1)
    second = network.press("A", seat=1)
    network.exchange(1)
    opened = network.sites["A"].books.open
    assert (opened[first].amount, opened[second].amount) == (SEED + 72 * CENT, SEED)
    assert network.kinds().count("Locked") == 2, "the first is not computed again"


def test_a_claim_waits_for_the_network_and_nothing_times_out() -> None:
    network = Network(network_link())
    network.start("A")
    award = network.press("A")
    network.silence("A", 3_600)
    assert network.sites["A"].books.open[award].stage == "claimed"
    network.sites["A"].restart(network.now, whole=True)
    network.exchange(3)
    assert network.sites["A"].books.open[award].stage == "granted"


def test_the_badges_are_those_of_one_room() -> None:
    network = Network(network_link())
    network.start("A")
    award = network.press("A")
    network.exchange(1)
    books = network.sites["A"].books
    amount = books.open[award].amount
    with pytest.raises(ProblemsError, match="ask an executive"):
        site_commands.sign_off(books, award=award, badges=(SAM,), amount=amount, at=network.later())
    with pytest.raises(ProblemsError, match="the amount has changed"):
        site_commands.sign_off(books, award=award, badges=(SAM,), amount=1, at=network.later())
    with pytest.raises(ProblemsError, match="it is not open"):
        site_commands.sign_off(books, award="A:9", badges=(SAM,), amount=1, at=network.later())
