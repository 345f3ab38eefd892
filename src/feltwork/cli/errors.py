"""Translation of file, port and database errors into problems with a remedy."""

import errno
import sys
from collections.abc import Sequence
from pathlib import Path

from feltwork.problem import Problem, ProblemsError

_DSN = "--dsn"
_REMEDIES = {
    errno.EACCES: "use a place you can read and write, or ask its owner",
    errno.EPERM: "use a place you can read and write, or ask its owner",
    errno.EROFS: "use a writable place",
    errno.ENOSPC: "free some disk space",
    errno.EISDIR: "name a file, not a folder",
    errno.ENOTDIR: "name a folder, not a file",
    errno.EEXIST: "use a new name",
    errno.EADDRINUSE: "choose another port, or stop what uses it",
}


def problems_of(error: Exception) -> Sequence[Problem]:
    """Return the problems that a person can fix; none if the error is a bug."""
    if isinstance(error, ProblemsError):
        return error.problems
    # A refusal can occur only after the operations are imported.
    operations = sys.modules.get("feltwork.site.books.errors")
    if operations is not None and isinstance(error, operations.RefusedError):
        refusal = error.refusal
        return [Problem(refusal.where or refusal.rule, refusal.what, refusal.remedy, refusal.requirement)]
    if isinstance(error, ModuleNotFoundError):
        return _of_an_extra(error)
    if isinstance(error, UnicodeDecodeError):
        return [Problem("the file", "is not text in UTF-8", "save it as UTF-8 and try again")]
    if isinstance(error, OSError):
        return [_of_the_machine(error)]
    return _of_the_books(error)


#: The extra that installs each library; `site` installs the others.
_EXTRAS = {
    "numba": "odds",
    "numpy": "odds",
    "opentelemetry": "otel",
    "pyarrow": "arrow",
    "weasyprint": "documents",
}


def _of_an_extra(error: ModuleNotFoundError) -> Sequence[Problem]:
    """Name the extra that installs a missing library; a missing Feltwork module is a bug."""
    library = (error.name or "").partition(".")[0]
    if library in ("", "feltwork"):
        return ()
    command = " ".join(sys.argv[1:3] if sys.argv[1:2] == ["dev"] else sys.argv[1:2])
    extra = "demo" if command == "demo" else _EXTRAS.get(library, "site")
    what = f"needs {library}, which comes with the extra {extra}"
    return [Problem(f"feltwork {command}", what, f"pip install 'feltwork[{extra}]'")]


def _of_the_machine(error: OSError) -> Problem:
    where = str(error.filename or "this machine")
    what = error.strerror or str(error) or type(error).__name__
    if error.errno == errno.ENOENT and error.filename:
        folder = Path(where).parent
        remedy = (
            "correct its name"
            if folder.is_dir()
            else f"create the folder {folder} first, or correct the name"
        )
        return Problem(where, what, remedy)
    return Problem(where, what, _REMEDIES.get(error.errno or 0, "correct the name, and try again"))


def _of_the_books(error: Exception) -> Sequence[Problem]:
    """Explain an error of a database that is down, denies access or is empty, if its driver is loaded."""
    psycopg = sys.modules.get("psycopg")
    cause = getattr(error, "orig", None) or error  # Alembic wraps the driver's error
    if psycopg is None or not isinstance(cause, psycopg.Error):
        return ()
    from feltwork.site.books.connection import UnconfirmedCommitError

    what = str(cause).strip().splitlines()[0]
    errors = psycopg.errors
    if isinstance(cause, errors.InvalidSchemaName | errors.UndefinedTable | errors.UndefinedFunction):
        return [Problem(_DSN, "these books have no schema, or an older one", "feltwork init, as their owner")]
    if isinstance(cause, errors.InsufficientPrivilege):
        remedy = "use the login that `feltwork init --logins` created for it: owner, writer or reader"
        return [Problem(_DSN, f"this login may not do that: {what}", remedy)]
    if isinstance(cause, psycopg.OperationalError):
        remedy = "start PostgreSQL, or correct --dsn"
        if isinstance(cause, UnconfirmedCommitError):
            remedy = "start a standby, then check what is booked before you repeat the command"
        return [Problem(_DSN, f"the books do not answer: {what}", remedy)]
    if cause.sqlstate is None and isinstance(cause, psycopg.ProgrammingError):
        remedy = "write it like 'host=127.0.0.1 dbname=feltwork user=NAME passfile=FILE'"
        return [Problem(_DSN, f"cannot be read: {what}", remedy)]
    return ()
