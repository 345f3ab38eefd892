"""Makes the schema: runs every file of ``schema``, in order. No release has been made yet, so this is all."""

from feltwork.books.migrate import run_schema

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Go forward; back is a restore from a backup."""
    run_schema()
