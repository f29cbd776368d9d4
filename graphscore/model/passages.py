"""Passages of UCCA beside their units: implicit units, and punctuation.

Implicit units are no nodes, as no shared task had them; they are kept in the field
``ucca`` of :attr:`Graph.extra`, with the links that lead to them, and so are the types
of terminals.  A metric that looks at them does so here, and
:meth:`~graphscore.model.graph.Graph.digest` covers what is seen here.

>>> kept = {"terminals": [{}, {"type": "Punctuation"}], "implicit": [{"id": "1.9"}],
...         "implicit_links": [
...             {"source": "1.2", "target": "1.9", "categories": [{"tag": "A"}]}]}
>>> said = passage_extras({"ucca": kept}, {"1.2": 0})
>>> said.punctuation, said.implicit
((1,), ((0, 0, ('A',), False),))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from graphscore.model.graph import PASSAGE


class PassageExtras(NamedTuple):
    """Extra annotation of a passage beside its units."""

    punctuation: tuple[int, ...]
    """Numbers of the tokens that are punctuation."""
    implicit: tuple[tuple[int, int, tuple[str, ...], bool], ...]
    """Links to implicit units: ordinal of the parent, number of the implicit unit,
    categories, and whether the link is remote."""


def passage_extras(
    extra: Mapping[str, Any], ordinals: Mapping[Any, int]
) -> PassageExtras | None:
    """Read the passage extras of a graph.

    Args:
        extra: that of the graph.
        ordinals: the position of every node, by id.

    Returns:
        Nothing where the graph has no such field, or another one of that name.
    """
    kept = extra.get(PASSAGE)
    if not isinstance(kept, dict):
        return None
    terminals = _list_of(kept, "terminals")
    punctuation = tuple(
        number
        for number, terminal in enumerate(terminals)
        if terminal.get("type") == "Punctuation"
    )
    units = {
        unit.get("id"): number
        for number, unit in enumerate(_list_of(kept, "implicit"))
        if isinstance(unit.get("id"), str)
    }
    links = []
    for link in _list_of(kept, "implicit_links"):
        source, target = link.get("source"), link.get("target")
        if not (isinstance(source, str) and isinstance(target, str)):
            continue
        if source in ordinals and target in units:
            tags = tuple(
                str(category.get("tag")) for category in _list_of(link, "categories")
            )
            remote = link.get("remote") is True
            links.append((ordinals[source], units[target], tags, remote))
    if not (terminals or links):
        return None
    return PassageExtras(punctuation, tuple(links))


def _list_of(kept: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    result = kept.get(name)
    if not isinstance(result, list):
        return []
    return [entry if isinstance(entry, dict) else {} for entry in result]
