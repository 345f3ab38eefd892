"""Rounds: a batch of a link in one transaction, each round booked once for ever."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TypeAlias

from psycopg import RawCursor
from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from feltwork.books.command import About, Done, book_facts, take_with
from feltwork.books.connection import Connection
from feltwork.books.journal import Prepared, append, prepare
from feltwork.books.standing import Taken, kept_text, take
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

Key: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """What became of a batch: rounds booked, those that were booked before, those that are parked."""

    #: The end of the chain after it, and the state of the link: what screens are told.
    tail: Tail
    state: LinkState
    rounds: int
    duplicates: tuple[Key, ...]
    refused: tuple[Refused, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """A batch folded into its entry: the row that the database takes, and what is booked once it has it."""

    row: tuple[str, ...] | None
    booked: Booked


def book_rounds(
    connection: Connection, link: str, rounds: Sequence[RoundStarted], *, at: Instant | None = None
) -> Booked:
    """Book a batch of rounds of a link: one lock, one entry, one chain step [WA-05].

    A batch is tried as if all of it were new; only where that fails is each round looked up.
    """
    try:
        with connection.transaction():
            taken = take(connection, link)
            ready = make_ready(taken, rounds, at=taken.at(at))
            if not ready.booked.refused:
                write(connection, ready)
                return ready.booked
    except UniqueViolation as error:
        if error.diag.constraint_name != "numbered":
            raise
    with connection.transaction():
        taken = take(connection, link)
        known = _known(connection, ((one.table, one.round) for one in rounds))
        ready = make_ready(taken, rounds, at=taken.at(at), known=known)
        write(connection, ready)
        for refused in ready.booked.refused:
            _park(connection, link, refused)
    return ready.booked


def make_ready(
    taken: Taken, rounds: Sequence[RoundStarted], *, at: Instant, known: Collection[Key] = ()
) -> Ready:
    """Fold a batch into the entry that follows the chain's end, without the rounds that are known already."""
    first = {(one.table, one.round): one for one in reversed(rounds)}
    twice = [key for one in rounds if first[key := (one.table, one.round)] is not one]
    fresh = [one for key, one in first.items() if key not in known] if known else list(first.values())
    batch = contribution.fold_rounds(taken.state, fresh, at=at)
    if batch.refused:
        out = {(one.started.table, one.started.round) for one in batch.refused}
        fresh = [one for one in fresh if (one.table, one.round) not in out]
    row, after = None, taken
    if batch.fact is not None:
        prepared = prepare(taken, [batch.fact])
        row, after = _row(prepared, fresh), prepared.after
    booked = Booked(
        tail=after.tail,
        state=after.state,
        rounds=len(fresh),
        duplicates=(*sorted(known), *twice),
        refused=batch.refused,
    )
    return Ready(row, booked)


def write(connection: Connection, ready: Ready) -> None:
    """Write a batch that is ready."""
    if ready.row is not None:
        RawCursor(connection).execute(statement("book_rounds"), ready.row)


def _row(prepared: Prepared, rounds: Sequence[RoundStarted]) -> tuple[str, ...]:
    """What `books.book_rounds` takes; arrays as text, because that is quicker than a list of each."""
    tables = [one.table for one in rounds]
    for table in set(tables):
        _verify_table(table)
    ((body, fact),) = prepared.texts
    return (
        rounds[0].link,
        str(prepared.after.tail.number),
        '{"' + '","'.join(tables) + '"}',
        "{" + ",".join([str(one.round) for one in rounds]) + "}",
        "{" + ",".join([str(one.at) for one in rounds]) + "}",
        str(rounds[0].wager),
        '{"' + '","'.join([_seats_text(one.seats) for one in rounds]) + '"}',
        body,
        fact,
        kept_text(prepared.after.state),
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


def _known(
    connection: Connection, keys: Iterable[tuple[str, int]], how: str = "numbers_booked"
) -> set[tuple[str, int]]:
    asked = list(keys)
    columns = ([table for table, _ in asked], [number for _, number in asked])
    return {(table, number) for table, number in connection.execute(statement(how), columns)}


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
