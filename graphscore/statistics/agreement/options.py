"""Options of an agreement study."""

from __future__ import annotations

from typing import NamedTuple

from graphscore.exceptions import UsageError
from graphscore.statistics.comparison import LEVEL, SAMPLES
from graphscore.statistics.resampling import SEED, check_samples

CHANCE = 200
"""Pairs of annotations of different items that are scored, unless it is told."""


class AgreementOptions(NamedTuple):
    """Options of an agreement study.

    Args:
        score: which score, as for ``--fail-under``.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution intervals hold.
        chance: how many pairs of annotations of different items are scored for what is
            expected by chance; with 0 there is no alpha.
    """

    score: str = ""
    samples: int = SAMPLES
    seed: int = SEED
    level: float = LEVEL
    chance: int = CHANCE

    def check(self) -> None:
        """Refuse what is no number of samples, level, seed or number of pairs.

        Raises:
            UsageError: saying what was found and expected.
        """
        check_samples(self.samples, self.level)
        for name in ("seed", "chance"):
            value = getattr(self, name)
            if value < 0:
                raise UsageError(f"{name} {value}: expected a number from 0")
