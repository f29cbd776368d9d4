"""Templates whose slots are filled by mentions, entities, events or values.

Section 3.4 of Chen et al. (2023).

>>> attack = Template("attack", frozenset({SlotFiller("target", Mention(0, 4)),
...                                        SlotFiller("stage", "accomplished")}))
>>> graph = template_graph(TemplateSet(frozenset({attack})))
>>> [(edge.label, edge.target) for edge in graph.edges]
[('stage', 0), ('target', 1)]
>>> templates_of(graph).templates == {attack}
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.structures import layout
from graphscore.structures.coreference import Entity
from graphscore.structures.extraction import Event, event_of
from graphscore.structures.layout import ENTITY, MENTION, TEMPLATE, TRIGGER
from graphscore.structures.mentions import Mention
from graphscore.structures.objects.declarations import by_f1, summed, within
from graphscore.structures.objects.field_types import StructureError
from graphscore.structures.objects.views import Layer, Laying, named

T = TypeVar("T")

FRAMEWORK = "template"

Filler = (
    Mention | Entity | Annotated[Event, within(args=by_f1)] | bool | int | float | str
)
"""Filler of a slot; each type is compared in its own way (φ_T)."""


@dataclass(frozen=True)
class SlotFiller(Generic[T]):
    """A slot and what fills it.

    Args:
        slot: the slot.
        value: the filler.
    """

    slot: str
    value: T


@dataclass(frozen=True)
class Template:
    """A filled form.

    Args:
        type: its type.
        fillers: its slots, each as often as it is filled.
    """

    type: str
    fillers: Annotated[frozenset[SlotFiller[Filler]], summed]


@dataclass(frozen=True)
class TemplateSet:
    """Output of template extraction (eq. 32).

    Args:
        templates: the templates.
    """

    templates: frozenset[Template]


def template_graph(
    templates: TemplateSet,
    *,
    id: str = "",
    document: str = "",
    text: str = "",
    tokens: Sequence[Anchor] = (),
) -> Graph:
    """Lay templates out: template -slot-> mention, entity, event or value.

    Args:
        templates: the templates.
        id: the item.
        document: the document that it belongs to.
        text: the text that mentions are of.
        tokens: character ranges of the tokens, if mentions count tokens.

    Raises:
        StructureError: if a mention ends before it begins.
    """
    lay = Laying(tokens)
    in_order = lay.sorted(templates.templates)
    placed: dict[Event, NodeId] = {}
    slots = [
        [
            layout.Argument(filler.slot, _node(lay, filler.value, tokens, placed))
            for filler in lay.sorted(template.fillers, SlotFiller[Filler])
        ]
        for template in in_order
    ]
    for template, arguments in zip(in_order, slots, strict=True):
        lay.build.template(template.type, arguments)
    return lay.graph(id, FRAMEWORK, document, text)


def _node(
    lay: Laying, filler: Filler, tokens: Sequence[Anchor], placed: dict[Event, NodeId]
) -> NodeId:
    if isinstance(filler, Mention):
        return lay.mention(filler)
    if isinstance(filler, Entity):
        return lay.entity(filler.mentions)
    if not isinstance(filler, Event):
        return lay.build.value(filler)
    if filler not in placed:
        arguments = [
            layout.Argument(arg.role, lay.mention(arg.mention))
            for arg in lay.sorted(filler.args)
        ]
        anchor = filler.trig.mention.anchor(tokens)
        placed[filler] = lay.build.trigger(filler.trig.type, (anchor,), arguments)
    return placed[filler]


def templates_of(graph: Graph, *, in_tokens: bool = False) -> TemplateSet:
    """The templates of a graph in the layout.

    Args:
        graph: a graph of the framework ``template``.
        in_tokens: whether mentions count tokens, not characters.

    Raises:
        StructureError: if a filler is nothing that templates can hold, or a
            mention is not one range.
    """
    layer = Layer(graph, in_tokens)
    templates = set()
    for node in layer.nodes(TEMPLATE):
        fillers = frozenset(
            SlotFiller(named(edge.label), _filler(layer, edge.target))
            for edge in layer.edges(node)
        )
        templates.add(Template(named(node.label), fillers))
    return TemplateSet(frozenset(templates))


def _filler(layer: Layer, id: NodeId) -> Filler:
    kind = layer.kind(id, MENTION, ENTITY, TRIGGER, layout.VALUE)
    if kind == MENTION:
        return layer.mention(id)
    if kind == ENTITY:
        return Entity(layer.mentions(id))
    node = layer.node(id)
    if kind == TRIGGER:
        return event_of(layer, node)
    if node.label is None:
        raise StructureError(f"node {id!r}", "no value", "one, as its label")
    return node.label
