"""Runs schema/0002_journal.sql."""

from feltwork.books.migrate import run_file

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0002_journal")
