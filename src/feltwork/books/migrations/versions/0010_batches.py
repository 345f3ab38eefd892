"""Runs schema/0010_batches.sql."""

from feltwork.books.migrate import run_file

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0010_batches")
