"""Runs schema/0004_awards.sql."""

from feltwork.books.migrate import run_file

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0004_awards")
