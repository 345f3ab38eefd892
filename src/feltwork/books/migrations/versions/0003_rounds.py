"""Runs schema/0003_rounds.sql."""

from feltwork.books.migrate import run_file

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0003_rounds")
