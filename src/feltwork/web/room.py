"""The room: the floor in force with its links and tables, and what each table does now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from feltwork.books import floors
from feltwork.books.connection import Connection
from feltwork.books.statements import statement
from feltwork.compliance.floor import Floor
from feltwork.problem import ProblemsError
from feltwork.web import told

#: Where no floor file names the seats of a table.
_SEATS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTable:
    """A table of a link as a screen shows it."""

    id: str
    link: str
    game: str
    seats: int
    #: Whether sensors say who has made the jackpot wager; else the dealer taps the seats.
    sensors: bool
    number: int = 0
    phase: str = "idle"
    #: The seats of the round that runs, and whether the table has told of a round within the last minutes.
    covered: tuple[int, ...] = ()
    heard: bool = False


@dataclass(frozen=True, slots=True)
class LastRound:
    """The last round that a table has told of on a link, by the books."""

    number: int = 0
    #: Whether it began within the last minutes.
    heard: bool = False
    #: Whether its end is still to come, or has only just come.
    runs: bool = False
    seats: Sequence[int] = ()


def floor_in_force(connection: Connection) -> Floor | None:
    """The floor that was applied last; none before the first."""
    try:
        return floors.floor_in_force(connection)
    except ProblemsError:
        return None


def site_name(connection: Connection) -> str:
    """What the house calls itself."""
    floor = floor_in_force(connection)
    return floor.site if floor else "Feltwork"


def tables(connection: Connection, links: Sequence[str] = ()) -> list[RoomTable]:
    """The tables of some links, or of all: those of the floor, and those that have played besides."""
    wanted = [link for link, _ in told.links(connection).items() if not links or link in links]
    rows = connection.execute(statement("rounds_at_tables"), (wanted,)).fetchall()
    playing = {(link, table): (number, phase) for link, table, number, phase in rows}
    rounds = _last_rounds(connection)
    found = {(one.link, one.id): one for one in _of_floor(floor_in_force(connection), wanted)}
    for place in playing:
        link, table = place
        found.setdefault(place, RoomTable(id=table, link=link, game="", seats=_SEATS, sensors=False))
    return [
        _now(one, playing.get(place), rounds.get(place, LastRound())) for place, one in sorted(found.items())
    ]


def table(connection: Connection, link: str, name: str) -> RoomTable:
    """One table of a link; a house without a floor file has tables of seven seats."""
    known = [one for one in tables(connection, [link]) if one.id == name]
    return known[0] if known else RoomTable(id=name, link=link, game="", seats=_SEATS, sensors=False)


def _of_floor(floor: Floor | None, wanted: Sequence[str]) -> list[RoomTable]:
    if floor is None:
        return []
    return [
        RoomTable(
            id=one.id,
            link=link.id,
            game=one.known_as or one.game.title,
            seats=one.seats,
            sensors=one.entry == "sensors",
        )
        for link in floor.links
        if link.id in wanted
        for one in floor.tables_of(link)
    ]


def _last_rounds(connection: Connection) -> dict[tuple[str, str], LastRound]:
    rows = connection.execute(statement("last_rounds")).fetchall()
    return {(link, table): LastRound(*rest) for link, table, *rest in rows}


def _now(one: RoomTable, playing: tuple[int, str] | None, last: LastRound) -> RoomTable:
    """A table on the wire tells of rounds, one that is run from a screen has a state: the later holds."""
    number, phase = playing or (0, "idle")
    on_wire = last.number > number
    if on_wire:
        number, phase = last.number, "playing" if last.runs else "idle"
    covered = tuple(last.seats) if last.runs and phase != "idle" else ()
    # A round from a screen says nothing about the sensors; while one runs the table is looked after anyway.
    heard = last.heard and (on_wire or phase != "idle")
    return replace(one, number=number, phase=phase, covered=covered, heard=heard)
