"""How alembic runs the revisions of this folder.

The store hands over a connection inside a transaction, which it commits itself.
On a shell, ``alembic -x url=sqlite:///runs.db ...`` opens one.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine

from graphscore.store.schema import metadata


def run(connection: Connection) -> None:
    """Run the revisions that were asked for."""
    context.configure(
        connection=connection, target_metadata=metadata, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    url = context.get_x_argument(as_dictionary=True)["url"]
    engine = create_engine(url)
    try:
        with engine.begin() as opened:
            run(opened)
    finally:
        engine.dispose()
