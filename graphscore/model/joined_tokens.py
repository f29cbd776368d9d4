"""Texts put together from tokens, or pieces, and where these are in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate

from graphscore.model.anchors import anchor_of
from graphscore.model.graph import Anchor, Graph

FORMS = "forms"
"""Key of a graph for its tokens as its file spells them, if its text does not."""


def join_tokens(forms: Iterable[str]) -> tuple[str, tuple[Anchor, ...]]:
    """A text made of tokens joined by one blank, and where they are in it.

    >>> join_tokens(["Dogs", "bark"])
    ('Dogs bark', (Anchor(start=0, end=4), Anchor(start=5, end=9)))
    """
    forms = list(forms)
    text = " ".join(forms)
    if len(text) < _LONG and text.count(" ") == len(forms) - 1:
        # Then the text says where its tokens are; a system has those of gold.
        return _words_of(text)
    return text, _ranges(forms)


_LONG = 1000
"""Texts of so many characters are not remembered."""


@lru_cache(maxsize=1 << 12)
def _words_of(text: str) -> tuple[str, tuple[Anchor, ...]]:
    """A text, and the ranges of what blanks separate in it."""
    return text, _ranges(text.split(" "))


def _ranges(forms: Iterable[str]) -> tuple[Anchor, ...]:
    """The ranges of tokens joined by blanks."""
    ends = list(accumulate([len(form) + 1 for form in forms]))
    ranges = zip([0, *ends], [end - 1 for end in ends], strict=False)
    return tuple(map(anchor_of, ranges))


def only_joined(graph: Graph) -> bool:
    """Return whether the text of a graph is nothing but its tokens joined by blanks."""
    expected = 0
    for start, end in graph.tokens:
        if start != expected or graph.text[end : end + 1] not in ("", " "):
            return False
        expected = end + 1
    return bool(graph.tokens) and expected == len(graph.text) + 1


def forms_of(graph: Graph) -> list[str]:
    """The tokens of a graph as its file spelled them."""
    kept = graph.extra.get(FORMS)
    if isinstance(kept, list) and len(kept) == len(graph.tokens):
        return [str(form) for form in kept]
    return [graph.text[start:end] for start, end in graph.tokens]


def join_pieces(pieces: Mapping[Anchor, str]) -> tuple[str, tuple[Anchor, ...]]:
    """A text put together from pieces at their places, with blanks between, and these.

    Args:
        pieces: by their characters.

    Returns:
        The text, empty where pieces and places do not fit together; places in order.

    Example:
        >>> join_pieces({Anchor(5, 9): "bark", Anchor(0, 4): "Dogs"})[0]
        'Dogs bark'
        >>> join_pieces({Anchor(0, 9): "Dogs"})[0]
        ''
    """
    anchors = tuple(sorted(pieces))
    result: list[str] = []
    end = 0
    for anchor in anchors:
        piece = pieces[anchor]
        if anchor.start < end or len(piece) != anchor.end - anchor.start:
            return "", anchors
        result += [" " * (anchor.start - end), piece]
        end = anchor.end
    return "".join(result), anchors
