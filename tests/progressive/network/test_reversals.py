"""Reversals of network awards: a site's two people decide, and the shared meter gets the amount back."""

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.progressive.network import messages as m
from feltwork.progressive.network import site_commands
from feltwork.progressive.network.statement import in_transit, statement_of_hub, statement_of_site
from tests.progressive.network.network import Network, network_link
from tests.progressive.room import asked

SEED = 10_000 * DOLLAR
AMOUNT = SEED + 3 * 24 * CENT


def confirmed(network: Network, *, paid: bool) -> str:
    """An award of A that the hub has confirmed and, if it is paid, booked as paid."""
    network.start("A")
    award = network.press("A")
    network.exchange(1)
    network.sign("A", award)
    network.exchange(1)
    if paid:
        network.pay("A", award)
        network.exchange(1)
    return award


def reverse(network: Network, award: str, by: str = "ann") -> None:
    books = network.sites["A"].books
    facts = site_commands.reverse(
        books, asked(by=by), award=award, adjustment="REV-1", evidence="camera 12", at=network.later()
    )
    network.at_site("A", *facts)


@pytest.mark.requirement("LT-04")
@pytest.mark.parametrize("paid", [False, True])
def test_a_reversed_award_is_back_on_the_meter_and_the_site_owes_it(*, paid: bool) -> None:
    network = Network(network_link())
    before, hub = network.sites["A"].books, network.books
    award = confirmed(network, paid=paid)
    network.start("B")
    network.exchange(1)
    reverse(network, award)
    site = network.sites["A"].books
    assert network.kinds("A")[-2:] == ["Reversed", "ReversalPassedOn"]
    assert site.owes == 3 * 29 * CENT, "as if nothing had been won"
    assert site.open[award].stage == "reversed"
    late = in_transit(statement_of_site(before, site), statement_of_hub(hub, network.books, "A"))
    assert late == ({"awards": -AMOUNT} if paid else {}), "the hub does not know it yet"
    network.exchange(1)
    state = network.books.state
    assert state.awards[award].status == "reversed"
    assert state.meter("jackpot") == SEED + 6 * 24 * CENT
    assert state.reserve("jackpot") == 6 * 5 * CENT, "the restart went back too"
    assert not network.sites["A"].books.open
    assert network.sites["A"].books.owes == network.books.members["A"].owes == 3 * 29 * CENT
    statements = (
        statement_of_site(before, network.sites["A"].books),
        statement_of_hub(hub, network.books, "A"),
    )
    assert in_transit(*statements) == {}
    assert statements[0].awards == 0
    for balances in (state.balances, network.sites["A"].books.state.balances):
        assert sum(balances.values()) == 0
        assert not [account for account in balances if account.startswith(("payable", "pending"))]


def test_a_reversal_that_arrives_twice_is_booked_once_and_old_requests_are_answered_with_it() -> None:
    network = Network(network_link())
    network.start("A")
    award = network.press("A")
    (claim,) = [message for message in network.outgoing("A") if isinstance(message, m.ClaimUp)]
    network.down(*network.up(claim))
    network.sign("A", award)
    network.exchange(1)
    reverse(network, award)
    (message,) = [message for message in network.outgoing("A") if isinstance(message, m.ReverseUp)]
    first = network.up(message)
    booked = network.books.tail
    assert network.up(message)[0] == network.up(claim)[0] == first[0]
    assert network.books.tail == booked
    assert isinstance(first[0], m.ReversedDown)
    network.down(*first, *first)
    assert network.kinds("A").count("Acknowledged") == 1
    with pytest.raises(ProblemsError, match="reversed only once"):
        reverse(network, award)


def test_what_was_locked_after_a_reversed_award_stays_as_it_is() -> None:
    network = Network(network_link())
    award = confirmed(network, paid=True)
    network.start("B")
    later = network.press("B")
    network.exchange(1)
    had = network.sites["B"].books.open[later].amount
    reverse(network, award)
    network.exchange(2)
    assert network.sites["B"].books.open[later].amount == had
    network.sign("B", later)
    network.exchange(1)
    assert network.books.state.awards[later].status == "confirmed"


def test_who_confirmed_an_award_or_leaves_the_network_reverses_nothing() -> None:
    network = Network(network_link())
    award = confirmed(network, paid=False)
    with pytest.raises(ProblemsError, match="may not adjust it"):
        reverse(network, award, by="sam")
    network.pay("A", award)
    with pytest.raises(ProblemsError, match="has not booked its payment"):
        reverse(network, award)
    network.exchange(1)
    halted = site_commands.ask_to_leave(
        network.sites["A"].books, asked(), hub=network.books.tail, at=network.later()
    )
    network.at_site("A", halted)
    with pytest.raises(ProblemsError, match="or is leaving it"):
        reverse(network, award)
