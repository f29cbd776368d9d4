"""What errors cost, beside graphs that are repaired by hand and scored again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import msgspec
import pytest

import graphscore
from graphscore import Edge, Graph, Node, Options, read_file, score
from graphscore.exceptions import UsageError
from graphscore.metrics.corrections import Correctable, confused
from graphscore.metrics.meaning.sdp import Sdp
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph as AnyGraph
from graphscore.model.outcome_builder import error_of
from graphscore.statistics.whatif.corrections import what_if
from tests.cli.conftest import BIRCH, GOLD
from tests.statistics.together import together

KEPT = Options(per_item=True, details=True)


def of_file(path: str) -> dict[tuple[str, str], AnyGraph]:
    graphs = [each.graph for each in read_file(path) if each.graph is not None]
    return {(graph.framework, graph.id): graph for graph in graphs}


@pytest.fixture(scope="module")
def pairs():
    gold, system = of_file(GOLD), of_file(BIRCH)
    return [(gold[key], system[key]) for key in gold if key in system]


def relabelled(gold: Graph, system: Graph, item) -> Graph:
    """Every node that is called otherwise gets the name that gold gives it."""
    nodes = list(system.nodes)
    for error in item.errors:
        if (error.tuple_type, error.error_type, error.reason) == (
            "labels",
            "missing",
            "differs",
        ):
            nodes[error.system] = msgspec.structs.replace(
                nodes[error.system], label=gold.nodes[error.gold].label
            )
    return msgspec.structs.replace(system, nodes=tuple(nodes))


def without_edges(gold: Graph, system: Graph, item) -> Graph:
    """No edge where gold has none."""
    spurious = {
        error.system
        for error in item.errors
        if (error.tuple_type, error.error_type) == ("edges", "spurious")
    }
    edges = [each for k, each in enumerate(system.edges) if k not in spurious]
    return msgspec.structs.replace(system, edges=tuple(edges))


def rewired(gold: Graph, system: Graph, item) -> Graph:
    """An edge in the place of another is gold's, which may run the other way."""
    partner = {
        gold.nodes[each.gold].id: system.nodes[each.system].id
        for each in item.matches
        if each.object == "node"
    }
    edges = list(system.edges)
    for error in item.errors:
        if (error.tuple_type, error.error_type, error.reason) == (
            "edges",
            "missing",
            "differs",
        ):
            right = gold.edges[error.gold]
            edges[error.system] = msgspec.structs.replace(
                edges[error.system],
                source=partner[right.source],
                target=partner[right.target],
                label=right.label,
                normal=right.normal,
            )
    return msgspec.structs.replace(system, edges=tuple(edges))


def confusions(found, tuple_type):
    return [
        (tuple_type, each.label, each.error_type)
        for each in found.classes
        if (each.tuple_type, each.error_type) == (tuple_type, "confusion")
    ]


def spurious_alone(found, tuple_type):
    """All of a tuple type that is spurious, if none of it stands in place of
    something."""
    if confusions(found, tuple_type):
        return []
    return [(tuple_type, "", "spurious")]


@pytest.mark.parametrize("metric", ["mrp", "mrp(order=free)"])
@pytest.mark.parametrize(
    ("repair", "tuple_type", "chosen", "least"),
    [
        (relabelled, "labels", confusions, 10),
        (without_edges, "edges", spurious_alone, 10),
        (rewired, "edges", confusions, 4),
    ],
)
def test_it_is_the_score_of_repaired_graphs(
    pairs, metric, repair, tuple_type, chosen, least
):
    same = 0
    for gold, system in pairs:
        result = score([gold], [system], metric, options=KEPT)
        classes = chosen(what_if(result), tuple_type)
        if not classes:
            continue
        [item] = result.items
        repaired = repair(gold, system, item)
        if repaired == system:
            continue
        again = score([gold], [repaired], metric, options=KEPT)
        [after] = again.items
        nodes = [
            {(m.gold, m.system) for m in each.matches if m.object == "node"}
            for each in (item, after)
        ]
        told = together(result, *classes)
        if nodes[0] == nodes[1]:
            same += 1
            assert told == pytest.approx(again.value, abs=1e-12), gold.id
        else:
            # Another correspondence was better: that can only be more.
            assert again.value >= told - 1e-12
    assert same >= least


