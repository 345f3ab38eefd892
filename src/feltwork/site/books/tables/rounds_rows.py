"""Rounds: a batch of a link in one transaction, each round booked exactly once."""

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import lru_cache, partial

from psycopg import RawCursor
from psycopg.errors import UniqueViolation
from psycopg.pq import TransactionStatus
from psycopg.types.json import Jsonb

from feltwork.problem import Problem
from feltwork.site.books import pg_arrays
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.journal import PreparedEntries, append, prepare
from feltwork.site.books.journal.link_state import (
    LinkSnapshot,
    kept_text,
    lock_link,
    read_meters,
    without_trays,
)
from feltwork.site.books.journal.transaction import CommandScope, Committed, book_facts, lock_link_for
from feltwork.site.books.pg_arrays import Key
from feltwork.site.books.queries import statement
from feltwork.site.progressive import contribution
from feltwork.site.progressive.accounts import verify_name
from feltwork.site.progressive.chain import Tail
from feltwork.site.progressive.contribution import RefusedRound
from feltwork.site.progressive.fact_serializer import as_plain
from feltwork.site.progressive.facts import Fact, Instant
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import RoundEnded, RoundStarted
from feltwork.telemetry.tracing import span


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """The outcome of a batch: rounds booked, already booked, and parked."""

    #: The link after the batch, for screens and for the next batch.
    after: LinkSnapshot
    rounds: int
    duplicates: tuple[Key, ...]
    refused: tuple[RefusedRound, ...]
    #: Rounds whose end was booked with them.
    ended: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class PreparedBatch:
    """A batch folded into its entries: the chain's end before it, the database row, and the result."""

    before: Tail
    row: tuple[str | None, ...] | None
    booked: BatchResult


def book_rounds(
    connection: Connection,
    link: str,
    rounds: Sequence[RoundStarted],
    *,
    ends: Sequence[RoundEnded] = (),
    at: Instant | None = None,
    after: LinkSnapshot | None = None,
    ready: PreparedBatch | None = None,
) -> BatchResult:
    """Book a batch of rounds of a link: one lock, one entry, one chain step [WA-05].

    Optimistic concurrency: with `after`, the result of the previous batch, nothing is read, and the batch is
    first tried as if every round were new, together with `ends`, the ends of those that are over and took
    nothing from a tray. `ready` is the same batch, folded ahead. The chain check rejects it if another
    writer came first or a number is already booked; only then is the link locked and each round looked up,
    and the ends are left out.
    """
    before = after if after is not None and after.recent else read_meters(connection, link)
    if ready is None or ready.before != before.tail:
        ready = make_ready(before, rounds, at=at, ends=ends)
    if not ready.booked.refused and _fits(connection, ready):
        return ready.booked
    with connection.transaction():
        snapshot = lock_link(connection, link)
        known = pg_arrays.existing_keys(
            connection, link, [(start.table, start.round) for start in rounds], "numbers_booked"
        )
        ready = make_ready(snapshot, rounds, at=at, known=known)
        _write(connection, ready)
        for refused in ready.booked.refused:
            park_round(connection, refused.started, refused.problem)
    return ready.booked


def _fits(connection: Connection, ready: PreparedBatch) -> bool:
    """Write a batch; return False if it does not follow the chain or has a round that is already booked."""
    alone = connection.info.transaction_status == TransactionStatus.IDLE
    try:
        # One call is a transaction by itself.
        with nullcontext() if alone else connection.transaction():
            _write(connection, ready)
    except UniqueViolation as error:
        if error.diag.constraint_name not in ("chain", "booked_rounds", "booked_round_ends"):
            raise
        return False
    return True


def make_ready(
    snapshot: LinkSnapshot,
    rounds: Sequence[RoundStarted],
    *,
    at: Instant | None = None,
    known: Collection[Key] = (),
    ends: Sequence[RoundEnded] = (),
) -> PreparedBatch:
    """Fold a batch into the entries that follow the chain's end, without rounds that are already known."""
    first = {(start.table, start.round): start for start in reversed(rounds)}
    twice = [key for start in rounds if first[key := (start.table, start.round)] is not start]
    fresh = [start for key, start in first.items() if key not in known] if known else list(first.values())
    now = snapshot.at(at)
    batch = contribution.fold_rounds(snapshot.state, fresh, at=now)
    if batch.refused:
        out = {(refusal.started.table, refusal.started.round) for refusal in batch.refused}
        fresh = [start for start in fresh if (start.table, start.round) not in out]
        ends = ()
    row, after, over = None, snapshot, {(end.table, end.round): end for end in ends}
    if batch.fact is not None:
        facts: list[Fact] = [batch.fact]
        if over:
            assert over.keys() <= first.keys(), "only rounds of the batch end with it"
            facts.append(contribution.fold_ends(snapshot.state.link.id, over.values(), at=now))
        prepared = prepare(snapshot, facts)
        row, after = _row(snapshot.tail, prepared, fresh, list(over.values())), prepared.after
    booked = BatchResult(
        after=after,
        rounds=len(fresh),
        duplicates=(*sorted(known), *twice),
        refused=batch.refused,
        ended=frozenset(over),
    )
    return PreparedBatch(snapshot.tail, row, booked)


