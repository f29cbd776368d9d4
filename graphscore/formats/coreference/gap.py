r"""GAP: an ambiguous pronoun and two names a line, gold or a system's answers.

Gold is a table with a header (Webster et al. 2018,
https://github.com/google-research-datasets/gap-coreference)::

    ID  Text  Pronoun  Pronoun-offset  A  A-offset  A-coref  B  B-offset  B-coref  URL

and a system answers with three columns and no header: the id, and whether A and whether
B is what the pronoun refers to.  Cells are separated by tabs; truth is ``TRUE`` or
``FALSE``, in any case.

A line gives one graph of framework ``gap``: a mention for the pronoun, labelled by its
gender, one for each name with the property ``candidate``, ``A`` or ``B``, and an edge
``coreference`` from the pronoun to each name that is true.  In gold they are anchored.

>>> import io
>>> header = b"\t".join(each.encode() for each in COLUMNS)
>>> line = b"v-1\tAnn saw Eve and her dog.\ther\t16\tAnn\t0\tTRUE\tEve\t8\tFALSE\thttp://x"
>>> [record] = read(io.BytesIO(header + b"\n" + line + b"\n"), "gold.tsv")
>>> [(node.label, node.properties[1:], *node.anchors[0]) for node in record.graph.nodes]
... # doctest: +NORMALIZE_WHITESPACE
[('feminine', (), 16, 19), (None, (('candidate', 'A'),), 0, 3),
 (None, (('candidate', 'B'),), 8, 11)]
>>> [(edge.source, edge.label, edge.target) for edge in record.graph.edges]
[(0, 'coreference', 1)]
>>> [record] = read(io.BytesIO(b"v-1\tFalse\tyes\n"), "system.tsv")
>>> print(record.problems[0])
system.tsv:1:11: B-coref: found 'yes', expected TRUE or FALSE
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from graphscore.errors import amount
from graphscore.formats.base import Record
from graphscore.formats.shared.columns import byte_column
from graphscore.formats.shared.records import Draft
from graphscore.formats.source import BOM, bounded_lines
from graphscore.model.graph import Anchor, Edge, Graph, Node, Pairs
from graphscore.model.numbers import whole_number
from graphscore.structures.layout import CANDIDATE, COREFERENCE, KIND, MENTION

FRAMEWORK = "gap"

COLUMNS = (
    *("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref"),
    *("B", "B-offset", "B-coref", "URL"),
)
"""Those of gold."""

ANSWERS = ("ID", "A-coref", "B-coref")
"""Those of a system."""

CANDIDATES = ("A", "B")
GENDERS = {
    **dict.fromkeys(("he", "him", "his"), "masculine"),
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
}
"""Of the pronouns of the task, which has no reflexives."""

LONGEST_LINE = 16 * 1024 * 1024

_TRUTH = {"true": True, "false": False}


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        line = raw.removeprefix(BOM) if number == 1 else raw
        if not line.strip():
            continue
        draft = Draft(name, number, line, framework=FRAMEWORK)
        text = draft.text(line, number, LONGEST_LINE, "a line of a table")
        if text is None:
            yield draft.rejected()
            continue
        cells = text.rstrip().split("\t")
        if cells[0] == COLUMNS[0] and tuple(cells[:2]) in (COLUMNS[:2], ANSWERS[:2]):
            continue
        yield _Line(draft, cells).record()


class _Line:
    """A line, and what is wrong with it.

    Args:
        draft: where problems go.
        cells: its columns.
    """

    def __init__(self, draft: Draft, cells: list[str]) -> None:
        self.draft, self.cells = draft, cells
        self.names = COLUMNS if len(cells) > len(ANSWERS) else ANSWERS
        self.said: Mapping[str, str] = dict(zip(self.names, cells, strict=False))

    def record(self) -> Record:
        """The graph, unless something is wrong."""
        # The address of the page may be left out.
        if len(self.cells) not in (len(ANSWERS), len(COLUMNS) - 1, len(COLUMNS)):
            found = amount(len(self.cells), "column")
            expected = f"{len(COLUMNS)} as in gold, or {len(ANSWERS)} of a system"
            self.draft.add("", found, expected)
            return self.draft.rejected()
        self.draft.item = self.said["ID"].strip()
        if not self.draft.item:
            self._add("ID", "an id")
        gold = self.names is COLUMNS
        gender = None
        if gold:
            gender = GENDERS.get(self.said["Pronoun"].strip().lower())
            if gender is None:
                self._add("Pronoun", f"one of {', '.join(GENDERS)}")
        nodes = [self._node(0, "Pronoun", gender, ())]
        edges = []
        for place, each in enumerate(CANDIDATES, 1):
            nodes.append(self._node(place, each, None, ((CANDIDATE, each),)))
            if self._truth(f"{each}-coref"):
                edges.append(Edge(0, place, COREFERENCE))
        extra = {FRAMEWORK: {"url": self.said["URL"]}} if self.said.get("URL") else {}
        text = self.said.get("Text", "")
        graph = Graph(
            self.draft.item,
            FRAMEWORK,
            1,
            text=text,
            nodes=tuple(nodes),
            edges=tuple(edges),
            extra=extra,
        )
        return self.draft.record(graph)

    def _node(self, id: int, name: str, label: str | None, more: Pairs) -> Node:
        """A mention, where the text has it; a system's answers have no text."""
        pairs = (KIND, MENTION), *more
        if name not in self.said:
            return Node(id, label, pairs)
        words, offset = self.said[name], self.said[f"{name}-offset"].strip()
        start = whole_number(offset)
        text = self.said["Text"]
        if start is None or not text.startswith(words, start) or not words:
            self._add(f"{name}-offset", f"the character where {words!r} begins")
            return Node(id, label, pairs)
        return Node(id, label, pairs, (Anchor(start, start + len(words)),))

    def _truth(self, column: str) -> bool:
        truth = _TRUTH.get(self.said[column].strip().lower())
        if truth is None:
            self._add(column, "TRUE or FALSE")
        return bool(truth)

    def _add(self, column: str, expected: str) -> None:
        place = self.names.index(column)
        at = byte_column(self.cells, place)
        self.draft.add(column, repr(self.cells[place][:60]), expected, at)
