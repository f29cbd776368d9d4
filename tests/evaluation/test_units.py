"""Metrics over documents: grouping, pairing, files and stores alike."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.store import Store
from graphscore.evaluation.unit import Unit, by_document
from graphscore.exceptions import InputError, UsageError
from graphscore.formats.registry import formats
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph, Node
from graphscore.model.outcome import Outcome


@dataclass(frozen=True)
class Sentences(Metric):
    """Counts graphs and checks that both sides come in order."""

    name: ClassVar[str] = "sentences"
    title: ClassVar[str] = "graphs of equal size at equal places of a document"
    citation: ClassVar[str] = "none"
    unit: ClassVar = "document"
    tuple_types: ClassVar[tuple[str, ...]] = ("graphs",)

    def prepare(self, graph: Graph) -> int:
        return len(graph.nodes)

    def compare(
        self,
        gold: Sequence[int],
        system: Sequence[int],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        same = sum(one == two for one, two in zip(gold, system, strict=False))
        raw_counts = {
            ("graphs", "", "gold"): len(gold),
            ("graphs", "", "system"): len(system),
            ("graphs", "", "matched"): same,
        }
        return Outcome(raw_counts, same, same, True, 0, "identity")


def graph(item: str, size: int, document: str, framework: str = "ud") -> Graph:
    nodes = tuple(Node(k, "w") for k in range(size))
    return Graph(item, framework, 0, document=document, nodes=nodes)


GOLD = [graph("1", 1, "a"), graph("2", 2, "a"), graph("3", 3, "b"), graph("4", 4, "c")]
SYSTEM = [
    graph("1", 1, "a"),
    graph("2", 9, "a"),
    graph("3", 3, "b"),
    graph("5", 1, "d"),
]


def test_graphs_of_a_document_are_one_unit_in_order() -> None:
    units = list(by_document(Unit((g,), g.id, "f", n) for n, g in enumerate(GOLD)))
    assert [(unit.item, len(unit.graphs)) for unit in units] == [
        ("a", 2),
        ("b", 1),
        ("c", 1),
    ]
    assert [g.id for g in units[0].graphs] == ["1", "2"]
    assert units[1].line == 2


def test_layers_may_alternate() -> None:
    layers = [
        graph(str(k), k, "a", framework)
        for k in range(3)
        for framework in ("ud", "eud")
    ]
    units = list(by_document(Unit((g,), g.id, "f", None) for g in layers))
    assert [(unit.framework, len(unit.graphs)) for unit in units] == [
        ("ud", 3),
        ("eud", 3),
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_documents_are_paired_and_counted(jobs: int) -> None:
    options = Options(jobs=jobs, per_item=True)
    [result] = score_files(GOLD, SYSTEM, [Sentences()], options)
    count = result.counts["graphs"]
    assert (result.pairs, result.missing_system) == (3, 1)
    assert (count.gold, count.system, count.matched) == (4, 3, 2)
    assert [each.item for each in result.spurious_system] == ["d"]
    assert [(each.item, each.missing) for each in result.items] == [
        ("a", False),
        ("b", False),
        ("c", True),
    ]


def test_lone_documents_pair_whatever_they_are_called() -> None:
    mine = [msgspec.structs.replace(each, document="gold.file") for each in GOLD]
    theirs = [msgspec.structs.replace(each, document="system.file") for each in SYSTEM]
    [result] = score_files(mine, theirs, [Sentences()])
    assert (result.pairs, result.missing_system) == (1, 0)
    assert result.counts["graphs"].gold == 4


def test_a_document_that_comes_twice_is_refused() -> None:
    torn = [GOLD[0], GOLD[2], GOLD[1]]
    with pytest.raises(InputError, match=r"'a' .* a second time"):
        score_files(torn, SYSTEM, [Sentences()])


def test_stores_and_memory_agree_on_documents() -> None:
    [direct] = score_files(GOLD, SYSTEM, [Sentences()], Options(per_item=True))
    with Store("sqlite://", mode="create") as store:
        store.add(GOLD, "gold")
        store.add(SYSTEM, "system")
        [first] = store.score("gold", "system", [Sentences()], Options(per_item=True))
        [again] = store.score("gold", "system", [Sentences()], Options(per_item=True))
    assert first.counts == direct.counts
    assert first.items == direct.items
    assert first.signature == direct.signature
    assert (first.reused, again.reused) == (0, 3)


def test_items_and_documents_can_be_scored_together() -> None:
    ud = Options(Selection(frozenset({"ud"})))
    one, two = score_files(GOLD, SYSTEM, [Sentences(), parse("mrp")], ud)
    assert (one.metric.name, one.pairs) == ("sentences", 3)
    assert (two.metric.name, two.pairs) == ("mrp", 4)


def test_a_stream_is_kept_for_metrics_of_several_passes(tmp_path: Path) -> None:
    file = tmp_path / "gold.mrp"
    file.write_bytes(b"".join(formats()["mrp"].write(GOLD)))
    metrics = [Sentences(), parse("mrp")]
    expected = [each.counts for each in score_files(str(file), str(file), metrics)]
    for chosen in (metrics, metrics[:1]):
        reader, writer = os.pipe()
        os.write(writer, file.read_bytes())
        os.close(writer)
        stream = f"/dev/fd/{reader}"
        found = score_files(stream, str(file), chosen)
        os.close(reader)
        assert [each.counts for each in found] == expected[: len(chosen)]
    with pytest.raises(UsageError, match="read only once"):
        score_files("-", "-", metrics)
