"""The hash chain names the first bad entry."""

import hashlib
import json
from dataclasses import replace

import pytest

from feltwork.problem import ProblemsError
from feltwork.site.progressive.chain import GENESIS, Chained, Tail, append, body_of
from feltwork.site.progressive.entry import Entry, Posting
from tests.ledger.chains import first_bad, verify_chain


def entry(amount: int, at: int = 1) -> Entry:
    return Entry(
        link="L",
        at=at,
        kind="Contributed",
        postings=(Posting("meter/L/a", amount), Posting("patrons/L", -amount)),
        references={"fact": "e" * 64, "paytable": "f" * 64},
    )


def chain(*amounts: int) -> list[Chained]:
    entries: list[Chained] = []
    for number, amount in enumerate(amounts):
        entries.append(append(entries[-1].tail if entries else Tail(), entry(amount, at=number)))
    return entries


def test_a_chain_holds() -> None:
    entries = chain(1, 2, 3)
    assert [entry.number for entry in entries] == [1, 2, 3]
    assert entries[0].previous == GENESIS
    verify_chain("L", entries, end=entries[-1].tail)
    verify_chain("L", entries[1:], start=entries[0].tail, end=entries[-1].tail)


def test_the_bytes_can_be_written_by_anybody() -> None:
    """The independent verifier builds them from an export, with nothing but JSON and SHA-256."""
    (first,) = chain(7)
    expected = (
        '{"at":0,"kind":"Contributed","link":"L","number":1,'
        '"postings":[["meter/L/a",7],["patrons/L",-7]],'
        f'"previous":"{"0" * 64}",'
        f'"references":{{"fact":"{"e" * 64}","paytable":"{"f" * 64}"}}}}'
    )
    assert first.body == body_of(1, GENESIS, first.entry) == expected
    assert json.loads(expected)["number"] == 1
    assert first.hash == hashlib.sha256(expected.encode()).hexdigest()


def test_the_first_bad_entry_is_named() -> None:
    entries = chain(1, 2, 3, 4)
    changed = [*entries[:1], replace(entries[1], entry=entry(9, at=1)), *entries[2:]]
    redated = [*entries[:2], replace(entries[2], entry=entry(3, at=99)), entries[3]]
    forged = append(entries[0].tail, entry(9))
    cases = {
        "L, entry 2: its content is not what was hashed": changed,
        "L, entry 3: its content is not what was hashed": redated,
        "L, entry 3: it does not follow the entry before it": [entries[0], forged, *entries[2:]],
        "L, entry 2: entry 3 stands in its place": [entries[0], *entries[2:]],
        "L, entry 1: entry 2 stands in its place": [entries[1], entries[0]],
        "L, entry 4: the chain ends before entry 4, its known end": entries[:3],
    }
    for message, tampered in cases.items():
        with pytest.raises(ProblemsError, match=message):
            verify_chain("L", tampered, end=entries[-1].tail)


def test_an_entry_of_another_link_is_bad() -> None:
    other = append(Tail(), replace(entry(1), link="M"))
    problem = first_bad("L", [other], start=Tail(), end=None)
    assert problem is not None
    assert "belongs to M" in problem.what
