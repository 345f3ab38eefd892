"""Rounds: a batch of a link in one transaction, each round booked once for ever."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from psycopg.errors import CheckViolation, UniqueViolation
from psycopg.sql import SQL, Composed, Identifier
from psycopg.types.json import Jsonb

from feltwork.books.command import About, Done, book_facts, take_with
from feltwork.books.connection import Connection
from feltwork.books.journal import append, prepare
from feltwork.books.standing import take
from feltwork.books.statements import statement
from feltwork.ledger.accounts import verify_name
from feltwork.ledger.chain import Tail
from feltwork.progressive import contribution
from feltwork.progressive.contribution import Refused
from feltwork.progressive.facts import Instant
from feltwork.progressive.plain import as_plain
from feltwork.progressive.refusal import refuse
from feltwork.progressive.round import TableRound
from feltwork.progressive.round_facts import RoundEnded, RoundStarted
from feltwork.progressive.state import LinkState


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """What became of a batch: rounds booked, those that were booked before, those that are parked."""

    #: The end of the chain after it, and the state of the link: what screens are told.
    tail: Tail
    state: LinkState
    rounds: int
    duplicates: tuple[tuple[str, int], ...]
    refused: tuple[Refused, ...]


def book_rounds(
    connection: Connection, link: str, rounds: Sequence[RoundStarted], *, at: Instant | None = None
) -> Booked:
    """Book a batch of rounds of a link: one lock, one entry, one COPY, one chain step [WA-05].

    A batch is tried as if all of it were new; only where the books know a number already is each looked up.
    """
    try:
        return _book(connection, link, rounds, at, look_up=False)
    except UniqueViolation as error:
        if error.diag.constraint_name != "numbered":
            raise
    except CheckViolation as error:
        if error.diag.constraint_name or error.diag.table_name is None:
            raise  # else the month has changed since the partition was chosen
    return _book(connection, link, rounds, at, look_up=True)


def _book(
    connection: Connection,
    link: str,
    rounds: Sequence[RoundStarted],
    at: Instant | None,
    *,
    look_up: bool,
) -> Booked:
    fresh = {(one.table, one.round): one for one in reversed(rounds)}
    twice = [(one.table, one.round) for one in rounds if fresh[one.table, one.round] is not one]
    with connection.transaction():
        taken = take(connection, link)
        known = _known(connection, fresh) if look_up else set()
        batch = contribution.fold_rounds(
            taken.state, [one for key, one in fresh.items() if key not in known], at=taken.at(at)
        )
        if batch.refused and not look_up:
            known = _known(connection, [(one.started.table, one.started.round) for one in batch.refused])
        refused = tuple(one for one in batch.refused if (one.started.table, one.started.round) not in known)
        out = known | {(one.started.table, one.started.round) for one in refused}
        after = taken
        if batch.fact is not None:
            accepted = [one for key, one in fresh.items() if key not in out] if out else fresh.values()
            with connection.cursor() as cursor, cursor.copy(_copy_into(taken.round_partition)) as copy:
                copy.write(_copy_text(accepted, taken.tail.number + 1))
                prepared = prepare(taken, [batch.fact])  # while the database takes the rounds in
            after = append(connection, taken, prepared)
        for one in refused:
            _park(connection, link, one)
    return Booked(
        tail=after.tail,
        state=after.state,
        rounds=len(fresh) - len(out),
        duplicates=(*sorted(known), *twice),
        refused=refused,
    )


def book_ends(
    connection: Connection, link: str, ended: Sequence[RoundEnded], *, at: Instant | None = None
) -> int:
    """Book how rounds ended, each once; the answer is how many were new [LT-09]."""
    with connection.transaction():
        taken = take(connection, link)
        known = _known(connection, {(one.table, one.round) for one in ended}, "ends_booked")
        fresh = {(one.table, one.round): one for one in ended if (one.table, one.round) not in known}
        if not fresh:
            return 0
        new = list(fresh.values())
        fact = contribution.fold_ends(link, new, at=taken.at(at))
        after = append(connection, taken, prepare(taken, [fact]))
        rows = {
            "link": link,
            "entry": after.tail.number,
            "tables": [one.table for one in new],
            "numbers": [one.round for one in new],
            "times": [one.at for one in new],
            "fixed": [one.fixed for one in new],
            "envy": [one.envy for one in new],
        }
        connection.execute(statement("book_ends"), rows)
    return len(new)


def book_misdeal(
    connection: Connection, link: str, table: str, number: int, *, by: str, at: Instant | None = None
) -> Done:
    """Give the wagers of a void round back, by an entry that names the one that booked it."""
    with connection.transaction():
        taken = take_with(connection, link, About(table=table, round=number))
        started, entry = booked_round(connection, link, table, number)
        fact = contribution.misdeal(taken.state, started, booked_in=entry, at=taken.at(at), by=by)
        return book_facts(connection, taken, (fact,))


def booked_round(connection: Connection, link: str, table: str, number: int) -> tuple[RoundStarted, int]:
    """A round as it was booked, and the number of its entry."""
    row = connection.execute(statement("round_booked"), (table, number)).fetchone()
    if row is None or row[0] != link:
        where, what = f"{link}, table {table}, round {number}", "the round is not booked"
        raise refuse(where, what, "wait until its round has arrived", "GEN-11")
    _, started_at, wager, seats, entry = row
    started = RoundStarted(
        link=link, at=started_at, table=table, round=number, wager=wager, seats=tuple(seats)
    )
    return started, entry


def verify_booked(connection: Connection, round_: TableRound) -> None:
    """Raise unless the round is booked with the very seats that it plays with."""
    started, _ = booked_round(connection, round_.link.id, round_.table, round_.number)
    if started.seats != round_.seats:
        where = f"{round_.link.id}, table {round_.table}, round {round_.number}"
        raise refuse(where, "its seats are not those that were booked", "look at the table's log", "LT-01")


def _copy_text(rounds: Collection[RoundStarted], entry: int) -> str:
    for table in {one.table for one in rounds}:
        _verify_table(table)
    return "".join(
        [
            f"{one.table}\t{one.round}\t{one.link}\t{one.at}\t{one.wager}\t{_seats_text(one.seats)}\t{entry}\n"
            for one in rounds
        ]
    )


def _known(
    connection: Connection, keys: Iterable[tuple[str, int]], how: str = "numbers_booked"
) -> set[tuple[str, int]]:
    asked = list(keys)
    columns = ([table for table, _ in asked], [number for _, number in asked])
    return {(table, number) for table, number in connection.execute(statement(how), columns)}


@lru_cache
def _copy_into(partition: str) -> Composed:
    return SQL(statement("copy_rounds").decode()).format(partition=Identifier(partition))


@lru_cache(maxsize=4_096)
def _seats_text(seats: tuple[int, ...]) -> str:
    return "{" + ",".join(map(str, seats)) + "}"


@lru_cache(maxsize=10_000)
def _verify_table(table: str) -> None:
    """Raise where a table's name could be taken for something else on its way into the books."""
    verify_name(table)


def _park(connection: Connection, link: str, refused: Refused) -> None:
    started = refused.started
    row = (link, started.table, started.round, Jsonb(as_plain(started)), Jsonb(asdict(refused.problem)))
    connection.execute(statement("park_round"), row)
