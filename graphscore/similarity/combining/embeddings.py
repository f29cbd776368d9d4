"""Cosine similarity of the vectors that a file has for words."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from graphscore.errors import UsageError
from graphscore.similarity.base import Number
from graphscore.similarity.combining.leaves import OfValues
from graphscore.similarity.embedding.index import wrong
from graphscore.similarity.embedding.tables import (
    Table,
    digest_of,
    state_of,
    table_of,
)
from graphscore.similarity.expression import Notation
from graphscore.similarity.features.elements import Feature, plain
from graphscore.similarity.view import Elements, View

Unknown = Literal["equal", "zero", "refused"]
"""What becomes of words that a file has no vector for."""

_SAID = {
    "equal": "words without a vector are equal or not",
    "zero": "words without a vector count nothing",
    "refused": "words without a vector are errors",
}

OPEN = 4
"""Files that are open at once."""


@dataclass(frozen=True)
class Embeddings:
    r"""A function of two words: the cosine of their vectors in a file.

    As a mark it stands in ``by(...)``; ``embedding_cosine`` is the same in formulas.
    The file is opened when it is first asked.  It is mapped into memory, not loaded; a
    word takes 24 bytes, and what was looked up is remembered up to 32 MiB.

    Args:
        file: text as word2vec and GloVe write it (a word and its numbers a line,
            perhaps a first line with both counts), or an array of numpy, ``.npy``,
            words × length, of floating numbers.  Not compressed.
        words: for an array the file with the word of each row on a line.
        unknown: of a word without a vector, or with one of zeros: ``equal``, it is
            like itself alone; ``zero``, it counts nothing on either side, not even
            with itself; ``refused``, it is an error.
        cutoff: cosines below are 0, from 0 to 1; those below 0 always are.

    Raises:
        UsageError: for a value that is none of these; when it is asked, if a file
            cannot be read.
        InputError: when it is asked, with file, line, what was found and expected.
            All lines are looked at for having so many numbers, the numbers of a word
            when it is first asked for.

    Example:
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "vectors.txt")
        ...     with open(file, "w") as opened:
        ...         _ = opened.write("cat 1 0\ndog 3 4\nfish -1 0\n")
        ...     alike = Embeddings(file)
        ...     alike("cat", "dog"), alike("cat", "fish"), alike("cow", "cow")
        (0.6, 0.0, 1.0)
    """

    file: str
    words: str | None = None
    unknown: Unknown = "equal"
    cutoff: float = 0.0

    __name__ = "embeddings"

    def __post_init__(self) -> None:
        if not self.file or self.words == "":
            raise UsageError("found a file without a name, expected one with vectors")
        if self.unknown not in get_args(Unknown):
            there = ", ".join(get_args(Unknown))
            raise UsageError(f"unknown={self.unknown!r}, expected one of: {there}")
        if not 0 <= self.cutoff <= 1:
            raise UsageError(f"cutoff={self.cutoff!r}, expected 0 to 1")

    def __call__(self, predicted: Any, gold: Any) -> float:
        """How alike two words are, from 0 to 1.

        Args:
            predicted: a word; of anything else its text.  ``None`` is like ``None``.
            gold: likewise.
        """
        if predicted is None or gold is None:
            return float(predicted is gold)
        one, two = str(predicted), str(gold)
        if one == two and self.unknown == "equal":
            return 1.0
        table = self._table()
        mine, theirs = self._vector(table, one), self._vector(table, two)
        if mine is None or theirs is None:
            return 0.0
        if one == two:
            return 1.0
        # One product at a time: of many at once the last bits depend on the others.
        cosine = float(np.dot(mine, theirs))
        return min(cosine, 1.0) if cosine > 0 and cosine >= self.cutoff else 0.0

    def knows(self, word: Any) -> bool:
        """Whether a word has a vector; what is absent needs none.

        Args:
            word: as for a call.
        """
        return word is None or self._vector(self._table(), str(word)) is not None

    def opened(self) -> Table:
        """The file as it is now.

        Raises:
            UsageError: if it cannot be read.
            InputError: if it holds something else.
        """
        state = self._state()
        known = _TABLES.get((self.file, self.words))
        if known is None or known[0] != state:
            _TABLES[self.file, self.words] = state, table_of(self.file, self.words)
        _TABLES.move_to_end((self.file, self.words))
        while len(_TABLES) > OPEN:
            _TABLES.popitem(last=False)
        return _TABLES[self.file, self.words][1]

    def digest(self) -> bytes:
        """A digest of all that the files say, which are read for it."""
        found = [digest_of(file, state) for file, state in self._states()]
        return hashlib.blake2b(b"".join(found)).digest()

    def _states(self) -> list[tuple[str, tuple[int, ...]]]:
        files = (self.file,) if self.words is None else (self.file, self.words)
        return [(file, state_of(file)) for file in files]

    def _state(self) -> tuple[tuple[int, ...], ...]:
        return tuple(state for _, state in self._states())

    def _table(self) -> Table:
        """The file as it was when it was last looked at."""
        known = _TABLES.get((self.file, self.words))
        return self.opened() if known is None else known[1]

    def _vector(self, table: Table, word: str) -> Any:
        found = table.unit(word)
        if found is None and self.unknown == "refused":
            expected = "one, as unknown='refused'"
            raise wrong(self.file, None, f"no vector of {word!r}", expected)
        return found


_TABLES: OrderedDict[
    tuple[str, str | None], tuple[tuple[tuple[int, ...], ...], Table]
] = OrderedDict()


@dataclass(frozen=True, repr=False)
class EmbeddingCosine(OfValues):
    """Cosine similarity of the vectors of two words; see :func:`embedding_cosine`.

    Args:
        feature: the words.
        vectors: where their vectors are.
    """

    call: ClassVar[str] = "embedding_cosine"

    feature: Feature
    vectors: Embeddings

    def __repr__(self) -> str:
        given = self.vectors
        shown = [repr(self.feature), repr(given.file)]
        if given.words is not None:
            shown.append(repr(given.words))
        if given.unknown != "equal":
            shown.append(f"unknown={given.unknown!r}")
        if given.cutoff:
            shown.append(f"cutoff={given.cutoff!r}")
        return f"{self.call}({', '.join(shown)})"

    def spell(self, notation: Notation) -> str:
        """The cosine, of the feature."""
        return notation.phi + notation.below(f"cos({self.feature.spell(notation)})")

    @property
    def normalized(self) -> bool:
        """Unless words without a vector count nothing."""
        return self.vectors.unknown != "zero"

    @property
    def worth(self) -> str:
        """Where the vectors are, and what becomes of other words."""
        given = self.vectors
        beyond = f", 0 below {given.cutoff:g}" if given.cutoff else ""
        return (
            f"the cosine of the vectors of both by {self.feature.phrase} in "
            f"{given.file}{beyond}; {_SAID[given.unknown]}"
        )

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """The cosine."""
        return self.vectors(plain(predicted), plain(gold))

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """1 each, but for words that count nothing."""
        if self.normalized:
            return super().selves(view, elements)
        return [int(self.vectors.knows(plain(v))) for v in self._values(view, elements)]

    def warm(self, view: View, elements: Elements) -> None:
        """Open the file, and work the column out."""
        self.vectors.opened()
        super().warm(view, elements)


def embedding_cosine(
    feature: Feature,
    file: str,
    words: str | None = None,
    unknown: Unknown = "equal",
    cutoff: float = 0.0,
) -> EmbeddingCosine:
    """Cosine similarity of the vectors of two words, those below 0 as 0.

    With it the concepts of S²MATCH are alike (Opitz et al. 2020); see
    :class:`Embeddings` for files and errors.

    Args:
        feature: the words.
        file: text as word2vec and GloVe write it, or an array of numpy (``.npy``).
        words: for an array the file with the word of each row on a line.
        unknown: of a word without a vector: ``equal``, it is like itself alone;
            ``zero``, it counts nothing; ``refused``, it is an error.
        cutoff: cosines below are 0.

    Example:
        >>> from graphscore.similarity import label
        >>> embedding_cosine(label, "glove.txt", cutoff=0.5)
        embedding_cosine(label, 'glove.txt', cutoff=0.5)
    """
    return EmbeddingCosine(feature, Embeddings(file, words, unknown, cutoff))
