"""The audit of a period: every chain, posting and round of it, checked inside the database in seconds."""

from feltwork.problem import Problem
from feltwork.site.books.audit.replay import ReplayResult
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.queries import statement

_CHECKS = ("audit_chain", "audit_postings", "audit_rounds", "audit_balances")


def audit_period(connection: Connection, period: Period) -> ReplayResult:
    """Check the entries of a period and the records joined to them; ``audit`` replays everything."""
    verdict = ReplayResult()
    about = {"since": period.since, "until": period.until}
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute("SET LOCAL work_mem = '128MB'")
        row = connection.execute(statement("audit_size"), about).fetchone()
        assert row is not None
        verdict.links, verdict.entries, verdict.rounds = row
        first_problems: dict[str, tuple[int, str]] = {}
        for check in _CHECKS:
            for link, number, what in connection.execute(statement(check), about):
                if link not in first_problems or number < first_problems[link][0]:
                    first_problems[link] = (number, what)
    remedy = "compare with the last export and restore it; stop the link meanwhile"
    verdict.problems += [
        Problem(f"{link}, entry {number}", what, remedy, "GEN-09")
        for link, (number, what) in sorted(first_problems.items())
    ]
    return verdict
