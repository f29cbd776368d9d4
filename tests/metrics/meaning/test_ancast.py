"""AnCast beside slow, obvious versions of its parts, and worked examples."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.correspondence import Budget
from graphscore.metrics.meaning.ancast.best import Best
from graphscore.metrics.meaning.ancast.closure import (
    Edges,
    closed,
    edges_of,
    oriented,
    shares,
    size_of,
)
from graphscore.metrics.meaning.ancast.layout import (
    Concepts,
    Floats,
    PreparedDocument,
    shared,
)
from graphscore.metrics.meaning.ancast.mapping import alike, greedy_maps, named_alike
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from tests.metrics.meaning.umr import RELATIONS, documents

Sentences = tuple[Concepts, Concepts]

PAIRS = st.tuples(documents(1), documents(1)).map(
    lambda both: (
        PreparedDocument(both[0]).sentences[0],
        PreparedDocument(both[1]).sentences[0],
    )
)


def greedy_map(system: Concepts, gold: Concepts) -> dict[int, int]:
    """The gold node of each node of the system, in one pair of sentences."""
    return greedy_maps([(system, gold)], [named_alike(system, gold)])[0]


def matched(system: Concepts, gold: Concepts, forth: dict[int, int]) -> float:
    """Relations that match under a map, each by the similarity of its ends."""
    likeness = named_alike(system, gold)
    total = 0.0
    for one in system.relations:
        for two in gold.relations:
            if one.label != two.label:
                continue
            parts = []
            for end, other in zip(one.ends, two.ends, strict=True):
                if isinstance(end, int) and forth.get(end, -1) == other:
                    parts.append(likeness[end, other])
                elif isinstance(end, str) and end == other:
                    parts.append(1.0)
            total += sum(parts) / 2 if len(parts) == 2 else 0
    return total


@given(PAIRS)
def test_what_matches(sides: Sentences) -> None:
    gold, system = sides
    forth = greedy_map(system, gold)
    assert len(forth) == min(len(gold), len(system)) == len({*forth.values()})
    found = shared(system, gold, forth, named_alike(system, gold).tolist())
    total = sum(each.similarity * each.labels for each in found)
    assert total == pytest.approx(matched(system, gold, forth))


@given(PAIRS)
def test_the_best_map_is_the_best(sides: Sentences) -> None:
    gold, system = sides
    best = Best(gold, system, named_alike(system, gold), Budget())
    assert best.found.proven
    found = matched(system, gold, best.forth)
    assert found >= matched(system, gold, greedy_map(system, gold)) - 1e-9
    few, many = sorted((len(gold), len(system)))
    maps = (
        {there: here for here, there in enumerate(each)}
        if few == len(gold)
        else dict(enumerate(each))
        for each in permutations(range(many), few)
    )
    assert found == pytest.approx(max(matched(system, gold, each) for each in maps))


def slow_similarity(system: Concepts, gold: Concepts, i: int, j: int) -> float:
    """How similar two nodes are by themselves."""
    value = alike(system.wholes[i], gold.wholes[j])
    value *= 1.0 if system.senses[i] == gold.senses[j] else 0.9
    mine, theirs = system.attributes[i], gold.attributes[j]
    same = [mine[name] == theirs[name] for name in mine if name in theirs]
    return (value + sum(same) / len(same)) / 2 if same else value


def slow_spread(system: Concepts, gold: Concepts, start: Floats) -> Floats:
    """Similarity as it has spread from anchors."""
    now = start.copy()
    for _ in range(50):
        before = now
        parts = []
        for mine, theirs in zip(system.reach, gold.reach, strict=True):
            rows, columns = mine.sum(axis=1), theirs.sum(axis=1)
            low = np.minimum.outer(rows, columns)
            high = np.maximum.outer(rows, columns)
            ratio = np.where(low > 0, high / np.maximum(low, 1), np.inf)
            parts.append(mine @ before @ theirs.T / ratio)
        now = np.sqrt((parts[0] + 1) * (parts[1] + 1) - 1)
        now = np.maximum(now / now.max() if now.max() > 0 else now, start)
        if np.allclose(before, now, atol=1e-4):
            break
    return now


def slow_choice(values: list[float], ties: list[float]) -> int | None:
    """The best place; of several the one that ties least, but for the first of all."""
    best = [k for k, value in enumerate(values) if value == max(values)]
    if len(best) == 1:
        return best[0]
    most = [k for k in best if ties[k] == max(ties[each] for each in best)]
    return most[0] if len(most) == 1 and most[0] else None


def slow_map(system: Concepts, gold: Concepts) -> dict[int, int]:
    """The greedy map once more, node by node and in whole matrices."""
    rows, columns = range(len(system)), range(len(gold))
    similar = np.array(
        [[slow_similarity(system, gold, i, j) for j in columns] for i in rows]
    )
    shares = [
        [len(one & two) / len(one | two) if one | two else 0.0 for two in gold.roles]
        for one in system.roles
    ]
    once = [
        [
            name == other
            and system.names.count(name) == gold.names.count(name) == 1
            and name in system.text
            for other in gold.names
        ]
        for name in system.names
    ]
    anchors, worth = np.array(once, dtype=float), similar
    for _ in range(5):
        now = slow_spread(system, gold, anchors)
        worth = np.around((now + 1e-3) * (similar + 0.2), 4)
        found = np.zeros(worth.shape)
        for i in rows:
            j = slow_choice(list(worth[i]), shares[i])
            if j is not None:
                back = slow_choice(list(worth[:, j]), [each[j] for each in shares])
                found[i, j] = back == i
        grown = (found > anchors).any()
        anchors = found
        if not grown:
            break
    result = {i: j for i in rows for j in columns if anchors[i, j]}
    while len(result) < min(len(system), len(gold)):
        left = [
            (i, j)
            for i in rows
            for j in columns
            if i not in result and j not in result.values()
        ]
        i, j = max(left, key=lambda p: (worth[p], shares[p[0]][p[1]], -p[0], -p[1]))
        result[i] = j
    return result


@given(PAIRS)
def test_the_greedy_map(sides: Sentences) -> None:
    gold, system = sides
    assert greedy_map(system, gold) == slow_map(system, gold)


TRIPLES = st.sampled_from(["temporal", "coref"]).flatmap(
    lambda level: st.tuples(
        st.just(level),
        st.dictionaries(
            st.tuples(st.integers(0, 5), st.integers(0, 5)),
            st.sampled_from(RELATIONS[level]),
            max_size=8,
        ),
    )
)


def joined(edges: Edges) -> list[set[int]]:
    """What is connected, merged until nothing changes."""
    parts = [{one, two} for one in edges for two, _ in edges[one]]
    changed = True
    while changed:
        changed = False
        for one in parts:
            for two in parts:
                if one is not two and one & two:
                    one |= two
                    parts.remove(two)
                    changed = True
                    break
            if changed:
                break
    return parts


@given(TRIPLES)
def test_closures(said: tuple[str, dict[tuple[int, int], str]]) -> None:
    edges = edges_of(*said)
    found = closed(edges)
    assert sorted(map(sorted, (each.nodes for each in found.clusters))) == sorted(
        map(sorted, joined(edges))
    )
    # What is said follows from itself, but that something is itself.
    direct = {oriented(a, b, name) for a in edges for b, name in edges[a]}
    alone = {each for each in direct if each[0] == each[1] and "same" in each[2]}
    assert direct - alone <= found.relations
    assert {r for each in found.clusters for r in each.relations} == found.relations
    assert shares(found, found) == pytest.approx(size_of(found))
    assert size_of(found) == len({n for each in found.clusters for n in each.nodes})


def test_orders_in_time_compose() -> None:
    said = {(1, 2): "before", (2, 3): "before", (4, 3): "contained"}
    found = closed(edges_of("temporal", said)).relations
    assert (3, 1, "later") in found
    assert (4, 1, "later") in found


@pytest.mark.parametrize("reading", ["ancast", "ancast(map=best)"])
@given(documents(2, 3))
def test_sentences_that_one_side_has_more(reading: str, graph: Graph) -> None:
    metric = parse(reading)
    alone = parse(f"{reading[:-1]},unpaired=counted)" if "(" in reading else
                  "ancast(unpaired=counted)")  # fmt: skip
    second = [n.id for n in graph.nodes].index("s2s0")
    kept = {node.id for node in graph.nodes[:second]}
    first = Graph(
        "1",
        "umrdoc",
        1,
        document="1",
        text=graph.text.partition("\n")[0],
        nodes=graph.nodes[:second],
        edges=tuple(e for e in graph.edges if {e.source, e.target} <= kept),
        tops=tuple(top for top in graph.tops if top in kept),
    )
    left, counted = (score([graph], [first], each) for each in (metric, alone))
    whole = score([graph], [graph], metric).counts["sent"].gold
    assert counted.counts["sent"].gold == whole
    assert (
        left.counts["sent"].gold == score([first], [first], metric).counts["sent"].gold
    )
    assert any("1 sentence is in gold alone" in note for note in left.notes)


ANNOTATED = """# :: snt1 a b c

# sentence level graph:
(s1a / and :op1 (s1b / b-01) :op2 (s1c / c-01))

# document level annotation:
(s1s0 / sentence
    :coref ((s1a :same-entity s1b)NOTE
            (s1b :same-entity s1c)))
"""


def test_levels_with_notes_count_only_if_asked_for(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.umr", tmp_path / "system.umr"
    gold.write_text(ANNOTATED.replace("NOTE", "  # the same"))
    system.write_text(ANNOTATED.replace("NOTE", ""))
    result = score(gold, system, "ancast")
    assert result.counts["coref"][:3] == (0, 3, 0)
    [note] = [note for note in result.notes if "levels=all" in note]
    assert "coref: 2 of gold and 0 of system triples are not counted" in note
    assert not any("does not score umr" in note for note in result.notes)
    whole = score(gold, system, "ancast(levels=all)")
    assert whole.counts["coref"][:3] == (3, 3, 3)
    assert not any("levels" in note for note in whole.notes)
