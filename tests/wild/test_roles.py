"""Universal PropBank 1.0 and CoNLL-2012 as they are published: every role counted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from graphscore import Graph, score
from graphscore.formats import ReaderOptions, format_of
from graphscore.structures.layout import PREDICATE, nodes_of
from graphscore.structures.roles.sentence import VERB
from tests.wild import IE, expected, graphs_of, needs_wild

pytestmark = needs_wild
UP: dict[str, Any] = expected(IE).get("up1", {}).get("files", {})
CONLL2012: dict[str, Any] = expected(IE).get("conll2012", {}).get("files", {})


def counted(found: list[Graph]) -> dict[str, Any]:
    """What is in graphs of roles."""
    labels = Counter(edge.label for graph in found for edge in graph.edges)
    senses = Counter(
        node.label for graph in found for node in nodes_of(graph, PREDICATE)
    )
    return {
        "sentences": len(found),
        "words": sum(len(graph.tokens) for graph in found),
        "sentences_without_predicates": sum(
            not list(nodes_of(graph, PREDICATE)) for graph in found
        ),
        "predicates": senses.total(),
        "different_senses": len(senses),
        "arguments_with_V": labels.total(),
        "arguments": labels.total() - labels[VERB],
        "labels": labels,
        "senses": senses,
    }


@pytest.mark.parametrize("name", UP)
def test_all_of_universal_propbank_is_read(name: str) -> None:
    assert format_of(str(IE / name), ReaderOptions()).name == "conllu-srl"
    found = counted(graphs_of(IE / name, "srl"))
    wanted = UP[name]["content"]
    for key in found.keys() & wanted.keys() - {"labels", "senses"}:
        assert found[key] == wanted[key], key
    for key in ("labels", "senses"):
        # Those that are most frequent are listed.
        assert {each: found[key][each] for each in wanted[key]} == wanted[key]
    system = counted(graphs_of(IE / UP[name]["system"], "srl"))
    for key, value in UP[name]["content_system"].items():
        assert system[key] == value, key


@pytest.mark.parametrize("name", UP)
@pytest.mark.parametrize("metric", ["primesrl", "conll05", "conll09"])
def test_systems_are_scored_against_gold(name: str, metric: str) -> None:
    gold, system = IE / name, IE / UP[name]["system"]
    result = score(str(gold), str(system), metric)
    assert result.pairs == UP[name]["content"]["sentences"]
    assert (result.missing_system, result.rejected) == (0, [])
    assert 0.5 < result.f1 < 1
    assert score(str(gold), str(gold), metric).f1 == 1
    senses, counts = UP[name]["content"]["predicates"], result.counts
    if "senses" in counts:
        assert (counts["senses"].gold, counts["senses"].system) == (senses, senses)


@pytest.mark.parametrize("name", CONLL2012)
def test_roles_of_whole_tables(name: str) -> None:
    wanted = CONLL2012[name]
    found = counted(graphs_of(IE / name, "srl"))
    assert found["sentences"] == wanted["content"]["sentences"]
    assert found["words"] == wanted["content"]["words"]
    assert found["predicates"] == wanted["predicates_with_a_frame"]
    assert found["arguments"] == wanted["arguments"]
    labels = found["labels"]
    assert {each: labels[each] for each in wanted["labels"]} == wanted["labels"]
