"""Alembic migrations of the books, written in SQL."""

from pathlib import Path

import psycopg

_HERE = Path(__file__).parent


def migrate(dsn: str) -> str:
    """Run the missing migrations in one transaction and return the resulting schema version."""
    # Alembic and SQLAlchemy take a second to import; only a process that migrates should pay for that.
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", str(_HERE / "migrations"))
    with engine.begin() as connection:
        # A systemd unit and a person may migrate at the same time: the second waits and finds nothing to do.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtextextended('migrations', 0))")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return newest()


def newest() -> str:
    """The schema version that this release expects: the number of the last migration."""
    return max(path.name[:4] for path in (_HERE / "migrations" / "versions").glob("[0-9]*.py"))


def run_schema() -> None:
    """Create the whole schema from ``schema/current.sql``."""
    from alembic import op

    driver = op.get_bind().connection.driver_connection
    assert isinstance(driver, psycopg.Connection)
    driver.execute((_HERE / "schema" / "current.sql").read_bytes())
