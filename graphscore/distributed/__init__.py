"""Shares of an evaluation as tasks of ``dask.distributed``, on as many machines.

It needs ``pip install 'graphscore[dask]'``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.distributed.scoring import score

__all__ = ["score"]

__getattr__ = lazily(__name__, {"scoring": "score"})
