"""Runs schema/0008_payouts.sql."""

from feltwork.books.migrate import run_file

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0008_payouts")
