"""How long a page may ask, and how much it may be told."""

from __future__ import annotations

from graphscore.store.read.limits import Limits

PAGE = Limits(30.0, 100_000)
"""Of what pages ask by themselves."""

ITEMS = Limits(60.0, 5_000_000)
"""Of what is asked once about every item."""

BOX = Limits(5.0, 1_000, 500_000, 5_000_000, 256_000_000)
"""Of statements that users write, which processes of their own run."""

DOWNLOAD = Limits(120.0, 5_000_000)
"""Of everything that a table has, in a file."""
