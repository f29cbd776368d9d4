"""The formulas of role fillers and templates.

>>> print(slots(fill("subset", "text")))
Σ↔edges_out[δ_role × ({entity: φ⊆mentions[δ_text], …: δ_text})_target]
>>> filler = choice(kind, {"entity": entities("subset", "text")})
>>> print(templates(Types(), slots(filler)))  # doctest: +NORMALIZE_WHITESPACE
F↔templates[⟦φ_type > 0⟧ × (φ_type +
Σ↔edges_out[δ_role × ({entity: φ⊆mentions[δ_text]})_target])]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal

from graphscore.metrics.templates.matching import (
    Credit,
    Scheme,
    one,
    phi3,
    phi4,
    proportional,
    size,
    subset,
)
from graphscore.metrics.templates.prepared import (
    TYPES,
    FillerKey,
    Mentions,
    Templates,
    alternatives,
    types_alike,
    values_of,
)
from graphscore.model.normalize import fold
from graphscore.similarity import (
    Constraint,
    Hierarchy,
    Similarity,
    View,
    at,
    choice,
    contained,
    edges,
    edges_out,
    exact,
    f1,
    itself,
    kind,
    label,
    match,
    nodes,
    only,
    precision,
    role,
    source,
    surface_text,
    target,
    targets,
    via,
)
from graphscore.similarity.base import Number
from graphscore.similarity.evaluation.functions import selves
from graphscore.similarity.expression import Notation, Sort
from graphscore.similarity.features.elements import Column
from graphscore.similarity.navigation.collections import Around
from graphscore.similarity.navigation.selections import Words
from graphscore.similarity.operators.leaves import OfValues
from graphscore.similarity.operators.ratios import Counting
from graphscore.similarity.operators.thresholds import Threshold
from graphscore.similarity.view import Element, Elements
from graphscore.structures.layout import ENTITY, MENTION, TEMPLATE

Phi = Literal["subset", "phi3", "phi4", "proportional"]
"""The similarities of entities."""

PhiT = Literal["subset", "rme_subset", "rme_phi3"]
"""The similarities of what fills a template (φ_T), one to one or several to one."""

CREDITS: dict[Phi, Credit] = {
    "subset": subset,
    "phi3": phi3,
    "phi4": phi4,
    "proportional": proportional,
}


def scheme(phi: Phi, constraint: Constraint = "1:1") -> Scheme:
    """Build the scheme for comparing fills in closed form.

    Args:
        phi: the similarity of entities.
        constraint: whether several predicted ones may be the same of gold's.
    """
    return Scheme(CREDITS[phi], size if phi == "phi3" else one, constraint)


def split_t(phi: PhiT) -> tuple[Phi, Constraint]:
    """The similarity of entities that φ_T stands for, and its constraint.

    Args:
        phi: φ_T.

    Example:
        >>> split_t("rme_phi3")
        ('phi3', 'n:1')
    """
    if phi == "subset":
        return "subset", "1:1"
    return ("phi3" if phi == "rme_phi3" else "subset"), "n:1"


def entities(phi: Phi, by: Mentions) -> Similarity:
    """The similarity of two entities.

    Args:
        phi: which.
        by: what mentions are known by.
    """
    members, same = targets(MENTION), exact(FillerKey(by))
    if phi == "subset":
        return contained(members, same)
    shared = match(members, same, duplicates="set")
    if phi == "phi3":
        return shared
    return f1(shared) if phi == "phi4" else precision(shared)


def fill(phi: Phi, by: Mentions) -> Similarity:
    """The similarity of what fills two slots: entities, or anything else.

    Args:
        phi: the similarity of entities.
        by: what mentions are known by.
    """
    return choice(kind, {ENTITY: entities(phi, by)}, otherwise=exact(FillerKey(by)))


def slots(filler: Similarity, constraint: Constraint = "1:1") -> Similarity:
    """Build the similarity of the slots of two templates.

    Args:
        filler: the similarity of fillers.
        constraint: how many may match how many.
    """
    return match(edges_out(), exact(role()) * at(target, filler), constraint)


def documents(
    filler: Similarity,
    templates: Templates,
    constraint: Constraint = "1:1",
    counting: Counting = "bounded",
) -> Similarity:
    """F of the fillers of a document (eq. 26 to 28).

    Args:
        filler: the similarity of fillers.
        templates: whether templates are aligned, or all fillers are the document's.
        constraint: how many may match how many.
        counting: how often a filler counts that many others match.
    """
    if templates == "aligned":
        alike = exact(label) * slots(filler, constraint)
        return f1(match(nodes(TEMPLATE), alike), counting=counting)
    every = only(edges(), via(source, kind), TEMPLATE)
    alike = exact(role()) * at(target, filler)
    return f1(match(every, alike, constraint), counting=counting)


class TypesOf(Column, frozen=True):
    """The type of a template and the alternatives to it, folded."""

    call: ClassVar[str] = "types_of"
    of: ClassVar[Sort] = "node"
    short: ClassVar[str] = "type"

    def column(self, view: View) -> Sequence[Hashable]:
        """One tuple for each node."""
        return [alternatives(node.label) for node in view.graph.nodes]


class ValuesOf(Column, frozen=True):
    """A value and the alternatives to it, folded."""

    call: ClassVar[str] = "values_of"
    of: ClassVar[Sort] = "node"
    short: ClassVar[str] = "value"

    def column(self, view: View) -> Sequence[Hashable]:
        """One tuple for each node."""
        return [values_of(node) for node in view.graph.nodes]


class SlotEdges(Around, frozen=True):
    """The edges from a template to its fillers, but for the slot with its type.

    Args:
        only: of these slots alone; empty for all.
    """

    call: ClassVar[str] = "slot_edges"
    yields: ClassVar[Sort] = "edge"

    only: frozenset[str] = frozenset()

    @property
    def short(self) -> str:
        """``fillers``, or ``constraint`` where only some slots are looked at."""
        return "constraint" if self.only else "fillers"

    def each(self, view: View) -> Iterator[tuple[int, Element]]:
        """Their sources and ordinals."""
        ordinals = view.places()
        for number, edge in enumerate(view.graph.edges):
            slot = str(edge.label)
            if slot.lower() not in TYPES and (not self.only or slot in self.only):
                yield ordinals[edge.source], number


FLAT = Hierarchy(())
"""No value is below another."""


class Types(OfValues, frozen=True):
    """Similarity of the types of two templates (appendix C).

    Args:
        generic: the type that earns half in place of any other; empty for none.
    """

    call: ClassVar[str] = "types"
    feature: ClassVar[TypesOf] = TypesOf()

    generic: str = ""

    def spell(self, notation: Notation) -> str:
        """φ with the type, and what earns half."""
        shown = "type" + (f"(½ {self.generic})" if self.generic else "")
        return notation.phi + notation.below(notation.name(shown))

    @property
    def worth(self) -> str:
        """1, a half, or 0."""
        half = f", a half if the system's is {self.generic}" if self.generic else ""
        return f"1 if both have the same type{half}, else 0"

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """1, a half, or 0."""
        return types_alike(gold, predicted, self.generic)


class SetFills(OfValues, frozen=True):
    """Values of a closed set: 1 if equal, ½ for one below gold's (φ_set, eq. 33).

    Args:
        tree: which value is below which, folded.
    """

    call: ClassVar[str] = "set_fills"
    feature: ClassVar[ValuesOf] = ValuesOf()

    tree: Hierarchy = FLAT

    def spell(self, notation: Notation) -> str:
        """φ with the sign for *below*."""
        return notation.phi + notation.below("set")

    @property
    def worth(self) -> str:
        """1, a half, or 0."""
        return (
            "1 if both have the same value or alternative, a half if the system's is "
            "below gold's, else 0"
        )

    def of_values(self, predicted: Any, gold: Any) -> Number:
        """The best that any alternative earns."""
        return values_alike(self.tree, gold, predicted)


def values_alike(tree: Hierarchy, gold: Sequence[str], system: Sequence[str]) -> Number:
    """Return the similarity of two values: the best over their alternatives.

    Args:
        tree: which value is below which.
        gold: gold's value and the alternatives to it.
        system: the system's.

    Example:
        >>> tree = Hierarchy((("bomb", "explosive"),))
        >>> values_alike(tree, ("explosive",), ("bomb",))
        0.5
        >>> values_alike(tree, ("bomb",), ("explosive",))
        0
        >>> values_alike(tree, ("bomb", "gun"), ("gun",))
        1
    """
    if not set(gold).isdisjoint(system):
        return 1
    below = any(tree.descends(lower, upper) for upper in gold for lower in system)
    return 0.5 if below else 0


class ReflexiveThreshold(Threshold, frozen=True):
    """A threshold that everything reaches with itself, even what has no part in it.

    What a template is worth does not depend on whether it can be aligned.
    """

    @property
    def proper(self) -> bool:
        """True: no similarity exceeds 1."""
        return True


@selves.register
def _(similarity: ReflexiveThreshold, view: View, elements: Elements) -> list[Number]:
    return [1] * len(elements)


class ContentWords(Words, frozen=True):
    """The words of a string that count; a string of which none does is its own."""

    call: ClassVar[str] = "telling"

    def parts(self, whole: Any) -> Iterable[Element]:
        """Words in order, repeated ones each."""
        return telling(whole, self.without)


def telling(text: Any, premodifiers: frozenset[str]) -> tuple[str, ...]:
    """The words of a string that count.

    Args:
        text: the string, or ``None``.
        premodifiers: lower-cased words that do not count.

    Example:
        >>> telling("The Army", frozenset({"the"})), telling("the", frozenset({"the"}))
        (('army',), ('the',))
    """
    if text is None:
        return ()
    result = tuple(Words(surface_text, premodifiers).parts(text))
    return result or tuple(
        part for part in (fold(" ".join(str(text).split())),) if part
    )


def sharing_words(premodifiers: frozenset[str]) -> Similarity:
    """Build the test whether two mentions share a word that counts (eq. 46).

    Args:
        premodifiers: lower-cased words that do not count.
    """
    words = ContentWords(surface_text, premodifiers)
    return Threshold(match(words, exact(itself), duplicates="set"), 0)


def any_sharing_words(premodifiers: frozenset[str]) -> Similarity:
    """Build the test whether any mentions of two entities share a word that counts.

    Args:
        premodifiers: lower-cased words that do not count.
    """
    return ReflexiveThreshold(
        match(targets(MENTION), sharing_words(premodifiers), "n:n"), 0
    )


def templates(
    types: Types, inner: Similarity, constraint: Similarity | None = None
) -> Similarity:
    """F of the slots of templates, their types among them (eq. 32, appendix C).

    Args:
        types: how types are compared; templates of types that have nothing in
            common are not aligned.
        inner: what the slots of two templates have in common.
        constraint: what they must have in common to be aligned.
    """
    threshold: Similarity = ReflexiveThreshold(types, 0)
    if constraint is not None:
        threshold = threshold * ReflexiveThreshold(constraint, 0)
    return f1(match(nodes(TEMPLATE), threshold * (types + inner)))
