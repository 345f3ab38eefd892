"""Audit of the evidence chain: records outside the journal against their digests, and the chain itself."""

from datetime import datetime

from feltwork.problem import Problem
from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.chain import GENESIS, Tail


def evidence_problems(connection: Connection) -> tuple[int, list[Problem]]:
    """Count the chained records and find the first wrong one; requires an open transaction."""
    connection.execute("SET LOCAL timezone = 'UTC'")
    size = connection.execute(statement("evidence_size")).fetchone()
    assert size is not None
    remedy = "compare with the last export and restore it"
    row = connection.execute(statement("evidence_chain_problem")).fetchone()
    if row is not None:
        what = "its content differs from what was hashed, or it does not follow the record before it"
        return size[0], [Problem(f"evidence, record {row[0]}", what, remedy, "GEN-09")]
    row = connection.execute(statement("evidence_problem")).fetchone()
    if row is not None:
        number, kind, key, what = row
        where = f"evidence, record {number}, {kind} {key}" if number else f"evidence, {kind} {key}"
        return size[0], [Problem(where, what, remedy, "GEN-09")]
    return size[0], []


def evidence_end(connection: Connection, before: datetime) -> Tail:
    """The end of the evidence chain before an instant."""
    row = connection.execute(statement("evidence_end"), (before,)).fetchone()
    return Tail(*row) if row else Tail(0, GENESIS)
