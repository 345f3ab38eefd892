"""Runs schema/0005_people.sql."""

from feltwork.books.migrate import run_file

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0005_people")
