"""A hand that wins both jackpots of a table: the bookkeeper dies between the bookings of the two links."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.js import JetStreamContext

from feltwork.conformance.server_conformance import devices_of, play_device
from feltwork.simulation.floors import room_text
from feltwork.simulation.stage import PIN, badge_of, open_site
from feltwork.site.books.connection import connect
from feltwork.site.books.journal.link_state import lock_link
from feltwork.site.books.people.credentials import token_hash
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.wire.downlink import AwardConfirmed
from feltwork.site.wire.streams import FELT, consumer_name
from feltwork.site.wire.uplink import Claim, RoundEnded, RoundMessage, RoundStarted
from tests.bookkeeper.house import NOW, SIGN_ON, House, kill, say, sign_on_of, told, with_log
from tests.books.room import confirm, due
from tests.support.books import Books, new_books
from tests.table.conftest import link_named

#: A second jackpot at the hold'em table: one deal may give a royal flush on both.
ROYALS = """
[[link]]
id = "royals"
kind = "progressive"
jackpot = "holdem"
paytable = "THBP-08"
wager = "1.00"
tables = ["H1"]
manufacturer = "Light & Wonder"
controls = "nexus"
lock_at = "claim"
executive_above = "5000.00"
cut_off = "store_and_forward"

[[link.meter]]
level = "jackpot"
seed = "10000.00"
contribution = "15%"
reserve = "2%"
"""
_HEAD, _H1, _REST = room_text("storm").partition('id = "H1"')
TEXT = _HEAD + _H1 + _REST.replace("sensors = 1", "sensors = 2", 1) + ROYALS
FLOOR = read_floor(TEXT, where="floor")
TABLE = "H1"
HANDS = {"five-card": "royal_flush", "royals": "royal_after_5"}
CARDS = {"five-card": "Ah Kh Qh Jh Th", "royals": "Ah Kh / Qh Jh Th 2c 3d"}
LINKS = {name: link_named(FLOOR, name) for name in HANDS}
#: What each step of a round books on a link.
FACTS = {"start": "Contributed", "claim": "Claimed", "confirm": "Confirmed", "end": "PaidFromTray"}
_EACH_COMMIT = {("claim", "royals"), ("confirm", "five-card")}
BOOKED = """
SELECT count(*) FROM books.entry
 WHERE link = %s AND fact::jsonb ->> 'kind' = %s
   AND (fact::jsonb #>> %s = %s OR fact::jsonb ->> 'award' = %s)
"""
#: Each step, with either link behind; two of them with each commit.
KILLS = [
    pytest.param(step, late, marks=() if (step, late) in _EACH_COMMIT else pytest.mark.whole)
    for step in FACTS
    for late in HANDS
]
WAITING = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE wait_event_type = 'Lock' AND wait_event = 'advisory' AND datname = current_database()"
)
#: A session whose process died in the middle of a statement would still finish it.
END_SESSIONS = WAITING.replace("count(*)", "count(pg_terminate_backend(pid))")


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-house-"))
    house = House(folder, books=Books(server, new_books(server, "two_jackpots")))
    try:
        house.log.start()
        open_site(house.postgres.dsn(), TEXT)
        with connect(house.dsn) as connection:
            connection.execute(SIGN_ON, (token_hash(sign_on_of(TABLE)), "dana", "dealer", TABLE))
        house.keeper()
        yield house
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Hand:
    """One round of the table, in which seat 1 wins both jackpots."""

    house: House
    number: int

    @property
    def award(self) -> str:
        return f"{TABLE}:{self.number}:1"

    def booked(self, step: str, link: str) -> int:
        about = (["rounds", TABLE], str(self.number), self.award)
        return int(self.house.ask(BOOKED, link, FACTS[step], *about))

    def message(self, step: str, link: str) -> RoundMessage:
        about: dict[str, Any] = {"link": link, "at": NOW + self.number, "table": TABLE, "round": self.number}
        about["sign_on"] = sign_on_of(TABLE)
        if step == "start":
            version, wager = LINKS[link].fingerprint, LINKS[link].wager
            return RoundStarted(**about, step=0, wager=wager, seats=(1, 2), version=version)
        if step == "end":
            return RoundEnded(**about, step=2, fixed=0, envy=0)
        hands = {1: HANDS[link]}
        return Claim(
            **about,
            step=1,
            award=self.award,
            seat=1,
            hand=hands[1],
            players=(1, 2),
            hands=hands,
            cards=CARDS[link],
        )

    def confirm(self, link: str) -> None:
        with connect(self.house.dsn) as connection:
            amount = due(connection, link, self.award)
            confirm(connection, link, self.award, amount=amount)

    def settled(self, link: str) -> bool:
        """Whether every message of the link was booked and acknowledged."""

        async def unread(js: JetStreamContext) -> int:
            consumer = await js.consumer_info(FELT, consumer_name(link))
            return (consumer.num_pending or 0) + (consumer.num_ack_pending or 0)

        return bool(with_log(self.house, unread) == 0)


@pytest.mark.requirement("GEN-09", "GL-12", "LT-03", "WA-05")
@pytest.mark.timeout(200)
@pytest.mark.parametrize(("killed", "late"), KILLS)
def test_a_kill_between_two_links_books_both_awards_once(house: House, killed: str, late: str) -> None:
    """The test holds the lock of one link: the other is booked, this one waits, and the process dies."""
    hand = Hand(house, 1 + list(FACTS).index(killed) + len(FACTS) * list(HANDS).index(late))
    (first,) = HANDS.keys() - {late}
    with ThreadPoolExecutor() as threads:
        for step in FACTS:
            with ExitStack() as held:
                if step == killed:
                    connection = held.enter_context(connect(house.dsn))
                    held.enter_context(connection.transaction())
                    lock_link(connection, late)
                if step == "confirm":
                    confirmed = [threads.submit(hand.confirm, link) for link in HANDS]
                else:
                    say(house, [hand.message(step, link) for link in HANDS])
                if step == killed:
                    house.until(lambda step=step: hand.booked(step, first) and house.ask(WAITING))  # type: ignore[misc]
                    kill(house.keepers[-1])
                    if step != "confirm":
                        assert house.ask(END_SESSIONS) >= 1
                    assert (hand.booked(step, first), hand.booked(step, late)) == (1, 0)
            if step == killed:
                house.keeper()
                if step != "confirm":
                    say(house, [hand.message(step, first)])
            house.until(lambda step=step: all(hand.booked(step, link) for link in HANDS))  # type: ignore[misc]
            if step == "confirm":
                assert [future.result() for future in confirmed] == [None, None]
    house.until(lambda: all(map(hand.settled, HANDS)))
    assert {(step, link): hand.booked(step, link) for step in FACTS for link in HANDS} == dict.fromkeys(
        ((step, link) for step in FACTS for link in HANDS), 1
    )
    for link in HANDS:
        subject = f"told.{link}.{TABLE}.award.{hand.award}"
        house.until(lambda subject=subject: isinstance(told(house, subject), AwardConfirmed))  # type: ignore[misc]
    house.check()


@pytest.mark.requirement("GL-12", "WA-01")
@pytest.mark.parametrize("table", ["B3", "B4"])
def test_the_real_books_pass_the_conformance_suite(house: House, table: str) -> None:
    """B3 has two jackpots, and B4 a house jackpot."""

    async def play() -> dict[str, str]:
        client = await nats.connect(house.log.url)
        devices = devices_of(FLOOR, table, badge=badge_of("dana"), pin=PIN)
        checks = await play_device(client, *devices, seconds=30)
        await client.close()
        return {check.name: check.verdict for check in checks}

    verdicts = asyncio.run(play())
    assert verdicts.pop("rights") == "not seen", "without keys, everybody may say everything"
    assert (len(verdicts), set(verdicts.values())) == (8, {"pass"}), verdicts
    house.check()
