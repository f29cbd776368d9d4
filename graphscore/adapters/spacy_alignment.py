"""Documents of spaCy side by side: which token is which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.inputs.base import refusal


class Aligned:
    """A reference, a predicted document, and which tokens are the same.

    Args:
        number: of the example, in messages.
        gold: the reference.
        system: the predicted document.

    Raises:
        InputError: if their texts differ in more than blanks.
    """

    def __init__(self, number: int, gold: Any, system: Any) -> None:
        self.gold, self.system = gold, system
        texts = [[token.text for token in doc] for doc in (system, gold)]
        bare = ["".join("".join(text).lower().split()) for text in texts]
        if bare[0] != bare[1]:
            raise refusal(
                "examples",
                f"[{number}]",
                f"the predicted text {system.text!r}",
                f"that of the reference, {gold.text!r}",
            )
        self._places = align_tokens(*texts)

    def places(self, start: int, end: int) -> list[int]:
        """The tokens of the reference that predicted tokens are in."""
        return [index for indices in self._places[start:end] for index in indices]

    def partner(self, token: int) -> int | None:
        """The one token of the reference that a predicted token is in."""
        indices = self._places[token]
        return indices[0] if len(indices) == 1 else None

    def placed(self) -> Iterator[tuple[int, Any]]:
        """Predicted tokens that are no blanks, with the token they are in."""
        for token in self.system:
            index = self.partner(token.i)
            if index is not None and not token.text.isspace():
                yield index, token


def align_tokens(own_words: list[str], other_words: list[str]) -> list[list[int]]:
    """Align the tokens of one tokenization of a text with those of another.

    Blanks may differ, and the case of letters.  Equal tokens belong together.

    Args:
        own_words: the tokens of one division.
        other_words: those of the other.

    Example:
        >>> align_tokens(["New York", "'s"], ["New", "York's"])
        [[0, 1], [1]]
    """
    if own_words == other_words:
        return [[index] for index in range(len(own_words))]
    letters, others = (
        [(index, letter) for index, word in enumerate(words) for letter in word.lower()]
        for words in (own_words, other_words)
    )
    result: list[set[int]] = [set() for _ in own_words]
    at = to = 0
    while at < len(letters) and to < len(others):
        (index, letter), (partner, its) = letters[at], others[to]
        first = not at or letters[at - 1][0] < index
        its_first = not to or others[to - 1][0] < partner
        if own_words[index] == other_words[partner] and first and its_first:
            result[index].add(partner)
            at += len(own_words[index])
            to += len(other_words[partner])
        elif letter == its:
            result[index].add(partner)
            at += 1
            to += 1
        elif letter.isspace():
            at += 1
        else:
            to += 1
    return [sorted(indices) for indices in result]


def aligned_spans(pair: Aligned, spans: Iterable[Any]) -> set[tuple[int, int]]:
    """Predicted spans as spans of the reference; what covers others words is none.

    Args:
        pair: both documents.
        spans: with ``start``, ``end`` and ``text``, none over another.
    """
    seen: set[int] = set()
    result = set()
    tokens = list(pair.gold)
    for span in spans:
        indices = [x for x in pair.places(span.start, span.end) if x not in seen]
        if not indices:
            continue
        start, end = indices[0], indices[-1] + 1
        last = tokens[end - 1]
        text = pair.gold.text[tokens[start].idx : last.idx + len(last.text)]
        if _without_blanks(text) == _without_blanks(span.text):
            result.add((start, end))
            seen.update(indices)
    return result


def _without_blanks(text: str) -> str:
    return text.lower().strip().replace(" ", "")


def annotated(doc: Any, name: str) -> bool:
    """Return whether a document has an annotation at all.

    Args:
        doc: a document; what cannot say it is taken to have entities where it has
            ``ents``, and sentences where it has ``sents``.
        name: ``ENT_IOB`` or ``SENT_START``.
    """
    if hasattr(doc, "has_annotation"):
        return bool(doc.has_annotation(name))
    return hasattr(doc, "ents" if name == "ENT_IOB" else "sents")


def sentences(doc: Any) -> list[Any]:
    """The sentences of a document, spans of its tokens."""
    return list(doc.sents)
