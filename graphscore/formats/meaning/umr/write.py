r"""Graphs of sentences and documents as UMR files.

>>> from graphscore.model.graph import Edge
>>> nodes = (Node("s1b", "bark-01", (), (Anchor(5, 9),)), Node("s1d", "dog"))
>>> graph = Graph("", "umr", 1, text="Dogs bark", tokens=(Anchor(0, 4), Anchor(5, 9)),
...               nodes=nodes, edges=(Edge("s1b", "s1d", "ARG0"),), tops=("s1b",))
>>> print(b"".join(write([graph])).decode().rstrip("\n"))
################################################################################
# :: snt1
Index: 1    2
Words: Dogs bark
<BLANKLINE>
# sentence level graph:
(s1b / bark-01
    :ARG0 (s1d / dog))
<BLANKLINE>
# alignment:
s1b: 2-2
s1d: 0-0
<BLANKLINE>
# document level annotation:
(s1s0 / sentence)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import structs

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.meaning.amr.layout import penman_text
from graphscore.formats.meaning.umr import ALIGNED, HEADER, NUMBER, UNALIGNED
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId
from graphscore.model.joined_tokens import only_joined
from graphscore.structures.documents import (
    NOTE,
    Sentence,
    said_of,
    sentences_of,
    variable_of,
)

_VARIABLE = re.compile(r"[A-Za-z][\w-]*")
_LINE = "#" * 80


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write sentences, and documents of them.

    A document that comes after its sentences is written with them, once.

    Args:
        graphs: of the frameworks ``umr`` and ``umrdoc``.

    Yields:
        The lines of each sentence.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    held: list[Graph] = []
    written = 0
    for graph in graphs:
        check_framework(graph, ("umr", "umrdoc"), "UMR")
        if graph.framework == "umr":
            held.append(graph)
            continue
        with naming(graph):
            file = _File(graph if written or graph.id else None, graph)
            sentences = [*file.sentences()]
            if held and len(held) != len(sentences):
                # With too few of them, others would come back that were not given.
                raise InvalidGraphError(
                    f"a document of {len(sentences)} sentences after {len(held)}",
                    "all sentences of a document before it, or none",
                )
            for number, (sentence, lines) in enumerate(sentences, 1):
                yield file.block(sentence, number, lines)
        written += 1
        held = []
    file = _File(held[0] if written and held else None)
    for number, graph in enumerate(held, 1):
        with naming(graph):
            yield file.block(graph, number, [])


class _File:
    """A document on its way into a file.

    Args:
        named: what begins a further document, or one that has a name.
        document: the graph, if there is one.
    """

    def __init__(self, named: Graph | None, document: Graph | None = None) -> None:
        self.named, self.document = named, document
        self._taken: set[str] = set()

    def sentences(self) -> Iterator[tuple[Graph, list[str]]]:
        """Graphs of sentences, and the lines of what was annotated with them."""
        graph = self.document
        assert graph is not None
        parts = sentences_of(graph)
        texts = graph.text.split("\n") if graph.text else []
        names: dict[NodeId, str] = {}
        for number, part in enumerate(parts, 1):
            self._taken = set()
            whole = graph.nodes[part.place].id
            names[whole] = str(whole)
            for index in part.nodes:
                node = graph.nodes[index]
                names[node.id] = self._variable(variable_of(node), node, number)
        for node in graph.nodes[: parts[0].place if parts else None]:
            names[node.id] = str(node.label)
        start = 0
        for number, part in enumerate(parts, 1):
            text = texts[number - 1] if number <= len(texts) else ""
            yield (
                _sentence(graph, part, names, text, start),
                _annotation(graph, part, names, number),
            )
            start += len(text) + 1

    def _variable(self, preferred: str, node: Node, number: int) -> str:
        """A variable that no other node of the sentence has."""
        if _VARIABLE.fullmatch(preferred) and preferred not in self._taken:
            self._taken.add(preferred)
            return preferred
        letter = next((c for c in str(node.label).lower() if "a" <= c <= "z"), "x")
        more = 0
        result = f"s{number}{letter}"
        while result in self._taken:
            more += 1
            result = f"s{number}{letter}{more}"
        self._taken.add(result)
        return result

    def block(self, graph: Graph, number: int, annotation: list[str]) -> bytes:
        """The lines of a sentence."""
        self._taken = set()
        names = {n.id: self._variable(str(n.id), n, number) for n in graph.nodes}
        graph = _rename_nodes(graph, names)
        stated = kept_as(graph.extra, NUMBER, str, "")
        called = stated if stated.isdigit() else str(number)
        lines = [_LINE]
        if self.named is not None:
            name = self.named.id or self.named.document
            lines.append(f"# newdoc id = {name}" if name else "# newdoc")
            self.named = None
        header = kept_as(graph.extra, HEADER, list[str], [])
        lines += [line for line in header if line.startswith("#")]
        lines += [*_words(graph, called)]
        lines += [line for line in header if not line.startswith("#")]
        lines += ["", "# sentence level graph:"]
        if graph.nodes:
            lines += [penman_text(graph)]
        lines += ["", "# alignment:"]
        lines += _alignment(graph)
        lines += kept_as(graph.extra, UNALIGNED, list[str], [])
        lines += ["", "# document level annotation:"]
        lines += annotation or [f"(s{called}s0 / sentence)"]
        return ("\n".join(lines) + "\n\n\n").encode()


def _rename_nodes(graph: Graph, names: Mapping[NodeId, str]) -> Graph:
    if all(old == new for old, new in names.items()):
        return graph
    return structs.replace(
        graph,
        nodes=tuple(structs.replace(n, id=names[n.id]) for n in graph.nodes),
        edges=tuple(
            structs.replace(e, source=names[e.source], target=names[e.target])
            for e in graph.edges
        ),
        tops=tuple(names[top] for top in graph.tops),
    )


def _words(graph: Graph, number: str) -> Iterator[str]:
    """The number of a sentence, and its words."""
    forms = [graph.text[start:end] for start, end in graph.tokens]
    plain = only_joined(graph) and not any(" " in form for form in forms)
    if graph.text and not plain:
        yield f"# :: snt{number}\t{graph.text}"
        if forms == graph.text.split():
            return
    else:
        yield f"# :: snt{number}"
    if forms:
        numbers = [str(index) for index in range(1, len(forms) + 1)]
        widths = [max(map(len, pair)) for pair in zip(numbers, forms, strict=True)]
        for name, row in (("Index", numbers), ("Words", forms)):
            cells = (f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True))
            yield f"{name}: {' '.join(cells)}".rstrip()


def _alignment(graph: Graph) -> Iterator[str]:
    """A line for each node; where some were read, for those that had one."""
    kept = {n.id: kept_as(dict(n.extra), ALIGNED, str, "") for n in graph.nodes}
    some = any(kept.values())
    for node in graph.nodes:
        alignment = kept[node.id]
        if "\n" in alignment or not alignment:
            alignment = _alignment_of(node, graph) if node.anchors or not some else ""
        if alignment:
            yield f"{node.id}: {alignment}"


def _alignment_of(node: Node, graph: Graph) -> str:
    """Return the alignment of a node that comes from elsewhere."""
    spans = []
    for start, end in node.anchors:
        inside = [
            index
            for index, token in enumerate(graph.tokens, 1)
            if token.start < end and start < token.end
        ]
        if inside:
            spans.append(f"{inside[0]}-{inside[-1]}")
    return ", ".join(spans) or "0-0"


def _sentence(
    graph: Graph, part: Sentence, names: Mapping[NodeId, str], text: str, start: int
) -> Graph:
    """The graph of one sentence of a document."""
    end = start + len(text)
    own = {graph.nodes[index].id for index in part.nodes}
    nodes = tuple(
        Node(
            names[node.id],
            node.label,
            said_of(node),
            tuple(Anchor(a - start, b - start) for a, b in node.anchors),
            node.extra,
        )
        for node in (graph.nodes[index] for index in part.nodes)
    )
    edges = []
    for ordinal in part.edges:
        edge = graph.edges[ordinal]
        if edge.source in own and edge.target in own:
            ends = names[edge.source], names[edge.target]
            edges.append(Edge(*ends, edge.label, edge.normal, extra=edge.extra))
    whole = graph.nodes[part.place]
    extra = {name: value for name, value in whole.extra if name != NOTE}
    tokens = tuple(
        Anchor(a - start, b - start) for a, b in graph.tokens if start <= a < end
    )
    tops = tuple(names[top] for top in graph.tops if top in own)
    flavor = 1 if tokens else 2
    return Graph(
        "",
        "umr",
        flavor,
        text=text,
        tokens=tokens,
        nodes=nodes,
        edges=tuple(edges),
        tops=tops,
        extra=extra,
    )


def _annotation(
    graph: Graph, part: Sentence, names: Mapping[NodeId, str], number: int
) -> list[str]:
    """Return the annotation of a sentence, a line for each triple."""
    whole = graph.nodes[part.place]
    called = str(whole.id) if re.fullmatch(r"\w+", str(whole.id)) else f"s{number}s0"
    first = f"({called} / sentence"
    if not part.triples:
        return [f"{first})"]
    note = kept_as(dict(whole.extra), NOTE, str, "")
    lines = [f"{first}  # {note}" if note else first]
    level = None
    opened = False
    for triple in part.triples:
        if triple.level != level:
            if opened:
                lines[-1] = _close_bracket(lines[-1])
            lines.append(f"    :{triple.level} (")
            level, opened = triple.level, True
        else:
            lines.append(" " * 12)
        head, tail = (names[graph.nodes[end].id] for end in triple[1:4:2])
        noted = kept_as(dict(graph.edges[triple.edge].extra), NOTE, str, "")
        # A blank keeps a triple irregular that was read beside a note or a bracket.
        blank = "" if triple.plain else " "
        lines[-1] += f"({head} :{triple.relation} {tail}{blank})"
        lines[-1] += f"  # {noted}" if noted else ""
    lines[-1] = _close_bracket(_close_bracket(lines[-1]))
    return lines


def _close_bracket(line: str) -> str:
    """A line with one more bracket, before what is noted behind it."""
    triple, mark, note = line.partition("  # ")
    return f"{triple}){mark}{note}"
