r"""Graphs as MUC templates, one slot to a line.

>>> from graphscore.structures.layout import Argument, LayoutBuilder
>>> build = LayoutBuilder()
>>> army = build.entity([build.mention(None, text="ARMY")])
>>> _ = build.template("ATTACK", [Argument("PERP: ORGANIZATION ID", army)])
>>> lines = b"".join(write([build.graph("TST3-MUC4-0001", "template")])).splitlines()
>>> print(len(lines), lines[10].decode())
25 10. PERP: ORGANIZATION ID          "ARMY"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.errors import InvalidGraphError
from graphscore.formats.shared.layers import Layer, kept_as
from graphscore.formats.templates.fillers import TEMPLATES
from graphscore.formats.templates.muc import (
    ALTERNATIVE,
    BARE,
    COMMENTS,
    NOT_FOR,
    NUMBER,
    OPTIONAL,
    ORDER,
    SOURCE,
)
from graphscore.formats.templates.muc.fills import (
    DESCRIPTION,
    INAPPLICABLE,
    MESSAGES,
    NOTHING,
    NUMBERS,
    SLOTS,
    STRING,
    VALUE,
    XREF,
    Fill,
    Part,
    shown,
    written,
)
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Edge, Graph, Node
from graphscore.structures.layout import (
    ENTITY,
    KINDS,
    MENTION,
    TEMPLATE,
    TEXT,
    kind_of,
)
from graphscore.structures.layout import VALUE as FILLER

_ORDER = [(str(number), name) for number, name in enumerate(SLOTS)]


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, each template as a block.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Blocks of lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    first = True
    for graph in graphs:
        check_framework(graph, (TEMPLATES,), "MUC")
        with naming(graph):
            blocks = _Message(graph, (*KINDS, None)).blocks()
        for block in blocks:
            yield (block if first else "\n" + block).encode()
            first = False


class _Message(Layer):
    """The templates of one message on their way to lines."""

    def blocks(self) -> list[str]:
        """The block of each template; one that says so if there is none."""
        source = self.graph.extra.get(SOURCE, "")
        name = f"{self.graph.id} {source}".rstrip()
        templates = self.of(TEMPLATE)
        if not templates:
            fills = {slot: [INAPPLICABLE] for _, slot in _ORDER}
            comments = kept_as(self.graph.extra, COMMENTS, list[str], [])
            return [self._block(name, INAPPLICABLE, fills, _ORDER, comments)]
        return [self._template(name, k, node) for k, node in enumerate(templates, 1)]

    def _template(self, name: str, place: int, node: Node) -> str:
        extra = dict(node.extra)
        order = kept_as(extra, ORDER, list[tuple[str, str]], _ORDER)
        fills: dict[str, list[str]] = {}
        number, optional = str(place), ""
        for key, value in node.properties:
            if key == NOT_FOR and isinstance(value, str):
                fills[value] = [INAPPLICABLE]
            elif key == NUMBER:
                number = str(value)
            elif key == OPTIONAL and value is True:
                optional = " (OPTIONAL)"
        for edge in self.edges(node.id):
            fills.setdefault(str(edge.label), []).append(self._filler(edge))
        for slot in fills:
            if slot not in {known for _, known in order} or slot in MESSAGES | NUMBERS:
                raise InvalidGraphError(f"a slot {slot!r}", "the slots of MUC-4")
        comments = kept_as(extra, COMMENTS, list[str], [])
        return self._block(name, number + optional, fills, order, comments)

    def _block(
        self,
        name: str,
        number: str,
        fills: dict[str, list[str]],
        order: list[tuple[str, str]],
        comments: list[str],
    ) -> str:
        lines = [f"{comment}\n" for comment in comments]
        for count, slot in order:
            texts = fills.get(slot, [NOTHING])
            if slot in MESSAGES:
                texts = [name]
            elif slot in NUMBERS:
                texts = [number]
            lines.append(shown(count, slot, texts))
        return "".join(lines)

    def _filler(self, edge: Edge) -> str:
        """What stands behind the slot's name, or below."""
        node = self.nodes[edge.target]
        optional = (OPTIONAL, True) in edge.attributes
        slot = str(edge.label)
        kind = kind_of(node)
        if kind not in (ENTITY, FILLER):
            found = f"a filler {edge.target!r} of {slot}"
            raise InvalidGraphError(found, "entities and values")
        parts = self._strings(node) if kind == ENTITY else self._values(node)
        text = written(Fill(optional, tuple(parts)))
        if text in ("", NOTHING, INAPPLICABLE):
            # A slot that nothing fills comes back, and so the round trip has no cause.
            found = f"a filler {edge.target!r} of {slot}, {text!r}"
            raise InvalidGraphError(found, "one that is read again as it is")
        return text

    def _values(self, node: Node) -> list[Part]:
        kinds = {ALTERNATIVE: VALUE, XREF: XREF}
        found = [Part(VALUE, str(node.label))]
        for key, value in node.properties:
            if key in kinds:
                found.append(Part(kinds[key], str(value)))
        return found

    def _strings(self, node: Node) -> list[Part]:
        found: list[Part] = []
        for edge in self.edges(node.id):
            mention = self.nodes[edge.target]
            own = dict(mention.properties)
            if edge.label != MENTION or not isinstance(own.get(TEXT), str):
                shown_ = f"an edge {edge.label!r} of entity {node.id!r}"
                raise InvalidGraphError(shown_, "mentions with a text")
            found.append(Part(VALUE if own.get(BARE) else STRING, str(own[TEXT])))
            for key, value in mention.properties:
                if key in (DESCRIPTION, XREF):
                    found.append(Part(key, str(value)))
        return found + [
            Part(XREF, str(value)) for key, value in node.properties if key == XREF
        ]
