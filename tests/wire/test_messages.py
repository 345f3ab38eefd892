"""Messages and subjects: nothing is lost on the way, and nobody speaks for another."""

import msgspec
import pytest

from feltwork.problem import ProblemsError
from feltwork.site.progressive import round_facts
from feltwork.site.wire.downlink import AwardPaid, decode_downlink
from feltwork.site.wire.subjects import decode_from, name_of, subject_of, token
from feltwork.site.wire.uplink import Claim, RoundStarted, decode_uplink, encode

HASH = "0" * 64
STARTED = RoundStarted(
    link="sevens", at=5, table="B1", round=7, step=0, sign_on="s", wager=1_000_000, seats=(1, 3), version=HASH
)


def test_a_round_becomes_the_fact_that_the_books_take() -> None:
    fact = round_facts.RoundStarted(link="sevens", at=5, table="B1", round=7, wager=1_000_000, seats=(1, 3))
    assert STARTED.fact() == fact
    assert decode_uplink(encode(STARTED)) == STARTED


def test_a_claim_carries_the_round_as_it_stands() -> None:
    claim = Claim(
        link="sevens",
        at=5,
        table="B1",
        round=7,
        step=2,
        award="B1:7:3:2",
        seat=3,
        hand="777_diamonds",
        sign_on="s",
        players=(1, 3),
        hands={3: "777_diamonds"},
    )
    assert decode_from(subject_of(claim), encode(claim)) == claim


@pytest.mark.requirement("GEN-07")
@pytest.mark.parametrize("subject", ["felt.sevens.B2.round", "felt.other.B1.round", "felt.sevens.B1.ended"])
def test_a_message_must_be_what_its_subject_says(subject: str) -> None:
    assert decode_from("felt.sevens.B1.round", encode(STARTED)) == STARTED
    with pytest.raises(ProblemsError, match=r"publish it under felt\.sevens\.B1\.round"):
        decode_from(subject, encode(STARTED))


@pytest.mark.parametrize(
    "change",
    [
        {"v": 2},
        {"round": 0},
        {"wager": -1},
        {"seats": [0]},
        {"table": "a b"},
        {"table": "a*"},
        {"message": "Unheard"},
        {"version": "short"},
        {"wager": 1.5},
    ],
    ids=str,
)
@pytest.mark.requirement("GL-12")
def test_what_is_not_whole_is_refused(change: dict[str, object]) -> None:
    broken = msgspec.json.decode(encode(STARTED)) | change
    with pytest.raises(msgspec.DecodeError):
        decode_uplink(msgspec.json.encode(broken))
    with pytest.raises(msgspec.DecodeError):
        decode_uplink(encode(STARTED)[:-9])


def test_a_field_of_tomorrow_is_left_alone() -> None:
    tomorrow = msgspec.json.decode(encode(STARTED)) | {"camera": "K7"}
    assert decode_uplink(msgspec.json.encode(tomorrow)) == STARTED


def test_a_dot_in_a_name_makes_no_second_word() -> None:
    paid = AwardPaid(link="a.b", at=1, table="t.1", award="t.1:1:1:1", round=1, seat=1, amount=5, form="cash")
    assert subject_of(paid) == "told.a%2Eb.t%2E1.award.t%2E1:1:1:1"
    assert name_of(token("a.b")) == "a.b"
    assert decode_downlink(encode(paid)) == paid
