"""House jackpots in the books: a posted amount of the house's own money, with a chain of its own [WA-01]."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, replace
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from feltwork.books.connection import Connection
from feltwork.books.journal import texts_of, write
from feltwork.books.standing import award_from
from feltwork.books.statements import statement
from feltwork.books.versions import house_jackpot_from
from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.progressive import house as rules
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.house import HouseState, book_house
from feltwork.progressive.people import Asked, Badge
from feltwork.progressive.refusal import refuse


def set_amount(
    connection: Connection, jackpot: str, asked: Asked, *, amount: Micros, at: Instant | None = None
) -> HouseState:
    """Book another posted amount."""
    return _decide(
        connection,
        jackpot,
        lambda state, now: (rules.set_amount(state, asked, amount=amount, at=now),),
        at=at,
    )


def claim(
    connection: Connection, jackpot: str, *, award: str, place: tuple[str, int, int], by: str
) -> HouseState:
    """Book the claim of a place: table, round and seat."""
    return _decide(
        connection,
        jackpot,
        lambda state, now: rules.claim(state, award=award, place=place, at=now, by=by),
    )


def void(connection: Connection, jackpot: str, *, award: str, reason: str, by: str) -> HouseState:
    """Book that a claim was refused."""
    return _decide(
        connection, jackpot, lambda state, now: rules.void(state, award=award, reason=reason, at=now, by=by)
    )


def confirm(
    connection: Connection, jackpot: str, *, award: str, badges: Collection[Badge], amount: Micros
) -> HouseState:
    """Book that the whole posted amount is owed to this winner, as to every other [WA-03]."""
    return _decide(
        connection,
        jackpot,
        lambda state, now: rules.confirm(state, award=award, badges=badges, amount=amount, at=now),
    )


def pay(connection: Connection, jackpot: str, *, award: str, form: str, by: str) -> HouseState:
    """Book that the patron has the money."""
    return _decide(
        connection, jackpot, lambda state, now: (rules.pay(state, award=award, form=form, at=now, by=by),)
    )


def look_at_amount(connection: Connection, jackpot: str) -> tuple[HouseState, Tail, Instant]:
    """How a house jackpot stands, without its awards and without a lock: for signs."""
    return _standing(jackpot, connection.execute(statement("look"), (jackpot,)).fetchone())


def look(connection: Connection, jackpot: str) -> HouseState:
    """The same with its awards, for people who only look: one snapshot, no lock."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        state, _, _ = look_at_amount(connection, jackpot)
        return _with_awards(connection, state)


def _decide(
    connection: Connection,
    jackpot: str,
    decision: Callable[[HouseState, Instant], Iterable[Fact]],
    *,
    at: Instant | None = None,
) -> HouseState:
    with connection.transaction():
        state, tail, now = _take(connection, jackpot)
        facts = tuple(decision(state, now if at is None else at))
        after, entries = book_house(state, tail, facts)
        write(connection, texts_of(entries))
        kept = (entries[-1].number, jackpot, Jsonb({"amount": after.amount}), jackpot)
        connection.execute(statement("stand"), kept)
        for name, award in after.awards.items():
            if state.awards.get(name) != award:
                connection.execute(statement("save_award"), {"link": jackpot, **asdict(award)})
    return after


def _take(connection: Connection, jackpot: str) -> tuple[HouseState, Tail, Instant]:
    row = connection.execute(statement("take"), (jackpot,)).fetchone()
    state, tail, now = _standing(jackpot, row)
    return _with_awards(connection, state), tail, now


def _standing(jackpot: str, row: tuple[Any, ...] | None) -> tuple[HouseState, Tail, Instant]:
    if row is None or "amount" not in row[2]:
        raise refuse(f"house jackpot {jackpot}", "the books do not know it", "register it first", "WA-01")
    number, tail_hash, kept, _, version, balances, now = row
    state = HouseState(jackpot=house_jackpot_from(version), amount=kept["amount"], balances=balances)
    return state, Tail(number, tail_hash), now


def _with_awards(connection: Connection, state: HouseState) -> HouseState:
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("all_awards"), (state.jackpot.id,)).fetchall()
    return replace(state, awards={row["id"]: award_from(row) for row in rows})