def two(*roles: str, label: str = "dog", name: str = "1") -> Graph:
    nodes = (Node(0, "bark"), Node(1, label), Node(2, "park"))
    edges = tuple(Edge(0, k, role) for k, role in enumerate(roles, 1))
    return Graph(name, "amr", 2, nodes=nodes, edges=edges, tops=(0,))


def test_a_missing_edge_a_spurious_one_and_one_in_place_of_another():
    # Gold has 1 top, 3 labels, 2 edges; the system the same but for one edge.
    found = graphscore.whatif(
        [two("ARG0", "ARG1")], [two("ARG0", "location")], metric="mrp"
    )
    assert found.value == 5 / 6
    assert [each[:6] for each in found.classes] == [
        ("edges", "ARG1", "missing", 1, 1.0, 1 - 5 / 6),
        ("edges", "ARG1 → location", "confusion", 1, 1.0, 1 - 5 / 6),
        ("edges", "location", "spurious", 1, 1.0, 1 - 5 / 6),
    ]
    missing = graphscore.whatif([two("ARG0", "ARG1")], [two("ARG0")], metric="mrp")
    assert (missing.value, missing.classes[0].value) == (10 / 11, 1.0)
    spurious = graphscore.whatif([two("ARG0")], [two("ARG0", "ARG1")], metric="mrp")
    assert (spurious.value, spurious.classes[0].value) == (10 / 11, 1.0)


def test_a_missing_graph_is_a_class_and_its_tuples_are_of_no_other():
    gold = [two("ARG0", name="1"), two("ARG0", name="2")]
    found = graphscore.whatif(gold, gold[:1], metric="mrp")
    assert [each[:5] for each in found.classes] == [("graph", "amr", "missing", 1, 1.0)]
    assert found.value == 10 / 15


@dataclass(frozen=True)
class Exact(Sdp):
    """Whole graphs, of which errors do not say how many are right."""

    name = "exact"
    leading = "labeled.exact"


def test_a_score_that_errors_do_not_account_for_is_refused():
    gold, system = (msgspec.structs.replace(two(a), framework="dm") for a in "AB")
    scored = score([gold], [system], Exact(), options=KEPT)
    with pytest.raises(UsageError, match=r"not account for labeled\.exact"):
        what_if(scored)


def remote(*attributes: tuple[str, bool], label: str = "A") -> Graph:
    nodes = (Node(0, "a"), Node(1, "b"), Node(2, "c"))
    edges = (Edge(0, 1, "P"), Edge(0, 2, label, attributes=attributes))
    return Graph("1", "ucca", 1, nodes=nodes, edges=edges, tops=(0,))


def test_attributes_go_and_come_with_their_edges():
    gold, system = remote(("remote", True)), remote(("remote", True), label="D")
    whole = score([gold], [system], "mrp", options=KEPT)
    tuple_types = Counter(
        error.tuple_type for item in whole.items for error in item.errors
    )
    assert tuple_types == {"edges": 2, "attributes": 2}
    # The edge is renamed, and its attribute is right as well.
    assert together(whole, ("edges", "A", "")) == 1.0
    # An attribute needs its edge.
    assert together(whole, ("attributes", "", "")) == 1.0
    # Without the attribute, a renamed edge leaves one that is missing.
    bare = score([gold], [remote(label="D")], "mrp", options=KEPT)
    mended = score([gold], [remote()], "mrp").value
    assert together(bare, ("edges", "A", "")) == mended < 1
    # A spurious edge takes its attribute along.
    alone = msgspec.structs.replace(gold, edges=gold.edges[:1])
    more = score([alone], [gold], "mrp", options=KEPT)
    assert together(more, ("edges", "", "")) == 1.0


CONLLU = """# sent_id = 1
1\tdogs\tdog\tNOUN\t_\t_\t{0}\t{1}\t_\t_
2\tchase\tchase\tVERB\t_\t_\t0\troot\t_\t_
3\tcats\tcat\tNOUN\t_\t_\t2\t{2}\t_\t_
4\ttoday\ttoday\tNOUN\t_\t_\t2\tobl\t_\t_

"""


