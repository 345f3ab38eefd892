"""Controllers: the state returned in the handshake with a table controller."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.tables.rounds import last_round, played_round
from feltwork.site.books.watch.alarms import open_alarms, raise_alarm
from feltwork.site.compliance.floor import OWN_SOFTWARE
from feltwork.site.wire.uplink import Hello

_ALARM = "device software"
_NO_VERSION = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePosition:
    """The last round of a table in the books, whether it is over, and the version that its link plays."""

    last_round: int
    is_over: bool = False
    version: str = _NO_VERSION
    #: Reason why the table cannot play; None if it can.
    problem: Problem | None = None


def software_refusal(
    connection: Connection, hello: Hello, approved: Mapping[str, str], *, by: str
) -> Problem | None:
    """Return why a controller's software is refused, and raise an alarm; None if it is approved.

    `approved` maps the hashes of an approved list. If it is empty, the floor file decides.
    """
    if approved:
        if hello.software_hash in approved:
            return None
        what: str = Sentence(
            "%(software)s runs as %(hash)s, which is not approved",
            software=hello.software,
            hash=hello.software_hash[:12],
        )
        remedy: str = Sentence("install the approved software")
    else:
        if floor_in_force(connection).knows_software(hello.software):
            return None
        what = Sentence("the floor file does not name its software, %(software)s", software=hello.software)
        remedy = Sentence(
            "install %(software)s, or apply a floor file that names the other under device_software",
            software=OWN_SOFTWARE,
        )
    problem = Problem(f"table {hello.table}", what, remedy, "WA-31")
    # Only the first alarm is written, so a device that keeps changing its name cannot flood the audit log.
    if not any((alarm.kind, alarm.place) == (_ALARM, problem.where) for alarm in open_alarms(connection)):
        details = {"what": what, "remedy": remedy, "requirement": problem.requirement}
        raise_alarm(connection, _ALARM, problem.where, details, by=by)
    return problem


def table_position(connection: Connection, link: str, table: str, on_its_way: int) -> TablePosition:
    """The position of a table in the books compared with the message log."""
    last = last_round(connection, table)
    try:
        played = read_meters(connection, link).state.link
        # The order matters: a round booked between the two reads may still be open.
        is_booked = last_round(connection, table, link) >= on_its_way > 0
        is_over = is_booked and played_round(connection, played, table, None).round.phase == "idle"
    except ProblemsError as error:
        return TablePosition(last_round=last, problem=error.problems[0])
    return TablePosition(last_round=last, is_over=is_over, version=played.fingerprint)
