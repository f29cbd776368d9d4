"""SMATCH as a formula gives the number of the metric, by the same exact search."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given

from graphscore.correspondence import Budget
from graphscore.evaluation.options import Selection
from graphscore.evaluation.sources.files import FileSource
from graphscore.formats import ReaderOptions
from graphscore.metrics.meaning.smatch import Smatch
from graphscore.metrics.meaning.triples import Triples
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    along,
    exact,
    f1,
    label,
    latent,
    match,
    nodes,
    variable,
)
from graphscore.similarity.explanation.report import measure
from graphscore.similarity.view import Pair, View
from tests.strategies import graph_pairs

SUBJECT, OBJECT = variable(along("subj")), variable(along("obj"))
SMATCH = f1(
    latent(
        nodes("var"),
        match(nodes("fact"), exact(label) * SUBJECT)
        + match(nodes("relation"), exact(label) * SUBJECT * OBJECT),
    )
)
METRIC = Smatch(preset="none")


def propositions(triples: Triples) -> Graph:
    """Triples as a graph of its own: variables, and what is said of them."""
    kinds = [("var", None, ()) for _ in range(triples.size)]
    said: list[tuple[str, str | None, tuple[int, ...]]] = [*kinds]
    said += [("fact", repr(fact), (one,)) for one, fact in triples.facts]
    said += [
        ("relation", repr(name), (one, two)) for one, two, name in triples.relations
    ]
    return Graph(
        "1",
        "propositions",
        nodes=tuple(
            Node(k, name, (("kind", kind),)) for k, (kind, name, _) in enumerate(said)
        ),
        edges=tuple(
            Edge(k, variable_, role)
            for k, (_, _, fields) in enumerate(said)
            for role, variable_ in zip(("subj", "obj"), fields, strict=False)
        ),
    )


def agrees(gold: Graph, system: Graph) -> None:
    sides = METRIC.prepare(gold), METRIC.prepare(system)
    expected = METRIC.compare(sides[:1], sides[1:], budget=Budget(), details=False)
    pair = Pair(*(View(propositions(each)) for each in sides))
    found = measure(SMATCH, pair)
    assert found.count[:3] == METRIC.scores(expected.raw_counts).counts["all"][:3]
    assert pair.proof.proven
    assert expected.proven


@given(graph_pairs())
def test_random_graphs(pair: tuple[Graph, Graph]) -> None:
    agrees(*pair)


@pytest.mark.parametrize(
    ("gold", "system", "pairs"),
    [
        ("gold/eds.mrp", "system/eds.pet.mrp", 100),
        ("gold/eds.mrp", "system/eds.light.mrp", 100),
        ("gold/amr.mrp", "system/amr.light.mrp", 100),
        ("amr/coli500.gold.amr", "amr/coli500.system.amr", 150),
    ],
)
def test_real_graphs(conformance: Path, gold: str, system: str, pairs: int) -> None:
    sides = []
    for path in (gold, system):
        file = FileSource(str(conformance / "mrp" / path), Selection(), ReaderOptions())
        sides.append({unit.item: unit.graph for unit in file.items()})
    shared = [item for item in sides[0] if item in sides[1]]
    assert shared
    for item in islice(shared, pairs):
        agrees(sides[0][item], sides[1][item])
