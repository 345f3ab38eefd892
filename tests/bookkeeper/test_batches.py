"""Batches of deliveries: one is prepared while the one before is booked, and ends go with their rounds."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from feltwork.problem import Problem
from feltwork.site.books.tables.deliveries import LinkDeliveries, Outcome
from feltwork.site.wire.uplink import AnyUplink
from tests.bookkeeper.house import House, claim, ended, started, writer


@dataclass(frozen=True)
class Sent:
    """A message as the log delivers it."""

    message: AnyUplink | None
    problem: Problem | None = None
    subject: str = ""
    trace: str = ""
    deliveries: int = 1
    is_repeated: bool = False
    origin: str = ""
    stored_at: int = time.time_ns() // 1_000


def sent(*messages: AnyUplink) -> list[Sent]:
    return [Sent(message) for message in messages]


def book_two(house: House, first: Sequence[Sent], second: Sequence[Sent]) -> tuple[Outcome, Outcome, bool]:
    """Book two batches, the second prepared before the first; whether it was folded for its very place."""
    link = LinkDeliveries("L1")
    with writer(house) as connection, writer(house) as other:
        before = link.apply(connection, sent(started(1, "T9")))
        first_batch = link.prepare(connection, first)
        first_batch.fold(before.after)
        second_batch = link.prepare(other, second, first_batch)
        folded = second_batch.ready
        outcome = link.apply(connection, first, before.after, first_batch)
        last = link.apply(other, second, outcome.after, second_batch)
    assert not (*outcome.parked, *last.parked, *outcome.waiting, *last.waiting)
    house.check()
    return outcome, last, folded is not None and folded is second_batch.ready


@pytest.mark.requirement("GL-12", "LT-09")
def test_a_batch_that_was_folded_ahead_is_booked_as_it_is(house: House) -> None:
    first = sent(started(1), started(2), ended(1), started(1, "T2"))
    second = sent(started(3), ended(3), started(2, "T2"), ended(2), ended(1, table="T2"))
    outcome, last, ahead = book_two(house, first, second)
    assert (ahead, len(outcome.done), len(last.done)) == (True, 4, 5)
    assert house.ask("SELECT array_agg(DISTINCT table_id || number) FROM books.round_end") == [
        "T11",
        "T12",
        "T13",
        "T21",
    ]
    order = house.ask(
        "SELECT array_agg(number ORDER BY entry, number) FROM books.round WHERE table_id = 'T1'"
    )
    assert order == [1, 2, 3]
    kinds = house.ask("SELECT array_agg(kind ORDER BY number) FROM books.entry WHERE number > 1")
    start, end = "Contributed", "PaidFromTray"
    assert kinds == [start, start, end, start, end, end], "only ends of older rounds are booked apart"


@pytest.mark.requirement("GL-12")
def test_a_claim_between_them_has_the_second_batch_folded_again(house: House) -> None:
    first = sent(started(1), claim(1), ended(1, step=2))
    outcome, last, ahead = book_two(house, first, sent(started(2), ended(2), started(2), ended(2)))
    assert (ahead, len(outcome.done), last.rounds, last.duplicates) == (False, 3, 1, 1)
    assert len(last.done) == 4
    assert house.ask("SELECT count(*) FROM books.round_end") == 2
    assert house.ask("SELECT count(*) FROM books.award") == 1
