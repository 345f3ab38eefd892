"""Loss of contact: a site stops or stores, never takes from the meter, and comes back with a row."""

import json
from typing import Any

import pytest

from feltwork.money import CENT
from feltwork.progressive.network import messages as m
from feltwork.progressive.network import site
from feltwork.progressive.network.hub_replies import snapshot
from tests.progressive.network.network import SECOND, Network, network_link


def test_a_site_stops_after_ten_seconds_of_silence() -> None:
    network = Network(network_link())
    assert network.takes_wagers("A")
    network.silence("A", 10)
    assert network.takes_wagers("A")
    network.silence("A", 1)
    assert not network.takes_wagers("A")
    assert network.kinds("A").count("ContactLost") == 1
    network.silence("A", 60)
    assert network.kinds("A").count("ContactLost") == 1


def test_a_late_snapshot_is_not_contact() -> None:
    network = Network(network_link())
    old = snapshot(network.books, network.now)
    network.exchange(1)
    network.silence("A", 11)
    network.down(old)
    assert network.sites["A"].memory.reconnected == 0
    network.sites["A"].restart(network.now, whole=True)
    network.show()
    assert network.sites["A"].memory.reconnected


def test_it_plays_again_once_its_sum_is_booked_and_shown() -> None:
    network = Network(network_link())
    network.start("A")
    network.silence("A", 11)
    network.show()
    assert not network.takes_wagers("A"), "the hub has not booked its sum"
    (own,) = network.outgoing("A")
    network.up(own)
    messages = network.tick()
    network.down(*(message for message in messages if isinstance(message, m.BookedDown)))
    assert not network.takes_wagers("A"), "its signs show older meters"
    network.show()
    assert network.takes_wagers("A")
    row = json.loads(network.sites["A"].journal.entries[-1].entry.fact)
    assert (row["kind"], row["passed"], row["booked"]) == ("Rejoined", 3 * 29 * CENT, 3 * 29 * CENT)


def test_a_restart_waits_for_a_snapshot() -> None:
    network = Network(network_link())
    network.sites["A"].restart(network.now, whole=True)
    assert not network.takes_wagers("A")
    network.show()
    assert network.takes_wagers("A")


@pytest.mark.parametrize("limits", [{"most_rounds": 1}, {"most_wagers": 3}, {"most_time": 60 * SECOND}])
def test_store_and_forward_has_limits(limits: dict[str, Any]) -> None:
    network = Network(network_link(), cut_off="store_and_forward", **limits)
    network.silence("A", 11)
    assert network.takes_wagers("A")
    network.start("A")
    network.silence("A", 61)
    assert not network.takes_wagers("A")
    assert network.sites["A"].books.lost is not None
    assert (network.sites["A"].books.lost.rounds, network.sites["A"].books.lost.wagers) == (1, 3)
    network.exchange(2)
    assert network.takes_wagers("A")
    assert network.books.members["A"].owes == 3 * 29 * CENT, "contributions settle by themselves"


def test_a_sum_is_sent_when_it_changes_and_regularly() -> None:
    network = Network(network_link())
    member = network.sites["A"]

    def sends(after: int) -> int:
        network.now += after
        member.memory, sent = site.outgoing(
            member.books, member.memory, member.timing, network.now, idle=member.idle
        )
        return len(sent)

    assert sends(5 * SECOND) == 1
    assert sends(SECOND) == 0
    network.start("A")
    assert sends(0) == 1
    network.start("A", table="T2")
    network.now -= SECOND
    assert sends(SECOND // 10) == 0
    assert sends(SECOND) == 1
    assert sends(3 * SECOND) == 0
    assert sends(SECOND) == 1
