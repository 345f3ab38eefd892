"""Tables that play by themselves: what they say about a round is written down once, and booked in its order.

The messages of a round count 0, 1, 2 by their step. Step 0, the start, is a row of the rounds; each other one
is a row here, written in the transaction that books what it says. So a message that comes again is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from psycopg.types.json import Jsonb

from feltwork.books import arrays, awards
from feltwork.books.arrays import Key
from feltwork.books.command import Done
from feltwork.books.connection import Connection
from feltwork.books.rounds import book_ends, book_misdeal, booked_round
from feltwork.books.standing import Taken, take
from feltwork.books.statements import statement
from feltwork.books.tables import plain_round, round_from
from feltwork.progressive import round as rules
from feltwork.progressive.plain import as_plain
from feltwork.progressive.round import TableRound
from feltwork.progressive.round_facts import RoundEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One message of a round: where it belongs, and all that it said."""

    link: str
    table: str
    round: int
    step: int
    at: int
    kind: str
    said: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """A round as its table saw it: who plays, and every hand that is named."""

    players: tuple[int, ...]
    hands: Mapping[int, str]


def steps_heard(connection: Connection, table: str, number: int) -> set[int]:
    """The steps of a round that are written down."""
    row = connection.execute(statement("steps_heard"), (table, number)).fetchone()
    return set(row[0] or ()) if row else set()


def write_down(connection: Connection, heard: Heard, *, refused: str = "") -> bool:
    """Write a message down, once; the answer is whether it is new."""
    with connection.transaction():
        take(connection, heard.link)
        return _first(connection, heard, refused)


def claim(  # noqa: PLR0913 - what a claim consists of
    connection: Connection, heard: Heard, told: Hands, *, seat: int, award: str, by: str, cards: str
) -> Done | None:
    """Book the claim of a seat, once; its round must be booked."""
    with connection.transaction():
        taken = take(connection, heard.link)
        round_ = _round(connection, taken, heard, told, seat)
        if not _first(connection, heard):
            return None
        done = awards.claim(connection, round_, seats=[seat], named={seat: award}, by=by, cards=cards)
        _keep(connection, heard, round_)
        return done


def clear_claim(
    connection: Connection, heard: Heard, told: Hands, *, award: str, reason: str, by: str
) -> Done | None:
    """Book that the dealer took a claim back, once."""
    with connection.transaction():
        taken = take(connection, heard.link)
        round_ = _round(connection, taken, heard, told)
        if not _first(connection, heard):
            return None
        done = awards.void(connection, round_, awards=[award], reason=reason, by=by)
        _keep(connection, heard, round_)
        return done


def turn_key(connection: Connection, heard: Heard, *, to_run: bool) -> Done | None:
    """Aquarius: the key went to JPH, or back to RUN, where what was logged leaves the meter."""
    with connection.transaction():
        taken = take(connection, heard.link)
        if not _first(connection, heard):
            return None
        row = connection.execute(statement("table_round"), (heard.table,)).fetchone()
        if row is None or row[1]["number"] != heard.round:
            return None  # no claim of the round is known: the key moved nothing
        before = round_from(connection, taken.state.link, heard.table, row[1])
        done = None
        if to_run:
            after = rules.key_to_run(before)
            done = awards.move_meter(connection, after)
        else:
            after = rules.key_to_jackpot(before)
        _keep(connection, heard, after)
        return done


def misdeal(connection: Connection, heard: Heard, *, by: str) -> Done | None:
    """Give the wagers of a void round back, once."""
    with connection.transaction():
        take(connection, heard.link)
        if not _first(connection, heard):
            return None
        done = book_misdeal(connection, heard.link, heard.table, heard.round, by=by)
        connection.execute(statement("followed_ended"), arrays.columns([(heard.table, heard.round)]))
        return done


def ends(connection: Connection, link: str, ended: Sequence[RoundEnded]) -> Taken:
    """Book how rounds ended, each once; their tables are idle. The answer is how the link stands after it."""
    with connection.transaction():
        after = book_ends(connection, link, ended)
        about = arrays.columns([(one.table, one.round) for one in ended])
        connection.execute(statement("followed_ended"), about)
        return after


def steps_of(connection: Connection, asked: Sequence[Key]) -> dict[Key, int]:
    """How many messages of each of these rounds are written down."""
    rows = connection.execute(statement("steps_of_rounds"), arrays.columns(asked))
    return {(table, number): count for table, number, count in rows}


def _first(connection: Connection, heard: Heard, refused: str = "") -> bool:
    """Under the lock of the link, so that no other bookkeeper writes the same down."""
    if heard.step in steps_heard(connection, heard.table, heard.round):
        return False
    said = {**heard.said, "step": heard.step} | ({"refused": refused} if refused else {})
    about = (heard.link, heard.table, heard.round, heard.at, heard.kind)
    connection.execute(statement("say_at_table"), (*about, Jsonb(said)))
    return True


def _round(
    connection: Connection, taken: Taken, heard: Heard, told: Hands, seat: int | None = None
) -> TableRound:
    """The round as the message tells it, on the version that it was booked under [LT-10].

    A message that comes late changes only its own seat: what was said after it stays.
    """
    link, table, number = heard.link, heard.table, heard.round
    started, entry = booked_round(connection, link, table, number)
    version = connection.execute(statement("version_of_entry"), (link, entry)).fetchone()
    settled = connection.execute(statement("settled_seats"), (link, table, number)).fetchone()
    assert version is not None
    assert settled is not None
    hands = {str(one): hand for one, hand in told.hands.items()}
    row = connection.execute(statement("table_round"), (table,)).fetchone()
    late = max(steps_heard(connection, table, number), default=0) > heard.step
    if late and row is not None and row[1]["number"] == number:
        mine = {str(seat): told.hands[seat]} if seat is not None and seat in told.hands else {}
        hands = {**row[1]["hands"], **mine}
    state = {
        "number": number,
        "phase": "playing",
        "version": version[0],
        "started": as_plain(started),
        "players": list(told.players),
        "hands": hands,
        "confirmed": settled[0],
    }
    round_ = round_from(connection, taken.state.link, table, state)
    return replace(round_, phase="claimed" if round_.claims else "playing")


def _keep(connection: Connection, heard: Heard, round_: TableRound) -> None:
    """Keep the round for those who confirm it, unless the table is further already."""
    row = connection.execute(statement("table_round"), (heard.table,)).fetchone()
    if row is None or row[1]["number"] <= round_.number:
        kept = (heard.table, heard.link, round_.number, Jsonb(plain_round(round_)))
        connection.execute(statement("save_table_round"), kept)
