"""Sides on which every graph has the same id."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphscore.evaluation.api import score
from graphscore.evaluation.options import Options
from graphscore.exceptions import InputError, PairingError
from graphscore.model.graph import Graph, Node


def side(*items: str, framework: str = "drg") -> list[Graph]:
    return [
        Graph(item, framework, 2, nodes=(Node(0, f"label {number}"),))
        for number, item in enumerate(items)
    ]


def pairs(gold: list[Graph], system: list[Graph]) -> tuple[int, int, int]:
    result = score(gold, system)
    return result.pairs, result.counts["labels"].matched, result.rejected_records


@pytest.mark.parametrize(
    ("gold", "system"),
    [("abc", "xxx"), ("abc", "aaa"), ("abc", "bbb"), ("xxx", "abc"), ("xx", "yy")],
)
def test_graphs_of_one_id_pair_by_order(gold: str, system: str) -> None:
    assert pairs(side(*gold), side(*system)) == (len(gold), len(gold), 0)
    [note] = score(side(*gold), side(*system)).notes
    assert note.endswith(": paired by order")
    assert "all drg graphs of a side have the id " in note


def test_one_id_more_or_less_is_a_duplicate() -> None:
    # The system's are rejected, as always; gold's are an error.
    assert pairs(side("a", "b", "c"), side("a", "a")) == (3, 1, 1)
    with pytest.raises(InputError, match="a second time"):
        score(side("a", "a", "b"), side("a", "a", "a", "a"))
    assert pairs(side("a", "b", "c"), side("a", "a", "b")) == (3, 1, 1)


def test_other_frameworks_go_on_by_their_ids() -> None:
    gold = [*side("a", "b"), *side("a", "b", framework="amr")]
    system = [*side("x", "x"), *side("b", "a", framework="amr")]
    assert pairs(gold, system) == (4, 2, 0)


def test_nothing_paired_names_order_where_it_would_pair_everything(
    tmp_path: Path,
) -> None:
    with pytest.raises(PairingError, match="pair all of them with --pair order"):
        score(side("a", "b"), side("", ""))
    result = score(side("a", "b"), side("", ""), options=Options(pair="order"))
    assert result.f1 == 1.0
    with pytest.raises(PairingError) as caught:
        score(side("a", "b"), side("x", "y", "z"))
    assert "order" not in str(caught.value)
    gold = [*side("a"), *side("b", framework="amr")]
    with pytest.raises(PairingError) as caught:
        score(gold, side("x", "y"))
    assert "order" not in str(caught.value)
