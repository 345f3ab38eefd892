"""Runs schema/0012_records.sql."""

from feltwork.books.migrate import run_file

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0012_records")
