"""The store: graphs, results and evaluations in a database.

The way in is :func:`graphscore.store.opening.open_store`; functions take a
connection from ``database.reading()`` or ``database.writing()``::

    with open_store("runs.db", create=True) as database:
        ingest(database, records, path="gold.mrp", format="mrp",
               digest=digest, collection="gold")
        with database.reading() as connection:
            identities(connection, "gold")

What goes in is in ``writing``, what comes out in ``reading``; whether an operand is
a store is asked of ``detect``, which does not wait for SQLAlchemy.
"""

WAIT = 600.0
"""Seconds to wait for another writer."""