@pytest.mark.parametrize(
    ("metric", "wanted"),
    [
        ("uas", ("all", "", "")),
        ("las", ("", "nsubj", "")),
        ("clas", ("", "nsubj", "")),
    ],
)
def test_words_are_attached_right(tmp_path, metric, wanted):
    def file(name, *columns):
        path = tmp_path / f"{name}.conllu"
        path.write_text(CONLLU.format(*columns), encoding="utf-8")
        return str(path)

    gold = file("gold", 2, "nsubj", "obj")
    system = file("system", 3, "nsubj", "det")
    result = score(gold, system, metric, options=KEPT)
    repaired = file("repaired", 2, "nsubj", "det")
    assert what_if(result).value == result.value < together(result, wanted)
    assert together(result, wanted) == score(gold, repaired, metric).value


@pytest.mark.parametrize(
    "metric",
    [
        "b3",
        "primesrl(preset=tool)",
        "smatch(preset=smatch)",
        "muc4",
    ],
)
def test_errors_that_depend_on_one_another_are_refused(metric):
    with pytest.raises(UsageError, match="the cost of its errors is not known"):
        graphscore.whatif([two()], [two()], metric=metric)


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        ("muc", "muc: .*depends on all of its mentions"),
        ("mentions(preset=perl)", "perl.: .*depends on all of its mentions"),
        ("mentions(singletons=drop)", "drop.: .*depends on all of its mentions"),
        ("neleval", "neleval: .*depends on all of its mentions"),
        ("gtt", "gtt: .*which templates are aligned"),
        ("segmentation", "segmentation: .*the place of all that overlap it"),
        ("elas(preset=udtools)", "an edge matches every equal one"),
        ("primesrl(preset=tool)", "do not say which arguments wait for a sense"),
        ("framenet", "framenet: .*how their frames are related"),
        ("predications", "predications: .*others share them"),
        ("scirex", "scirex: .*where most of their mentions are"),
        ("counter", "counter: .*put right changes what others count"),
    ],
)
def test_why_a_metric_is_refused(metric, reason):
    with pytest.raises(UsageError, match=reason):
        graphscore.whatif([two()], [two()], metric=metric)


@pytest.mark.parametrize(("name", "second"), [("", "dog"), ("lemma", "(other lemma)")])
def test_what_stands_beside_an_equal_value_is_named_where_it_has_a_name(name, second):
    errors = [
        error_of(side, "edges", 0, 0, value="dog", name=name)
        for side in ("missing", "spurious")
    ]
    assert Correctable().confusion(*errors) == f"dog → {second}"


def test_errors_in_one_place_are_confused_in_order():
    sides = ("missing", "missing", "spurious", "spurious")
    errors = [error_of(side, "edges", 0, 0) for side in sides]
    assert confused(errors) == {0: [2], 2: [0], 1: [3], 3: [1]}


def test_mentions_that_count_by_themselves_are_put_right_alone():
    assert not parse("mentions").bound


@dataclass(frozen=True)
class Person:
    name: str
    city: str


@dataclass(frozen=True)
class Page:
    people: frozenset[Person]


@pytest.mark.parametrize("word", ["metric", "of"])
def test_objects_of_a_class_are_right_as_a_whole(word: str) -> None:
    ada, bo = {"name": "Ada", "city": "London"}, {"name": "Bo", "city": "Rome"}
    gold = [{"people": [ada, bo]}]
    system = [{"people": [ada, bo | {"city": "Oslo"}, bo | {"name": "Cy"}]}]
    found = graphscore.whatif(gold, system, **{word: Page})
    assert found.value == 0.4
    assert {(each.error_type, each.errors): each.value for each in found.classes} == {
        ("missing", 1): pytest.approx(2 / 3),
        ("spurious", 2): pytest.approx(2 / 3),
    }
    alone = graphscore.whatif([ada, bo], [ada, bo | {"city": "Oslo"}], **{word: Person})
    assert alone.value == 0.5
    assert {(each.label, each.error_type): each.value for each in alone.classes} == {
        ("", "missing"): 1.0,
        ("", "spurious"): 1.0,
        ("Rome → Oslo", "confusion"): 1.0,
    }
