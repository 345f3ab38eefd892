"""Runs schema/0006_proposals.sql."""

from feltwork.books.migrate import run_file

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0006_proposals")
