"""How alembic reaches the database: over the connection that taisai.records.database has open."""

from alembic import context

from taisai.records.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
