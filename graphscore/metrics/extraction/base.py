"""Base class of the metrics of information extraction: equality of words.

Relations, triggers and arguments compare mentions in one of four ways; three of
them are equality of something, so that nothing needs to be compared pair by pair,
and one asks how far two ranges overlap.

>>> from graphscore.metrics.extraction.base import alike, words
>>> print(words("exact", 0.5, "offsets"), "|", words("overlap", 0.5, "offsets"))
δ_span | ⟦J↔offsets[δ] > 0.5⟧
>>> print(alike("exact", 0.5, "all", "characters"))
δ_visible_anchors+type
"""

from __future__ import annotations

from typing import Literal

from graphscore.exceptions import UsageError
from graphscore.similarity import (
    Feature,
    Similarity,
    anchors,
    at,
    choice,
    exact,
    f1,
    kind,
    label,
    match,
    span_jaccard,
    target,
    targets,
    via,
    visible_anchors,
)
from graphscore.similarity.features.fillers import (
    ENTITY,
    MENTION,
    TRIGGER,
    Filler,
    Typed,
    Words,
)

Mentions = Literal["exact", "head", "overlap", "text"]
"""Comparison of mentions."""

Spans = Literal["characters", "offsets"]
"""Span convention: ignore white space at the ends, or compare every offset."""

Duplicates = Literal["set", "multiset"]
"""Multiplicity: equal elements count once or each."""

_WORDS: dict[Mentions, Words] = {"exact": "span", "head": "head", "text": "text"}


def check_overlap(name: str, overlap: float) -> None:
    """Fail unless a limit is one that ranges can exceed or not.

    Args:
        name: the metric.
        overlap: the limit.

    Raises:
        UsageError: if every overlap exceeds it, or none.
    """
    if not 0 <= overlap < 1:
        raise UsageError(f"{name}: overlap={overlap:g}, expected from 0 to below 1")


def place_of(spans: Spans) -> Feature:
    """Return the feature that says which characters of a mention count.

    Args:
        spans: whether white space in spans counts.
    """
    return visible_anchors if spans == "characters" else anchors


def filler_of(mentions: Mentions, typed: Typed, spans: Spans) -> Filler:
    """The feature that says what fills a role, where equality is asked for.

    Args:
        mentions: ``exact``, ``head`` or ``text``.
        typed: of which fillers the type counts.
        spans: whether white space in spans counts.
    """
    return Filler(_WORDS[mentions], typed, place_of(spans))


def words(mentions: Mentions, overlap: float, spans: Spans) -> Similarity:
    """Build the test whether two nodes cover the same words, whatever their types.

    Args:
        mentions: how they are compared.
        overlap: with ``overlap``, what the Jaccard similarity of their characters
            must exceed; bare strings must be equal.
        spans: whether white space in spans counts.
    """
    if mentions != "overlap":
        return exact(filler_of(mentions, "none", spans))
    return span_jaccard(place_of(spans)) > overlap


def alike(mentions: Mentions, overlap: float, typed: Typed, spans: Spans) -> Similarity:
    """Build the test whether two nodes are the same filler of a role.

    Args:
        mentions: how mentions are compared.
        overlap: the limit with ``overlap``.
        typed: of which fillers the type counts.
        spans: whether white space in spans counts.
    """
    if mentions != "overlap":
        return exact(filler_of(mentions, typed, spans))
    single = words(mentions, overlap, spans)
    # The same entity: for each mention of one, another of the other.
    several: Similarity = f1(match(targets(MENTION), single)) >= 1
    nested = single if typed == "none" else single * exact(label)
    if typed == "all":
        single, several = single * exact(label), several * exact(label)
    cases = {MENTION: single, ENTITY: several, TRIGGER: nested}
    return choice(kind, cases, otherwise=exact(filler_of("exact", typed, spans)))


def filled(
    mentions: Mentions, overlap: float, typed: Typed, spans: Spans
) -> Similarity:
    """Build the test whether two edges lead to the same filler.

    Args:
        mentions: how mentions are compared.
        overlap: the limit with ``overlap``.
        typed: of which fillers the type counts.
        spans: whether white space in spans counts.
    """
    if mentions != "overlap":
        return exact(via(target, filler_of(mentions, typed, spans)))
    return at(target, alike(mentions, overlap, typed, spans))
