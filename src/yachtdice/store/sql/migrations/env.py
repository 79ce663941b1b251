"""Run by Alembic: migrate over the connection that `store.migrating` hands in."""

from alembic import context

from yachtdice.store.sql.schema import metadata


def run() -> None:
    """Run the steps that Alembic has chosen."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,  # SQLite cannot alter most things in place
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic loads it; others only look
    run()
