"""Entries balance, or they do not exist."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltwork.site.progressive.entry import Entry, Move, Posting, fold, postings_of

ACCOUNTS = ["meter/L/a", "reserve/L/a", "retention/L", "patrons/L", "patrons/M"]
MOVES = st.lists(
    st.builds(Move, st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(0, 10**12)), max_size=8
)


def entry(*postings: Posting) -> Entry:
    return Entry(link="L", at=1, kind="test", postings=postings)


@pytest.mark.requirement("WA-06")
@given(MOVES)
def test_moves_always_balance(moves: list[Move]) -> None:
    new_entry = entry(*postings_of(moves))
    assert sum(posting.amount for posting in new_entry.postings) == 0


@given(MOVES, MOVES)
def test_balances_are_a_fold(first: list[Move], second: list[Move]) -> None:
    one_by_one = fold(fold({}, postings_of(first)), postings_of(second))
    assert one_by_one == fold({}, postings_of(first + second))
    assert all(one_by_one.values())
    assert sum(one_by_one.values()) == 0


@pytest.mark.requirement("WA-06")
def test_an_unbalanced_entry_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="out of balance by 1 micros"):
        entry(Posting("meter/L/a", 5), Posting("patrons/L", -4))


@pytest.mark.parametrize(
    ("postings", "why"),
    [
        ((Posting("patrons/L", -4), Posting("meter/L/a", 4)), "in order"),
        ((Posting("meter/L/a", 4), Posting("meter/L/a", -4)), "once to each account"),
        ((Posting("meter/L/a", 0),), "posting of zero"),
        ((Posting("purse", 0),), "is no account"),
    ],
)
def test_an_entry_is_canonical(postings: tuple[Posting, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        entry(*postings)


def test_a_move_is_never_negative() -> None:
    with pytest.raises(ValueError, match="swap source and target"):
        Move("retention/L", "meter/L/a", -1)


def test_an_entry_without_postings_records_what_moved_no_money() -> None:
    assert entry().postings == ()


def test_an_account_that_comes_to_nothing_is_left_out() -> None:
    assert fold({"retention/L": 5}, [Posting("retention/L", -5), Posting("tray/T", 5)]) == {"tray/T": 5}
