"""A document's templates as forms that are filled, laid out for comparing.

Role fillers are one form without a type, n-ary templates are any number of them.  A
*fill* is one edge from a template: what it leads to, and the keys by which that is
known: those of the mentions of an entity, else one of its own.

>>> from graphscore.structures.layout import Argument, LayoutBuilder
>>> build = LayoutBuilder()
>>> words = [build.mention(None, text=text) for text in ("the Army", "soldiers")]
>>> fills = [Argument("PerpInd", build.entity(words)),
...          Argument("Stage", build.value("DONE"))]
>>> _ = build.template("attack", fills)
>>> [form] = lay_out(build.graph("1", "template"), TemplateOptions()).forms
>>> form.type, sorted(form.slots["PerpInd"][0].keys), list(form.slots)
('attack', ['soldiers', 'the army'], ['PerpInd', 'Stage'])
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from graphscore.model.graph import Graph, Node
from graphscore.model.normalize import fold
from graphscore.similarity.base import Number
from graphscore.similarity.expression import Sort
from graphscore.similarity.features.elements import Column, surface
from graphscore.similarity.features.fillers import Filler
from graphscore.similarity.view import View
from graphscore.structures.layout import (
    ENTITY,
    KIND,
    MENTION,
    TEMPLATE,
    TRIGGER,
    VALUE,
    first_of,
)

T = TypeVar("T")

Mentions = Literal["text", "exact", "head", "normalized"]
"""Key of a mention."""

MentionsOr = Literal["preset", "text", "exact", "head", "normalized"]
"""The same, or as the preset of a metric says."""

Templates = Literal["aligned", "merged"]
"""Use of templates: aligned, or merged into the fillers of the document."""

OPTIONAL, ALTERNATIVE = "optional", "alternative"
"""The property or attribute of what need not be there, and that of a value with what
may stand in its place."""

STRINGS = (ENTITY, MENTION)
"""Kinds of fillers that are strings."""

TYPE = "type"
"""The slot that the type of a template is counted under."""

TYPES = frozenset({"incident: type", "type of incident"})
"""Slots of MUC that only repeat the type of their template."""

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@lru_cache(maxsize=65536)
def normalized(text: str) -> str:
    """A string as GRIT, GTT and IterX compare it.

    Lower case, without punctuation, then without articles and needless blanks
    (GRIT d8212bc, ``eval.py``, ``normalize_string``).

    >>> normalized("THE  Water-Pipes, a.")
    'waterpipes'
    """
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


class FillerKey(Column, frozen=True):
    """Key of a filler; of mentions, the part that is compared.

    Args:
        by: ``text``, what a mention says, upper and lower case and blanks alike;
            ``exact``, its characters; ``head``, those of its head; ``normalized``,
            what it says as :func:`normalized` has it.
    """

    of: ClassVar[Sort] = "node"
    call: ClassVar[str] = "said"

    by: Mentions = "text"

    @property
    def short(self) -> str:
        """Short name: the key of mentions."""
        return "span" if self.by == "exact" else self.by

    def column(self, view: View) -> Sequence[Hashable]:
        """One value for each node; ``None`` for entities and templates."""
        graph = view.graph
        words = self._words(view)
        return [_key(node, words[index]) for index, node in enumerate(graph.nodes)]

    def _words(self, view: View) -> Sequence[Hashable]:
        graph = view.graph
        if self.by == "normalized":
            texts = (surface(graph, node) for node in graph.nodes)
            return [None if text is None else normalized(text) for text in texts]
        by: Literal["text", "span", "head"]
        by = "span" if self.by == "exact" else self.by
        return Filler(by).of_all(view, range(len(graph.nodes)))


def _key(node: Node, words: Hashable) -> Hashable:
    kind = first_of(node.properties, KIND)
    if kind == MENTION:
        return words
    if kind == VALUE:
        return VALUE, fold(node.label)
    return (TRIGGER, words, fold(node.label)) if kind == TRIGGER else None


class Fill(NamedTuple):
    """A slot and one thing that fills it."""

    slot: str
    edge: int
    """The ordinal of its edge."""
    node: int
    """The ordinal of the filler."""
    members: tuple[int, ...]
    """The ordinals of its mentions, in order."""
    kind: str
    """Kind of the filler: entity, mention, value or trigger."""
    keys: frozenset[Hashable]
    """Keys of its mentions; for other kinds, its own key."""
    listed: tuple[Hashable, ...]
    """The same, with repetitions and in order."""
    values: tuple[str, ...]
    """A value and its alternatives, or the type of an event, folded."""
    optional: bool
    """True if gold does not require it."""


class PreparedTemplate(NamedTuple):
    """A template."""

    node: int | None
    """The ordinal of its node; ``None`` where all templates are merged."""
    type: Hashable
    types: tuple[str, ...]
    """Its type and the alternatives to it, folded; none if it has no type."""
    slots: dict[str, tuple[Fill, ...]]
    """Its fills by slot, slots in order of appearance."""
    optional: bool

    def fills(self) -> Iterable[Fill]:
        """All fills, slot by slot."""
        return (fill for slot in self.slots.values() for fill in slot)


class TemplateOptions(NamedTuple):
    """Options for reading a document."""

    mentions: Mentions = "text"
    templates: Templates = "aligned"


class DocumentTemplates:
    """The templates of one document.

    Args:
        graph: where they come from.
        forms: its templates.
    """

    __slots__ = ("_cache", "forms", "graph")

    def __init__(self, graph: Graph, forms: Sequence[PreparedTemplate]) -> None:
        self.graph = graph
        self.forms = forms
        self._cache: dict[str, Any] = {}

    def cached(self, name: str, make: Callable[[DocumentTemplates], T]) -> T:
        """Return the value cached under a name, making it if absent."""
        if name not in self._cache:
            self._cache[name] = make(self)
        return self._cache[name]  # type: ignore[no-any-return]

    def refilled(self, fills_of: Callable[[Fill], Iterable[Fill]]) -> DocumentTemplates:
        """The same templates, filled anew; slots that nothing fills are left out.

        Args:
            fills_of: what stands in place of a fill.
        """
        forms = []
        for form in self.forms:
            slots = {
                slot: tuple(made for fill in fills for made in fills_of(fill))
                for slot, fills in form.slots.items()
            }
            kept = {slot: fills for slot, fills in slots.items() if fills}
            forms.append(form._replace(slots=kept))
        return DocumentTemplates(self.graph, forms)


def lay_out(graph: Graph, reading: TemplateOptions) -> DocumentTemplates:
    """The templates of a document.

    Args:
        graph: a document in the layout of templates; edges whose source is no
            template fill no slot.
        reading: what of it is looked at.
    """
    ordinal_of, nodes = graph.ordinals(), graph.nodes
    kinds = [first_of(node.properties, KIND) for node in nodes]
    keys = FillerKey(reading.mentions).column(View(graph))
    members: dict[int, list[int]] = {}
    for edge in graph.edges:
        if edge.label == MENTION:
            left, right = ordinal_of[edge.source], ordinal_of[edge.target]
            if kinds[left] == ENTITY:
                members.setdefault(left, []).append(right)
    filled: dict[int, dict[str, list[Fill]]] = {
        ordinal: {} for ordinal, kind in enumerate(kinds) if kind == TEMPLATE
    }
    for number, edge in enumerate(graph.edges):
        source, target = ordinal_of[edge.source], ordinal_of[edge.target]
        if kinds[source] != TEMPLATE:
            continue
        slot = str(edge.label)
        kind = kinds[target]
        mentions = tuple(members.get(target, ())) if kind == ENTITY else (target,)
        listed = tuple([keys[mention] for mention in mentions])
        fill = Fill(
            slot,
            number,
            target,
            mentions,
            str(kind),
            frozenset(listed),
            listed,
            values_of(nodes[target]) if kind in (VALUE, TRIGGER) else (),
            first_of(edge.attributes, OPTIONAL) is True,
        )
        filled[source].setdefault(slot, []).append(fill)
    if reading.templates == "merged":
        merged: dict[str, list[Fill]] = {}
        for slots in filled.values():
            for slot, fills in slots.items():
                merged.setdefault(slot, []).extend(fills)
        whole = {slot: tuple(fills) for slot, fills in merged.items()}
        return DocumentTemplates(
            graph, [PreparedTemplate(None, None, (), whole, False)]
        )
    forms = [
        PreparedTemplate(
            ordinal,
            nodes[ordinal].label,
            alternatives(nodes[ordinal].label),
            {slot: tuple(fills) for slot, fills in slots.items()},
            first_of(nodes[ordinal].properties, OPTIONAL) is True,
        )
        for ordinal, slots in filled.items()
    ]
    return DocumentTemplates(graph, forms)


def alternatives(label: object) -> tuple[str, ...]:
    """Return the alternatives of a type, which are separated by slashes.

    >>> alternatives("ATTACK / BOMBING"), alternatives(None)
    (('attack', 'bombing'), ())
    """
    if label is None:
        return ()
    return tuple(part.strip() for part in str(label).lower().split("/"))


def values_of(node: Node) -> tuple[str, ...]:
    """A value and what may stand in its place, folded.

    Args:
        node: the value.
    """
    more = (value for name, value in node.properties if name == ALTERNATIVE)
    return tuple(fold(text) for text in (node.label, *more))


def types_alike(gold: Sequence[str], system: Sequence[str], generic: str) -> Number:
    """Return the similarity of the types of two templates.

    Args:
        gold: gold's type and the alternatives to it.
        system: the system's.
        generic: the type that earns half in place of any other; empty for none.

    Example:
        >>> types_alike(("attack",), ("bombing",), "")
        0
        >>> types_alike(("a", "b"), ("b",), "")
        1
        >>> types_alike(("bombing",), ("attack",), "attack")
        0.5
    """
    if not gold and not system:
        return 1
    if not set(gold).isdisjoint(system):
        return 1
    return 0.5 if gold and generic and generic in system else 0
