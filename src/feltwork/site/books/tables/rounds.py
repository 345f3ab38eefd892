"""Rounds in the books: batches, each round booked exactly once, and the round that a table has open.

Step 0 of a round, its start, is a row of the rounds; later steps of a controller are logged, to detect
duplicates. A round is the fold of its row, what was logged about it, its awards and its end.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias

import msgspec
from psycopg import RawCursor
from psycopg.errors import UniqueViolation
from psycopg.pq import TransactionStatus
from psycopg.types.json import Jsonb

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books import pg_arrays
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.journal import PreparedEntries, append, prepare
from feltwork.site.books.journal.link_state import (
    LinkSnapshot,
    award_from,
    kept_text,
    lock_link,
    read_meters,
    without_trays,
)
from feltwork.site.books.journal.transaction import CommandScope, Committed, book_facts, lock_link_for
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.pg_arrays import Key
from feltwork.site.books.queries import statement
from feltwork.site.compliance.floor import FloorTable
from feltwork.site.progressive import contribution
from feltwork.site.progressive.accounts import verify_name
from feltwork.site.progressive.chain import Tail
from feltwork.site.progressive.contribution import RefusedRound
from feltwork.site.progressive.fact_serializer import as_plain, from_plain
from feltwork.site.progressive.facts import Fact, Instant
from feltwork.site.progressive.layout import LaidHand, Layout
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round import Phase, TableRound
from feltwork.site.progressive.round_facts import (
    HandCleared,
    HandPressed,
    KeyTurned,
    RegularWagers,
    RoundEnded,
    RoundStarted,
    RoundTakenOver,
    RoundVoided,
    SeatFolded,
)
from feltwork.site.progressive.state import SETTLED, Award
from feltwork.telemetry.tracing import span


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedMessage:
    """One message of a round."""

    link: str
    table: str
    round: int
    step: int
    at: int
    kind: str
    said: Mapping[str, Any]
    refused: str = ""

    @property
    def content(self) -> dict[str, Any]:
        """What is stored of it."""
        return {**self.said, "step": self.step} | ({"refused": self.refused} if self.refused else {})


def steps_logged(connection: Connection, link: str, table: str, number: int) -> set[int]:
    """The logged steps of a round."""
    row = connection.execute(statement("booked_steps"), (link, table, number)).fetchone()
    return set(row[0] or ()) if row else set()


def steps_of(connection: Connection, link: str, keys: Sequence[Key]) -> dict[Key, set[int]]:
    """The logged steps of each of these rounds of a link."""
    rows = connection.execute(statement("steps_of_rounds"), (*pg_arrays.columns(keys), link))
    return {(table, number): set(steps) for table, number, steps in rows}


def differs_from_log(connection: Connection, message: LoggedMessage) -> bool:
    """Whether the log has a different message for the step of this one."""
    about = (message.link, message.table, message.round, message.step)
    row = connection.execute(statement("logged_step"), about).fetchone()
    if row is None:
        return False
    kind, content = row
    content.pop("refused", None)
    return (kind, content) != (message.kind, msgspec.json.decode(msgspec.json.encode(message.said)))


def last_hand(connection: Connection, message: LoggedMessage, *, seat: int) -> tuple[str, str]:
    """The kind and hand of the last message about a seat's hand before this one; empty without any."""
    about = (message.link, message.table, message.round, message.step, seat)
    row = connection.execute(statement("last_hand_of_seat"), about).fetchone()
    return (row[0], row[1] or "") if row else ("", "")


def booked_rounds(
    connection: Connection, link: str, keys: Sequence[Key]
) -> dict[Key, tuple[int, int, tuple[int, ...]]]:
    """The start, wager and seats of rounds of a link that are booked."""
    rows = connection.execute(statement("rounds_booked"), (*pg_arrays.columns(keys), link))
    return {(row[0], row[1]): (row[2], row[3], tuple(row[4])) for row in rows}


#: Device that a round is dealt from.
Driver: TypeAlias = Literal["screen", "controller"]


