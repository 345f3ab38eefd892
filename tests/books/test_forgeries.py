"""Forgeries with the application's own login: audit and verifier compute what was due, and name the entry."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from feltwork.money import DOLLAR, Micros
from feltwork.site.books.audit.export import export
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.journal.journal import append, prepare
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.progressive.contribution import fold_ends, given_back
from feltwork.site.progressive.facts import (
    Adjusted,
    Claimed,
    Fact,
    FundsCounted,
    Misdealt,
    PaidFromTray,
    Released,
    Reversed,
)
from feltwork.site.progressive.meter_locks import released
from feltwork.site.progressive.round_facts import RoundEnded
from feltwork.site.progressive.state import LinkState
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import BooksRoom, adjust, approved
from tests.books.test_tampering import verifier
from tests.progressive.room import SECOND, asked, four_card
from tests.support.books import new_books

AT = 1_900_000_000 * SECOND
Forgery = Callable[[Connection, LinkState], Sequence[Fact]]
#: What is forged -> how, and what the audit says about it.
FORGERIES: dict[str, tuple[Forgery, str]] = {}


def forgery(what: str, message: str) -> Callable[[Forgery], Forgery]:
    """A case of the page on tampering."""

    def register(forge: Forgery) -> Forgery:
        FORGERIES[what] = (forge, message)
        return forge

    return register


@pytest.fixture(scope="module")
def played(server: EmbeddedPostgres) -> str:
    """Rounds that are over, an award that is paid, an open round of two wagers, and two open claims."""
    name = new_books(server, "books_played")
    with connect(server.dsn(name, role="writer")) as connection:
        room = BooksRoom(connection, four_card(lock_at="claim")).open()
        for _ in range(3):
            room.start("T1")
            room.press("T1", 3, "three_of_a_kind")
            room.end("T1")
        room.start("T1")
        room.hit("T1", 4, "four_aces")
        room.end("T1")
        room.start("T1", (1, 2))
        room.start("T2")
        room.press("T2", 1, "four_aces")
        room.press("T2", 2, "four_of_a_kind")
        assert audit(connection).problems == []
    return name


@pytest.fixture
def writer(server: EmbeddedPostgres, played: str) -> Iterator[Connection]:
    """The application's login on a copy of the books."""
    with connect(server.dsn()) as superuser:
        superuser.execute("DROP DATABASE IF EXISTS books_forged WITH (FORCE)")
        superuser.execute(f"CREATE DATABASE books_forged TEMPLATE {played}".encode())
    with connect(server.dsn("books_forged", role="writer")) as connection:
        yield connection


def a_misdeal(state: LinkState, *, number: int, wagers: int, reverses: int, **changes: Any) -> Misdealt:
    back = given_back(state, wagers)
    fact = Misdealt(
        link="L1",
        at=AT,
        table="T1",
        round=number,
        wagers=wagers,
        reverses=reverses,
        from_meter=back.from_meter,
        from_reserve=back.from_reserve,
        from_house=back.from_house,
        by="sam",
    )
    return replace(fact, **changes)


def booked_in(connection: Connection, number: int) -> int:
    row = connection.execute(
        "SELECT entry FROM books.round WHERE table_id = 'T1' AND number = %s", (number,)
    ).fetchone()
    assert row is not None
    return int(row[0])


@forgery("a misdeal of $25,249 on a $2 round", "the round had 2")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_misdeal(state, number=5, wagers=25_249, reverses=booked_in(connection, 5))]


@forgery("a misdeal of a round that was never booked", "was not booked where it says")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_misdeal(state, number=99, wagers=7, reverses=2)]


@forgery("a misdeal of a round that is over", "was over")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_misdeal(state, number=2, wagers=7, reverses=booked_in(connection, 2))]


@forgery("a misdeal that the meter pays alone", "a different amount than 2 wagers")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    parts = {"from_meter": {"jackpot": 2 * DOLLAR}, "from_reserve": {"jackpot": 0}, "from_house": 0}
    return [a_misdeal(state, number=5, wagers=2, reverses=booked_in(connection, 5), **parts)]


