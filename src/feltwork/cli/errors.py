"""What went wrong outside of a command, as problems: files, ports and a database that a person can mend."""

import errno
import sys
from collections.abc import Sequence
from pathlib import Path

from feltwork.problem import Problem, ProblemsError

_DSN = "--dsn"
_REMEDIES = {
    errno.EACCES: "use a place that you may read and write, or ask who owns it",
    errno.EPERM: "use a place that you may read and write, or ask who owns it",
    errno.EROFS: "use a place that can be written",
    errno.ENOSPC: "make room on the disk",
    errno.EISDIR: "name a file, not a folder",
    errno.ENOTDIR: "name a folder, not a file",
    errno.EEXIST: "name one that is not there yet",
    errno.EADDRINUSE: "choose another port, or end what uses it",
}


def problems_of(error: Exception) -> Sequence[Problem]:
    """What a person can mend about an error; nothing where it is a bug of ours."""
    if isinstance(error, ProblemsError):
        return error.problems
    # Only who has loaded the operations can have been refused by them.
    operations = sys.modules.get("feltwork.operations.errors")
    if operations is not None and isinstance(error, operations.RefusedError):
        refusal = error.refusal
        return [Problem(refusal.where or refusal.rule, refusal.what, refusal.remedy, refusal.requirement)]
    if isinstance(error, UnicodeDecodeError):
        return [Problem("the file", "is not text in UTF-8", "save it as UTF-8 and try again")]
    if isinstance(error, OSError):
        return [_of_the_machine(error)]
    return _of_the_books(error)


def _of_the_machine(error: OSError) -> Problem:
    where = str(error.filename or "this machine")
    what = error.strerror or str(error) or type(error).__name__
    if error.errno == errno.ENOENT and error.filename:
        folder = Path(where).parent
        remedy = (
            "correct its name" if folder.is_dir() else f"make the folder {folder} first, or correct the name"
        )
        return Problem(where, what, remedy)
    return Problem(where, what, _REMEDIES.get(error.errno or 0, "correct what is named, and try again"))


def _of_the_books(error: Exception) -> Sequence[Problem]:
    """A database that is away, shut to us, or empty. Only who has loaded its driver can have met it."""
    psycopg = sys.modules.get("psycopg")
    found = getattr(error, "orig", None) or error  # Alembic hands on the driver's error inside its own
    if psycopg is None or not isinstance(found, psycopg.Error):
        return ()
    what = str(found).strip().splitlines()[0]
    errors = psycopg.errors
    if isinstance(found, errors.InvalidSchemaName | errors.UndefinedTable | errors.UndefinedFunction):
        return [Problem(_DSN, "these books have no schema, or an older one", "feltwork init, as their owner")]
    if isinstance(found, errors.InsufficientPrivilege):
        remedy = "take the login that `feltwork init --logins` made for it: owner, writer or reader"
        return [Problem(_DSN, f"this login may not do that: {what}", remedy)]
    if isinstance(found, psycopg.OperationalError):
        return [Problem(_DSN, f"the books do not answer: {what}", "start PostgreSQL, or correct --dsn")]
    if found.sqlstate is None and isinstance(found, psycopg.ProgrammingError):
        remedy = "write it like 'host=127.0.0.1 dbname=feltwork user=NAME passfile=FILE'"
        return [Problem(_DSN, f"cannot be read: {what}", remedy)]
    return ()
