"""Shares of C-X and R-X, against labels counted in the files themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.analysis import (
    CollectionStatistics,
    arguments,
    continuations,
    predicates,
    references,
)
from graphscore.formats import read_file
from graphscore.formats.base import ReadGraph
from tests.conftest import CONFORMANCE
from tests.metrics.roles.roles import Frame, frames, head_graph, span_graph

SRL = CONFORMANCE / "srl"


def collection(*paths: Path) -> CollectionStatistics:
    found = CollectionStatistics("srl")
    for path in paths:
        for record in read_file(str(path)):
            assert isinstance(record, ReadGraph)
            found.add(record.graph)
    return found


def said(labels: Counter[str]) -> tuple[int, int, int]:
    """Arguments, C-X and R-X, by the rule written out another way."""
    there = {each: count for each, count in labels.items() if each not in ("V", "C-V")}
    continued = sum(n for each, n in there.items() if each.startswith("C-"))
    referring = sum(n for each, n in there.items() if each.startswith("R-"))
    return sum(there.values()), continued, referring


@pytest.mark.parametrize("name", ["sense", "sense_c", "sense_r"])
def test_shares_are_those_of_the_labels_in_the_file(
    conformance: Path, name: str
) -> None:
    paths = sorted(SRL.glob(f"{name}_[pt]*.conllu"))
    labels: Counter[str] = Counter()
    senses = 0
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            if len(cells) > 10:
                senses += cells[8] == "Y"
                labels.update(cell for cell in cells[10:] if cell != "_")
    total, continued, referring = said(labels)
    assert len(paths) > 3
    assert bool(continued) == (name == "sense_c")
    assert bool(referring) == (name == "sense_r")
    found = collection(*paths).statistics()
    assert (found["predicates"], found["arguments"]) == (senses, total)
    assert found["continuations"] == continued / total
    assert found["references"] == referring / total


def test_brackets_are_counted_piece_by_piece(conformance: Path) -> None:
    paths = sorted((SRL / "conll05").iterdir())
    labels: Counter[str] = Counter()
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            for cell in line.split()[1:]:
                labels.update(part.rstrip("*)") for part in cell.split("(")[1:] if part)
    assert min(said(labels)) > 0
    total, continued, referring = said(labels)
    found = CollectionStatistics("srl")
    for path in paths:
        for record in read_file(str(path)):
            assert isinstance(record, ReadGraph)
            found.add(record.graph)
    statistics = found.statistics()
    assert statistics["arguments"] == total
    assert statistics["continuations"] == continued / total
    assert statistics["references"] == referring / total


@given(st.lists(frames(nested=False), max_size=4))
def test_a_collection_sums_up_its_sentences(drawn: list[list[Frame]]) -> None:
    found = CollectionStatistics("srl")
    labels: Counter[str] = Counter()
    for each in drawn:
        graph = span_graph(7, each)
        found.add(graph)
        mine = Counter(piece[0] for frame in each for piece in frame.arguments)
        assert (arguments(graph), continuations(graph), references(graph)) == said(mine)
        assert predicates(graph) == len(each)
        labels += mine
    total, continued, referring = said(labels)
    statistics = found.statistics()
    assert statistics["arguments"] == total
    assert statistics["continuations"] == (continued / total if total else None)
    assert statistics["references"] == (referring / total if total else None)


def test_continued_references_are_counted_once() -> None:
    pieces = [("A0", 0), ("R-A0", 2), ("C-R-A0", 3), ("C-AM-LOC", 4), ("C-V", 5)]
    graph = head_graph(6, [Frame(1, "a.01", pieces), Frame(5, "", [])])
    assert predicates(graph) == 2
    assert (arguments(graph), continuations(graph), references(graph)) == (4, 2, 1)


TABLE_5 = {
    # Shares of C-X and R-X in training, development, test and out-of-domain data.
    "CoNLL-2009": ((77, 198), (105, 203), (88, 207), (115, 224)),
    "CoNLL-2005": ((122, 326), (124, 336), (171, 338), (91, 291)),
}
"""In hundredths of a per cent; the data itself is licensed."""


@pytest.mark.parametrize("name", TABLE_5)
@pytest.mark.parametrize("split", range(4))
def test_shares_are_of_all_pieces_as_in_table_5(name: str, split: int) -> None:
    continued, referring = TABLE_5[name][split]
    labels = ["C-A1"] * continued + ["R-A0"] * referring
    labels += ["A0"] * (10_000 - len(labels))
    found = CollectionStatistics("srl")
    for first in range(0, len(labels), 40):
        # A word of the predicate is no argument and changes no share.
        pieces = [("V", 0), *((each, 1) for each in labels[first : first + 40])]
        found.add(head_graph(2, [Frame(0, "a.01", pieces)]))
    statistics = found.statistics()
    assert statistics["arguments"] == 10_000
    assert f"{100 * (statistics['continuations'] or 0):.2f}" == f"{continued / 100:.2f}"
    assert f"{100 * (statistics['references'] or 0):.2f}" == f"{referring / 100:.2f}"


def test_an_empty_collection_has_no_shares() -> None:
    statistics = CollectionStatistics("srl").statistics()
    assert (statistics["predicates"], statistics["arguments"]) == (0, 0)
    assert statistics["continuations"] is statistics["references"] is None