def a_change(state: LinkState, name: str, **changes: Any) -> Adjustment:
    change = Adjustment(
        id=name,
        reason="MALFUNCTION_CORRECTION",
        pool="reserve",
        level="jackpot",
        change=5_000 * DOLLAR,
        text="display was wrong",
        evidence="ticket 7",
        by="ann",
        approved_by="bob",
    )
    return replace(change, **changes)


def adjusted(state: LinkState, change: Adjustment) -> Adjusted:
    return Adjusted(
        link="L1",
        at=AT,
        adjustment=change.id,
        reason=change.reason,
        pool=change.pool,
        level=change.level,
        before=state.reserve("jackpot"),
        after=state.reserve("jackpot") + change.change,
        text=change.text,
        evidence=change.evidence,
        by=change.by,
        approved_by=change.approved_by,
    )


def propose(connection: Connection, change: Adjustment) -> None:
    body = {name: getattr(change, name) for name in ("pool", "level", "change", "evidence")}
    body |= {"link": "L1", "adjustment": change.id, "lawful_reason": change.reason}
    approved(
        connection,
        "adjust",
        body,
        asked(by=change.by, approved_by=change.approved_by, reason=change.text),
    )


@forgery("an adjustment without a proposal", "has no approved proposal")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [adjusted(state, a_change(state, "J9"))]


@forgery("an adjustment to another amount than the approved one", "is not what proposal adjust-J9 says")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    change = a_change(state, "J9")
    propose(connection, change)
    return [adjusted(state, replace(change, change=change.change + DOLLAR))]


@forgery("an adjustment that names another amount than the reserve held", "made from another amount")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    change = a_change(state, "J9")
    propose(connection, change)
    fact = adjusted(state, change)
    return [replace(fact, before=fact.before + DOLLAR, after=fact.after + DOLLAR)]


@forgery("an adjustment in the name of others than those who approved it", "the two people that it names")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    change = a_change(state, "J9")
    propose(connection, change)
    return [adjusted(state, replace(change, approved_by="eve"))]


@forgery("an adjustment for another reason than the approved one", "is not what proposal adjust-J9 says")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    change = a_change(state, "J9", reason="HOUSE_ADDITION")
    propose(connection, change)
    return [adjusted(state, replace(change, reason="MALFUNCTION_CORRECTION"))]


def a_reversal(state: LinkState, **changes: Any) -> Reversed:
    award = state.awards["T1:4:4"]
    fact = Reversed(
        link="L1",
        at=AT,
        award=award.id,
        adjustment="R9",
        table=award.table,
        level=award.level,
        to_meter=award.from_meter,
        to_house=award.from_house,
        seed=award.seed,
        reserve=award.reserve,
        was_paid=True,
        reason="as agreed",
        evidence="tape 3",
        by="cid",
        approved_by="deb",
    )
    return replace(fact, **changes)


def propose_reversal(connection: Connection, **people: str) -> None:
    body = {"link": "L1", "award": "T1:4:4", "adjustment": "R9", "evidence": "tape 3"}
    approved(
        connection,
        "reverse",
        body,
        asked(**{"by": "cid", "approved_by": "deb", "reason": "as agreed"} | people),
    )


@forgery("a reversal without a proposal", "has no approved proposal")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_reversal(state)]


@forgery("a reversal that leaves the seed in the meter", "a different amount than it had locked")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    propose_reversal(connection)
    return [a_reversal(state, seed=0)]


@forgery("a reversal by somebody who confirmed the award", "by somebody who confirmed it")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    propose_reversal(connection, by="sam")
    return [a_reversal(state, by="sam")]


def a_tray_pay(*, fixed: Micros, envy: Micros) -> PaidFromTray:
    end = RoundEnded(link="L1", at=1, table="T1", round=5, fixed=fixed, envy=envy)
    return fold_ends("L1", [end], at=AT)


@forgery("a tray pay for a hand that nobody entered", "gives 0 and 0")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_tray_pay(fixed=300 * DOLLAR, envy=0)]


@forgery("envy for a hand that nobody had", "gives 0 and 0")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_tray_pay(fixed=0, envy=200 * DOLLAR)]


