"""A line that is cut and healed: a table with a server of its own, and one without."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from nats.js import JetStreamContext

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.servers.nats import EmbeddedNats, LeafUplink, NatsPlan
from feltwork.site.table.offline_policy import TablePolicy
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.wire.streams import AT_A_TABLE, FELT, ensure_streams
from feltwork.site.wire.subjects import decode_from
from feltwork.site.wire.uplink import Claim, RoundMessage, RoundStarted
from tests.table.conftest import STOP, link_named, playing, room, until
from tests.table.test_controller import NEXUS, ROYAL, SMALL

KEEPS = TablePolicy(store_and_forward=True, rounds=5, wagers=100 * DOLLAR, hours=24, patience=STOP.patience)


@pytest.fixture
def site_and_box(tmp_path: Path) -> Iterator[tuple[EmbeddedNats, EmbeddedNats]]:
    site = EmbeddedNats(tmp_path / "site", NatsPlan(name="site", domain="site", leaves=True)).start()
    above = LeafUplink(url=f"nats://127.0.0.1:{site.leaf_port}")
    box = EmbeddedNats(tmp_path / "box", NatsPlan(name="box", domain="box", leaf_of=above)).start()
    yield site, box
    box.remove()
    site.remove()


async def stored(near: JetStreamContext) -> list[tuple[int, int]]:
    """The rounds and steps of the messages in a log, in their order."""
    state = (await near.stream_info(FELT)).state
    kept = [await near.get_msg(FELT, place) for place in range(state.first_seq, state.last_seq + 1)]
    messages = [decode_from(message.subject or "", message.data or b"") for message in kept]
    return [(message.round, message.step) for message in messages if isinstance(message, RoundMessage)]


@pytest.mark.requirement("GEN-07")
def test_an_idle_table_introduces_itself_again_after_a_cut(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            table = await room_.table()
            hellos = len(room_.site.hellos)
            server.kill()
            server.start()
            await until(lambda: len(room_.site.hellos) > hellos)
            await asyncio.sleep(1)
            assert len(room_.site.hellos) == hellos + 1, "once is enough"
            assert not table.is_cut_off

    asyncio.run(play())


@pytest.mark.requirement("GEN-07", "GEN-18", "GL-12")
@pytest.mark.parametrize("killed", ["site", "books"])
def test_a_cut_table_keeps_bounded_rounds_and_delivers_each_once(
    site_and_box: tuple[EmbeddedNats, EmbeddedNats], killed: str
) -> None:
    site, box = site_and_box

    async def play() -> None:
        async with playing(site.url, NEXUS, domain="box") as room_:
            below = await room_.connect(box.url)
            await ensure_streams(below.jetstream(), AT_A_TABLE)
            line = TablePublisher(below, link=NEXUS.id, table="C1", site_domain="site")
            table = await room_.table(line=line, policy=KEEPS)
            await table.start(by="dana")
            await table.end(by="dana")
            await until(lambda: table.contact.rounds == 0)
            room_.site.speaks = False
            if killed == "site":
                site.kill()
            for number in range(5):
                if number == 1:
                    await until(lambda: table.is_cut_off)
                await table.start(by="dana")
                await table.press(seat=2, hand=SMALL, by="dana")
                await table.end(by="dana")
            with pytest.raises(ProblemsError, match=r"5 rounds are waiting to be booked.*GEN-07"):
                await table.start(by="dana")
            assert (table.contact.rounds, table.contact.wagers) == (5, 15 * NEXUS.wager)
            if killed == "site":
                site.start()
            room_.site.speaks = True
            await until(lambda: len(room_.site.said) == 17)
            await until(lambda: not table.is_cut_off)
            await table.start(by="dana")
            await until(lambda: len(room_.site.said) == 18)
            # What was on its way to the site when the line was cut is given again, after what came meanwhile.
            late = ("before its round", "follows")
            assert [what for what in room_.site.problems if not any(word in what for word in late)] == []
            numbers = [message.round for message in room_.site.said if isinstance(message, RoundStarted)]
            assert sorted(numbers) == [1, 2, 3, 4, 5, 6, 7]
            steps = await stored(below.jetstream())
            assert steps == sorted(set(steps)), "the table's own log has them in order"
            assert room_.site.meter == 21 * NEXUS.wager

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_a_hit_while_cut_off_is_a_claim_that_waits(site_and_box: tuple[EmbeddedNats, EmbeddedNats]) -> None:
    site, box = site_and_box

    async def play() -> None:
        async with playing(site.url, NEXUS, domain="box") as room_:
            below = await room_.connect(box.url)
            await ensure_streams(below.jetstream(), AT_A_TABLE)
            line = TablePublisher(below, link=NEXUS.id, table="C1", site_domain="site")
            table = await room_.table(line=line, policy=KEEPS)
            await table.start(by="dana")
            site.kill()
            await table.press(seat=1, hand=ROYAL, by="dana")
            await until(lambda: table.is_cut_off)
            with pytest.raises(ProblemsError, match="END GAME waits for the claim of seat 1"):
                await table.end(by="dana")
            site.start()
            await until(lambda: table.round.confirmed == {1})
            await table.end(by="dana")
            await until(lambda: len(room_.site.said) == 4)
            claims = [message for message in room_.site.said if isinstance(message, Claim)]
            assert [claim.step for claim in claims] == [2]
            assert room_.site.problems == []

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_a_table_that_must_stop_stops_and_people_see_why(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            table = await room_.table()
            room_.site.speaks = False
            await asyncio.sleep(STOP.patience / 1_000_000)
            stops = r"the books are not keeping up with this table's rounds.*check the connection"
            with pytest.raises(ProblemsError, match=stops):
                await table.start(by="dana")
            await until(lambda: "cut off from the books" in room_.shown)
            room_.site.speaks = True
            await until(lambda: not table.is_cut_off)
            await table.start(by="dana")

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_books_that_talk_but_do_not_book_are_as_good_as_away(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            table = await room_.table()
            room_.site.books = False
            await table.start(by="dana")
            await table.end(by="dana")
            assert not table.is_cut_off, "a round may wait for a moment"
            await until(lambda: table.is_cut_off)
            assert table.contact.answered_at > table.contact.waiting[0].at, "the books are heard all the time"
            with pytest.raises(ProblemsError, match="the books are not keeping up"):
                await table.start(by="dana")
            room_.site.books = True
            await until(lambda: not table.is_cut_off)
            assert table.contact.rounds == 0
            await table.start(by="dana")

    asyncio.run(play())


@pytest.mark.requirement("GL-12")
def test_a_store_that_dies_under_a_button_gets_the_message_once(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, link_named(room(), "five-card")) as room_:
            table = await room_.table(policy=KEEPS)
            for _ in range(3):
                server.kill()
                pressing = asyncio.create_task(table.start(by="dana"))
                await asyncio.sleep(0.3)
                server.start()
                await pressing
                await table.end(by="dana")
            await until(lambda: len(room_.site.said) >= 6)
            # What was on its way to a reader when the server died is given again, after what came meanwhile.
            messages = sorted(
                (message.round, message.step)
                for message in room_.site.said
                if isinstance(message, RoundMessage)
            )
            assert messages == [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]
            stream = await room_.site.client.jetstream().stream_info(FELT)
            assert stream.state.messages == 6
            assert room_.site.meter == 9 * NEXUS.wager

    asyncio.run(play())
