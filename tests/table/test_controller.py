"""The controller against a played site: both sets of controls, refusals, crashes between any two messages."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from nats.aio.msg import Msg

from feltwork.problem import ProblemsError
from feltwork.site.progressive.link import Link
from feltwork.site.servers.nats import EmbeddedNats
from feltwork.site.table.controller import Controller
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.software_identity import software_hash
from feltwork.site.wire.downlink import AnyDownlink, AwardConfirmed
from feltwork.site.wire.subjects import uplink_subject
from feltwork.site.wire.uplink import (
    Claim,
    ClaimCleared,
    Health,
    RoundEnded,
    RoundMessage,
    RoundStarted,
    SeatCorrected,
    decode_uplink,
)
from tests.table.conftest import aquarius, link_named, playing, room, until

NEXUS = link_named(room(), "five-card")
AQUARIUS = link_named(room(aquarius), "five-card")
#: A hand that a meter pays, and one that the tray pays.
ROYAL = next(row.hand for row in NEXUS.paytable.rows if NEXUS.takes_from_meter(row))
SMALL = next(row.hand for row in reversed(NEXUS.paytable.rows) if not NEXUS.takes_from_meter(row))


def test_rounds_are_numbered_and_their_messages_too(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            table = await room_.table()
            for _ in range(3):
                await table.start(by="dana")
                await table.press(seat=2, hand=SMALL, by="dana")
                await table.end(by="dana")
            await until(lambda: len(room_.site.said) == 9)
            messages = [message for message in room_.site.said if isinstance(message, RoundMessage)]
            assert [(message.round, message.step) for message in messages] == [
                (number, step) for number in (1, 2, 3) for step in (0, 1, 2)
            ]
            first, ended = messages[0], messages[2]
            assert isinstance(first, RoundStarted)
            assert (first.seats, first.players, first.wager) == ((1, 2, 3), (1, 2, 3, 4), NEXUS.wager)
            assert first.version == NEXUS.fingerprint
            assert isinstance(ended, RoundEnded)
            assert ended.fixed > 0
            assert room_.site.problems == []
            assert room_.site.meter == 9 * NEXUS.wager

    asyncio.run(play())


@pytest.mark.requirement("LT-02", "LT-03")
def test_a_nexus_claim_waits_for_the_supervisor_and_a_second_press_clears_it(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            room_.site.confirms = False
            table = await room_.table()
            await table.start(by="dana")
            await table.press(seat=2, hand=ROYAL, by="dana")
            await table.press(seat=2, hand=ROYAL, by="dana")
            await table.press(seat=1, hand=ROYAL, by="dana", cards="Ah Kh Qh Jh Th")
            with pytest.raises(ProblemsError, match="END GAME waits for the claim of seat 1"):
                await table.end(by="dana")
            award = table.claims[1]
            await until(lambda: any("seat 1: the claim waits" in line for line in room_.shown))
            claims = [message for message in room_.site.said if isinstance(message, Claim | ClaimCleared)]
            assert [type(claim) for claim in claims] == [Claim, ClaimCleared, Claim]
            assert isinstance(claims[2], Claim)
            assert (claims[2].award, claims[2].cards) == (award, "Ah Kh Qh Jh Th")
            assert claims[2].hands == {1: ROYAL}
            assert claims[0].award == claims[1].award != award
            await room_.site.confirm(award)
            await until(lambda: table.round.confirmed == {1})
            assert table.claims == {}
            await table.end(by="dana")
            assert table.round.phase == "idle"

    asyncio.run(play())


@pytest.mark.requirement("LT-02")
def test_a_supervisors_void_takes_the_hand_out(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            room_.site.confirms = False
            table = await room_.table()
            await table.start(by="dana")
            await table.press(seat=2, hand=ROYAL, by="dana")
            await until(lambda: any(isinstance(message, Claim) for message in room_.site.said))
            await room_.site.void(table.claims[2], "the cards make otherwise")
            await until(lambda: table.round.hands == {})
            await table.press(seat=2, hand=ROYAL, by="dana")
            assert table.round.claims == (2,)
            await until(lambda: sum(isinstance(message, Claim) for message in room_.site.said) == 2)
            assert not any(isinstance(message, ClaimCleared) for message in room_.site.said)

    asyncio.run(play())


@pytest.mark.requirement("LT-03")
def test_an_aquarius_claim_takes_the_key_there_and_back(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, AQUARIUS) as room_:
            room_.site.confirms = False
            table = await room_.table()
            await table.start(by="dana")
            await table.press(seat=1, hand=ROYAL, by="dana")
            await table.press(seat=3, hand=ROYAL, by="dana")
            with pytest.raises(ProblemsError, match="GAME OVER waits"):
                await table.end(by="dana")
            await table.turn_key(to="jackpot", by="sam")
            await until(lambda: sum(isinstance(message, Claim) for message in room_.site.said) == 2)
            for award in list(table.claims.values()):
                await room_.site.confirm(award)
            await until(lambda: table.round.confirmed == {1, 3})
            assert table.round.phase == "logged"
            await table.turn_key(to="run", by="sam")
            await table.end(by="dana")
            kinds = [type(message).__name__ for message in room_.site.said]
            await until(lambda: [type(message).__name__ for message in room_.site.said][-1] == "RoundEnded")
            assert kinds.count("KeyTurned") >= 1
            assert room_.site.problems == []

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_no_round_before_the_books_have_let_the_table_in(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            room_.site.speaks = False
            table = await room_.controller()
            with pytest.raises(ProblemsError, match="the books have not accepted this table yet"):
                await table.start(by="dana")
            room_.site.speaks = True
            await until(lambda: table.welcome is not None)
            await table.start(by="dana")
            assert table.round.number == 1

    asyncio.run(play())


@pytest.mark.requirement("WA-31")
def test_software_that_is_not_on_the_list_takes_no_wager(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            room_.site.approves = lambda hello: (
                "" if hello.software_hash == "0" * 64 else f"{hello.software} is not approved"
            )
            table = await room_.table()
            with pytest.raises(ProblemsError, match=r"is not approved \[WA-31\]"):
                await table.start(by="dana")
            assert room_.site.hellos[0].software_hash == software_hash()
            assert room_.site.hellos[0].paytable == NEXUS.paytable.fingerprint
            other = replace(NEXUS, executive_above=NEXUS.executive_above + 1)
            room_.site.approves = lambda hello: ""
            room_.link = other
            changed = await room_.table("C2")
            room_.link = NEXUS
            await room_.table("C3")
            await until(
                lambda: changed.snapshot is not None and changed.snapshot.version != other.fingerprint
            )
            with pytest.raises(
                ProblemsError, match="its version of link five-card differs from the version in the books"
            ):
                await changed.start(by="dana")

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_a_link_that_takes_no_wagers_starts_no_round(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            table = await room_.table()
            room_.site.takes_wagers = False
            await until(lambda: table.snapshot is not None and not table.snapshot.takes_wagers)
            with pytest.raises(ProblemsError, match="link five-card is not accepting wagers"):
                await table.start(by="dana")

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_a_second_controller_of_a_table_cannot_give_a_number_twice(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            first = await room_.table()
            other = await room_.table()
            await first.start(by="dana")
            with pytest.raises(ProblemsError, match="another controller is active at this table"):
                await other.start(by="dana")
            await first.end(by="dana")
            await until(lambda: len(room_.site.said) == 2)
            assert room_.site.problems == []

    asyncio.run(play())


class LineThatEnds(TablePublisher):
    """A line that takes so many messages; then the power is gone."""

    left = 0

    async def say(self, message: RoundMessage, *, within: float = 10.0) -> None:
        if not self.left:
            raise asyncio.CancelledError
        self.left -= 1
        await super().say(message, within=within)


@pytest.mark.requirement("GL-12")
@pytest.mark.parametrize("messages", range(1, 9))
@pytest.mark.parametrize("link", [NEXUS, AQUARIUS], ids=["nexus", "aquarius"])
def test_a_controller_goes_on_after_any_message(server: EmbeddedNats, link: Link, messages: int) -> None:
    async def play() -> None:
        async with playing(server.url, link) as room_:
            room_.site.confirms = False
            line = LineThatEnds(await room_.connect(), link=link.id, table="C1")
            line.left = messages
            first = await room_.table(line=line)
            with pytest.raises(asyncio.CancelledError):
                await _one_round(first)
            await room_.leave()
            second = await room_.table()
            assert second.round.number == 1
            assert second.round.phase != "idle"
            await until(lambda: len(room_.site.said) >= messages)
            assert set(second.round.claims) == set(second.claims)
            for seat in second.round.claims:
                await second.press(seat=seat, hand=second.round.hands[seat], by="dana")
            await second.end(by="dana")
            await second.start(by="dana")
            assert second.round.number == 2
            await until(lambda: isinstance(room_.site.said[-1], RoundStarted) and len(room_.site.said) > 1)
            assert room_.site.problems == []
            round_messages = [message for message in room_.site.said if isinstance(message, RoundMessage)]
            assert [(message.round, message.step) for message in round_messages] == [
                *((1, step) for step in range(len(round_messages) - 1)),
                (2, 0),
            ]
            claimed = [message.award for message in round_messages if isinstance(message, Claim)]
            cleared = [message.award for message in round_messages if isinstance(message, ClaimCleared)]
            assert claimed == cleared

    asyncio.run(play())


async def _one_round(table: Controller) -> None:
    """Nine messages: the start, one hand of the tray, a claim made, cleared and made again elsewhere."""
    await table.start(by="dana")
    await table.press(seat=2, hand=SMALL, by="dana")
    await table.press(seat=1, hand=ROYAL, by="dana")
    await table.press(seat=1, hand=ROYAL, by="dana")
    await table.press(seat=3, hand=ROYAL, by="dana")
    await table.press(seat=2, hand=SMALL, by="dana")


@pytest.mark.requirement("LT-01", "GL-12")
def test_a_corrected_seat_is_said_and_known_after_a_restart(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            first = await room_.table()
            await first.start(by="dana")
            await first.correct(seat=3, wagered=False, by="dana")
            await first.correct(seat=4, wagered=True, by="dana")
            await room_.leave()
            second = await room_.table()
            assert second.round.seats == (1, 2, 4)
            await second.correct(seat=2, wagered=False, by="dana")
            await second.press(seat=4, hand=SMALL, by="dana")
            await second.press(seat=4, hand=SMALL, by="dana")
            await room_.leave()
            third = await room_.table()
            assert (third.round.seats, third.round.hands) == ((1, 4), {})
            with pytest.raises(ProblemsError, match="the cards are out"):
                await third.correct(seat=1, wagered=False, by="dana")
            await third.end(by="dana")
            await until(lambda: isinstance(room_.site.said[-1], RoundEnded))
            messages = [message for message in room_.site.said if isinstance(message, SeatCorrected)]
            assert [(message.step, message.seats) for message in messages] == [
                (1, (1, 2)),
                (2, (1, 2, 4)),
                (3, (1, 4)),
            ]
            assert room_.site.problems == []
            assert room_.site.meter == 2 * NEXUS.wager

    asyncio.run(play())


@pytest.mark.requirement("LT-03")
def test_what_was_confirmed_while_nobody_listened_is_known_after_the_restart(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            room_.site.confirms = False
            first = await room_.table()
            await first.start(by="dana")
            await first.press(seat=1, hand=ROYAL, by="dana")
            award = first.claims[1]
            await until(lambda: any(isinstance(message, Claim) for message in room_.site.said))
            await room_.leave()
            await room_.site.confirm(award)
            second = await room_.table()
            assert second.round.confirmed == {1}
            await second.end(by="dana")

    asyncio.run(play())


@pytest.mark.requirement("LT-04", "LT-09")
@pytest.mark.parametrize("restarts", [False, True])
def test_a_reversed_award_gives_its_seat_back(server: EmbeddedNats, restarts: bool) -> None:
    """Known while the controller runs, and after a restart that missed it, with another claim open."""

    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            room_.site.confirms = False
            table = await room_.table()
            await table.start(by="dana")
            await table.press(seat=1, hand=ROYAL, by="dana")
            award = table.claims[1]
            await until(lambda: any(isinstance(message, Claim) for message in room_.site.said))
            await room_.site.confirm(award)
            await until(lambda: table.round.confirmed == {1})
            await table.press(seat=2, hand="straight_flush", by="dana")
            if restarts:
                await room_.leave()
            await room_.site.void(award, "a straight flush")  # the books tell of a reversal this way
            if restarts:
                table = await room_.table()
            await until(lambda: not table.round.confirmed and 1 not in table.round.hands)
            assert table.claims == {2: "C1:1:2"}
            await table.press(seat=1, hand="straight_flush", by="dana")
            assert table.claims == {1: "C1:1:1:2", 2: "C1:1:2"}
            await room_.site.void(award, "told twice")
            await asyncio.sleep(0.5)
            assert table.claims == {1: "C1:1:1:2", 2: "C1:1:2"}

    asyncio.run(play())


def test_a_number_that_only_the_books_know_is_not_given_again(server: EmbeddedNats) -> None:
    """The table's store is new, as after a broken disk: the books say where to go on."""

    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            first = await room_.table()
            for _ in range(3):
                await first.start(by="dana")
                await first.end(by="dana")
            await until(lambda: len(room_.site.said) == 6)
            await room_.leave()
            await room_.site.client.jetstream().purge_stream("FELT")
            second = await room_.table()
            assert second.round.number == 0
            await second.start(by="dana")
            assert second.round.number == 4

    asyncio.run(play())