def a_claim(number: int, seat: int) -> Claimed:
    return Claimed(
        link="L1", at=AT, award="A9", table="T1", round=number, seat=seat, hand="four_aces", by="dan"
    )


@forgery("a claim of a round that was never booked", "was not booked, or is void")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_claim(99, 1)]


@forgery("a claim of a seat without a wager", "seat 7 had no wager")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [a_claim(5, 7)]


def a_release(state: LinkState) -> Released:
    return released(state, state.awards["T2:1:1"], AT)


@forgery("a released claim that keeps the seed in the meter", "a different amount than it had locked")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    return [replace(a_release(state), seed=0)]


@pytest.mark.requirement("GL-08", "GEN-09", "WA-08")
@forgery("a count of the bank against less than was held for players", "the funds counted are not what")
def _(connection: Connection, state: LinkState) -> Sequence[Fact]:
    cutoff = read_link(connection, "L1").tail.number
    required = state.player_funds - DOLLAR
    count = {"entry": cutoff, "required": required, "bank_balance": required, "tolerance": 0}
    return [FundsCounted(link="L1", at=AT, **count, accrued=required, by="ann")]


@pytest.mark.parametrize("what", FORGERIES)
def test_audit_and_verifier_name_a_forged_entry(writer: Connection, tmp_path: Path, what: str) -> None:
    forge, message = FORGERIES[what]
    number = forged(writer, forge)
    (problem,) = audit(writer).problems
    assert problem.where == f"L1, entry {number}", problem
    assert message in problem.what, problem
    export(writer, tmp_path / "bundle", Period())
    code, output = verifier(tmp_path / "bundle")
    assert code == 1
    assert output.startswith(f"L1, entry {number}: "), output


def forged(connection: Connection, forge: Forgery) -> int:
    """Append facts past the rules, as the application's login may; the number of the first."""
    before = read_link(connection, "L1")
    facts = forge(connection, before.state)
    with connection.transaction():
        append(connection, before, prepare(before, facts))
        for fact in facts:
            if isinstance(fact, PaidFromTray):
                row = (5, before.tail.number + 1, fact.fixed["T1"], fact.envy["T1"])
                connection.execute(
                    "INSERT INTO books.round_end (table_id, number, link, ended_at, entry, fixed, envy)"
                    " VALUES ('T1', %s, 'L1', 1, %s, %s, %s)",
                    row,
                )
    return before.tail.number + 1


@pytest.mark.requirement("GL-08", "LT-08")
def test_a_claim_that_is_released_and_not_locked_again_is_found(writer: Connection, tmp_path: Path) -> None:
    number = forged(writer, lambda _, state: [a_release(state)])
    (problem,) = audit(writer).problems
    assert (problem.where, "not locked again" in problem.what) == (f"L1, entry {number + 1}", True)
    export(writer, tmp_path / "bundle", Period())
    assert "T2:1:1 was claimed or released, and not locked again" in verifier(tmp_path / "bundle")[1]


@pytest.mark.requirement("WA-15")
def test_an_approval_after_the_fact_is_found(writer: Connection, tmp_path: Path) -> None:
    state = read_link(writer, "L1").state
    change = a_change(state, "J9")
    number = forged(writer, lambda _, state: [adjusted(state, change)])
    propose(writer, change)
    (problem,) = audit(writer).problems
    assert (problem.where, "after it was booked" in problem.what) == (f"L1, entry {number}", True)
    export(writer, tmp_path / "bundle", Period())
    assert verifier(tmp_path / "bundle")[1].startswith(
        f"L1, entry {number}: it was approved after it was booked"
    )


@pytest.mark.requirement("WA-15", "WA-08")
def test_what_two_people_approved_is_right(writer: Connection, tmp_path: Path) -> None:
    adjust(writer, "L1", a_change(read_link(writer, "L1").state, "J9"))
    propose_reversal(writer)
    forged(writer, lambda _, state: [a_reversal(state)])
    export(writer, tmp_path / "bundle", Period())
    assert audit(writer).problems == []
    assert verifier(tmp_path / "bundle")[0] == 0
