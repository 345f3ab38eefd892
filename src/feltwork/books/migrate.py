"""Alembic migrations of the books, written in SQL."""

from pathlib import Path

import psycopg
from alembic import command, op
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

_HERE = Path(__file__).parent


def migrate(dsn: str) -> str:
    """Run the missing migrations in one transaction and return the resulting schema version."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", str(_HERE / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return newest()


def newest() -> str:
    """The schema version that this release expects."""
    config = Config()
    config.set_main_option("script_location", str(_HERE / "migrations"))
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None
    return head


def run_schema() -> None:
    """Create the whole schema from ``schema/current.sql``."""
    driver = op.get_bind().connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    driver.execute((_HERE / "schema" / "current.sql").read_bytes())
