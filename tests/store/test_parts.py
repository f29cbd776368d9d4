"""Parts of documents in a store: results are found again only where they pair alike."""

from __future__ import annotations

import msgspec
import pytest

import graphscore
from graphscore import Graph, Store
from graphscore.metrics.registry import parse
from tests.databases import Stores
from tests.metrics.coreference.chains import document

ONE, OTHER = document([0, 1], [2]), document([0], [1, 2])


def part(graph: Graph, document_: str, id: str) -> Graph:
    return msgspec.structs.replace(graph, id=f"{document_}.{id}", document=document_)


@pytest.mark.parametrize("both", [True, False])
def test_documents_of_equal_parts_under_other_ids_do_not_share(
    stores: Stores, both: bool
) -> None:
    """In *a* the parts stand in the same order on both sides, in *b* they do not."""
    golds = [part(ONE, "a", "1"), part(ONE, "b", "2")]
    if both:
        golds = [golds[0], part(OTHER, "a", "2"), golds[1], part(OTHER, "b", "1")]
    systems = [
        *(part(ONE, "a", "1"), part(OTHER, "a", "2")),
        *(part(ONE, "b", "1"), part(OTHER, "b", "2")),
    ]
    expected = graphscore.score(golds, systems, "b3")
    assert expected.by("document")[("a",)] != expected.by("document")[("b",)]
    with stores.brief() as place, Store(place, mode="create") as runs:
        runs.add(golds, "gold")
        runs.add(systems, "system")
        [found] = runs.score("gold", "system", [parse("b3")])
        assert found.by("document") == expected.by("document")
        [again] = runs.score("gold", "system", [parse("b3")])
        assert again.reused == 2
        assert again.by("document") == expected.by("document")
