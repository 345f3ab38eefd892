"""Runs schema/0001_roles.sql."""

from feltwork.books.migrate import run_file

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0001_roles")
