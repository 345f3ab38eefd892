"""Brings the schema of a database up to date: Alembic runs our own SQL files, each once, in order."""

from pathlib import Path

import psycopg
from alembic import command, op
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

_HERE = Path(__file__).parent


def migrate(dsn: str) -> str:
    """Run what is missing, in one transaction, and answer the version that the schema then has."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", str(_HERE / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return newest()


def newest() -> str:
    """The version that this release expects."""
    config = Config()
    config.set_main_option("script_location", str(_HERE / "migrations"))
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None
    return head


def run_schema() -> None:
    """Run the files of ``schema`` in order; called by the first step."""
    driver = op.get_bind().connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    for file in sorted((_HERE / "schema").glob("*.sql")):
        driver.execute(file.read_bytes())
