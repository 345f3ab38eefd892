"""``current.sql`` and the migrations produce the same catalog."""

from pathlib import Path

import psycopg

import feltwork.site.books
from feltwork.site.books.migrate import migrate
from feltwork.site.servers.postgres import EmbeddedPostgres

CURRENT = Path(feltwork.site.books.__file__).parent / "schema" / "current.sql"
VERSION_TABLE = "CREATE TABLE feltwork_schema (version_num varchar(32) PRIMARY KEY)"

RELATIONS = "FROM pg_class AS rel WHERE relnamespace = 'books'::regnamespace"
CATALOG = {
    "relations": f"SELECT relname, relkind, relowner::regrole, reloptions, relacl {RELATIONS}",
    "columns": """
        SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
               attstorage, attacl, pg_get_expr(adbin, adrelid)
          FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
          JOIN pg_class ON pg_class.oid = attrelid
         WHERE relnamespace = 'books'::regnamespace AND attnum > 0 AND NOT attisdropped""",
    "constraints": """
        SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
         WHERE connamespace = 'books'::regnamespace""",
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'books'",
    "triggers": """
        SELECT tgrelid::regclass, tgname, tgenabled, pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger
          JOIN pg_class ON pg_class.oid = tgrelid
         WHERE relnamespace = 'books'::regnamespace AND NOT tgisinternal""",
    "functions": """
        SELECT oid::regprocedure, proowner::regrole, proacl, pg_get_functiondef(oid) FROM pg_proc
         WHERE pronamespace = 'books'::regnamespace""",
    "views": "SELECT viewname, definition FROM pg_views WHERE schemaname = 'books'",
    "partitions": f"SELECT oid::regclass, pg_get_expr(relpartbound, oid) {RELATIONS} AND relispartition",
    "comments": f"SELECT oid::regclass, obj_description(oid) {RELATIONS}",
    "schema": "SELECT nspowner::regrole, nspacl FROM pg_namespace WHERE nspname = 'books'",
    "money movements": "SELECT * FROM books.posting_rule",
    "partitioned tables": "SELECT * FROM books.partitioned_table",
}


def catalog(dsn: str) -> dict[str, list[str]]:
    """Every object of the schema as text; access lists and storage options included."""
    with psycopg.connect(dsn) as connection:
        return {
            subject: sorted(map(repr, connection.execute(query.encode()).fetchall()))
            for subject, query in CATALOG.items()
        }


def new_database(server: EmbeddedPostgres, name: str) -> str:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.dsn(name)


def run(dsn: str, *statements: str) -> None:
    with psycopg.connect(dsn) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def test_current_sql_and_the_migrations_produce_the_same_catalog(server: EmbeddedPostgres) -> None:
    current = new_database(server, "catalog_current")
    migrated = new_database(server, "catalog_migrated")
    run(current, VERSION_TABLE, CURRENT.read_text(encoding="utf-8"))
    migrate(migrated)
    assert catalog(migrated) == catalog(current)
    assert len(catalog(current)["columns"]) > 200
    for change in (
        "ALTER TABLE books.alarm ALTER place DROP NOT NULL",
        "GRANT UPDATE ON books.link TO feltwork_writer",
        "ALTER TABLE books.entry DISABLE TRIGGER append",
        "DELETE FROM books.posting_rule WHERE kind = 'Paid'",
    ):
        before = catalog(current)
        run(current, change)
        assert catalog(current) != before, change