@dataclass(frozen=True, slots=True)
class OpenRound:
    """The round at a table, and the device it is dealt from."""

    round: TableRound
    driver: Driver = "screen"
    is_booked: bool = False
    #: Whether it was refused, and waits for people.
    is_parked: bool = False
    is_void: bool = False
    #: The logged steps of its controller's messages.
    steps: frozenset[int] = frozenset()
    #: The other links that it is booked on.
    others: tuple[str, ...] = ()
    #: The awards that a button may look at, in the order of their claims.
    awards: Mapping[str, Award] = field(default_factory=dict)

    @property
    def own_awards(self) -> list[Award]:
        """The awards of this round."""
        place = (self.round.table, self.round.number)
        return [award for award in self.awards.values() if (award.table, award.round) == place]

    @property
    def claims(self) -> tuple[Award, ...]:
        """The open claims of the round."""
        return tuple(award for award in self.own_awards if award.status == "claimed")

    @property
    def cards(self) -> dict[int, str]:
        """The cards of its hands, where they are known: seat -> cards."""
        standing = ("claimed", "confirmed", "paid")
        return {
            award.seat: award.cards for award in self.own_awards if award.cards and award.status in standing
        }

    def state_of(self, snapshot: LinkSnapshot) -> LinkSnapshot:
        """The state of its link with what a button of this round may look at."""
        place = (self.round.table, self.round.number)
        misdealt = frozenset({place} if self.is_void else ())
        return replace(snapshot, state=replace(snapshot.state, awards=self.awards, misdealt=misdealt))


def played_round(
    connection: Connection, link: Link, table: str, number: int | None, *, seats: int = 7
) -> OpenRound:
    """A round of a table, or its last one, folded from its records in the books."""
    about = {"link": link.id, "table": table, "number": number}
    row = connection.execute(statement("round_state"), about).fetchone()
    assert row is not None
    round_number, started_at, wager, locked, version, *rest = row
    is_booked, is_parked, is_ended, is_void, said, others, awards = rest
    idle = TableRound(table=table, link=link, number=round_number)
    played = OpenRound(
        idle,
        is_booked=is_booked,
        is_parked=is_parked,
        is_void=is_void,
        steps=frozenset(plain["step"] for plain in said if "step" in plain),
        others=tuple(others),
        awards={award["id"]: award_from(award) for award in awards},
    )
    if started_at is None:
        return played
    started = RoundStarted(
        link=link.id, at=started_at, table=table, round=round_number, wager=wager, seats=tuple(locked)
    )
    facts = [from_plain(plain) for plain in said if "step" not in plain]
    begun = replace(idle, started=started, link=_version(connection, link, version))
    playing = _fold(begun, facts, played.own_awards, seats)
    if is_ended or is_void:
        voided = any(isinstance(fact, RoundVoided) for fact in facts)
        last = replace(playing, link=link, phase="idle", hands={} if voided else playing.hands)
        return replace(played, round=last)
    driven = any(isinstance(fact, RegularWagers | RoundTakenOver) for fact in facts)
    return replace(played, round=playing, driver="screen" if driven else "controller")


def layout_of(connection: Connection, link: Link, table: str, number: int) -> Layout | None:
    """What a table deals, with the hands of a round on all its jackpots; None before the first floor."""
    try:
        place = floor_in_force(connection).table_by_id.get(table)
    except ProblemsError:
        return None
    if place is None:
        return None
    return layout_at(connection, place, played_round(connection, link, table, number, seats=place.seats))


def layout_at(connection: Connection, place: FloorTable, played: OpenRound) -> Layout:
    """What a table deals, with the hands of a round of a locked link and of the table's other links.

    Presses on several jackpots of the table wait for each other.
    """
    rounds = [played]
    if played.others:
        links = [read_meters(connection, other).state.link for other in played.others]
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('table ' || %s, 0))", (place.id,))
        about = (place.id, played.round.number)
        rounds += [played_round(connection, link, *about, seats=place.seats) for link in links]
    hands = tuple(
        LaidHand(link=one.round.link, seat=seat, hand=hand, cards=one.cards.get(seat, ""))
        for one in rounds
        for seat, hand in one.round.hands.items()
    )
    return Layout(game=place.game.name, decks=place.decks, hands=hands)


