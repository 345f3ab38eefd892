"""What commands show: tables as wide as there is room, and a sign of life while something takes long."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

T = TypeVar("T")
PIPED_WIDTH = 200


def console_for_tables() -> Console:
    """A console for tables; into a pipe or a file nothing is folded at eighty columns."""
    found = Console()
    return found if found.is_terminal else Console(width=PIPED_WIDTH)


def with_progress(items: Sequence[T], doing: str) -> Iterator[T]:
    """The items one by one, with a bar for whoever watches."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        yield from bar.track(items, description=doing)


@contextmanager
def at_work(doing: str) -> Iterator[None]:
    """The time so far, for whoever watches work whose end nobody knows."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        shown.add_task(doing, total=None)
        yield
