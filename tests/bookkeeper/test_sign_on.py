"""Badge and PIN at a table: the bookkeeper answers with a sign-on, by the rules of the screens."""

import asyncio

import nats
import pytest
from msgspec.structs import replace

from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import register_floor
from feltwork.site.books.people import credentials as people
from feltwork.site.books.watch.alarms import open_alarms
from feltwork.site.progressive.facts import DAY
from feltwork.site.wire.downlink import Refused, SignedOn, decode_downlink
from feltwork.site.wire.streams import PARKED
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import RoundVoided, SignOn, encode
from tests.bookkeeper.house import (
    NOW,
    House,
    a_link,
    claim,
    cleared,
    ended,
    say,
    sign_on_of,
    started,
    told,
    with_log,
    writer,
)
from tests.floor_text import floor_text
from tests.progressive.room import asked


def sign_on(house: House, badge: str, pin: str, table: str = "T1", link: str = "L1") -> SignedOn:
    """Ask as a table does, until a bookkeeper is there."""
    request = SignOn(link=link, at=NOW, table=table, badge=badge, pin=pin)

    async def ask() -> SignedOn:
        client = await nats.connect(house.log.url)
        try:
            for _ in range(100):
                try:
                    answer = await client.request(subject_of(request), encode(request), timeout=60)
                except nats.errors.NoRespondersError:
                    await asyncio.sleep(0.2)
                    continue
                signed_on = decode_downlink(answer.data)
                assert isinstance(signed_on, SignedOn)
                return signed_on
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
    query = "SELECT person || ' ' || table_id FROM books.sign_on WHERE id_hash = %s"
    assert house.ask(query, people.token_hash(first.sign_on)) == "dana T1"
    assert house.ask(query, first.sign_on) is None, "only a hash is kept"
    stranger = sign_on(house, "B-nobody", "2580")
    assert (stranger.sign_on, stranger.why) == ("", "badge or PIN is wrong")
    wrong = [sign_on(house, "B-sam", "0000") for _ in range(people.TRIES)]
    assert {(answer.sign_on, answer.why, answer.requirement) for answer in wrong} == {
        ("", stranger.why, "GL-10")
    }
    locked = sign_on(house, "B-sam", "2580")
    assert (locked.sign_on, "locked" in locked.why) == ("", True)
    assert sign_on(house, "B-sam", "2580", "T2").sign_on, "another table is another source"
    assert house.ask("SELECT count(*) FROM books.audit WHERE what = 'signed on' AND who = 'dana'") == 2


@pytest.mark.requirement("WA-30")
def test_a_table_with_dealers_of_its_own_takes_their_sign_on_only(house: House) -> None:
    text = floor_text(a_link("L1")).replace('id = "T1"\n', 'id = "T1"\ndealers = ["dex"]\n')
    with connect(house.dsn) as connection:
        register_floor(connection, text, asked())
    house.keeper()
    refused = sign_on(house, "B-dana", "2580")
    assert (refused.sign_on, refused.requirement) == ("", "WA-30")
    assert refused.why == "dana is not one of the dealers of table T1"
    assert sign_on(house, "B-dana", "2580", "T2").sign_on
    assert sign_on(house, "B-sam", "2580").sign_on, "a supervisor confirms at every table"


def why_refused(house: House, number: int, step: int, table: str = "T1") -> tuple[str, str]:
    """What a table was told about one message, and by which requirement; empty while it was told nothing."""
    refusal = told(house, f"told.L1.{table}.refused.{number}")
    if not isinstance(refusal, Refused) or refusal.step != step:
        return "", ""
    return refusal.what, refusal.requirement


