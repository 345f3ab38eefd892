"""The state of a round, folded from its row, its messages, its awards and its end."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from psycopg.types.json import Jsonb

from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.link_state import LinkSnapshot, award_from, read_meters
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.message_log import LoggedMessage
from feltwork.site.compliance.floor import FloorTable
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


def say(connection: Connection, facts: Sequence[Fact], message: LoggedMessage | None = None) -> None:
    """Log what happened in a round at a table, after the controller's message that says so."""
    rows = [(fact.at, type(fact).__name__, as_plain(fact)) for fact in facts]
    if facts:
        link, table, number = facts[0].link, rows[0][2]["table"], rows[0][2]["round"]
    if message is not None:
        link, table, number = message.link, message.table, message.round
        rows = [(message.at, message.kind, message.content), *rows]
    if not rows:
        return
    times, kinds, plain = zip(*rows, strict=True)
    values = {"times": list(times), "kinds": list(kinds), "facts": list(map(Jsonb, plain))}
    about = {"link": link, "table": table, "number": number}
    connection.execute(statement("insert_table_facts"), {**about, **values})


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
