"""Controllers: the state returned in the handshake with a table controller."""

from dataclasses import dataclass

from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import read_meters
from feltwork.books.rounds.round_state import played_round
from feltwork.books.rounds.table_status import last_round
from feltwork.problem import Problem, ProblemsError

_NO_VERSION = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePosition:
    """The last round of a table in the books, whether it is over, and the version that its link plays."""

    last_round: int
    is_over: bool = False
    version: str = _NO_VERSION
    #: Why the table cannot play.
    problem: Problem | None = None


def table_position(connection: Connection, link: str, table: str, on_its_way: int) -> TablePosition:
    """The position of a table in the books compared with the message log."""
    last = last_round(connection, table)
    try:
        played = read_meters(connection, link).state.link
        is_idle = played_round(connection, played, table, None).round.phase == "idle"
        is_over = is_idle and last_round(connection, table, link) >= on_its_way > 0
    except ProblemsError as error:
        return TablePosition(last_round=last, problem=error.problems[0])
    return TablePosition(last_round=last, is_over=is_over, version=played.fingerprint)
