"""The console: as wide as the terminal, and wide enough to copy ids from where there is none."""

from rich.console import Console

PIPED_WIDTH = 200


def console_for_tables() -> Console:
    """A console for tables; into a pipe or a file nothing is folded at eighty columns."""
    found = Console()
    return found if found.is_terminal else Console(width=PIPED_WIDTH)
