"""Runs schema/0009_bookkeeper.sql."""

from feltwork.books.migrate import run_file

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0009_bookkeeper")
