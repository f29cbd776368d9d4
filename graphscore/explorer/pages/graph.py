"""A graph of a collection, alone, and the evaluations that it takes part in."""

from __future__ import annotations

from collections.abc import Mapping

from graphscore.drawing.choice import draw
from graphscore.drawing.styles import alone
from graphscore.explorer.pages.errors import item_address
from graphscore.explorer.pages.evaluation import title_of
from graphscore.explorer.pages.item import DRAWN
from graphscore.explorer.queries import conditions, query
from graphscore.explorer.reader import NotFoundError, Reader
from graphscore.explorer.rendering import Page
from graphscore.explorer.urls import Parameters, collection_address
from graphscore.store.read.load import load_graphs

NAMED = ("collection", "framework", "language", "item", "layer")


def page(reader: Reader, _: Mapping[str, str], parameters: Parameters) -> Page:
    """One graph."""
    known = {name: parameters.exact(name) or "" for name in NAMED}
    where = conditions({name: known[name] for name in NAMED[1:]}, "g.")
    sql = query("graph", collection=known["collection"], where=where)
    answer = reader.told(sql).rows
    if not answer:
        text = ", ".join(filter(None, known.values()))
        raise NotFoundError(f"no graph {text!r} in {reader.name}")
    [(number, file, line)] = answer
    with reader.connected() as connection:
        graphs = load_graphs(connection, [number])
    graph = graphs[number]
    size = len(graph.nodes)
    properties = [(name, value) for name, value in known.items() if value]
    properties += [("document", graph.document), ("file", f"{file}:{line}")]
    properties += [("nodes", f"{size:,}"), ("edges", f"{len(graph.edges):,}")]
    located = {
        "framework": known["framework"],
        "language": known["language"] or None,
        "layer": known["layer"] or None,
    }
    return Page(
        "graph",
        graph.id,
        {
            "head": [pair for pair in properties if pair[1]],
            "text": graph.text,
            "picture": draw([alone(graph)]).figure() if size <= DRAWN else "",
            "size": size,
            "evaluations": [
                (title_of(evaluation), item_address(evaluation, graph.id, **located))
                for evaluation in reader.evaluations()
                if known["collection"] in (evaluation.gold, evaluation.system)
            ],
            "trail": [
                ("Collections", "/"),
                (known["collection"], collection_address(known["collection"])),
            ],
        },
    )
