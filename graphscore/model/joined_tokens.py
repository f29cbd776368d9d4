"""Texts put together from tokens, or pieces, and where these are in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

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
    lines = "\n".join(forms)
    if lines.count("\n") == len(forms) - 1:
        return join_lines(lines)
    return " ".join(forms), _ranges(forms)


def join_lines(lines: str) -> tuple[str, tuple[Anchor, ...]]:
    r"""A text made of tokens joined by one blank, and where they are in it.

    Args:
        lines: the tokens, with line feeds between them.

    >>> join_lines("Dogs\nbark")
    ('Dogs bark', (Anchor(start=0, end=4), Anchor(start=5, end=9)))
    """
    if len(lines) < _LONG:
        # A system has those of gold.
        return _joined(lines)
    return _joined.__wrapped__(lines)


_LONG = 1000
"""Texts of so many characters are not remembered."""


@lru_cache(maxsize=1 << 12)
def _joined(lines: str) -> tuple[str, tuple[Anchor, ...]]:
    return lines.replace("\n", " "), _ranges(lines.split("\n"))


def _ranges(forms: Iterable[str]) -> tuple[Anchor, ...]:
    """The ranges of tokens joined by blanks."""
    ranges = []
    start = 0
    for form in forms:
        end = start + len(form)
        ranges.append(anchor_of((start, end)))
        start = end + 1
    return tuple(ranges)


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
