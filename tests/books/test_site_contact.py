"""A hub misses its sites: an alarm after ten seconds of silence, until the site is heard or has left."""

import pytest

from feltwork.books.connection import Connection
from feltwork.books.records.alarms import raise_alarm
from feltwork.operations.network import site_contact
from feltwork.operations.network.hub import HubLink
from feltwork.operations.network.site_contact import NO_CONTACT, SiteContact, silent_sites
from feltwork.progressive.network.hub import HubTiming
from tests.books.hub_room import begin, new_link, the_sum

SECOND = 1_000_000


@pytest.mark.requirement("GEN-18")
def test_a_silent_site_has_an_alarm_until_it_is_heard_or_leaves(writer: Connection) -> None:
    link = new_link().id
    raise_alarm(writer, NO_CONTACT, f"{link}-other/A", {"seconds": 10}, by="hub")
    contact = SiteContact(link)
    contact.look(writer, {"A", "B", "C"}, at=1)
    contact.hear(["A", "B"], at=9 * SECOND)
    contact.look(writer, {"A", "B", "C"}, at=10 * SECOND)
    assert silent_sites(writer, link) == set()
    contact.look(writer, {"A", "B", "C"}, at=10 * SECOND + 2)
    assert silent_sites(writer, link) == {"C"}, "not heard since the process began"
    contact.hear(["C"], at=18 * SECOND)
    contact.look(writer, {"A", "B", "C"}, at=20 * SECOND)
    assert silent_sites(writer, link) == {"A", "B"}

    after_restart = SiteContact(link)
    after_restart.look(writer, {"A", "B", "C"}, at=21 * SECOND)
    assert silent_sites(writer, link) == {"A", "B"}, "nobody has heard them"
    after_restart.hear(["A"], at=22 * SECOND)
    after_restart.look(writer, {"A", "C"}, at=23 * SECOND)
    assert silent_sites(writer, link) == set()
    assert silent_sites(writer, f"{link}-other") == {"A"}


def test_the_hub_hears_a_sum_that_says_nothing_new(
    writer: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = new_link()
    begin(writer, link, ["A"])
    hub = HubLink(link.id, HubTiming(window=0, report=0))
    monkeypatch.setattr(site_contact, "_SILENCE", 0)
    for _ in range(2):
        hub.tick(writer)
    assert silent_sites(writer, link.id) == {"A"}
    for _ in range(2):
        hub.hear(the_sum(link, "A", 10, 10))
        hub.tick(writer)
        assert silent_sites(writer, link.id) == set()
    hub.tick(writer)
    assert silent_sites(writer, link.id) == {"A"}
