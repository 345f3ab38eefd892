"""Runs schema/0007_enrolment.sql."""

from feltwork.books.migrate import run_file

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_file("0007_enrolment")