class _Deaf(TablePublisher):
    """A line that was cut for the moment in which a claim was confirmed."""

    async def listen(self, hear: Callable[[AnyDownlink], Awaitable[None]], *subjects: str) -> None:
        async def partly(message: AnyDownlink) -> None:
            if not isinstance(message, AwardConfirmed):
                await hear(message)

        await super().listen(partly, *subjects)


@pytest.mark.requirement("LT-03")
def test_what_was_confirmed_during_a_short_cut_is_known_soon(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            room_.site.confirms = False
            line = _Deaf(await room_.connect(), link=NEXUS.id, table="C1")
            table = await room_.table(line=line)
            await table.start(by="dana")
            await table.press(seat=1, hand=ROYAL, by="dana")
            await until(lambda: any(isinstance(message, Claim) for message in room_.site.said))
            await room_.site.confirm(table.claims[1])
            await until(lambda: table.round.confirmed == {1})
            await table.end(by="dana")

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_a_controller_that_is_not_let_in_does_not_replace_the_health_of_the_one_that_is(
    server: EmbeddedNats,
) -> None:
    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            first = await room_.table()
            subject = uplink_subject(NEXUS.id, "C1", "health")
            names: set[str] = set()
            phases: list[str] = []

            async def hear(message: Msg) -> None:
                health = decode_uplink(message.data)
                assert isinstance(health, Health)
                names.add(health.controller)
                phases.append(health.phase)

            await room_.site.client.subscribe(subject, cb=hear)
            room_.site.approves = lambda hello: "another controller is active at this table"
            second = await room_.controller()
            await until(lambda: second.welcome is not None)
            hellos = len(room_.site.hellos)
            await until(lambda: len(room_.site.hellos) > hellos + 3)
            await second.close()
            assert names == {first._line.controller}
            await first._say_hello()
            await until(lambda: first.welcome is not None and not first.welcome.accepted)
            await first.close()
            await until(lambda: "closed" in phases, 5)

    asyncio.run(play())


def test_a_cancellation_that_the_client_hides_still_ends_the_controller(
    server: EmbeddedNats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11 loses a cancellation at the moment an answer comes; the table played on for ever."""

    async def hide() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)

    async def play() -> None:
        async with playing(server.url, NEXUS) as room_:
            table = await room_.table()
            monkeypatch.setattr(table, "_say_health", hide)
            running = asyncio.create_task(table.run(every_seconds=0.01))
            await asyncio.sleep(0.3)
            running.cancel()
            finished_tasks, _ = await asyncio.wait([running], timeout=60)
            assert finished_tasks

    asyncio.run(play())
