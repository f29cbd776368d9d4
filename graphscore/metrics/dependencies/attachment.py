"""Words that are attached right: the scores of the CoNLL shared tasks.

Zeman et al. (2018), section 4; Nivre and Fang (2017); UD eval.py (udtools 0.2.9),
``UAS``, ``LAS``, ``CLAS``, ``MLAS`` and ``BLEX``.

::

    UAS    F↔attached_words[δ_aligned × δ_head]
    LAS    F↔attached_words[δ_aligned × δ_head × δ_deprel]
    CLAS   F↔content_words[δ_aligned × δ_head × δ_deprel]
    MLAS   as CLAS, with tags, features and function words
    BLEX   as CLAS, with lemmas

What differs: texts that are not the same, cycles and several roots, at which the
program stops, are scored; a word without head claims none; a multiword token aligns the
words inside it alone (``preset=udtools``: as the program).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from graphscore.metrics.dependencies.base import (
    CONLL18,
    Dependency,
    agreeing,
    attached_words,
    children,
    content_words,
    deprel,
    feats,
    head,
    lemma,
    upos,
)
from graphscore.metrics.dependencies.view import Differing, Words
from graphscore.model.outcome import Error
from graphscore.similarity import Collection, Feature, Pair, Similarity

if TYPE_CHECKING:
    from graphscore.similarity.explanation.rows import Rows


class Attachment(Dependency):
    """Base of the attachment scores.

    Class attributes:
        counted: which words count.
        agreed: what must agree of them; the head first, then the relation.
    """

    citation = CONLL18
    bound = ""
    counted: ClassVar[Collection]
    agreed: ClassVar[tuple[Feature, ...]]

    def formulas(self) -> Mapping[str, Similarity]:
        """Words that agree in all of that."""
        return {"all": agreeing(self.counted, *self.agreed)}

    def shown(self, tuple_type: str) -> tuple[Feature, ...]:
        """The relation, or the head where that is all."""
        return self.agreed[:2][-1:]

    def errors(self, rows: Sequence[Rows]) -> Iterable[Error]:
        """Error; beside a relation that is right, what else differs."""
        return with_differences(super().errors(rows), rows[0].pair)


def with_differences(errors: Iterable[Error], pair: Pair) -> list[Error]:
    """Return errors with what was compared beside the relations that they show.

    Args:
        errors: of words.
        pair: the words of both sides.
    """
    assert isinstance(pair.gold, Words)
    assert isinstance(pair.system, Words)
    differing = Differing(pair.gold, pair.system)
    return [differing.of(error) for error in errors]


class Uas(Attachment):
    """Share of words with the right head.

    Example:
        >>> str(Uas())
        'uas'
    """

    name = "uas"
    follows = "UD eval.py udtools 0.2.9"
    title = "UAS: unlabeled attachment score"
    counted = attached_words
    agreed = (head,)


class Las(Attachment):
    """Share of words with the right head and universal relation.

    Example:
        >>> str(Las())
        'las'
    """

    name = "las"
    follows = "UD eval.py udtools 0.2.9"
    title = "LAS: labeled attachment score"
    counted = attached_words
    agreed = (head, deprel)


class Clas(Attachment):
    """Share of content words with the right head and universal relation.

    Example:
        >>> str(Clas())
        'clas'
    """

    name = "clas"
    follows = "UD eval.py udtools 0.2.9"
    title = "CLAS (Nivre & Fang 2017): content-word attachment score"
    citation = "Nivre and Fang 2017, Universal Dependency Evaluation"
    counted = content_words
    agreed = (head, deprel)


class Mlas(Attachment):
    """Share of content words with the right head, relation, tags and function words.

    Example:
        >>> str(Mlas())
        'mlas'
    """

    name = "mlas"
    follows = "UD eval.py udtools 0.2.9"
    title = "MLAS (Zeman et al. 2018): morphology-aware attachment score"
    counted = content_words
    agreed = (head, deprel, upos, feats, children)


class Blex(Attachment):
    """Share of content words with the right head, universal relation and lemma.

    Example:
        >>> str(Blex())
        'blex'
    """

    name = "blex"
    follows = "UD eval.py udtools 0.2.9"
    title = "BLEX (Zeman et al. 2018): bilexical dependency score"
    counted = content_words
    agreed = (head, deprel, lemma)
