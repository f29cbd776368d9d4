"""What the corefud-scorer's own test cases expect, in B³ and MUC.

The cases are those of its ``OverlappingMentionsTestCases.README`` and
``ZeroTestCases.README``, in a short notation: entities separated by ``|``, mentions
by blanks, words as ranges with commas, ``*`` after the head, ``.1`` for an empty
node, its governors after ``/``.  Left out are those that early versions answered by
matching one mention to several.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from graphscore import Anchor, Edge, Graph, Node
from tests.metrics.coreference.chains import count

WORDS = 70


class Case(NamedTuple):
    """Two documents and what is expected of them."""

    name: str
    options: str
    key: str
    response: str
    b3: str
    """Recall and precision."""
    muc: str


INNER = "2-9,10*,11-13 48* | 2,3*,4-5 30*,31-32 63*,64 67*"
BOTH = "2*,3-13 48* | 2,3*,4-5 30*,31-32 63*,64 67*"
EQUAL = "2-3,4*,5-13 48* | 2-3,4*,5 30*,32-33 63*,64 67*"
VERB = "1*,2 | 4*,5-7 11* 15,15.1*,16-17 | 13*,14 19*"
WORD = "1*,2 | 4*,5-7 11* 15*,15.1,16-17 | 13*,14 19*"
ALONE = "1*,2 12* 15.1*/15:nsubj | 4*,5-7 19*"
MANY = "1*,2 12* 15.1*/13:a/14:b/15:c | 4*,5-7 19*"
REST = "30-32 63-64 67"

CASES = [
    Case("OLMA-1", "partial", INNER, f"2-13 48 | 2-5 {REST}", "1 1", "1 1"),
    Case("OLMA-2", "partial", INNER, f"10 48 | 3 {REST}", "1 1", "1 1"),
    Case("OLMA-3", "partial", INNER, f"4-11 48 | 3-5 {REST}", "1 1", "1 1"),
    Case("OLMA-4", "partial", INNER, f"9-11 48 | 4-5 {REST}", "17/24 17/24", "3/4 3/4"),
    Case("OLMA-5", "partial", INNER, f"4-11 48 | {REST}", "17/24 1", "3/4 1"),
    Case("OLMA-6", "partial", INNER, f"4-5 48 | {REST}", "11/24 7/10", "1/2 2/3"),
    Case("OLMB-1", "partial", BOTH, f"2-13 48 | 2-5 {REST}", "1 1", "1 1"),
    Case("OLMB-2", "partial", BOTH, f"2 48 | 3 {REST}", "1 1", "1 1"),
    Case("OLMB-4", "partial", BOTH, f"2 48 | 3-7 {REST}", "17/24 17/24", "3/4 3/4"),
    Case("OLMB-5", "partial", BOTH, f"2-11 48 | {REST}", "17/24 1", "3/4 1"),
    Case("OLMB-6", "partial", BOTH, f"4-5 48 | {REST}", "11/24 7/10", "1/2 2/3"),
    Case("OLMC-1", "partial", EQUAL, "2-13 48 | 2-5 30,32-33 63-64 67", "1 1", "1 1"),
    Case("OLMC-3", "partial", EQUAL, "4-6 48 | 30,32-33 63-64 67", "17/24 1", "3/4 1"),
    Case("OLMC-4", "partial", EQUAL, "4-9 48 | 2-4 30,32-33 63-64 67", "1 1", "1 1"),
    *(
        Case(f"ZD-1 {each}", each, VERB, VERB, "1 1", "1 1")
        for each in ("exact", "partial", "head")
    ),
    *(
        Case(f"ZD-2 {each}", each, VERB, WORD, "1 1", "1 1")
        for each in ("exact", "partial")
    ),
    Case("ZD-2 head", "head", VERB, WORD, "26/36 26/36", "2/3 2/3"),
    *(
        Case(
            f"ZD-3 {each}",
            each,
            VERB,
            "1*,2 | 4*,5-7 11* 15*,15.1 | 13*,14 19*",
            b3,
            muc,
        )
        for each, b3, muc in (
            ("partial", "1 1", "1 1"),
            ("exact", "26/36 26/36", "2/3 2/3"),
            ("head", "26/36 26/36", "2/3 2/3"),
        )
    ),
    *(
        Case(f"ZE-1 {each}", each, WORD, VERB, "1 1", "1 1")
        for each in ("exact", "partial")
    ),
    Case("ZE-1 head", "head", WORD, VERB, "26/36 26/36", "2/3 2/3"),
    Case(
        "ZE-2",
        "partial",
        WORD,
        "1*,2 | 4*,5-7 11* 15,15.1* | 13*,14 19*",
        "1 1",
        "1 1",
    ),
    Case("ZF-1", "head,zeros=dependent", ALONE, ALONE, "1 1", "1 1"),
    Case(
        "ZF-2",
        "head,zeros=dependent",
        ALONE,
        "1*,2 12* 17.1*/15:nsubj | 4*,5-7 19*",
        "1 1",
        "1 1",
    ),
    Case(
        "ZF-2 linear",
        "head",
        ALONE,
        "1*,2 12* 17.1*/15:nsubj | 4*,5-7 19*",
        "10/15 10/15",
        "2/3 2/3",
    ),
    Case(
        "ZF-3",
        "head,zeros=dependent",
        ALONE,
        "1*,2 12* 17.1*/15:dep | 4*,5-7 19*",
        "1 1",
        "1 1",
    ),
    *(
        Case(
            f"ZF-4 {options}",
            options,
            ALONE,
            "1*,2 12* 15.1*/15:dep | 4*,5-7 13.1*/15:nsubj 19*",
            b3,
            muc,
        )
        for options, b3, muc in (
            ("head,zeros=dependent", "11/15 1/2", "2/3 1/2"),
            ("head", "1 13/18", "1 3/4"),
        )
    ),
    Case(
        "ZG-1",
        "head,zeros=dependent",
        MANY,
        "1*,2 12* 15.1*/15:c | 4*,5-7 19*",
        "1 1",
        "1 1",
    ),
    Case(
        "ZG-2",
        "head,zeros=dependent",
        MANY,
        "1*,2 12* 15.2*/13:a/15:x | 4*,5-7 15.1*/13:a/18:x 19*",
        "1 13/18",
        "1 3/4",
    ),
    Case(
        "ZG-3",
        "head,zeros=dependent",
        MANY,
        "1*,2 12* 15.2*/13:a | 4*,5-7 15.1*/13:x/14:y/15:z 19*",
        "1 13/18",
        "1 3/4",
    ),
]


def characters(word: int) -> tuple[int, int]:
    return 2 * word, 2 * word + 1


def mention(written: str, name: str) -> Node:
    """One mention of the notation."""
    words, *links = written.split("/")
    anchors: list[Anchor] = []
    told: list[tuple[str, Any]] = [("kind", "mention")]
    only_empty = True
    for piece in words.split(","):
        head = piece.endswith("*")
        piece = piece.rstrip("*")
        if "." in piece:
            told.append(("word", f"1:{piece}"))
            called = f"1:{piece}"
        else:
            only_empty = False
            first, _, last = piece.partition("-")
            start, end = characters(int(first))[0], characters(int(last or first))[1]
            anchors.append(Anchor(start, end))
            called = f"{start}:{end}"
        if head:
            told.append(("head", called))
    if only_empty:
        told.append(("zero", True))
        for link in links:
            governor, _, relation = link.partition(":")
            start, end = characters(int(governor))
            told += [("governor", f"{start}:{end}"), ("deprel", relation)]
    return Node(name, None, tuple(told), tuple(anchors))


def document(written: str) -> Graph:
    nodes: list[Node] = []
    edges: list[Edge] = []
    for number, entity in enumerate(written.split("|")):
        nodes.append(Node(f"e{number}", None, (("kind", "entity"),)))
        for piece in re.findall(r"\S+", entity):
            nodes.append(mention(piece, f"m{len(nodes)}"))
            edges.append(Edge(f"e{number}", nodes[-1].id, "mention"))
    return Graph(
        "d",
        "coref",
        text=" ".join("x" * WORDS),
        tokens=tuple(Anchor(*characters(word)) for word in range(WORDS)),
        nodes=tuple(nodes),
        edges=tuple(edges),
    )


@pytest.mark.parametrize("preset", ["none", "corefud"])
@pytest.mark.parametrize("metric", ["b3", "muc"])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Case, metric: str, preset: str) -> None:
    options = f"mentions={case.options},preset={preset}"
    found = count(f"{metric}({options})", document(case.key), document(case.response))
    recall, precision = map(Fraction, getattr(case, metric).split())
    assert found.recall == pytest.approx(float(recall), rel=1e-12)
    assert found.precision == pytest.approx(float(precision), rel=1e-12)


def test_words_in_common_may_go_beyond_what_matches() -> None:
    # OLMA-4: 9-11 is all within 2-13, 4-5 within 2-5, though no head is in it.
    found = count(
        "mentions", document(INNER), document(f"9-11 48 | 4-5 {REST}"), "overlap"
    )
    assert (found.matched, found.gold, found.system) == (12, 23, 12)
    # OLMA-3: 4-11 and 3-5.
    found = count(
        "mentions", document(INNER), document(f"4-11 48 | 3-5 {REST}"), "overlap"
    )
    assert (found.matched, found.gold, found.system) == (18, 23, 18)
