"""Usual keys of dicts, columns of data sets, and what their numbers mean.

>>> rows_of({"tokens": [["Ada"], ["Bob"]], "ner_tags": [["B-PER"], ["O"]]})
[{'tokens': ['Ada'], 'ner_tags': ['B-PER']}, {'tokens': ['Bob'], 'ner_tags': ['O']}]
>>> rows_of({"tokens": ["Ada"], "ner_tags": ["B-PER"]})
[]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphscore.inputs.spans import is_number
from graphscore.inputs.tags import named_tags

TEXT = "text"
TOKENS = ("tokens", "words")
TAGS = ("tags", "ner_tags", "ner", "labels")
SPANS = ("spans", "entities", "ents")
CLUSTERS = ("clusters", "predicted_clusters", "coref_clusters", "coreference_clusters")
IDS = ("id", "doc_id", "doc_key", "sent_id")
"""Keys of a dict, the first that is there."""

BY_NUMBER = (TAGS, SPANS, CLUSTERS)
"""Keys of lists that count tokens, in the order of the kinds of inputs."""

TRIPLES = ("triples", "relations", "triplets")
EVENTS = ("events",)

_BESIDES = (TEXT, *TOKENS, *TRIPLES, *EVENTS, "sentences", "sents", "document")


def first_key(fields: Mapping[Any, Any], keys: Iterable[str]) -> str:
    """Return the first key that says something; empty where none does.

    Args:
        fields: a dict.
        keys: those that are looked for.
    """
    return next((key for key in keys if fields.get(key) is not None), "")


def list_key(items: Sequence[Any], kind: int) -> str:
    """Return the key of lists that count tokens, where items have nothing else.

    Args:
        items: dicts; of others there is none.
        kind: which of :data:`BY_NUMBER`.
    """
    if not all(isinstance(item, Mapping) and _is_bare(item) for item in items):
        return ""
    key = first_key(items[0], BY_NUMBER[kind])
    return key if all(item.get(key) is not None for item in items) else ""


def _is_bare(fields: Mapping[Any, Any]) -> bool:
    """Return whether a dict has one list and no words, so that this counts tokens."""
    lists = [first_key(fields, keys) for keys in BY_NUMBER]
    return sum(map(bool, lists)) == 1 and fields.keys().isdisjoint(_BESIDES)


def identity(fields: Mapping[Any, Any]) -> str:
    """Return the id of a dict; empty where it has none.

    Args:
        fields: a dict.
    """
    key = first_key(fields, IDS)
    return str(fields[key]) if key else ""


def rows_of(columns: Mapping[Any, Any]) -> list[dict[Any, Any]]:
    """The rows of a dict of columns; none of a dict that is an item itself.

    Args:
        columns: lists of as many values by their names.
    """
    values = [_as_list(column) for column in columns.values()]
    lists = [column for column in values if column is not None]
    if not values or len(lists) < len(values):
        return []
    named = dict(zip(columns, lists, strict=True))
    words, tags = first_key(named, (TEXT, *TOKENS)), first_key(named, TAGS)
    if words:
        several = words == TEXT or any(_as_list(value) for value in named[words])
    else:
        key = tags or first_key(named, CLUSTERS)
        several = _depth(named.get(key)) > (1 if tags else 3)
    if not several or len({len(column) for column in lists}) != 1:
        return []
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def _as_list(value: Any) -> Sequence[Any] | None:
    """A column as a list; nothing of any other value."""
    if callable(getattr(type(value), "tolist", None)):
        value = value.tolist()
    return value if isinstance(value, list | tuple) else None


def _depth(value: Any) -> int:
    """Depth of nested lists."""
    if not isinstance(value, list | tuple):
        return 0
    return 1 + max(map(_depth, value), default=0)


def feature_labels(features: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of tags that are numbers; none where a data set has none.

    Args:
        features: the types of its columns, as ``datasets`` has them.
    """
    for key in TAGS:
        feature = features.get(key)
        inner = feature[0] if isinstance(feature, list) else feature
        inner = getattr(inner, "feature", inner)
        if names := getattr(inner, "names", None):
            return tuple(names)
    return ()


def with_names(name: str, number: int, fields: Any, labels: Sequence[str]) -> Any:
    """Return a dict whose tags have names instead of numbers.

    Args:
        name: whose it is, in messages.
        number: which item it is.
        fields: the dict, or anything else; tokens that trainers ignore (-100) are left
            out.
        labels: the names of tags, from 0.
    """
    if not isinstance(fields, Mapping):
        return fields
    key, words = first_key(fields, TAGS), first_key(fields, TOKENS)
    tags = _as_list(fields.get(key))
    if not tags or not all(map(is_number, tags)):
        return fields
    names = named_tags(name, f"[{number}].{key}", tags, labels)
    kept = [tag for tag in names if tag is not None]
    changes: dict[str, Any] = {key: kept}
    forms = _as_list(fields.get(words)) if words else None
    if forms is not None and len(forms) == len(names):
        pairs = zip(forms, names, strict=True)
        changes[words] = [form for form, tag in pairs if tag is not None]
    return {**fields, **changes}


def own_class(cls: Any) -> Any:
    """Return the dataclass of a model whose fields have no usual keys, or nothing.

    Args:
        cls: the class of all objects, if there is one.
    """
    from graphscore.structures.objects.models import as_dataclass, is_model

    if not is_model(cls):
        return None
    made = as_dataclass(cls)
    usual = {*TAGS, *SPANS, *CLUSTERS, *TRIPLES, *EVENTS}
    return made if usual.isdisjoint(made.__dataclass_fields__) else None
