r"""Graphs as lines of SciREX, gold or predicted.

Layers of one article that follow one another become one line.  Only what has its
place in the format is written: typed mentions, entities with one range of whole
words each, relations among entities with the roles of the format.

>>> from graphscore.model.graph import Anchor
>>> from graphscore.structures.layout import LayoutBuilder
>>> build = LayoutBuilder()
>>> _ = build.mention("Method", [Anchor(0, 4)])
>>> graph = build.graph("a1", "ner", text="BERT", tokens=(Anchor(0, 4),))
>>> b"".join(write([graph]))
b'{"doc_id":"a1","words":["BERT"],"ner":[[0,1,"Method"]]}\n'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.errors import InvalidGraphError
from graphscore.formats.extraction.scirex import (
    CLUSTERS,
    ENTITIES,
    FRAMEWORKS,
    GOLD,
    ID,
    OWN,
    PART,
    PARTS,
    PREDICTED,
    RESULT,
    ROLES,
    SAID,
    SECTIONS,
    SENTENCES,
    SPAN,
    UNMENTIONED,
    WORDS,
)
from graphscore.formats.shared.layers import Layer, kept, own_of
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import Layers, json_lines
from graphscore.model.graph import Graph, Node
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    MENTION,
    NER,
    RELATION,
    RELATIONS,
    SCORE,
    kind_of,
)

_KINDS = {
    NER: {MENTION},
    COREF: {MENTION, ENTITY},
    RELATIONS: {MENTION, ENTITY, RELATION},
}

_RANGE = re.compile(r"(-?\d{1,18}):(-?\d{1,18})")


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one article to a line.

    Args:
        graphs: of the frameworks ``ner``, ``coref`` and ``relation``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(graphs, FRAMEWORKS, "SciREX", _fields)


def _fields(graph: Graph, layers: Layers) -> dict[str, Any]:
    """The JSON object of an article."""
    found = kept(graph.extra, OWN)
    found[ID], found[WORDS] = graph.id, TokenSpans(graph).forms
    for key in (SENTENCES, SECTIONS):
        if key in graph.extra:
            found[key] = graph.extra[key]
    said = bool(graph.extra.get(SAID))
    read = {layer: _Layer(each, _KINDS[layer]) for layer, each in layers.items()}
    if NER in read:
        found["ner"] = read[NER].typed()
    entities = [read[layer].entities() for layer in (COREF, RELATIONS) if layer in read]
    if entities:
        # A relation may name entities that the text does not mention.
        named = {name: spans for each in entities for name, spans in each[0].items()}
        known = entities[0][0]
        if any(spans != known.get(name, []) for name, spans in named.items()):
            raise InvalidGraphError("entities that differ between layers", "the same")
        if COREF not in read:
            known = {name: spans for name, spans in named.items() if spans}
        found[CLUSTERS if said else ENTITIES] = known
        if entities[0][1]:
            found[PARTS] = entities[0][1]
    if RELATIONS in read:
        relations = read[RELATIONS].relations(said)
        found[PREDICTED if said else GOLD] = relations
    return found


class _Layer(Layer):
    """One layer in terms of words and names."""

    def __init__(self, graph: Graph, kinds: set[str]) -> None:
        super().__init__(graph, kinds)
        self.spans = TokenSpans(graph)

    def typed(self) -> list[list[Any]]:
        """The typed mentions."""
        return [[*self._span(node), node.label] for node in self.of(MENTION)]

    def entities(self) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
        """The mentions of each entity, and the parts of methods."""
        found: dict[str, list[Any]] = {}
        parts: dict[str, list[Any]] = {}
        count = 0
        for node in self.of(ENTITY):
            name = str(node.id)
            found[name] = []
            for edge in self.edges(node.id):
                target = self.nodes[edge.target]
                if edge.label == MENTION and kind_of(target) == MENTION:
                    found[name].append(self._span(target))
                    count += 1
                elif edge.label == PART and kind_of(target) == ENTITY:
                    span = re.fullmatch(
                        r"(-?\d{1,18}):(-?\d{1,18})",
                        str(dict(edge.attributes).get(SPAN)),
                    )
                    if span is None:
                        shown = f"a part of {name!r} without a {SPAN}"
                        raise InvalidGraphError(shown, "START:END")
                    ends = [int(span[1]), int(span[2])]
                    parts.setdefault(name, []).append([ends, str(target.id)])
        if count != len(self.of(MENTION)):
            shown = "mentions that are not each of one entity"
            raise InvalidGraphError(shown, "one entity for each")
        return found, parts

    def relations(self, said: bool) -> list[Any]:
        """The relations, as gold or as predicted."""
        return [self._relation(each, said) for each in self.of(RELATION)]

    def _relation(self, node: Node, said: bool) -> Any:
        own = own_of(node)
        own.pop(UNMENTIONED, None)
        slots: dict[str, str] = {}
        for edge in self.edges(node.id):
            role = edge.label
            entity = self.is_a(ENTITY, edge.target)
            if not isinstance(role, str) or role in slots or not entity:
                found = f"an argument {role!r} of relation {node.id!r}"
                raise InvalidGraphError(found, "entities, one a role")
            slots[role] = str(edge.target)
        if said:
            names = [slots.get(role) for role in ROLES]
            return [names, own.get(SCORE, 1), 1]
        return {**slots, **({"score": own[RESULT]} if RESULT in own else {})}

    def _span(self, node: Node) -> list[int]:
        first, last = self.spans.of(node)
        return [first, last + 1]
