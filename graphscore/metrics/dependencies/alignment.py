"""Align gold and system words, whatever the tokenization.

The rule of the CoNLL 2018 shared task (Zeman et al. 2018, section 4; UD eval.py,
"Description of word matching").  Both sides have the same characters, white
space aside.  Ranges of multiword tokens, of either side, that overlap are united.
Inside such a range, the words that are wholly inside are aligned by a longest
common subsequence of their lower-cased forms.  A word that touches no such range
is aligned with the word that has exactly its characters.  Alignments never cross.

Where the sides do *not* have the same characters, because a sentence could not
be read or a tokeniser rewrote something, the shared task's program stops.  Here
the characters are aligned first, and a range is equal to another if it has the
same, aligned characters.

>>> from graphscore.model.graph import Graph, Node
>>> from graphscore.metrics.dependencies.document import Sentence
>>> def document(*forms):
...     nodes = tuple(Node(k, form) for k, form in enumerate(forms))
...     return Document([Sentence(Graph("1", "ud", nodes=nodes))])
>>> align(document("a", "bc", "d"), document("ab", "c", "d")).pairs
([2], [2])
>>> align(document("New", "York", "!"), document("NewYork", "!")).pairs
([2], [1])
>>> align(document("well", "I", "go"), document("I", "go")).pairs
([1, 2], [0, 1])

**Multiword tokens, as UD eval.py aligns them.**  A longest common subsequence of
forms decides inside multiword tokens.  *Which* words take part in it is where the
program and its description part.  The program walks along both sides.  When one side
comes to a multiword token, it passes over no more than one word that begins before it
on the other side; where there are several, the others take part, although they are
not inside of the token and may not even touch it.  :func:`by_walking` does the same,
for ``preset=udtools``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from graphscore.metrics.dependencies.character_alignment import common_axis
from graphscore.metrics.dependencies.document import UNALIGNED, Document, Span

Pairs = list[tuple[int, int]]
"""Numbers of gold words and of their system words."""


def lowered(document: Document, numbers: Sequence[int]) -> list[str]:
    """Return the forms of words as they are compared: case-folded."""
    return [str(document.words[number].label).lower() for number in numbers]


def longest_common(gold: list[str], system: list[str]) -> list[tuple[int, int]]:
    """A longest common subsequence; equal fronts match, then gold is passed first.

    >>> longest_common(["do", "n't", "do"], ["do", "not", "do"])
    [(0, 0), (2, 2)]
    """
    rows, columns = len(gold), len(system)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(columns - 1, -1, -1):
            if gold[i] == system[j]:
                row[j] = 1 + below[j + 1]
            else:
                row[j] = max(below[j], row[j + 1])
    result = []
    i = j = 0
    while i < rows and j < columns:
        if gold[i] == system[j]:
            result.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return result


def by_walking(
    gold: Document,
    system: Document,
    ranges: tuple[list[Span], list[Span]],
    equal: tuple[Sequence[object], Sequence[object]],
) -> Pairs:
    """Align the words as the program does (udtools 0.2.9, ``align_words``).

    Args:
        gold: the gold document.
        system: the system document.
        ranges: the characters of the words of either side, on a common axis.
        equal: for either side what must be equal of two words in no multiword
            token; ``None`` is equal to nothing.

    Returns:
        The aligned words, ascending.
    """
    pairs: Pairs = []
    at = [0, 0]
    sides = (gold, system)
    multiword = (set(gold.multiword), set(system.multiword))
    while at[0] < gold.size and at[1] < system.size:
        left, right = (ranges[side][at[side]] for side in (0, 1))
        token = next((side for side in (0, 1) if at[side] in multiword[side]), None)
        if token is not None:
            first = _catch_up(at, token, ranges, multiword)
            at = _pass_token(first, token, ranges, multiword)
            left_forms, right_forms = (
                lowered(sides[side], range(first[side], at[side])) for side in (0, 1)
            )
            common = longest_common(left_forms, right_forms)
            pairs += [(first[0] + k, first[1] + m) for k, m in common]
        elif (key := equal[0][at[0]]) is not None and key == equal[1][at[1]]:
            pairs.append((at[0], at[1]))
            at = [at[0] + 1, at[1] + 1]
        else:
            at[0 if left[0] <= right[0] else 1] += 1
    return pairs


_Ranges = tuple[list[Span], list[Span]]
_Multiword = tuple[set[int], set[int]]


def _catch_up(
    at: list[int], token: int, ranges: _Ranges, multiword: _Multiword
) -> list[int]:
    """Pass one word of the other side that begins before the token, if it does."""
    opposite = 1 - token
    begins = ranges[token][at[token]][0]
    first = list(at)
    if (
        at[opposite] not in multiword[opposite]
        and ranges[opposite][at[opposite]][0] < begins
    ):
        first[opposite] += 1
    return first


def _pass_token(
    first: list[int], token: int, ranges: _Ranges, multiword: _Multiword
) -> list[int]:
    """The first words of either side after a token and what overlaps it."""
    at = list(first)
    end = ranges[token][at[token]][1]

    def beyond(side: int) -> bool:
        if at[side] >= len(ranges[side]):
            return True
        start, stop = ranges[side][at[side]]
        return start >= end if at[side] in multiword[side] else stop > end

    while not (beyond(0) and beyond(1)):
        side = 1
        if at[0] < len(ranges[0]) and (
            at[1] >= len(ranges[1]) or ranges[0][at[0]][0] <= ranges[1][at[1]][0]
        ):
            side = 0
        if at[side] in multiword[side]:
            end = max(end, ranges[side][at[side]][1])
        at[side] += 1
    return at


Axes = tuple[list[int], list[int]]
"""The place of every character of either side on a common axis."""


class Alignment(Struct, frozen=True):
    """Corresponding words of two documents.

    Args:
        gold: the gold document.
        system: the system document.
        pairs: numbers of the aligned gold words, ascending, and of their system
            words; one list where both sides have the same words.
        axes: for differing texts, the place of every character of either side on
            a common axis; ``None`` where the texts are the same.
    """

    gold: Document
    system: Document
    pairs: tuple[list[int], list[int]]
    axes: Axes | None

    def to_gold(self) -> list[int]:
        """For each system word its gold word, or ``UNALIGNED``."""
        gold, system = self.pairs
        if gold is system:
            return gold
        result = [UNALIGNED] * self.system.size
        for gold_word, system_word in zip(gold, system, strict=True):
            result[system_word] = gold_word
        return result

    def common(self, gold: list[Span], system: list[Span]) -> list[tuple[int, int]]:
        """Positions of equal ranges in two lists of ranges of the documents."""
        if self.axes is None and gold == system:
            return [(number, number) for number in range(len(gold))]
        system_number = _places(
            _placed(system, self.system, self.axes and self.axes[1])
        )
        gold_placed = _placed(gold, self.gold, self.axes and self.axes[0])
        return [
            (number, system_number[span])
            for number, span in enumerate(gold_placed)
            if span is not None and span in system_number
        ]

    def common_characters(self) -> int:
        """Count the characters that both texts share."""
        if self.axes is None:
            return len(self.gold.text)
        return len(set(self.axes[0]).intersection(self.axes[1]))


def align(gold: Document, system: Document, walk: bool = False) -> Alignment:
    """Align the words of two documents.

    Args:
        gold: the gold document.
        system: the system document.
        walk: whether UD eval.py's own way through multiword tokens is taken.

    Returns:
        The alignment; it is the same on every machine.
    """
    axes = None
    if gold.text != system.text:
        # Of several longest common texts, the same whichever side is gold.
        if gold.text < system.text:
            axes = common_axis(gold.sentences, system.sentences)
        else:
            axes = common_axis(system.sentences, gold.sentences)[::-1]
    elif _same_spans(gold, system) and _same_multiword(gold, system):
        every = list(range(gold.size))
        return Alignment(gold, system, (every, every), None)
    left, right = axes or (None, None)
    placed = (_placed(gold.spans, gold, left), _placed(system.spans, system, right))
    if walk:
        ranges = (_covered(gold, left), _covered(system, right))
        pairs = by_walking(gold, system, ranges, placed)
    else:
        pairs = _by_ranges(gold, system, placed)
    result = (
        [gold_word for gold_word, _ in pairs],
        [system_word for _, system_word in pairs],
    )
    return Alignment(gold, system, result, axes)


def _same_spans(gold: Document, system: Document) -> bool:
    words = gold.tokens_of_words, system.tokens_of_words
    if gold.same_tokens(system) and words[0] == words[1]:
        return True
    return gold.spans == system.spans


def _same_multiword(gold: Document, system: Document) -> bool:
    return gold.multiword == system.multiword and (
        lowered(gold, gold.multiword) == lowered(system, system.multiword)
    )


def _by_ranges(
    gold: Document,
    system: Document,
    placed: tuple[list[Placed | None], list[Placed | None]],
) -> Pairs:
    """Align by ranges of multiword tokens inside of them, by characters outside."""
    sides = (gold, system)
    tokens = [
        spans[number]
        for document, spans in zip(sides, placed, strict=True)
        for number in document.multiword
    ]
    united = _united([span[:2] for span in tokens if span is not None])
    starts = [start for start, _ in united]
    inside: list[tuple[list[int], list[int]]] = [([], []) for _ in united]
    free: tuple[dict[Placed, int], dict[Placed, int]] = ({}, {})
    for side, spans in enumerate(placed):
        for number, span in enumerate(spans):
            if span is None:
                continue
            region = bisect_right(starts, span[0]) - 1
            if region >= 0 and span[1] <= united[region][1]:
                inside[region][side].append(number)
            elif not _touches(united, region, span):
                free[side][span] = number
    pairs = [
        (number, free[1][span]) for span, number in free[0].items() if span in free[1]
    ]
    for left, right in inside:
        if left and right:
            common = longest_common(lowered(gold, left), lowered(system, right))
            pairs += [(left[k], right[m]) for k, m in common]
    return sorted(pairs)


Placed = tuple[int, int, str]
"""A range on the common axis, and its characters where the texts differ."""


def _places(spans: Sequence[Placed | None]) -> dict[Placed, int]:
    return {span: number for number, span in enumerate(spans) if span is not None}


def _placed(
    spans: list[Span], document: Document, axis: list[int] | None
) -> list[Placed | None]:
    """Ranges on the common axis; ``None`` for those without characters."""
    if axis is None:
        return [(*span, "") if span[0] < span[1] else None for span in spans]
    text = document.text
    return [
        (axis[start], axis[end - 1] + 1, text[start:end]) if start < end else None
        for start, end in spans
    ]


def _covered(document: Document, axis: list[int] | None) -> list[Span]:
    """The characters of the words on the common axis, from first to last."""
    if axis is None:
        return document.spans
    ends = [*axis, axis[-1] + 1 if axis else 0]
    return [
        (ends[start], ends[end - 1] + 1 if start < end else ends[start])
        for start, end in document.spans
    ]


def _united(ranges: list[Span]) -> list[Span]:
    """Ranges that overlap united; those that only touch stay apart."""
    spans: list[Span] = []
    for start, end in sorted(set(ranges)):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _touches(united: list[Span], region: int, span: Placed) -> bool:
    """Return true if *span* overlaps the range *region* or the one after it."""
    before = region >= 0 and united[region][1] > span[0]
    after = region + 1 < len(united) and united[region + 1][0] < span[1]
    return before or after
