"""Patterns asked of a store: what is found, counted, grouped and refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.databases import Stores

TEXT = "The dog wants to bark"


def control(label: str = "ARG1", verb: str = "want") -> Graph:
    nodes = (
        Node(0, "the", (("pos", "DT"),), (Anchor(0, 3),)),
        Node(1, "dog", (("pos", "NN"),), (Anchor(4, 7),)),
        Node(2, verb, (("pos", "VB"),), (Anchor(8, 13),)),
        Node(3, "bark", (("pos", "VB"),), (Anchor(17, 21),)),
    )
    edges = (
        Edge(0, 1, "BV"),
        Edge(2, 1, "ARG1"),
        Edge(2, 3, "ARG2"),
        Edge(3, 1, label),
    )
    return Graph("1", "dm", 0, text=TEXT, nodes=nodes, edges=edges, tops=(2,))


@pytest.fixture
def store(stores: Stores) -> Iterator[Store]:
    with stores.brief() as place, Store(place, mode="create") as found:
        found.add([control()], "gold")
        found.add([control("ARG2")], "system")
        found.score("gold", "system", "mrp")
        yield found


def hits(store: Store, pattern: str) -> int:
    return store.find(pattern).hits


def test_a_hit_names_its_nodes_and_edges(store: Store) -> None:
    found = store.find("pattern { V -[ARG2]-> W; e: V -[ARG1]-> X; W -> X }")
    [hit] = found.items
    assert (hit["item"], hit["framework"], hit["text"]) == ("1", "dm", TEXT)
    assert {name: node["label"] for name, node in hit["nodes"].items()} == {
        "V": "want",
        "W": "bark",
        "X": "dog",
    }
    assert hit["nodes"]["V"]["text"] == "wants"
    assert hit["edges"]["e"] == {
        "side": "gold",
        "ordinal": 1,
        "label": "ARG1",
        "source": 2,
        "target": 1,
    }
    assert len(hit["edges"]) == 3


def test_nodes_are_distinct_unless_it_is_said_otherwise(store: Store) -> None:
    # Of three edges into the dog, in six orders of two.
    assert hits(store, "pattern { X -> Z; Y -> Z }") == 6
    assert hits(store, "pattern { X$ -> Z; Y -> Z }") == 9 + 1
    assert hits(store, "pattern { X -> Z; Y -> Z; X.__id__ < Y.__id__ }") == 3
    assert hits(store, "pattern { X -> Z } without { Y -> Z }") == 1
    assert hits(store, "pattern { X -> Z } without { Y$ -> Z }") == 0
    assert hits(store, "pattern { X -> Z } with { Y -> Z }") == 3


@pytest.mark.parametrize("value", ['re"cr.*"', "b"])
def test_what_has_no_label_has_no_other_label_either(
    stores: Stores, value: str
) -> None:
    nodes = Node(0, None, (("pos", None),)), Node(1, "b", (("pos", "a"),))
    with stores.brief() as place, Store(place, mode="create") as found:
        found.add([Graph("1", "eds", 1, nodes=nodes)], "gold")
        for feature in ("label", "pos"):
            [hit] = found.find(f'pattern {{ Y [{feature}<>re"z.*"] }}').items
            assert hit["nodes"]["Y"]["ordinal"] == 1
        others = 0 if value == "b" else 1
        assert hits(found, f"pattern {{ Y [label<>{value}] }}") == others


def test_order_and_text_are_those_of_anchors(store: Store) -> None:
    assert hits(store, "pattern { X []; Y []; X < Y }") == 3
    assert hits(store, "pattern { X []; Y []; X << Y }") == 6
    assert hits(store, 'pattern { X [text="wants"] }') == 1
    assert hits(store, 'pattern { X [text=re"[a-z]+"] }') == 3
    assert hits(store, "pattern { top(X); X [] }") == 1


def test_confusions_are_found_in_context(store: Store) -> None:
    found = store.find("gold { V -[ARG1]-> A } system { V -[ARG2]-> A }")
    [hit] = found.items
    assert hit["nodes"]["V"]["gold"]["label"] == "bark"
    assert hit["nodes"]["V"]["system"]["ordinal"] == 3
    assert hits(store, "pattern { missing(X -[ARG1]-> Y) }") == 1
    assert hits(store, "pattern { spurious(X -[ARG2]-> Y) }") == 1
    assert hits(store, "pattern { e: X -> Y; matched(e) }") == 3
    assert hits(store, "pattern { e: X -> Y; wrong(e.label) }") == 1
    assert hits(store, "pattern { X -> Y; spurious(X -[ARG2]-> Y) }") == 1
    assert hits(store, "gold { V -[ARG1]-> A } without { system { V -> A } }") == 0


def test_hits_are_counted_by_what_they_hold(store: Store) -> None:
    found = store.find("pattern { e: X -> Y }", by=["e.label", "Y.pos"], items=False)
    assert found.items == []
    assert found.to_dict() == {
        "hits": 4,
        "items": [],
        "groups": [
            {"e.label": "ARG1", "Y.pos": "NN", "hits": 2},
            {"e.label": "ARG2", "Y.pos": "VB", "hits": 1},
            {"e.label": "BV", "Y.pos": "NN", "hits": 1},
        ],
    }
    top = store.find("pattern { e: X -> Y }", by=["item"], top=1)
    assert (top.hits, len(top.items), top.groups) == (4, 1, [{"item": "1", "hits": 4}])


def test_parallel_edges_are_folded_if_wanted(stores: Stores) -> None:
    one = Graph(
        *("1", "x"),
        nodes=(Node(0, "a"), Node(1, "b")),
        edges=(Edge(0, 1, "p"), Edge(0, 1, "q")),
    )
    with stores.brief() as place, Store(place, mode="create") as store:
        store.add([one], "gold")
        assert hits(store, "pattern { X -> Y }") == 2
        folded = store.find("pattern { X -> Y }", distinct="nodes")
        assert (folded.hits, len(folded.items)) == (1, 1)


def test_labels_that_never_occur_are_said(store: Store) -> None:
    found = store.find("pattern { X -[AGR1]-> Y }")
    [remark] = found.remarks
    known = "no edge has the label 'AGR1' (did you mean 'ARG1'?); labels of edges: "
    assert remark.startswith(known)
    assert {"ARG1", "ARG2"} <= set(remark.removeprefix(known).split(", "))


@pytest.mark.parametrize(
    ("pattern", "wanted", "said"),
    [
        ("pattern { X [] }", {"gold": "gild"}, "no collection 'gild'.*'gold'"),
        ("pattern { X [] }", {"framework": "dn"}, "no framework 'dn'"),
        ("pattern { X [] }", {"by": ["Z.label"]}, "--by Z.label: expected"),
        ("pattern { X [] }", {"by": ["X"]}, "--by X: expected"),
        ("pattern { X []; missing(X) }", {"metric": "sdp"}, "no evaluation of metric"),
        ("system { X []; missing(X) }", {}, "the system's, which is never missing"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    store: Store, pattern: str, wanted: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        store.find(pattern, **wanted)  # type: ignore[arg-type]


def test_of_several_evaluations_one_is_to_be_named(store: Store) -> None:
    store.score("gold", "system", "predications")
    with pytest.raises(
        UsageError, match="expected --metric with one of: mrp, predications"
    ):
        store.find("pattern { X []; missing(X) }")
    assert store.find("pattern { X []; missing(X) }", metric="predications").hits == 0


def test_a_file_is_only_read_and_the_statement_runs_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with Store(path, mode="create") as made:
        made.add([control()], "gold")
    before = path.read_bytes()
    with Store(path) as store:
        found = store.find('pattern { X [label=re"d.*"|want] } without { X -[it]-> Y }')
        assert found.hits == 2
        plain = store.find('pattern { X [label=want, pos<>"it\'s"] }')
        _, rows = store.query(f"select count(*) from ({plain.sql})")
        assert [*rows] == [(plain.hits,)] == [(1,)]
    assert path.read_bytes() == before
