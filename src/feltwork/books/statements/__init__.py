"""The statements of the books: one file of SQL each, run by its name."""

from functools import cache
from importlib.resources import files


@cache
def statement(name: str) -> bytes:
    """The text of a statement."""
    return files(__name__).joinpath(f"{name}.sql").read_bytes()
