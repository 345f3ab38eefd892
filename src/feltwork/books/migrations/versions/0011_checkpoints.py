"""Runs schema/0011_checkpoints.sql."""

from feltwork.books.migrate import run_file

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0011_checkpoints")