def _fold(idle: TableRound, facts: Iterable[Fact], awards: Collection[Award], seats: int) -> TableRound:
    hands: dict[int, str] = {}
    players: tuple[int, ...] = tuple(range(1, max(seats, *idle.seats, 1) + 1))
    folded: set[int] = set()
    key, dealt = "run", False
    for fact in facts:
        match fact:
            case RegularWagers(players=those):
                players = those
            case HandPressed(seat=seat, hand=hand):
                hands[seat], dealt = hand, True
            case HandCleared(seat=seat):
                hands.pop(seat, None)
            case SeatFolded(seat=seat):
                folded, dealt = folded ^ {seat}, True
            case KeyTurned(to=to):
                key = to
    confirmed = frozenset(award.seat for award in awards if award.status in SETTLED)
    round_ = replace(
        idle,
        phase="playing",
        players=players,
        hands=hands,
        folded=frozenset(folded),
        dealt=dealt,
        confirmed=confirmed,
    )
    return replace(round_, phase=_phase(round_, key))


def _phase(round_: TableRound, key: str) -> Phase:
    if key == "jackpot":
        return "logged" if round_.confirmed and not round_.claims else "key_at_jackpot"
    return "claimed" if round_.claims else "playing"


def say(connection: Connection, facts: Sequence[Fact]) -> None:
    """Log what happened in a round at a table."""
    if facts:
        rows = [(fact.at, type(fact).__name__, as_plain(fact)) for fact in facts]
        about = (facts[0].link, rows[0][2]["table"], rows[0][2]["round"])
        _log(connection, about, rows)


def log_message(connection: Connection, message: LoggedMessage) -> None:
    """Log a message of a controller, with the reason if it is refused."""
    about = (message.link, message.table, message.round)
    _log(connection, about, [(message.at, message.kind, message.content)])


def _log(
    connection: Connection, about: tuple[object, ...], rows: Sequence[tuple[Instant, str, dict[str, Any]]]
) -> None:
    times, kinds, plain = zip(*rows, strict=True)
    place = dict(zip(("link", "table", "number"), about, strict=True))
    values = {"times": list(times), "kinds": list(kinds), "facts": list(map(Jsonb, plain))}
    connection.execute(statement("insert_table_facts"), {**place, **values})


def _version(connection: Connection, link: Link, fingerprint: str) -> Link:
    """The version that a round started with, which it keeps [LT-10]."""
    if fingerprint == link.fingerprint:
        return link
    row = connection.execute(statement("version"), (link.id, fingerprint)).fetchone()
    assert row is not None
    return link_from(row[0], fingerprint)


def open_rounds(connection: Connection, link: Link) -> list[TableRound]:
    """The open rounds of a link."""
    rows = connection.execute(statement("rounds_at_tables"), ([link.id],)).fetchall()
    return [
        played_round(connection, link, table, number).round
        for _, table, number, phase in rows
        if phase != "idle"
    ]


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


def refused_rounds(
    connection: Connection, link: str, keys: Sequence[Key]
) -> dict[Key, tuple[RoundStarted, Problem]]:
    """The rounds among these that were refused, with their start and the reason."""
    refusals: dict[Key, tuple[RoundStarted, Problem]] = {}
    for plain, problem in connection.execute(statement("rounds_refused"), (*pg_arrays.columns(keys), link)):
        started = from_plain(plain)
        assert isinstance(started, RoundStarted)
        refusals[started.table, started.round] = (started, Problem(**problem))
    return refusals


def last_round(connection: Connection, table: str, link: str | None = None) -> int:
    """The last booked or parked round of a table, on any of its links or on one."""
    row = connection.execute(statement("last_round"), {"table": table, "link": link}).fetchone()
    return row[0] if row else 0


def rounds_of_last_hour(
    connection: Connection, *, table: str | None = None, at: Instant | None = None
) -> dict[str, int]:
    """Count the rounds of each table, or of one, that were booked within the last hour.

    ``at`` is when the log stored the current message, so restored books count the hour before it.
    """
    parameters = {"table": table, "at": at}
    return dict(connection.execute(statement("rounds_of_last_hour"), parameters).fetchall())
