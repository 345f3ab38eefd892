"""What is told: links, awards and rounds as JSON, in the words of the books."""

from dataclasses import asdict
from typing import Any

from feltwork.books.command import Done
from feltwork.books.connection import Connection
from feltwork.books.standing import Taken, look_at_meters
from feltwork.books.statements import statement
from feltwork.operations.errors import unknown
from feltwork.progressive.link import NO_CAP
from feltwork.progressive.plain import as_plain
from feltwork.progressive.round import TableRound
from feltwork.progressive.state import Award, LinkState


def link(taken: Taken) -> dict[str, Any]:
    """How a link stands."""
    state = taken.state
    return {
        "link": state.link.id,
        "jackpot": state.link.jackpot,
        "paytable": state.link.paytable.name,
        "version": state.link.fingerprint,
        "wager": state.link.wager,
        "life": state.life,
        "takes_wagers": state.takes_wagers,
        "stops": dict(state.stops),
        "meters": meters(state),
        "player_funds": state.player_funds,
        "entry": taken.tail.number,
        "hash": taken.tail.hash,
        "at": taken.now,
    }


def meters(state: LinkState) -> dict[str, dict[str, int | None]]:
    """The pools of every level."""
    return {
        level: {
            "meter": state.meter(level),
            "reserve": state.reserve(level),
            "pending": state.pending(level),
            "cap": None if state.cap(level) == NO_CAP else state.cap(level),
        }
        for level in state.link.level_names
    }


def award(found: Award) -> dict[str, Any]:
    """An award as it stands."""
    return {**asdict(found), "amount": found.amount}


def done(*booked: Done) -> dict[str, Any]:
    """What a command has booked, and how the meters stand after it."""
    last = booked[-1] if booked else None
    return {
        "facts": [as_plain(fact) for one in booked for fact in one.facts],
        "meters": meters(last.state) if last else None,
        "entry": last.tail.number if last else None,
    }


def round_(playing: TableRound) -> dict[str, Any]:
    """The round at a table, and the buttons that answer."""
    return {
        "link": playing.link.id,
        "table": playing.table,
        "round": playing.number,
        "phase": playing.phase,
        "seats": list(playing.seats),
        "players": list(playing.players),
        "hands": {str(seat): hand for seat, hand in playing.hands.items()},
        "claims": list(playing.claims),
        "confirmed": sorted(playing.confirmed),
        "buttons": list(playing.buttons),
    }


def links(connection: Connection) -> dict[str, str]:
    """Every link with its kind: progressive or house."""
    return dict(connection.execute(statement("links")).fetchall())


def verify_link(connection: Connection, name: str, kind: str = "progressive") -> None:
    """Raise unless there is such a link."""
    if links(connection).get(name) != kind:
        raise unknown(f"link {name}")


def levels_of(connection: Connection, name: str) -> tuple[str, ...]:
    """The levels of a link, the highest first."""
    return look_at_meters(connection, name).state.link.level_names
