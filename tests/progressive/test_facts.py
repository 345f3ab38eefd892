"""Facts are plain, and a replay of them is the state."""

import hashlib
import json
from dataclasses import fields, replace

import pytest

from feltwork.money import CENT
from feltwork.problem import Problem
from feltwork.site.progressive import life_cycle
from feltwork.site.progressive.fact_serializer import KINDS, as_plain, fingerprint, from_plain
from feltwork.site.progressive.facts import Fact, Voided
from feltwork.site.progressive.fold import apply, apply_all
from feltwork.site.progressive.postings import entry_for
from feltwork.site.progressive.state import new_state
from tests.progressive.room import Room, asked, bank_count, four_card


def evening() -> Room:
    room = Room(four_card(lock_at="claim")).open()
    room.start("T1")
    room.press("T1", 2, "four_aces")
    room.press("T1", 2, "four_aces")
    room.hit("T1", 3, "four_aces")
    room.end("T1")
    room.start("T2", [1, 2])
    room.correct("T2", 2, wagered=False)
    room.correct("T2", 3, wagered=True)
    room.misdeal("T2")
    room.book(*life_cycle.count_funds(room.state, bank_count(room.state, 0), at=room.later(), by="ann"))
    cap = room.state.meter("jackpot") // CENT * CENT + CENT
    room.book(
        life_cycle.set_cap(room.state, asked(), level="jackpot", cap=cap, rule="above", at=room.later())
    )
    return room


def test_a_fact_survives_json() -> None:
    for fact in [*evening().facts, Room(four_card()).open().start("T1")]:
        again = from_plain(json.loads(json.dumps(as_plain(fact))))
        assert again == fact
        assert fingerprint(again) == fingerprint(fact)


def test_the_fingerprint_can_be_computed_by_anybody() -> None:
    fact = Voided(at=5, award="A1", by="sam", link="L1", reason="zu früh")
    text = '{"at":5,"award":"A1","by":"sam","kind":"Voided","link":"L1","reason":"zu fr\\u00fch"}'
    assert fingerprint(fact) == hashlib.sha256(text.encode()).hexdigest()


def test_every_fact_is_flat() -> None:
    flat = (str, int, bool)
    for fact in evening().facts:
        for field in fields(fact):
            value = getattr(fact, field.name)
            inner = value.values() if isinstance(value, dict) else [value]
            assert all(isinstance(part, flat) for part in inner), field.name


def test_a_replay_gives_the_same_state_and_the_same_entries() -> None:
    room = evening()
    assert apply_all(new_state(room.first), room.facts) == room.state
    assert [entry_for(fact) for fact in room.facts] == [chained.entry for chained in room.entries]
    room.check()


def test_every_kind_is_known() -> None:
    assert len(KINDS) == 37
    assert all(issubclass(kind, Fact) for kind in KINDS.values())


def test_a_fact_of_another_link_is_a_bug() -> None:
    room = Room(four_card()).open()
    with pytest.raises(AssertionError, match="is not one of"):
        apply(room.state, replace(room.facts[0], link="L9"))


def test_a_problem_names_its_requirement() -> None:
    assert str(Problem("a", "b", "c", "WA-05")) == "a: b [WA-05]; c"
    assert str(Problem("a", "b", "c")) == "a: b; c"
