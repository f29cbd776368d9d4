"""Classes of spans by nested conditionals: what the rules must come to.

The requirements are those of the poster on rule-based evaluation of named entity
tagging (its Figures 1 to 3) and of the list in ``SPAN_RULES.md``.  Everything is told
the slow way, one span at a time against all others, without tables and without the
engine.  What the sources leave open is settled here:

Spans
  1. A system span with an equal gold span (type and both ends) is TP, and so is that
     gold span.  Nothing is used up: two equal system spans are both TP.
  2. What is left is FP and FN.  An FN and an FP of one place whose types are related in
     the hierarchy, one above the other, are both ``partial TP``.
  3. Of those left, an FN and an FP of one type that overlap and whose texts are equal
     without punctuation, case and the fuzzy words of their type are both ``FzTP``: the
     gold span is found, so it is no FN (the poster's rule leaves it one).  This is not
     one to one either: a gold span may be the partner of several system spans and the
     other way round.  A text of nothing but punctuation and fuzzy words is equal to
     none.
  4. A gold span of low confidence has ``low confidence`` after its class, and so has a
     system span one of whose partners (of the step that gave it its class) is such.
  5. What is still FP and whose whole text is a stop word of its type is
     ``FP-ignored:stop word``.

Resolution
  6. Only spans with a partner are compared; each has the best of what it comes to with
     its partners, in the order of Figure 1's branches.  Ids match if the sides share
     one, or if neither has any.
  7. Nothing on either side is TN, one gold id TP, several ``conditional TP``; ``fuzzy``
     goes in front of them where the partner is a fuzzy one.  A right answer beside a
     wrong one is the branch that cannot be, ``error``; several right ones are right.
  8. Ids that do not match are FP if the system has one, FN if it has none; of a gold
     span it is FN if it has an id, FP if it has none.  ``low confidence`` follows the
     class, whichever it is, where it follows that of the span (4): what is left out
     for it is left out on both sides.
  9. Spans without a partner are FP and FN of the resolution as well if they have an id,
     and nothing otherwise: TN exists only where both sides agree on a span.
 10. The source of an FP, FN or error of the resolution is the tagger where the span has
     no partner, and the resolver where it has one.

Documents
 11. An entity of a document is TP if both sides mention it, FN or FP if one does,
     however often; ``low confidence`` follows TP and FN where every gold mention is
     such.  Mentions are of one entity if types and texts are equal, case and
     white space aside; or, by choice, if they share an id, directly or over a mention
     with several: then only mentions without an id go by type and text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

GOLD, SYSTEM = "gold", "system"

LOW = " low confidence"
IGNORED = "FP-ignored:stop word"
TAGGER, RESOLVER = "tagger", "resolver"

STRICT, PARTIAL, FUZZY = "TP", "partial TP", "FzTP"
"""Relations of two spans, by the class that they give, in the order they count in."""

JOINTS = "'’&.-"
"""Marks that are part of a word if a letter stands before and after them."""

BRANCHES = (
    *("TP", "conditional TP", "TN", "error"),
    *("fuzzy TP", "fuzzy conditional TP", "fuzzy TN", "fuzzy error"),
    *("FP", "FN"),
)
"""Classes of the resolution, the better first."""


class Span(NamedTuple):
    """One annotation."""

    side: str
    document: str
    type: str
    start: int
    end: int
    text: str
    ids: tuple[str, ...] = ()
    low: bool = False


class Found(NamedTuple):
    """What becomes of one annotation."""

    span: str
    """Its class."""
    resolution: str
    """Its class in the resolution; empty where it has no part in it."""
    source: str
    """Who made the error of the resolution; empty where there is none."""


@dataclass(frozen=True)
class Settings:
    """What the rules are told beside the spans."""

    above: Mapping[str, str] = field(default_factory=dict)
    """The type above each type: a city is a location."""
    fillers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Words that a fuzzy match disregards, by type; under ``*`` those of every type."""
    stop_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Texts that are no errors, by type; under ``*`` those of every type."""


def classify(spans: Sequence[Span], settings: Settings) -> list[Found]:
    """The class of each span, in their order.

    Args:
        spans: of any documents, both sides.
        settings: hierarchy and lists of words.
    """
    found = [Found("", "", "")] * len(spans)
    for name in {span.document for span in spans}:
        places = [k for k, span in enumerate(spans) if span.document == name]
        document = _Document([spans[k] for k in places], settings)
        for k, place in enumerate(places):
            found[place] = document.found(k)
    return found


class _Document:
    """The spans of a document, with their possible partners."""

    def __init__(self, spans: Sequence[Span], settings: Settings) -> None:
        self.spans, self.settings = spans, settings
        self.strict = [self._mates(k, self._is_strict) for k in range(len(spans))]
        self.partial = [self._mates(k, self._is_partial) for k in range(len(spans))]
        self.fuzzy = [self._mates(k, self._is_fuzzy) for k in range(len(spans))]

    def _mates(self, own: int, test: object) -> list[int]:
        assert callable(test)
        mine = self.spans[own]
        return [
            k
            for k, other in enumerate(self.spans)
            if other.side != mine.side and test(mine, other)
        ]

    def _is_strict(self, one: Span, other: Span) -> bool:
        return (one.type, one.start, one.end) == (other.type, other.start, other.end)

    def _is_partial(self, one: Span, other: Span) -> bool:
        if (one.start, one.end) != (other.start, other.end):
            return False
        above = self.settings.above
        return is_above(one.type, other.type, above) or is_above(
            other.type, one.type, above
        )

    def _is_fuzzy(self, one: Span, other: Span) -> bool:
        if one.type != other.type:
            return False
        if not (one.start < other.end and other.start < one.end):
            return False
        kept = essence(one.text, one.type, self.settings)
        return bool(kept) and kept == essence(other.text, one.type, self.settings)

    def _partners(self, k: int) -> tuple[str, list[int]]:
        """The relation that gives a span its class, and its partners in it."""
        if self.strict[k]:
            return STRICT, self.strict[k]
        partly = [mate for mate in self.partial[k] if not self.strict[mate]]
        if partly:
            return PARTIAL, partly
        fuzzy = []
        for mate in self.fuzzy[k]:
            partly = [other for other in self.partial[mate] if not self.strict[other]]
            if not self.strict[mate] and not partly:
                fuzzy.append(mate)
        return (FUZZY, fuzzy) if fuzzy else ("", [])

    def found(self, k: int) -> Found:
        """What becomes of a span."""
        span = self.spans[k]
        relation, places = self._partners(k)
        mates = [self.spans[place] for place in places]
        resolution, source = _resolution(span, relation, mates)
        return Found(self._class(span, relation, mates), resolution, source)

    def _class(self, span: Span, relation: str, mates: Sequence[Span]) -> str:
        if span.side == GOLD:
            verdict = relation or "FN"
            return verdict + LOW if span.low else verdict
        if relation:
            return relation + LOW if any(mate.low for mate in mates) else relation
        text = " ".join(span.text.split()).casefold()
        for type in ("*", span.type):
            if text in self.settings.stop_words.get(type, ()):
                return IGNORED
        return "FP"


def is_above(one: str, other: str, above: Mapping[str, str]) -> bool:
    """Whether a type is above another, however far."""
    seen: set[str] = set()
    while other in above and other not in seen:
        seen.add(other)
        other = above[other]
        if one == other:
            return True
    return False


def essence(text: str, type: str, settings: Settings) -> list[str]:
    """The words of a text that count: letters and digits, and single marks between."""
    words, word = [], ""
    folded = text.casefold() + " "
    for place, letter in enumerate(folded):
        inside = word and folded[place + 1 : place + 2].isalnum()
        if letter.isalnum() or (letter in JOINTS and inside):
            word += letter
        elif word:
            words.append(word)
            word = ""
    lists = settings.fillers
    return [
        word
        for word in words
        if word not in lists.get("*", ()) and word not in lists.get(type, ())
    ]


def _resolution(span: Span, relation: str, mates: Sequence[Span]) -> tuple[str, str]:
    if not relation:
        if not span.ids:
            return "", ""
        if span.side == SYSTEM:
            return "FP", TAGGER
        return ("FN" + LOW if span.low else "FN"), TAGGER
    verdicts = []
    for mate in mates:
        gold, system = (span, mate) if span.side == GOLD else (mate, span)
        verdicts.append(figure_1(gold, system, span.side, relation == FUZZY))
    best = min(verdicts, key=BRANCHES.index)
    source = RESOLVER if "T" not in best else ""
    unsure = span.low if span.side == GOLD else any(mate.low for mate in mates)
    return (best + LOW if unsure else best), source


def figure_1(gold: Span, system: Span, side: str, fuzzily: bool) -> str:
    """The nested conditionals of Figure 1, for two spans that are partners.

    Args:
        gold: a gold span.
        system: a system span whose extents and label match.
        side: of which of them the class is wanted.
        fuzzily: whether they match fuzzily.
    """
    prefix = "fuzzy " if fuzzily else ""
    if set(gold.ids) & set(system.ids) or not (gold.ids or system.ids):
        if not gold.ids:
            return prefix + "TN"
        elif not set(system.ids) <= set(gold.ids):
            return prefix + "error"
        elif len(set(gold.ids)) == 1:
            return prefix + "TP"
        else:
            return prefix + "conditional TP"
    else:
        if side == SYSTEM:
            return "FP" if system.ids else "FN"
        else:
            return "FN" if gold.ids else "FP"


def documents(spans: Sequence[Span], by_ids: bool = False) -> list[tuple[int, str]]:
    """The entity that each span mentions: its number, and its class.

    Args:
        spans: of both sides, any documents.
        by_ids: whether what has ids goes by them.
    """
    groups: list[list[int]] = []
    for k, span in enumerate(spans):
        merged = [k]
        for group in list(groups):
            if any(alike(span, spans[other], by_ids) for other in group):
                merged += group
                groups.remove(group)
        groups.append(merged)
    found = [(0, "")] * len(spans)
    for number, group in enumerate(groups):
        sides = {spans[k].side for k in group}
        verdict = "TP" if len(sides) == 2 else "FN" if GOLD in sides else "FP"
        mine = [spans[k].low for k in group if spans[k].side == GOLD]
        if mine and all(mine):
            verdict += LOW
        for k in group:
            found[k] = number, verdict
    return found


def alike(one: Span, other: Span, by_ids: bool) -> bool:
    """Whether two mentions are of one entity, as far as they themselves tell."""
    if one.document != other.document:
        return False
    if by_ids and (one.ids or other.ids):
        return bool(set(one.ids) & set(other.ids))
    texts = [" ".join(each.text.split()).casefold() for each in (one, other)]
    return one.type == other.type and texts[0] == texts[1]
