"""Alembic's way into the migrations: they run on the connection that ``migrate`` hands over."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], version_table="feltwork_schema")
with context.begin_transaction():
    context.run_migrations()
