"""How many statements, transactions and locks a press at a controller takes."""

import pytest

from feltwork.site.books.tables.deliveries import LinkDeliveries
from feltwork.site.books.tables.parked import keep_parked, raise_for_batch
from feltwork.site.wire.uplink import HandPressed
from tests.bookkeeper.house import NOW, House, sign_on_of, started, writer
from tests.bookkeeper.test_repeats import Kept, deliver
from tests.support.statements import counted


@pytest.mark.requirement("LT-02")
def test_a_press_at_a_controller_takes_nine_statements_and_one_lock(house: House) -> None:
    press = HandPressed(
        link="L1",
        at=NOW + 2,
        table="T1",
        round=1,
        step=1,
        sign_on=sign_on_of("T1"),
        seat=1,
        hand="royal_flush",
        hands={1: "royal_flush"},
    )
    link = LinkDeliveries("L1")
    with writer(house) as connection:
        deliver(connection, started(1), again=False)
        link.apply(connection, [])  # the floor is read once
        with counted() as taken:
            outcome = link.apply(connection, [Kept(press)])
            keep_parked(connection, outcome)
            raise_for_batch(connection, outcome, by="test")
    assert (len(outcome.done), outcome.notices) == (1, [])
    assert house.ask("SELECT count(*) FROM books.award") == 1
    assert len(taken.texts) <= 9, taken.texts
    assert (taken.locks, taken.commits) == (1, 1)
