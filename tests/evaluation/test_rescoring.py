"""Several metrics over a store: one pass, interrupted or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from graphscore.evaluation import incremental
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.sources import store as storesource
from graphscore.evaluation.store import Store
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph, Node
from tests.evaluation.test_units import Sentences

METRICS = [parse(name) for name in ("mrp", "edm", "mrp(order=free)")]
PAIRS = 20


def graphs(side: str) -> list[Graph]:
    return [
        Graph(str(k), "eds", nodes=(Node(0, f"v{k}"), Node(1, f"{side}{k % 3}")))
        for k in range(PAIRS)
    ]


@dataclass(frozen=True)
class Sizes(Sentences):
    """Counts graphs of equal size; takes what others like it prepared."""

    name: ClassVar[str] = "sizes"
    unit: ClassVar = "item"

    @property
    def layout(self) -> Hashable:
        return "sizes"


@dataclass(frozen=True)
class Lengths(Sizes):
    name: ClassVar[str] = "lengths"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(incremental, "CHUNK", 8)
    with Store(str(tmp_path / "runs.db"), mode="create") as opened:
        opened.add(graphs("a"), "gold")
        opened.add(graphs("b"), "system")
        yield opened


def test_graphs_are_loaded_once_and_prepared_once_a_layout(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: Counter[int] = Counter()
    prepared: Counter[str] = Counter()
    load, prepare = storesource.load_present, Sizes.prepare

    def loading(connection: Any, ids: Any) -> dict[int, Graph]:
        loaded.update(ids)
        return load(connection, ids)

    def preparing(metric: Sizes, graph: Graph) -> Any:
        prepared[graph.id] += 1
        return prepare(metric, graph)

    monkeypatch.setattr(storesource, "load_present", loading)
    monkeypatch.setattr(Sizes, "prepare", preparing)
    metrics = [Sizes(), *METRICS, Lengths()]
    results = store.score("gold", "system", metrics)
    assert set(loaded.values()) == {1}
    assert len(loaded) == 2 * PAIRS
    # One of gold, one of the system.
    assert set(prepared.values()) == {2}
    files = score_files(graphs("a"), graphs("b"), metrics)
    assert [each.counts for each in results] == [each.counts for each in files]
    assert [each.signature for each in results] == [each.signature for each in files]


def test_what_an_interrupted_run_kept_is_found_again(store: Store) -> None:
    told: list[tuple[int, int]] = []

    def interrupt(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.score("gold", "system", METRICS, progress=interrupt)
    assert not store.evaluations()
    results = store.score(
        "gold", "system", METRICS, progress=lambda *pair: told.append(pair)
    )
    kept = told[1][0]
    assert 0 < kept == sum(each.reused for each in results) < 3 * PAIRS
    assert told[0][1] == 3 * PAIRS
    assert told[-1] == (3 * PAIRS - kept, 3 * PAIRS - kept)
    again = store.score("gold", "system", [*METRICS, parse("smatch")])
    assert [each.reused for each in again] == [PAIRS, PAIRS, PAIRS, 0]
