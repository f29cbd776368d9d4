"""Presets: the normalizations of other scorers before comparing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from graphscore.metrics.templates.prepared import (
    STRINGS,
    DocumentTemplates,
    Fill,
    Mentions,
    MentionsOr,
    PreparedTemplate,
)
from graphscore.similarity.features.elements import surface
from graphscore.structures.layout import ENTITY, MENTION

_SPECIAL = str.maketrans("", "", "'\"\\-")
"""Characters that IterX removes from gold's strings."""


def mentions_by(parameter: MentionsOr, preset: str) -> Mentions:
    """Return the key of mentions: the parameter, or else the preset's.

    Args:
        parameter: what the user chose.
        preset: every script normalizes strings alike; without a preset mentions
            are known by what they say.
    """
    if parameter != "preset":
        return parameter
    return "text" if preset == "none" else "normalized"


def mentioned(filled: DocumentTemplates) -> DocumentTemplates:
    """Without entities that have no mentions, as GRIT, GTT and IterX read gold.

    Args:
        filled: gold's templates.
    """
    return filled.refilled(lambda fill: (fill,) if fill.listed else ())


def singletons(filled: DocumentTemplates) -> DocumentTemplates:
    """Every mention as an entity of its own, as IterX predicts them.

    Args:
        filled: the system's templates.
    """
    return filled.refilled(apart)


def strings(filled: DocumentTemplates) -> DocumentTemplates:
    """Only what is filled by words: entities and mentions.

    Args:
        filled: the templates of a document.
    """
    return filled.refilled(lambda fill: (fill,) if fill.kind in STRINGS else ())


def apart(fill: Fill) -> list[Fill]:
    """Each mention of a filler as a filler of its own.

    Args:
        fill: the filler.
    """
    return [
        fill._replace(node=node, members=(node,), keys=frozenset((key,)), listed=(key,))
        for node, key in zip(fill.members, fill.listed, strict=True)
    ]


def distinct(filled: DocumentTemplates, sanitized: bool) -> DocumentTemplates:
    """Without templates that say the same as an earlier one, and empty entities.

    GTT and IterX read gold so; two templates are the same if their types are, and
    their strings, before these are normalized.

    Args:
        filled: gold's templates.
        sanitized: whether quotation marks, backslashes and hyphens make no
            difference (IterX, ``sanitize_special_chars``).
    """
    filled = mentioned(filled)
    kept: dict[Hashable, PreparedTemplate] = {}
    for form, key in _keyed(filled, sanitized):
        kept.setdefault(key, form)
    return DocumentTemplates(filled.graph, list(kept.values()))


def without(
    gold: DocumentTemplates, system: DocumentTemplates, repeated: bool, sanitized: bool
) -> DocumentTemplates:
    """A system's templates, less what is left out of gold's: as often, and no more.

    The scripts leave out entities without mentions and repeated templates on one
    side, so that gold would not be like itself.

    Args:
        gold: gold's templates, with everything.
        system: the system's.
        repeated: whether gold's repeated templates are left out, too.
        sanitized: as for :func:`distinct`.
    """
    empty = Counter(
        (form.type, fill.slot)
        for form in gold.forms
        for fill in form.fills()
        if not fill.listed
    )
    if empty:
        system = _fewer_entities(system, empty)
    if repeated and len(gold.forms) > 1:
        counter = Counter(strings for _, strings in _keyed(mentioned(gold), sanitized))
        more = Counter({key: times - 1 for key, times in counter.items() if times > 1})
        if more:
            system = _fewer_forms(system, more, sanitized)
    return system


def _fewer_entities(
    filled: DocumentTemplates, empty: Counter[tuple[Hashable, str]]
) -> DocumentTemplates:
    """Without so many entities that have no mentions, by type and slot."""
    left = empty.copy()
    forms = []
    for form in filled.forms:
        slots: dict[str, tuple[Fill, ...]] = {}
        for slot, fills in form.slots.items():
            kept = []
            for fill in fills:
                if not fill.listed and left[form.type, slot] > 0:
                    left[form.type, slot] -= 1
                else:
                    kept.append(fill)
            if kept:
                slots[slot] = tuple(kept)
        forms.append(form._replace(slots=slots))
    return DocumentTemplates(filled.graph, forms)


def _fewer_forms(
    filled: DocumentTemplates, more: Counter[Hashable], sanitized: bool
) -> DocumentTemplates:
    """Without so many templates that say the same as an earlier one."""
    left, seen = more.copy(), set()
    forms = []
    # What is compared is what an entity says; which are empty is another matter.
    keys = [key for _, key in _keyed(mentioned(filled), sanitized)]
    for form, key in zip(filled.forms, keys, strict=True):
        if key in seen and left[key] > 0:
            left[key] -= 1
        else:
            forms.append(form)
        seen.add(key)
    return DocumentTemplates(filled.graph, forms)


def _keyed(
    filled: DocumentTemplates, sanitized: bool
) -> Iterator[tuple[PreparedTemplate, Hashable]]:
    """Every template with what it says: its type, and its strings as written."""
    graph = filled.graph
    ordinal_of = graph.ordinals()
    words: dict[int, list[str]] = {}
    for edge in graph.edges:
        if edge.label == MENTION:
            text = surface(graph, graph.nodes[ordinal_of[edge.target]]) or ""
            if sanitized:
                text = text.translate(_SPECIAL)
            words.setdefault(ordinal_of[edge.source], []).append(text)
    for form in filled.forms:
        strings = frozenset(
            (
                slot,
                tuple(
                    (fill.kind, tuple(words.get(fill.node, ())))
                    if fill.kind == ENTITY
                    else (fill.kind, fill.keys)
                    for fill in fills
                ),
            )
            for slot, fills in form.slots.items()
        )
        yield form, (form.type, strings)
