"""The self-check of links: when a bookkeeper starts, and daily; a link that fails is stopped [GL-13]."""

from collections.abc import Mapping
from contextlib import suppress

from psycopg.errors import SerializationFailure
from psycopg.types.json import Jsonb

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.links import lifecycle
from feltwork.site.books.queries import statement
from feltwork.site.books.watch.alarms import clear_alarm, raise_alarm
from feltwork.site.progressive.chain import GENESIS

_ALARM = "self-check"


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
            with connection.transaction():
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                return _first_problem(connection, link)
        except SerializationFailure:
            continue  # another bookkeeper checked it meanwhile


def _first_problem(connection: Connection, link: str) -> Problem | None:
    """Return the first error of a link, if any; otherwise the next check starts after this one [GEN-08]."""
    row = connection.execute(statement("check_end"), (link,)).fetchone()
    if row is None:
        return _problem(link, 0, Sentence("its chain is gone"))
    number, tail_hash, uncovered, state_number, last_hash = row
    if (state_number, uncovered, last_hash) != (number, 0, tail_hash):
        return _problem(link, number, Sentence("the chain does not end where the books say"))
    since, since_hash, before = connection.execute(statement("last_check"), (link,)).fetchone() or (
        0,
        GENESIS,
        {},
    )
    about = {"link": link, "number": since, "hash": since_hash}
    wrong = connection.execute(statement("check_chain"), about).fetchone()
    if since > number or wrong is not None:
        where = wrong[0] if wrong else number
        what = "it is not what was hashed, or does not follow the entry before it"
        return _problem(link, where, what)
    held: dict[str, int] = dict(before)
    for account, amount in connection.execute(statement("check_postings"), (link, since)):
        held[account] = held.get(account, 0) + amount
    held = {account: amount for account, amount in held.items() if amount}
    now: dict[str, int] = dict(connection.execute(statement("balances_of"), (link,)).fetchall())
    if held != now:
        account = min(set(held.items()) ^ set(now.items()))[0]
        changed = Sentence("the balance of %(account)s is not the total of its entries", account=account)
        return _problem(link, number, changed)
    connection.execute(statement("save_check"), (link, number, tail_hash, Jsonb(held)))
    return None


def _problem(link: str, number: int, what: str) -> Problem:
    remedy = "run feltwork audit, restore what is wrong, then resume the link with two people"
    return Problem(f"link {link}, entry {number}", what, remedy, "GEN-08")
