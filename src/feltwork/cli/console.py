"""Terminal output: tables and progress."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

T = TypeVar("T")
PIPED_WIDTH = 200


def console_for_tables() -> Console:
    """Make a console for tables that does not wrap in a pipe or file."""
    console = Console()
    return console if console.is_terminal else Console(width=PIPED_WIDTH)


def with_progress(items: Sequence[T], doing: str) -> Iterator[T]:
    """Yield the items with a progress bar."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        yield from bar.track(items, description=doing)


@contextmanager
def at_work(doing: str) -> Iterator[None]:
    """Show a spinner and the elapsed time."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        progress.add_task(doing, total=None)
        yield
