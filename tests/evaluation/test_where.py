"""Scores of what a pattern chooses: items, and tuples of what it binds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore import Edge, Graph, Node, References, Result, Store, score
from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options, Selection
from graphscore.exceptions import InputError, UsageError
from graphscore.find.grammar import parse as read
from graphscore.metrics.meaning.triples import PARTS, Triples, kind_of
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor
from graphscore.model.outcome import Count
from graphscore.model.tuples import Facts
from tests.find.oracle import Matcher, Pair
from tests.find.test_oracle import changed, random_graph

GOLD, ALDER, BIRCH = "data/gold.mrp", "data/alder.mrp", "data/birch.mrp"

CONTROL = "pattern { V -[ARG1]-> A; V -[ARG2]-> B }"

LOCAL = ("mrp", "smatch", "sdp", "edm", "ucca")

PATTERNS = (
    "pattern { X [label=a] }",
    "pattern { e: X -[ARG1]-> Y }",
    "pattern { X -> Y } without { X [pos=a] }",
    "pattern { top(X); X [] }",
    'pattern { X -[re"ARG.*"]-> Y; Y -> Z$ }',
)

FRAMEWORK = "eds"
"""Of random graphs: not what all of these metrics are made for."""

Bound = dict[str, set[tuple[str, int]]]


def amounts(result: Result) -> dict[str, tuple[float, ...]]:
    """Of every tuple type; of nothing none."""
    return {
        tuple_type: (x.gold, x.system, x.matched, x.correct_system)
        for tuple_type, x in result.metric.scores(result.total).counts.items()
    }


def bound(pattern: str, graphs: list[Graph]) -> Bound:
    """What any hit binds, by item, as trying everything finds."""
    found: Bound = {}
    for graph in graphs:
        hits = Matcher(read(pattern), Pair({"gold": graph, "system": None})).hits()
        for nodes, edges in hits:
            into = found.setdefault(graph.id, set())
            into |= {("node", number) for number in nodes.values()}
            into |= {("edge", number) for number in edges.values()}
    return found


def tuples(prepared: Any) -> Iterator[tuple[str, str, int]]:
    """Tuple type, object and ordinal of every tuple that counts."""
    if isinstance(prepared, Facts):
        for fact in prepared.listing():
            yield fact.tuple_type, fact.object, fact.ordinal
        return
    assert isinstance(prepared, Triples)
    for position, (_, fact) in enumerate(prepared.facts):
        for said in prepared.fact_said(position):
            yield PARTS[kind_of(fact)], said.object, said.ordinal
    for position in range(len(prepared.relations)):
        for said in prepared.relation_said(position):
            yield PARTS[2], said.object, said.ordinal


def counted_by_hand(
    name: str, pattern: str, golds: list[Graph], systems: list[Graph]
) -> Counter[tuple[str, str]]:
    """Amounts by tuple type and quantity, of every tuple one by one."""
    metric = parse(name)
    ours, theirs = bound(pattern, golds), bound(pattern, systems)
    there = {graph.id: graph for graph in systems}
    found: Counter[tuple[str, str]] = Counter()
    for graph in golds:
        other = there.get(graph.id)
        sides = [metric.prepare(each) for each in (graph, other) if each is not None]
        outcome = metric.compare(sides[:1], sides[1:], budget=Budget())
        wrong: Counter[tuple[str, str, str, int | None]] = Counter(
            (
                x.error_type,
                x.tuple_type,
                x.object,
                x.system if x.error_type == "spurious" else x.gold,
            )
            for x in outcome.errors
        )
        names = (("gold", "matched", "missing"), ("system", "correct", "spurious"))
        for mine, said, prepared in zip((ours, theirs), names, sides, strict=False):
            for tuple_type, what, number in tuples(prepared):
                if (what, number) not in mine.get(graph.id, ()):
                    continue
                found[tuple_type, said[0]] += 1
                key = (said[2], tuple_type, what, number)
                if wrong[key]:
                    wrong[key] -= 1
                else:
                    found[tuple_type, said[1]] += 1
    return found


seeds = st.integers(0, 2**32)


def corpus(seed: int) -> tuple[list[Graph], list[Graph]]:
    chance = Random(seed)
    golds = [random_graph(chance, str(number)) for number in range(5)]
    return golds, [changed(chance, graph) for graph in golds[:-1]]


@settings(max_examples=5)
@given(seeds, st.sampled_from(PATTERNS), st.sampled_from(("mrp", "smatch")))
def test_tuples_within_are_those_that_are_counted_one_by_one(
    seed: int, pattern: str, name: str
) -> None:
    golds, systems = corpus(seed)
    expected = counted_by_hand(name, pattern, golds, systems)
    found = score(golds, systems, name, framework=FRAMEWORK, where=pattern, within=True)
    tuple_types = ("tops", "labels", "properties", "anchors", "edges", "attributes")
    for tuple_type in tuple_types if name == "mrp" else PARTS:
        key = (tuple_type, "") if name == "mrp" else ("all", tuple_type)
        quantities = ("gold", "system", "matched", "matched_system")
        said = [found.total.get((*key, each), 0) for each in quantities]
        wanted = [
            expected[tuple_type, x] for x in ("gold", "system", "matched", "correct")
        ]
        assert said == wanted, tuple_type


@settings(max_examples=4)
@given(seeds, st.sampled_from(LOCAL))
def test_tuples_of_all_nodes_and_edges_are_all_tuples(seed: int, name: str) -> None:
    golds, systems = corpus(seed)

    def within(where: str) -> Result:
        found: Result = score(
            golds, systems, name, framework=FRAMEWORK, where=where, within=True
        )
        return found

    whole = score(golds, systems, name, framework=FRAMEWORK)
    nodes = within("pattern { X [] }")
    edges = within("pattern { e: X$ -> Y$ }")
    rest = within("pattern { X [] } without { X$ -> Z$ } without { Z$ -> X$ }")
    every = amounts(whole)
    for tuple_type, found in amounts(edges).items():
        summed = [x + y for x, y in zip(found, amounts(rest)[tuple_type], strict=True)]
        assert summed == [*every[tuple_type]], tuple_type
    if name in ("mrp", "edm"):
        by_nodes = amounts(nodes)
        for tuple_type in ("tops", "properties"):
            assert by_nodes[tuple_type] == every[tuple_type]
    if name in ("sdp", "edm", "ucca"):
        tuple_type = "arguments" if name == "edm" else nodes.metric.tuple_types[0]
        tops = amounts(nodes)[tuple_type]
        assert all(x <= y for x, y in zip(tops, every[tuple_type], strict=True))


@settings(max_examples=5)
@given(seeds, st.sampled_from(PATTERNS), st.sampled_from(("mrp", "sdp")))
def test_items_that_match_are_scored_as_if_there_were_no_others(
    seed: int, pattern: str, name: str
) -> None:
    golds, systems = corpus(seed)
    chosen = frozenset(bound(pattern, golds))
    found = score(golds, systems, name, framework=FRAMEWORK, where=pattern)
    assert {each.item for each in found.per_item} == chosen
    if chosen:
        alone = score(golds, systems, name, options=_only(chosen))
        assert amounts(found) == amounts(alone)
        assert found.scores == alone.scores
        assert found.missing_system == alone.missing_system
        assert len(found.errors) == len(alone.errors)


def _only(items: frozenset[str]) -> Options:
    return Options(
        Selection(frozenset({FRAMEWORK}), items=items), per_item=True, details=True
    )


def dog(label: str, *edges: tuple[int, int, str]) -> Graph:
    """``The dog wants to bark``, of whose nodes one has a label to choose."""
    nodes = (
        Node(0, "dog", anchors=(Anchor(4, 7),)),
        Node(1, "want", anchors=(Anchor(8, 13),)),
        Node(2, label, anchors=(Anchor(17, 21),)),
    )
    arrows = tuple(Edge(*edge) for edge in edges)
    text = "The dog wants to bark"
    return Graph("1", "eds", 1, text=text, nodes=nodes, edges=arrows, tops=(1,))


WANTS = (1, 0, "ARG1"), (1, 2, "ARG2"), (2, 0, "ARG1")


def test_what_is_counted_within_by_hand() -> None:
    gold, system = dog("bark", *WANTS), dog("bay", *WANTS[:2], (2, 0, "ARG3"))
    where = "pattern { V -[ARG1]-> A; V [label=want] }"
    both = score([gold], [system], "mrp", where=where, within=True)
    # Both bind dog and want: a top, two labels, two anchors and an edge.
    assert both.counts["all"] == Count(6, 6, 6, 6)
    where = "pattern { X -[ARG2]-> Y; Y -[ARG1]-> Z }"
    lost = score([gold], [system], "mrp", where=where, within=True)
    # Gold binds everything but the edge from want to dog, the system nothing.
    assert lost.counts["labels"] == Count(3, 0, 2, 0)
    assert lost.counts["edges"] == Count(2, 0, 1, 0)
    assert (lost.precision, lost.f1) == (0.0, 0.0)
    assert lost.recall == (1 + 2 + 3 + 1) / 9
    assert [x.value for x in lost.per_item[0].errors] == ["bark", "ARG1"]
    where = "pattern { Y -[ARG3]-> Z }"
    made = score([gold], [system], "mrp", where=where, within=True)
    # What only the system binds is spurious, though dog and its anchor match.
    assert made.counts["all"] == Count(0, 5, 0, 3)
    assert (made.pairs, made.restriction and made.restriction.units) == (1, 1)
    edges = score(
        [gold],
        [system],
        "sdp",
        framework="eds",
        where="pattern { X -[ARG1]-> Y }",
        within=True,
    )
    # The node that is a top is bound, too: its virtual dependency counts.
    assert edges.counts["labeled"] == Count(3, 2, 2, 2)
    assert edges.scores.numbers["labeled.exact_graphs"] == 0


def test_system_graphs_that_are_missing_miss_what_is_within() -> None:
    graphs = [dog("bark", *WANTS), msgspec.structs.replace(dog("bay"), id="2")]
    found = score(
        graphs, [graphs[1]], "mrp", where="pattern { X [label=bark] }", within=True
    )
    assert (found.pairs, found.missing_system) == (1, 1)
    assert found.counts["all"] == Count(2, 0, 0, 0)


def test_a_pattern_of_the_system_chooses_by_its_graphs() -> None:
    gold = [msgspec.structs.replace(dog("bark", *WANTS), id=x) for x in ("1", "2")]
    system = [
        gold[0],
        msgspec.structs.replace(dog("bay"), id="2"),
        msgspec.structs.replace(dog("bay"), id="3"),
        msgspec.structs.replace(dog("bark"), id="4"),
    ]
    found = score(gold, system, "mrp", where="system { X [label=bay] }")
    assert [each.item for each in found.per_item] == ["2"]
    assert [each.item for each in found.spurious_system] == ["3"]
    assert score(gold, system, "mrp", where=CONTROL).spurious_system == []


def test_what_happened_chooses_items() -> None:
    found = score(GOLD, ALDER, "mrp", where="pattern { e: X -[ARG2]-> Y; missing(e) }")
    whole = score(GOLD, ALDER, "mrp")
    wrong = {
        (each.framework, each.item)
        for each in whole.per_item
        for x in each.errors
        if (x.error_type, x.tuple_type, x.value) == ("missing", "edges", "ARG2")
    }
    assert {(each.framework, each.item) for each in found.per_item} == wrong
    assert wrong


def test_a_part_says_of_what_it_is() -> None:
    whole = score(GOLD, ALDER, "mrp")
    found = score(GOLD, ALDER, "mrp", where=CONTROL)
    assert (found.gold, found.system) == (GOLD, ALDER)
    assert found.restriction is not None
    assert found.restriction == (CONTROL, False, 30, 73)
    assert found.notes[0] == (
        f"{ALDER} (mrp): the pattern is in 30 of 73 items; the others are left out"
    )
    assert found.to_dict()["where"] == {
        "pattern": CONTROL,
        "within": False,
        "units": 30,
        "of": 73,
    }
    fields = found.signature.split("|")
    assert {f"where:{CONTROL}", "proven:30/30"} <= {*fields}
    rest = [x for x in fields if x.partition(":")[0] not in ("where", "proven")]
    kept = [x for x in whole.signature.split("|") if not x.startswith("proven:")]
    assert rest == kept
    assert "where" not in whole.to_dict()
    within = score(GOLD, ALDER, "mrp", where=CONTROL, within=True)
    assert f"within:{CONTROL}" in within.signature.split("|")
    odd = score(GOLD, ALDER, "mrp", where="pattern{X[label=a|b]}% odd")
    assert "|where:pattern { X [label=a%7Cb] }|" in odd.signature


def test_nothing_that_matches_counts_nothing_and_says_so() -> None:
    found = score(GOLD, ALDER, "mrp", where="pattern { X [label=barks] }")
    assert (found.pairs, found.counts, found.per_item) == (0, {}, [])
    assert math.isnan(found.value)
    assert f"{ALDER} (mrp): the pattern is in none of 73 items" in found.notes
    assert any("no node has the label 'barks'" in note for note in found.notes)


def test_sentences_count_where_documents_are_compared() -> None:
    gold, system = (f"data/dependencies/{x}.conllu" for x in ("gold", "parser"))
    whole = score(gold, system, "las")
    found = score(gold, system, "las", where="pattern { X [upos=PRON] }")
    [document] = whole.per_item
    with Store("sqlite://", mode="create") as store:
        store.ingest(gold, "gold")
        hits = store.find("pattern { X [upos=PRON] }")
    items = {each["item"] for each in hits}
    wanted = [part for part in document.parts if part.item in items]
    assert 0 < len(wanted) < len(document.parts)
    assert found.counts["all"].gold == sum(
        part.raw_counts["all", "", "gold"] for part in wanted
    )
    assert "1 of 3 sentences" in found.notes[0]
    every = score(gold, system, "las", where="pattern { X [] }")
    assert amounts(every) == amounts(whole)


def test_documents_count_where_they_are_compared_as_a_whole() -> None:
    gold, system = (f"data/coreference/{x}.conll" for x in ("key", "response"))
    whole = score(gold, system, "muc")
    item = whole.per_item[0]
    with Store("sqlite://", mode="create") as store:
        store.ingest(gold, "gold")
        texts = {
            each["nodes"]["X"]["text"]: each["document"]
            for each in store.find("pattern { X [text] }")
        }
    [word] = [x for x, y in texts.items() if y == item.document][:1]
    where = f'pattern {{ X [text="{word}"] }}'
    found = score(gold, system, "muc", where=where)
    assert [each.document for each in found.per_item] == [item.document]
    assert found.total == item.raw_counts


@pytest.mark.parametrize(
    ("metric", "where", "within", "said"),
    [
        ("mrp", None, True, "--within goes with --where"),
        ("mrp", "pattern { X [label= }", False, "column"),
        ("mrp", "pattern { X []; missing(X) }", True, "compares both sides"),
        ("predications", "pattern { X [] }", True, "expected one of mrp"),
        ("smatch(preset=smatch)", "pattern { X [] }", True, "expected one of mrp"),
        ("las", "pattern { X []; missing(X) }", False, "whole documents"),
        ("las", "system { X [] }", False, "expected a pattern about gold"),
        ("neleval", "pattern { X [] }", False, "whole collections"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    metric: str, where: str | None, within: bool, said: str
) -> None:
    graph = dog("bark")
    if metric in ("las", "neleval"):
        framework = {"las": "ud"}.get(metric, "ner")
        graph = msgspec.structs.replace(graph, framework=framework)
    with pytest.raises(UsageError, match=said):
        score([graph], [graph], metric, where=where, within=within)


def test_several_references_are_refused() -> None:
    with pytest.raises(UsageError, match="one reference"):
        score(References(GOLD, ALDER), BIRCH, "mrp", where=CONTROL)
    with Store("sqlite://", mode="create") as store:
        store.add([dog("bark")], "a")
        options = Options(where=CONTROL)
        with pytest.raises(UsageError, match="one reference"):
            store.score(References("a", "a"), "a", "mrp", options)


def test_bad_gold_is_bad_here_too(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mrp"
    bad.write_bytes(Path(GOLD).read_bytes() + b'{"id": 7}\n')
    with pytest.raises(InputError, match=r"bad\.mrp:\d+"):
        score(str(bad), ALDER, "mrp", where=CONTROL)
    found = score(GOLD, str(bad), "mrp", where="pattern { X [] }")
    assert found.rejected_records == 1


def test_a_store_keeps_the_whole_and_no_part(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with Store(path, mode="create") as store:
        store.ingest(GOLD, "gold")
        store.ingest(ALDER, "alder")
        whole = store.score("gold", "alder", "mrp")
        made = store.evaluations()
    options = Options(where=CONTROL, per_item=True)
    # What is kept is enough: the store is only read.
    with Store(path) as store:
        found = store.score("gold", "alder", "mrp", options)
        within = store.score(
            "gold", "alder", "mrp", Options(where=CONTROL, within=True)
        )
        assert store.evaluations() == made
        assert store.score("gold", "alder", "mrp").signature == whole.signature
        [wrong, _] = [len(found.errors), len(within.errors)]
    files = score(GOLD, ALDER, "mrp", where=CONTROL)
    assert amounts(found) == amounts(files)
    assert wrong == len(files.errors)
    assert found.reused == whole.pairs
    assert found.signature == files.signature
    assert within.items == []
    inside = score(GOLD, ALDER, "mrp", where=CONTROL, within=True)
    assert amounts(within) == amounts(inside)
    assert (
        len(inside.errors)
        == inside.counts["all"].gold
        - (inside.counts["all"].matched)
        + inside.counts["all"].system
        - inside.counts["all"].correct_system
    )


def test_default_metrics_are_each_restricted() -> None:
    whole = score(GOLD, ALDER)
    found = score(GOLD, ALDER, where=CONTROL)
    assert found.because == whole.because
    assert found.metric == whole.metric
