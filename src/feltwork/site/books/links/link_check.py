"""The self-check of links: when a bookkeeper starts, and daily; a link that fails is stopped [GL-13]."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from psycopg.errors import SerializationFailure

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.self_check import self_check
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.links import lifecycle
from feltwork.site.books.links.links_rows import chain_ends
from feltwork.site.books.watch.alarms_rows import clear_alarm, raise_alarm

_ALARM = "self-check"


def links_with_chain(connection: Connection) -> Sequence[str]:
    """Every link whose chain has begun."""
    return list(chain_ends(connection))


def record_start(
    connection: Connection, *, by: str, place: str, version: str, components: Mapping[str, str]
) -> None:
    """Record which components a bookkeeper runs with [WA-31]."""
    runs = {"version": version, "components": components}
    write_audit(connection, AuditLine(who=by, place=place, what="start", after=runs))


def check_link(connection: Connection, link: str, *, by: str) -> Problem | None:
    """Check a link; on failure, raise an alarm and stop wagers until people have looked into it [GEN-08]."""
    place = f"link {link}"
    problem = _checked(connection, link)
    if problem is None:
        clear_alarm(connection, _ALARM, place, by=by, why="the check is passed")
        return None
    details = {"what": problem.what, "where": problem.where, "remedy": problem.remedy}
    raise_alarm(connection, _ALARM, place, details, by=by)
    with suppress(ProblemsError):  # it is already stopped
        lifecycle.stop(
            connection, link, cause="suspended", reason=f"self-check failed: {problem.what}", by=by
        )
    return problem


def _checked(connection: Connection, link: str) -> Problem | None:
    while True:
        try:
            return self_check(connection, link)
        except SerializationFailure:
            continue  # another bookkeeper checked it meanwhile
