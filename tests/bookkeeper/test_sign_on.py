"""Badge and PIN at a table: the bookkeeper answers with a sign-on, by the rules of the screens."""

import asyncio

import nats
import pytest

from feltwork.books.people import TRIES
from feltwork.wire.messages import SignOn, encode
from feltwork.wire.subjects import subject_of
from feltwork.wire.told import SignedOn, decode_told
from tests.bookkeeper.house import NOW, House


def sign_on(house: House, badge: str, pin: str, table: str = "T1", link: str = "L1") -> SignedOn:
    """Ask as a table does, until a bookkeeper is there."""
    asked = SignOn(link=link, at=NOW, table=table, badge=badge, pin=pin)

    async def ask() -> SignedOn:
        client = await nats.connect(house.log.url)
        try:
            for _ in range(100):
                try:
                    answer = await client.request(subject_of(asked), encode(asked), timeout=10)
                except nats.errors.NoRespondersError:
                    await asyncio.sleep(0.2)
                    continue
                told = decode_told(answer.data)
                assert isinstance(told, SignedOn)
                return told
        finally:
            await client.close()
        raise AssertionError("no bookkeeper answers")

    return asyncio.run(ask())


@pytest.mark.requirement("GL-10")
def test_badge_and_pin_give_a_sign_on_and_wrong_pins_lock_the_badge(house: House) -> None:
    house.keeper()
    first, second = sign_on(house, "B-dana", "2580"), sign_on(house, "B-dana", "2580", "T2")
    assert first.name == "dana"
    assert len(first.sign_on) >= 32
    assert first.sign_on != second.sign_on
    assert round((first.until - first.at) / 60_000_000) == 8 * 60, "as long as a session at a screen"
    kept = "SELECT count(*) FROM books.sign_on WHERE person = 'dana' AND table_id = 'T1' AND id_hash <> %s"
    assert house.ask(kept, first.sign_on) == 1, "only a hash is kept"
    stranger = sign_on(house, "B-nobody", "2580")
    assert (stranger.sign_on, stranger.why) == ("", "badge or PIN is wrong")
    wrong = [sign_on(house, "B-sam", "0000") for _ in range(TRIES)]
    assert {(one.sign_on, one.why, one.requirement) for one in wrong} == {("", stranger.why, "GL-10")}
    locked = sign_on(house, "B-sam", "2580")
    assert (locked.sign_on, "locked" in locked.why) == ("", True)
    assert house.ask("SELECT count(*) FROM books.audit WHERE what = 'signed on' AND who = 'dana'") == 2
