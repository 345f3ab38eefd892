"""A site of a network link in its own books: rounds are passed on, awards wait for the hub, and all agree."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from psycopg import errors

from feltwork.books.audit.replay import audit
from feltwork.books.connection import Connection
from feltwork.books.journal.journal import entries_after
from feltwork.books.journal.link_state import read_meters
from feltwork.books.links import lifecycle, links
from feltwork.books.links.floors import register_floor
from feltwork.books.network import hub_members, site_store
from feltwork.books.network.hub_store import read_hub
from feltwork.books.network.site_store import lock_site, write_site
from feltwork.books.records.alarms import open_alarms
from feltwork.books.reports import Row, block, rows
from feltwork.books.rounds.table_rounds import Table
from feltwork.compliance.floor import link_from_floor
from feltwork.money import CENT, DOLLAR
from feltwork.operations.awards.awards import waiting
from feltwork.operations.links.change_feed import look
from feltwork.operations.links.signs import sign
from feltwork.operations.network.site_link import SiteLink, join_network, site_links
from feltwork.problem import ProblemsError
from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.facts import HOUR, Fact
from feltwork.progressive.network.facts import Granted, Joined, PassedOn, Rejoined
from feltwork.progressive.network.hub_replies import booked
from feltwork.progressive.network.site_books import LostContact, OpenAward
from feltwork.progressive.state import Award
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.wire.downlink import ClaimBooked
from tests.books.hub_room import new_link
from tests.books.room import report
from tests.books.site_room import SITE, Network, Site, three_books
from tests.compliance.floors import changed, floor_of
from tests.progressive.room import asked


@pytest.fixture(scope="module")
def books(server: EmbeddedPostgres) -> Iterator[dict[str, Connection]]:
    with three_books(server) as connections:
        yield connections


@pytest.fixture
def network(books: dict[str, Connection]) -> Network:
    """A network link that no other test has seen."""
    network = Network(books, new_link())
    network.exchange()
    return network


def replays(network: Network) -> None:
    for connection in (network.connection, *(site.connection for site in network.sites.values())):
        assert [str(problem) for problem in audit(connection).problems] == []


def meter(network: Network) -> int:
    return read_meters(network.connection, network.link.id).state.meter("jackpot")


def test_rounds_are_owed_to_the_hub_and_every_sign_shows_its_meter(network: Network) -> None:
    a, b = network.sites["A"], network.sites["B"]
    before = meter(network)
    a.play(1, 2, 3)
    b.play(1)
    assert a.books().owes == 3 * 29 * CENT
    assert read_meters(a.connection, network.link.id).state.meter("jackpot") == 0
    assert a.shows() == {"jackpot": before}, "what the hub has shown, without what is on its way"
    network.exchange()
    assert meter(network) == before + 4 * 24 * CENT
    assert a.shows() == b.shows() == {"jackpot": meter(network)}
    assert network.held() == (4 * 29 * CENT, 4 * 29 * CENT)
    replays(network)


def test_corrected_seats_and_misdeals_are_passed_back(network: Network) -> None:
    a = network.sites["A"]
    a.start(1, 2)
    a.table.correct(seat=3, wagered=True, by="dana")
    a.table.correct(seat=1, wagered=False, by="dana")
    assert a.books().owes == 2 * 29 * CENT
    a.table.misdeal(reason="a card short", by="dana")
    assert a.books().owes == 0
    network.exchange()
    assert network.held() == (0, 0)
    replays(network)


def test_reports_count_the_rounds_of_a_network_link(network: Network) -> None:
    a, link = network.sites["A"], network.link
    a.start(1, 2)
    a.table.correct(seat=3, wagered=True, by="dana")
    a.table.correct(seat=1, wagered=False, by="dana")
    a.table.end()
    a.play(1, 2, 3)
    a.start(1)
    a.table.misdeal(reason="a card short", by="dana")
    first = a.claim()
    network.exchange()
    a.confirm(first)
    network.exchange()
    a.pay(first)
    network.exchange()
    day = {"zone": "America/Los_Angeles", "hour": 6, "since": "-infinity", "until": "infinity"}
    (line,) = [row for row in rows(a.connection, block("drop_and_hold"), **day) if row["link"] == link.id]
    wagers = 6
    assert (line["rounds"], line["wagers"], line["drop"]) == (4, wagers, wagers * link.wager)
    assert (line["contributed"], line["paid"]) == (wagers * 29 * CENT, 0)
    assert line["hold"] == wagers * (link.wager - 29 * CENT)
    (master,) = of_link(a.connection, link.id, "daily_lines")
    assert (master["misdeals"], master["returned"], master["wagered"]) == (1, link.wager, 7 * link.wager)
    (period,) = of_link(a.connection, link.id, "periods")
    assert (period["version"], period["contributed"]) == (link.fingerprint, 7 * 29 * CENT)
    for connection in (a.connection, network.connection):
        (funds,) = of_link(connection, link.id, "reconciliation")
        assert (funds["unexplained"], funds["difference"]) == (0, 0)
    (sheet,) = [row for row in of_level(network, "meter_sheet") if row["what"] == "Summed"][:1]
    assert sheet["explanation"].endswith(("1 sum of sites", "sums of sites"))


def of_link(connection: Connection, link: str, name: str) -> list[Row]:
    return [row for row in report(connection, name) if row["link"] == link]


def of_level(network: Network, name: str) -> Sequence[Row]:
    return report(network.connection, name, link=network.link.id, level="jackpot")


def test_an_award_waits_for_the_hub_at_every_step(network: Network) -> None:
    a, b = network.sites["A"], network.sites["B"]
    first, second = a.claim(), b.claim()
    assert (first[:5], first[-4:]) == ("A:A1:", ":1:0")
    assert not a.award(first).locked
    with pytest.raises(ProblemsError, match="wait for the amount from the network"):
        a.confirm(first)
    network.exchange()
    amounts = [a.award(first).amount, b.award(second).amount]
    assert amounts == [10_000 * DOLLAR + 24 * CENT, 10_000 * DOLLAR + 29 * CENT]
    a.confirm(first)
    assert (a.award(first).status, a.award(first).supervisor) == ("claimed", "sam")
    with pytest.raises(ProblemsError, match="on its way to the hub"):
        a.table.void(award=first, reason="a wrong hand", by="sam")
    b.table.void(award=second, reason="a wrong hand", by="sam")
    network.exchange()
    assert a.award(first).status == "confirmed"
    a.pay(first)
    network.exchange()
    assert not a.books().open
    assert not b.books().open
    assert network.held()[0] == network.held()[1] == 2 * 29 * CENT - amounts[0]
    replays(network)


def test_without_the_hub_a_claim_waits_and_the_site_stops(network: Network) -> None:
    a, b = network.sites["A"], network.sites["B"]
    network.cut.add("A")
    name = a.claim()
    network.exchange()
    assert not a.award(name).locked
    a.connection.execute("UPDATE books.hub_snapshot SET allows_until = 1")
    beside = Table(a.connection, network.link.id, "A2")
    with pytest.raises(ProblemsError):
        beside.start(covered=[1], players=[1], by="dana")
    b.play(1, 2)
    network.exchange()
    network.cut.clear()
    network.exchange()
    assert a.award(name).amount == 10_000 * DOLLAR + 3 * 24 * CENT, "in the order of the hub's chain"
    beside.start(covered=[1], players=[1], by="dana")
    replays(network)


def test_books_that_were_restored_and_played_on_stop_the_site(network: Network) -> None:
    a = network.sites["A"]
    a.play(1, 2)
    network.exchange()
    books = a.books()
    hub = read_hub(network.connection, network.link.id)
    message = booked(hub, hub.members["A"])
    assert message.booked_entry <= books.tail.number
    a.half.receive(a.connection, message)
    assert a.books().state.stops == {}
    a.half.receive(a.connection, replace(message, booked_hash="f" * 64))
    assert list(a.books().state.stops) == ["rolled_back"]
    assert [alarm.kind for alarm in open_alarms(a.connection) if alarm.place == network.link.id] == [
        "books rolled back"
    ]
    lifecycle.reopen_site(a.connection, network.link.id, asked())
    network.exchange()
    assert a.books().state.stops == {}
    replays(network)


def test_a_stop_by_the_hub_is_an_alarm_until_the_hub_takes_it_back(network: Network) -> None:
    a = network.sites["A"]

    def alarms() -> list[str]:
        return [
            alarm.details["what"] for alarm in open_alarms(a.connection) if alarm.place == network.link.id
        ]

    hub = read_hub(network.connection, network.link.id)
    message = booked(hub, hub.members["A"])
    a.half.receive(a.connection, replace(message, stops=("owes",)))
    assert list(a.books().state.stops) == ["hub"]
    assert alarms() == ["the site owes the hub more than its limit"]
    a.half.receive(a.connection, message)
    assert a.books().state.stops == {}
    assert alarms() == []
    replays(network)


def test_a_new_process_goes_on_from_the_journal(network: Network) -> None:
    a = network.sites["A"]
    a.play(1, 2)
    name = a.claim()
    network.exchange()
    known = a.half._books
    fresh = a.books()
    assert known is not None
    assert (known.open, known.base, known.hub, known.tail) == (fresh.open, fresh.base, fresh.hub, fresh.tail)
    assert known.sum(known.hub) == fresh.sum(fresh.hub)
    assert fresh.open[name].stage == "granted"


def test_the_database_refuses_grants_without_a_claim_and_wagers_without_rounds(network: Network) -> None:
    a, link = network.sites["A"], network.link
    claimed = a.award(a.claim())
    grant = Granted(link=link.id, at=1, award="A:9", level="jackpot", amount=1, entry=9, hash="0" * 64)
    with pytest.raises(errors.ForeignKeyViolation, match="does not exist"):
        forge(a, grant, {"A:9": replace(claimed, id="A:9")})
    free = PassedOn(
        link=link.id,
        at=1,
        paytable=link.paytable.fingerprint,
        version=link.fingerprint,
        wager=link.wager,
        rounds={"A1": "9"},
        wagers={"A1": 1},
        digest="0" * 64,
        to_meter={"jackpot": 24 * CENT},
        to_reserve={"jackpot": 5 * CENT},
        to_house=link.wager - 29 * CENT,
    )
    with pytest.raises(errors.CheckViolation, match="without rounds"):
        forge(a, free, {})


def forge(site: Site, fact: Fact, awards: dict[str, Award]) -> None:
    """Book a fact that no rule has led to."""
    with site.connection.transaction():
        books, _ = lock_site(site.connection, site.link.id)
        opened = {name: OpenAward(id=name, seat=1, hand="", cards="", by="", version="") for name in awards}
        state = replace(books.state, awards={**books.state.awards, **awards})
        write_site(site.connection, replace(books, state=state, open={**books.open, **opened}), [fact])


def test_lost_contact_is_noted_and_ends_with_both_values(network: Network) -> None:
    a = network.sites["A"]
    network.cut.add("A")
    silent_for_hours(a)
    a.half.tick(a.connection)
    lost = a.books().lost
    assert lost is not None
    assert sign(a.connection, network.link.id).as_of == lost.since, "no sign calls an old amount new"
    with pytest.raises(ProblemsError):
        a.play(1)
    network.cut.clear()
    network.exchange()
    assert a.books().lost is None
    assert sign(a.connection, network.link.id).as_of > lost.since
    rejoined = [fact for fact in facts_of(a.connection, network.link.id) if isinstance(fact, Rejoined)]
    assert [(fact.since, fact.passed, fact.booked) for fact in rejoined] == [(lost.since, 0, 0)]
    a.play(1)
    replays(network)


def test_a_site_may_play_on_without_the_hub_within_its_limits(network: Network) -> None:
    a = network.sites["A"]
    a.half = SiteLink(network.link.id, replace(SITE, cut_off="store_and_forward", most_rounds=2))
    network.exchange()
    network.cut.add("A")
    since = silent_for_hours(a)
    for _ in range(2):
        a.half.tick(a.connection)
        a.play(1)
    a.half.tick(a.connection)
    assert a.books().lost == LostContact(since=since, rounds=2, wagers=2)
    with pytest.raises(ProblemsError):
        a.play(1)
    network.cut.clear()
    network.exchange()
    assert network.held() == (2 * 29 * CENT, 2 * 29 * CENT)
    replays(network)


def silent_for_hours(site: Site) -> int:
    """As if the hub had not been heard for two hours; since when."""
    assert site.half._memory is not None
    since = site.half._memory.heard_at - 2 * HOUR
    site.half._memory = replace(site.half._memory, started=since, heard_at=since)
    site.connection.execute("UPDATE books.hub_snapshot SET heard_at = %s", (since,))
    return since


def facts_of(connection: Connection, link: str) -> list[Fact]:
    return [from_plain(row["fact"]) for row in entries_after(connection, link, after=0, limit=1_000)]


def test_the_pit_sees_what_a_claim_waits_for(network: Network) -> None:
    a = network.sites["A"]
    name = a.claim()
    stages = [waits(a)]
    network.exchange()
    stages.append(waits(a))
    a.confirm(name)
    stages.append(waits(a))
    network.exchange()
    stages.append(waits(a))
    amount = 10_000 * DOLLAR + 24 * CENT
    assert stages == [("amount", 0), ("", amount), ("confirmation", amount), ("", amount)]


def waits(site: Site) -> tuple[str, int]:
    (claim,) = waiting(site.connection, link=site.link.id)
    assert not claim.pay_now, "the hub answers first"
    return claim.waits_for, claim.hit_amount


def test_tables_hear_of_a_grant_by_the_name_that_they_gave_the_claim(network: Network) -> None:
    a = network.sites["A"]
    name = a.claim()
    network.exchange()
    messages = [message for _, message in look(a.connection, {}, {}).news[network.link.id].messages]
    number = a.award(name).round
    assert [(type(message), message.award, getattr(message, "amount", 0)) for message in messages] == [
        (ClaimBooked, f"A1:{number}:1", 0),
        (ClaimBooked, f"A1:{number}:1", 10_000 * DOLLAR + 24 * CENT),
    ]


def test_two_people_join_by_the_agreement_of_the_floor_file(fresh: Connection) -> None:
    terms = """
