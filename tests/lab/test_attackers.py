"""What the attackers of the fault test may leave in the books."""

import json
import random
from pathlib import Path

import pytest
from nats.aio.client import Client

from feltwork.simulation.tally import SentRound, Tally
from feltwork.site.wire.uplink import RoundStarted
from lab.fault_test.attackers import STOLEN, Attackers
from lab.fault_test.comparison import Books
from tests.progressive.room import four_card


@pytest.mark.parametrize(
    ("booked", "accepted"),
    [
        ([(1,)], 0),
        ([(2, 3, 4)], 0),
        ([(5,)], 1),
        ([(1,), (2, 3, 4)], 1),
    ],
    ids=["the first content", "a later content", "a content that was never sent", "two contents"],
)
def test_of_a_reused_number_the_books_take_one_content(
    tmp_path: Path, booked: list[tuple[int, ...]], accepted: int
) -> None:
    link, tally = four_card(), Tally()
    attackers = Attackers(
        client=Client(),
        url="http://127.0.0.1:9",
        link=link,
        tally=tally,
        dice=random.Random(1),
        foreign_sign_on=lambda: "",
    )
    messages = attackers._fabricate()
    seat_sets = {
        message.seats
        for message in (attackers._reused() for _ in range(400))
        if isinstance(message, RoundStarted)
    }
    assert {(1,), (2, 3, 4)} == seat_sets
    first = messages[0]
    assert isinstance(first, RoundStarted)
    row = {"link": link.id, "table_id": STOLEN, "number": first.round, "wager": first.wager}
    lines = (json.dumps({**row, "seats": list(seats)}) for seats in booked)
    (tmp_path / "rounds.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "entries.jsonl").write_text("")
    books = Books(tmp_path)
    attackers.expect_booked(books)
    assert len(attackers.accepted(books)) == accepted
    if not accepted:
        assert tally.rounds[link.id, STOLEN, first.round] == SentRound(first.wager, booked[0])
