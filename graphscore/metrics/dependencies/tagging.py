"""Tags and lemmas of aligned words.

Zeman et al. (2018), section 4; UD eval.py (udtools 0.2.9), ``UPOS`` to ``Lemmas``.

::

    F↔words[δ_aligned × δ_upos]    and likewise xpos, feats, all of these, lemma

What differs is said of all metrics of words in ``attachment``.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphscore.metrics.dependencies.base import (
    CONLL18,
    Dependency,
    agreeing,
    feats,
    lemma,
    upos,
    words,
    xpos,
)
from graphscore.similarity import Feature, Similarity

COLUMNS: dict[str, tuple[Feature, ...]] = {
    "upos": (upos,),
    "xpos": (xpos,),
    "ufeats": (feats,),
    "alltags": (upos, xpos, feats),
    "lemmas": (lemma,),
}
"""Features that must agree, by tuple type."""


class Tagging(Dependency):
    """Shares of words with the right tags, features and lemmas.

    Example:
        >>> str(Tagging())
        'tagging'
    """

    name = "tagging"
    follows = "UD eval.py udtools 0.2.9"
    title = "UPOS, XPOS, feature and lemma F1 (Zeman et al. 2018)"
    citation = CONLL18
    bound = ""
    tuple_types = tuple(COLUMNS)
    main = "alltags"

    def formulas(self) -> Mapping[str, Similarity]:
        """Words that agree in each kind of tag."""
        return {
            tuple_type: agreeing(words, *columns)
            for tuple_type, columns in COLUMNS.items()
        }

    def shown(self, tuple_type: str) -> tuple[Feature, ...]:
        """The tags."""
        return COLUMNS[tuple_type]
