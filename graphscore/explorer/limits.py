"""Limits on the time and size of a page's queries."""

from __future__ import annotations

from graphscore.store.read.limits import Limits

PAGE = Limits(30.0, 100_000)
"""Limits of the queries of pages."""

ITEMS = Limits(60.0, 5_000_000)
"""Limits of a query about every item, which runs once."""

BOX = Limits(5.0, 1_000, 500_000, 5_000_000, 256_000_000)
"""Limits of statements by users, which run in processes of their own."""

DOWNLOAD = Limits(120.0, 5_000_000)
"""Limits of a whole table, in a file."""
