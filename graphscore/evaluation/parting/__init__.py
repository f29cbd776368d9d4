"""Parts of an evaluation: scored apart, on as many machines, and merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.evaluation.parting.encoding import decoded, encoded, read_sums
    from graphscore.evaluation.parting.scoring import score_part
    from graphscore.evaluation.parting.splitting import score_split, split
    from graphscore.evaluation.parting.sums import Sums, beside, merge

__all__ = [
    "Sums",
    "beside",
    "decoded",
    "encoded",
    "merge",
    "read_sums",
    "score_part",
    "score_split",
    "split",
]

__getattr__ = lazily(
    __name__,
    {
        "encoding": "decoded encoded read_sums",
        "scoring": "score_part",
        "splitting": "score_split split",
        "sums": "Sums beside merge",
    },
)
