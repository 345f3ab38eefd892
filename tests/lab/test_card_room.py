"""A card room in virtual time: order, repeats and crashes change nothing, and injected bugs are found."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from feltwork.site.books.tables.deliveries import RoundRecord, Turn, turn_of
from lab.card_room import books, world
from lab.card_room.books import RoomBooks
from lab.card_room.runner import run_room, run_rooms
from tests.sizes import NIGHTLY

_SEEDS = 2_000 if NIGHTLY else 20
_carry_out, _start = RoomBooks._carry_out, RoomBooks._start
_duplicate, _take = RoomBooks.duplicate, RoomBooks.take


@pytest.mark.requirement("GL-12", "GEN-11", "LT-02")
def test_every_seed_books_what_its_tables_said() -> None:
    report = run_rooms(range(1, _SEEDS + 1), tables=3, minutes=15)
    assert [(result.seed, result.differences, result.stuck) for result in report.failed] == []
    assert sum(result.crashes for result in report.results) > _SEEDS
    assert sum(result.awards for result in report.results) > 5 * _SEEDS


def test_a_seed_plays_the_same_again() -> None:
    assert run_room(7, tables=3, minutes=5) == run_room(7, tables=3, minutes=5)


def turn(change: Callable[[int, RoundRecord], Turn | None]) -> Any:
    def changed(step: int, record: RoundRecord, **about: Any) -> Turn:
        return change(step, record) or turn_of(step, record, **about)

    return changed


def start_refused_rounds(room: RoomBooks, message: Any, at: int) -> None:
    room.refused.discard(message.key)
    _start(room, message, at)


def start_again(room: RoomBooks, message: Any, at: int) -> None:
    if message.step == 0 and message.key in room.rounds:
        del room.rounds[message.key]
    _start(room, message, at)


def end_again(room: RoomBooks, message: Any, **about: Any) -> bool:
    room.ended.discard(message.key)
    return _take(room, message, **about)


def forget_ends(room: RoomBooks) -> RoomBooks:
    return replace(_duplicate(room), ended=set())


#: What is broken -> the object, the name, and what stands there instead.
BUGS: dict[str, tuple[Any, str, Any]] = {
    "nobody waits": (books, "turn_of", turn(lambda _, record: "now" if record.booked else None)),
    "a repeated message is carried out again": (
        books,
        "turn_of",
        turn(lambda step, record: "now" if step in record.steps else None),
    ),
    "what waits is parked at once": (
        books,
        "turn_of",
        turn(lambda step, record: None if record.booked or record.refused else "round missing"),
    ),
    "a refused round is booked when it comes again": (RoomBooks, "_start", start_refused_rounds),
    "a round is booked twice": (RoomBooks, "_start", start_again),
    "an end is booked twice": (RoomBooks, "take", end_again),
    "a voided claim comes back": (RoomBooks, "_is_made_by_hand", lambda *_: False),
    "a crash forgets which rounds are over": (RoomBooks, "duplicate", forget_ends),
    "a correction is left out": (
        RoomBooks,
        "_carry_out",
        lambda room, action, at: None if action.kind == "seat" else _carry_out(room, action, at),
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_found_within_forty_seeds(monkeypatch: pytest.MonkeyPatch, bug: str) -> None:
    where, name, broken = BUGS[bug]
    monkeypatch.setattr(where, name, broken)
    assert any(
        result.differences or result.stuck
        for result in (run_room(seed, tables=3, minutes=15) for seed in range(1, 41))
    )


def test_what_nobody_settles_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    calm = replace(world.RoomFaults(), lost=0.0)
    room = world.RoomWorld(1, 2, 2, calm)
    monkeypatch.setattr(room, "_arrive", lambda _: None)
    monkeypatch.setattr(room, "_send", lambda _: None)
    room.run()
    assert len(room.unsettled) == len(room.said) > 0
