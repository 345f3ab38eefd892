"""The state of a round, folded from its row, its messages, its awards and its end."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.link_state import award_from, read_meters
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.queries import statement
from feltwork.site.progressive.fact_serializer import as_plain, from_plain
from feltwork.site.progressive.facts import Fact
from feltwork.site.progressive.layout import LaidHand, Layout
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.round import Phase, TableRound
from feltwork.site.progressive.round_facts import (
    HandCleared,
    HandPressed,
    KeyTurned,
    RegularWagers,
    RoundStarted,
    RoundTakenOver,
    RoundVoided,
    SeatFolded,
)
from feltwork.site.progressive.state import SETTLED, Award

#: Device that a round is dealt from.
Driver: TypeAlias = Literal["screen", "controller"]


@dataclass(frozen=True, slots=True)
class OpenRound:
    """The round at a table, and the device it is dealt from."""

    round: TableRound
    driver: Driver = "screen"
    #: The open claims of the round.
    claims: tuple[Award, ...] = ()
    #: The cards of its hands, where they are known: seat -> cards.
    cards: Mapping[int, str] = field(default_factory=dict)


def played_round(
    connection: Connection, link: Link, table: str, number: int | None, *, seats: int = 7
) -> OpenRound:
    """A round of a table, or its last one, folded from its records in the books."""
    row = connection.execute(
        statement("round_state"), {"link": link.id, "table": table, "number": number}
    ).fetchone()
    if row is None or row[1] is None:
        return OpenRound(TableRound(table=table, link=link, number=row[0] if row and row[0] else 0))
    round_number, started_at, wager, locked, version, is_over, plain_facts = row
    started = RoundStarted(
        link=link.id, at=started_at, table=table, round=round_number, wager=wager, seats=tuple(locked)
    )
    idle = TableRound(table=table, link=link, number=round_number, started=started)
    facts = [from_plain(plain) for plain in plain_facts]
    awards = _awards(connection, link.id, table, round_number)
    claims = tuple(award for award in awards if award.status == "claimed")
    standing = [award for award in awards if award.status in ("claimed", "confirmed", "paid")]
    cards = {award.seat: award.cards for award in standing if award.cards}
    playing = _fold(replace(idle, link=_version(connection, link, version)), facts, awards, seats)
    if is_over:
        voided = any(isinstance(fact, RoundVoided) for fact in facts)
        last = replace(playing, link=link, phase="idle", hands={} if voided else playing.hands)
        return OpenRound(last, claims=claims, cards=cards)
    driven = any(isinstance(fact, RegularWagers | RoundTakenOver) for fact in facts)
    return OpenRound(playing, "screen" if driven else "controller", claims, cards)


def layout_of(connection: Connection, link: Link, table: str, number: int) -> Layout | None:
    """What a table deals, with the hands of a round on all its jackpots; None before the first floor.

    Presses on several jackpots of the table wait for each other.
    """
    try:
        floor = floor_in_force(connection)
    except ProblemsError:
        return None
    place = floor.table_by_id.get(table)
    if place is None:
        return None
    links = {link.id: link}
    for (other,) in connection.execute(statement("links_of_round"), (number, table, link.id)).fetchall():
        links[other] = read_meters(connection, other).state.link
    if len(links) > 1:
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('table ' || %s, 0))", (table,))
    hands: list[LaidHand] = []
    for of in links.values():
        played = played_round(connection, of, table, number, seats=place.seats)
        about = {"link": played.round.link}
        hands += [
            LaidHand(**about, seat=seat, hand=hand, cards=played.cards.get(seat, ""))
            for seat, hand in played.round.hands.items()
        ]
    return Layout(game=place.game.name, decks=place.decks, hands=tuple(hands))


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


def say(connection: Connection, facts: Iterable[Fact]) -> None:
    """Log what happened in a round at a table."""
    for fact in facts:
        plain = as_plain(fact)
        about = (fact.link, plain["table"], plain["round"], fact.at, type(fact).__name__)
        connection.execute(statement("insert_table_fact"), (*about, Jsonb(plain)))


def _awards(connection: Connection, link: str, table: str, number: int) -> list[Award]:
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_of_round"), (link, table, number)).fetchall()
    return [award_from(row) for row in rows]


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
