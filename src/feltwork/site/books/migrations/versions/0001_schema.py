"""Create the schema. The first release freezes a copy of ``current.sql`` for this step."""

from feltwork.site.books.migrate import run_schema

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Migrate forward only; to go back, restore a backup."""
    run_schema()
