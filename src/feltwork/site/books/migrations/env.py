"""Alembic environment: run the migrations on the connection that ``migrate`` passes in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], version_table="feltwork_schema")
with context.begin_transaction():
    context.run_migrations()