lock_at = "claim"
hub = "network-one"
site = "north"
options = { several_winners = "seat_order", fixed_pays_from = "tray" }
"""
    text = changed(('"wa_cardroom"', '"generic"'), ('lock_at = "confirm"', terms))
    floor = floor_of(text)
    links.register_link(fresh, link_from_floor(floor, floor.links[0]), by="ann")
    site, agreement, limit = 'site = "north"', 'agreement = "A-7"', 'owes_at_most = "500.00"'
    for parts in ((), (agreement,), (limit,)):
        register_floor(fresh, text.replace(site, "\n".join([site, *parts])), asked())
        with pytest.raises(ProblemsError, match="no agreement with the network"):
            join_network(fresh, "four-aces", asked())
    register_floor(fresh, text.replace(site, "\n".join([site, agreement, limit])), asked())
    commit = join_network(fresh, "four-aces", asked())
    (joined,) = commit.facts
    assert isinstance(joined, Joined)
    assert (joined.site, joined.agreement, joined.limit) == ("north", "A-7", 500 * DOLLAR)
    assert site_links(fresh) == {"four-aces": "north"}
    state = read_meters(fresh, "four-aces").state
    assert (state.life, state.takes_wagers) == ("open", False), "until the hub is heard"


def test_a_site_that_leaves_hears_that_it_may_go(network: Network) -> None:
    site = network.sites["A"]
    site_store.ask_to_leave(site.connection, network.link.id, asked())
    network.exchange()
    hub_members.release(network.connection, network.link.id, asked(), site="A")
    network.exchange()
    assert not site.books().joined