@pytest.mark.requirement("WA-30", "GL-10")
def test_each_message_of_a_table_takes_the_sign_on_of_a_role_that_may_do_it(house: House) -> None:
    house.keeper()
    sam = sign_on_of("T1", "sam")
    say(house, [replace(started(1), sign_on=sam), replace(started(1, "T2"), sign_on=sign_on_of("T3"))])
    house.until(lambda: why_refused(house, 1, 0)[0])
    assert why_refused(house, 1, 0) == ("a supervisor may not START GAME", "WA-30")
    house.until(lambda: why_refused(house, 1, 0, "T2")[0])
    assert why_refused(house, 1, 0, "T2") == ("dana is signed on at table T3, not here", "GL-10")
    say(house, [replace(started(1, "T4"), sign_on="dana@T4 made up")])
    house.until(lambda: why_refused(house, 1, 0, "T4")[0])
    assert why_refused(house, 1, 0, "T4") == ("nobody is signed on at the table", "GL-10")
    assert with_log(house, lambda js: js.stream_info(PARKED)).state.messages == 3
    assert house.ask("SELECT count(*) FROM books.round") == 0

    void = RoundVoided(
        link="L1", at=NOW, table="T1", round=1, step=1, sign_on=sign_on_of("T1"), reason="a fifth card"
    )
    say(house, [started(1), void])
    house.until(lambda: why_refused(house, 1, 1)[0])
    assert why_refused(house, 1, 1) == ("a dealer may not void a round", "WA-30")
    say(house, [replace(claim(1, 2), sign_on=sam)])
    house.until(lambda: why_refused(house, 1, 2)[0])
    say(house, [replace(ended(1, 3), sign_on=sam)])
    house.until(lambda: why_refused(house, 1, 3)[0])
    assert why_refused(house, 1, 3) == ("a supervisor may not END GAME", "WA-30")
    assert house.ask("SELECT count(*) FROM books.round_end") == 0
    assert house.ask("SELECT count(*) FROM books.award") == 0

    say(house, [claim(1, 4)])
    house.until(lambda: house.ask("SELECT claimed_by FROM books.award") == "dana")
    say(house, [cleared(claim(1, 4), 5), replace(void, step=6, sign_on=sam)])
    house.until(lambda: house.ask("SELECT count(*) FROM books.unique_event WHERE what = 'misdeal'"))
    written = "SELECT count(*) FROM books.table_fact WHERE fact::text LIKE '%%@T1%%'"
    assert house.ask(written) == 0, "people are written down, sign-ons are not"
    refused = "SELECT count(*) FROM books.audit WHERE who = 'sam' AND what LIKE 'refused: %%'"
    assert house.ask(refused) == 3
    house.check()


@pytest.mark.requirement("GL-10")
def test_no_round_is_older_than_the_sign_on_of_its_dealer(house: House) -> None:
    """Attack 13: rounds back-dated by two days, to a day that is not closed yet."""
    house.keeper()
    say(house, [replace(started(1), at=NOW - 2 * DAY)])
    house.until(lambda: why_refused(house, 1, 0)[0])
    assert why_refused(house, 1, 0) == ("it is from before the sign-on", "GL-10")
    say(house, [started(2, "T2"), replace(started(1, "T2"), at=NOW - DAY // 48)])
    house.until(lambda: house.booked("T2") == "{[1,3)}")


@pytest.mark.requirement("GL-10", "GEN-18")
def test_a_round_counts_whose_sign_on_was_valid_when_it_was_played(house: House) -> None:
    house.keeper()
    say(house, [started(1), ended(1)])
    house.until(lambda: house.ask("SELECT count(*) FROM books.round_end") == 1)
    with writer(house) as connection:
        connection.execute("UPDATE books.sign_on SET ended_at = clock_timestamp() WHERE table_id = 'T1'")
    later = NOW + 3_600_000_000
    say(house, [started(2), replace(ended(2), at=later), replace(started(3), at=later)])
    house.until(lambda: why_refused(house, 3, 0)[0])
    assert why_refused(house, 3, 0) == ("the sign-on has ended", "GL-10")
    assert house.booked() == "{[1,3)}", "round 2 was kept while the sign-on lasted"
    house.until(lambda: why_refused(house, 2, 1)[0])
    assert house.ask("SELECT count(*) FROM books.round_end") == 1
    again = sign_on(house, "B-dana", "2580").sign_on
    say(house, [replace(ended(2, 2), at=later, sign_on=again)])
    house.until(lambda: house.ask("SELECT count(*) FROM books.round_end") == 2)
    with writer(house) as connection:
        assert [alarm.kind for alarm in open_alarms(connection)] == ["parked message"]
    house.check()
