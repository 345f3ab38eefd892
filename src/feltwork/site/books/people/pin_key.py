"""The key that PINs and passwords are hashed with: a file outside the database."""

import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from psycopg.errors import InsufficientPrivilege

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import connect
from feltwork.site.books.people import credentials as people

PIN_KEY = "pin.key"
#: Setting of a site that goes without the key.
NO_KEY = "none"
_BYTES = 32


def init_pin_key(folder: Path) -> Path:
    """Make the key if there is none, readable only by its owner."""
    path = folder / PIN_KEY
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{secrets.token_hex(_BYTES)}\n")
    return path


def read_pin_key(setting: str, *folders: Path | None) -> bytes:
    """Read the key from the file of the setting or from the first folder; a site without one must opt out."""
    if setting == NO_KEY:
        return b""
    path = Path(setting) if setting else next((folder / PIN_KEY for folder in folders if folder), None)
    if path is None:
        what = "there is no key to hash PINs with: a copy of the books would be enough to guess them"
        raise _problem("FELTWORK_PIN_KEY", what)
    return _read(path)


def people_without_key(dsn: str, key: bytes) -> int:
    """Count the people whose PIN or password was hashed without this key; 0 if the login may not read it."""
    with suppress(InsufficientPrivilege), connect(dsn) as connection:
        return people.unkeyed_people(connection, key)
    return 0


@cache
def _read(path: Path) -> bytes:
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
        assert len(key) == _BYTES
    except (OSError, ValueError, AssertionError) as error:
        raise _problem(str(path), "it is not a key to hash PINs with") from error
    return key


def _problem(where: str, what: str) -> ProblemsError:
    remedy = (
        f"make {PIN_KEY} with feltwork init --keys FOLDER or --site-key FOLDER, and set FELTWORK_PIN_KEY to"
        f" its path; a site that goes without sets FELTWORK_PIN_KEY={NO_KEY}"
    )
    return ProblemsError([Problem(where, what, remedy, "GL-10")])
