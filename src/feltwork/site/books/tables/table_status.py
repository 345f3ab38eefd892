"""Table status: every table in the floor file or in play, and its current round."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from feltwork.money import CENT, Micros
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.site import floor_in_force
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.rounds import OpenRound
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.compliance.floor import Floor


@dataclass(frozen=True, slots=True)
class LastRound:
    """The last round that a table reported on a link."""

    number: int = 0
    #: Whether it began within the last minutes.
    heard: bool = False
    #: Whether it is in progress, or has only just ended.
    runs: bool = False
    seats: Sequence[int] = ()


def rounds_at_tables(connection: Connection, links: Sequence[str]) -> dict[tuple[str, str], tuple[int, str]]:
    """The number and the phase of the round at each table of some links, by link and table."""
    rows = connection.execute(statement("rounds_at_tables"), (links,)).fetchall()
    return {(link, table): (number, phase) for link, table, number, phase in rows}


def last_rounds(connection: Connection) -> dict[tuple[str, str], LastRound]:
    """The last round of each table, by link and table."""
    rows = connection.execute(statement("last_rounds")).fetchall()
    return {(link, table): LastRound(*rest) for link, table, *rest in rows}


#: Seats of a table that no floor file describes.
_SEATS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatus:
    """A table of a link, and its current state."""

    id: str
    link: str
    game: str
    seats: int
    #: Whether sensors detect jackpot wagers; otherwise the dealer taps the seats.
    sensors: bool
    #: Smallest chip; smaller remainders are paid in coin.
    smallest_chip: Micros = CENT
    number: int = 0
    phase: str = "idle"
    #: The seats of the current round, and whether the table reported a round in the last minutes.
    covered: tuple[int, ...] = ()
    heard: bool = False


def tables(connection: Connection, links: Sequence[str] = ()) -> list[TableStatus]:
    """Return the tables of some or all links, from the floor file and from play."""
    link_ids = [link for link in link_kinds(connection) if not links or link in links]
    playing = rounds_at_tables(connection, link_ids)
    rounds = last_rounds(connection)
    tables_by_place = {
        (status.link, status.id): status for status in _of_floor(floor_in_force(connection), link_ids)
    }
    for place in playing:
        link, table = place
        tables_by_place.setdefault(
            place, TableStatus(id=table, link=link, game="", seats=_SEATS, sensors=False)
        )
    return [
        _now(status, playing.get(place), rounds.get(place, LastRound()))
        for place, status in sorted(tables_by_place.items())
    ]


def table_status(connection: Connection, link: str, name: str) -> TableStatus:
    """Return one table of a link; without a floor file it has seven seats."""
    known = [status for status in tables(connection, [link]) if status.id == name]
    return known[0] if known else TableStatus(id=name, link=link, game="", seats=_SEATS, sensors=False)


def played_at(connection: Connection, place: TableStatus) -> OpenRound:
    """Return the round at a table, or its last one, with its open claims."""
    return Table(connection, place.link, place.id, seats=place.seats).seen()


def _of_floor(floor: Floor | None, link_ids: Sequence[str]) -> list[TableStatus]:
    if floor is None:
        return []
    return [
        TableStatus(
            id=table.id,
            link=link.id,
            game=table.known_as or table.game.title,
            seats=table.seats,
            sensors=table.entry == "sensors",
            smallest_chip=table.smallest_chip,
        )
        for link in floor.links
        if link.id in link_ids
        for table in floor.tables_of(link)
    ]


def _now(status: TableStatus, playing: tuple[int, str] | None, last: LastRound) -> TableStatus:
    """Return the status with the later of the controller's last round and the screen's round."""
    number, phase = playing or (0, "idle")
    on_wire = last.number > number
    if on_wire:
        number, phase = last.number, "playing" if last.runs else "idle"
    covered = tuple(last.seats) if last.runs and phase != "idle" else ()
    # A round from a screen has no sensor data.
    is_reporting = last.heard and (on_wire or phase != "idle")
    return replace(status, number=number, phase=phase, covered=covered, heard=is_reporting)