def _write(connection: Connection, ready: PreparedBatch) -> None:
    """Write a prepared batch."""
    if ready.row is not None:
        with span("journal entry", entry=ready.booked.after.tail.number):
            RawCursor(connection).execute(statement("book_rounds"), ready.row)


def _row(
    before: Tail, prepared: PreparedEntries, rounds: Sequence[RoundStarted], ends: Sequence[RoundEnded]
) -> tuple[str | None, ...]:
    """The arguments of `books.book_rounds`."""
    tables = [start.table for start in rounds]
    for table in set(tables):
        _verify_table(table)
    assert not any(end.fixed or end.envy for end in ends), "a tray pay is booked with its own entry"
    (body, fact), *of_ends = prepared.texts
    return (
        rounds[0].link,
        str(before.number + 1),
        pg_arrays.texts(tables),
        pg_arrays.numbers([start.round for start in rounds]),
        pg_arrays.numbers([start.at for start in rounds]),
        str(rounds[0].wager),
        pg_arrays.texts([_seats_text(start.seats) for start in rounds]),
        body,
        fact,
        kept_text(prepared.after.state),
        pg_arrays.texts([end.table for end in ends]),
        pg_arrays.numbers([end.round for end in ends]),
        pg_arrays.numbers([end.at for end in ends]),
        *(of_ends[0] if of_ends else (None, None)),
    )


def book_ends(
    connection: Connection, link: str, ended: Sequence[RoundEnded], *, at: Instant | None = None
) -> LinkSnapshot:
    """Book the ends of rounds, each once, and return the link state after them [LT-09]."""
    with connection.transaction():
        snapshot = lock_link(connection, link)
        keys = [(end.table, end.round) for end in ended]
        known = pg_arrays.existing_keys(connection, link, keys, "ends_booked")
        fresh = {key: end for end in ended if (key := (end.table, end.round)) not in known}
        if not fresh:
            return snapshot
        fact = contribution.fold_ends(link, fresh.values(), at=snapshot.at(at))
        after = append(connection, snapshot, prepare(snapshot, [fact]))
        rows = {
            "link": link,
            "entry": after.tail.number,
            "tables": pg_arrays.texts([end.table for end in fresh.values()]),
            "numbers": pg_arrays.numbers([end.round for end in fresh.values()]),
            "times": pg_arrays.numbers([end.at for end in fresh.values()]),
            "fixed": pg_arrays.numbers([end.fixed for end in fresh.values()]),
            "envy": pg_arrays.numbers([end.envy for end in fresh.values()]),
        }
        connection.execute(statement("book_ends"), rows)
    return without_trays(after)


def book_misdeal(
    connection: Connection, link: str, table: str, number: int, *, by: str, at: Instant | None = None
) -> Committed:
    """Return the wagers of a void round, with an entry that names the one that booked it."""
    with connection.transaction():
        snapshot = lock_link_for(connection, link, CommandScope(table=table, round=number))
        started, entry = booked_round(connection, link, table, number)
        fact = contribution.misdeal(snapshot.state, started, booked_in=entry, at=snapshot.at(at), by=by)
        return book_facts(connection, snapshot, (fact,))


def book_correction(
    connection: Connection,
    started: RoundStarted,
    *,
    seat: int,
    wagered: bool,
    by: str,
    approved_by: str = "",
    at: Instant | None = None,
) -> Committed:
    """Book or return the wager of one seat of a round [LT-01]."""
    with connection.transaction():
        scope = CommandScope(table=started.table, round=started.round)
        snapshot = lock_link_for(connection, started.link, scope)
        add = partial(contribution.add_wager, approved_by=approved_by)
        correct = add if wagered else contribution.return_wager
        fact = correct(snapshot.state, started, seat=seat, at=snapshot.at(at), by=by)
        return book_facts(connection, snapshot, (fact,))


def booked_round(connection: Connection, link: str, table: str, number: int) -> tuple[RoundStarted, int]:
    """A round as it was booked, and the number of its entry."""
    row = connection.execute(statement("round_booked"), (link, table, number)).fetchone()
    if row is None:
        where, what = f"{link}, table {table}, round {number}", "the round is not in the books yet"
        raise refuse(where, what, "wait for the round to arrive", "GEN-11")
    started_at, wager, seats, entry = row
    started = RoundStarted(
        link=link, at=started_at, table=table, round=number, wager=wager, seats=tuple(seats)
    )
    return started, entry


@lru_cache(maxsize=4_096)
def _seats_text(seats: tuple[int, ...]) -> str:
    return "{" + ",".join(map(str, seats)) + "}"


@lru_cache(maxsize=10_000)
def _verify_table(table: str) -> None:
    """Raise for a table name that is unsafe in account paths."""
    verify_name(table)


def park_round(connection: Connection, started: RoundStarted, problem: Problem) -> None:
    """Park a round that is not booked, with the reason."""
    row = (started.link, started.table, started.round, Jsonb(as_plain(started)), Jsonb(asdict(problem)))
    connection.execute(statement("park_round"), row)
