"""Collections of a store that have items in common with gold."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    FromClause,
    Text,
    bindparam,
    case,
    cast,
    exists,
    func,
    or_,
    select,
)

from graphscore.store import schema
from graphscore.store.integrity import checked
from graphscore.store.read.load import limits_of


def item_names(connection: Connection) -> list[str]:
    """The ids of all items in a store.

    Args:
        connection: an open store.
    """
    column = schema.graph.c.item
    return [
        name
        for [name] in checked(connection.execute(select(column).distinct()), (column,))
    ]


def pairing_frameworks(
    connection: Connection,
    golds: Collection[str],
    items: Mapping[str, str] | None = None,
    *,
    frameworks: Collection[str] | None = None,
    languages: Collection[str] | None = None,
    layers: Collection[str] | None = None,
) -> list[tuple[str, str, bool]]:
    """The frameworks of every collection, each with whether an item pairs with gold.

    What says nothing of its language or layer pairs with any.

    Args:
        connection: an open store.
        golds: names of the gold collections.
        items: only these, if given, and the ids by which they pair.
        frameworks: only these, if given.
        languages: only these, if given.
        layers: only these and graphs without a layer, if given.
    """
    graph, collection = schema.graph, schema.collection
    item: ColumnElement[Any] = graph.c.item
    source: FromClause = graph
    if items is not None:
        parameter = bindparam(None, json.dumps(dict(items)), Text)
        if connection.dialect.name == "postgresql":
            renamed = func.json_each_text(cast(parameter, JSON))
        else:
            renamed = func.json_each(parameter)
        named = renamed.table_valued("key", "value")
        item, source = named.c.value, graph.join(named, named.c.key == graph.c.item)
    side = (
        select(graph.c.collection, graph.c.framework, item.label("item"))
        .add_columns(graph.c.language, graph.c.layer)
        .select_from(source)
        .where(*limits_of(frameworks, languages, layers))
        .cte("side")
    )
    gold = side.alias("gold")
    ids = select(collection.c.id).where(collection.c.name.in_(golds))
    equal = [gold.c[name] == side.c[name] for name in ("framework", "item")]
    for name in ("language", "layer"):
        left, right = gold.c[name], side.c[name]
        equal.append(or_(left == "", right == "", left == right))
    pairs = exists().where(gold.c.collection.in_(ids), *equal)
    rows = connection.execute(
        select(
            collection.c.name,
            side.c.framework,
            func.max(case((pairs, 1), else_=0)),
        )
        .join_from(side, collection, collection.c.id == side.c.collection)
        .group_by(collection.c.name, side.c.framework)
    )
    columns = (collection.c.name, graph.c.framework, graph.c.id)
    return [
        (name, framework, bool(paired))
        for name, framework, paired in checked(rows, columns)
    ]
