"""What goes in comes out, to the type of the last value."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.store.database import Database
from graphscore.store.opening import open_store
from graphscore.store.read.load import identities, load_graphs, rejected_records
from graphscore.store.symbols import REMEMBERED, SymbolIds, SymbolValues
from tests.databases import Stores
from tests.store.conftest import bark, put, read, reject, sayable

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
# Small alphabets make repetition, which is what interning is about.
names = st.sampled_from(["", "a", "A", "42", "true", "null", "\x00", "é", "'"]) | texts
integers = st.integers(-(2**70), 2**70)
values = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, 42])
    | integers
    | st.sampled_from([0.0, -0.0, 1.0, 42.0])
    | st.floats(allow_nan=False, allow_infinity=False)
    | names
)
json_values = st.recursive(
    values, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner)
)
pairs = st.lists(st.tuples(names, values), max_size=3).map(tuple)
extras = st.lists(st.tuples(names, json_values), max_size=2).map(tuple)
positions = st.integers(0, 30)
anchors = st.lists(st.builds(Anchor, positions, positions), max_size=2).map(tuple)
node_ids = st.integers(0, 5) | st.integers(-(10**6), 10**6) | names


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    ids = draw(st.lists(node_ids, max_size=5, unique=True))
    nodes = tuple(
        Node(one, draw(values), draw(pairs), draw(anchors), draw(extras)) for one in ids
    )
    edges: tuple[Edge, ...] = ()
    tops: tuple[int | str, ...] = ()
    if ids:
        some = st.sampled_from(ids)
        edge = st.builds(
            Edge,
            some,
            some,
            values,
            values,
            pairs,
            st.none() | node_ids,
            anchors,
            extras,
        )
        edges = tuple(draw(st.lists(edge, max_size=4)))
        tops = tuple(draw(st.lists(some, max_size=2)))
    return Graph(
        draw(names.filter(bool)),
        draw(st.sampled_from(["dm", "eds", "ünbekannt"])),
        draw(st.none() | st.integers(0, 2)),
        draw(st.sampled_from(["", "eng"])),
        draw(names),
        draw(texts),
        draw(anchors),
        nodes,
        edges,
        tops,
        draw(st.dictionaries(names, json_values, max_size=2)),
    )


def exactly(graph: Graph) -> Any:
    """The graph such that 1, 1.0 and True, 0.0 and -0.0 are not equal."""
    return repr(msgspec.structs.astuple(graph))


@given(st.lists(graphs(), min_size=1, max_size=4))
def test_graphs_come_back_as_they_went_in(
    stores: Stores, given_graphs: list[Graph]
) -> None:
    given_graphs = sayable(stores, given_graphs)
    with stores.brief() as place, open_store(place, create=True) as database:
        for number, graph in enumerate(given_graphs):
            put(database, read(graph), f"c{number}")
        with database.reading() as connection:
            for number, graph in enumerate(given_graphs):
                (identity,) = identities(connection, f"c{number}")
                back = load_graphs(connection, [identity.graph])[identity.graph]
                assert back == graph
                assert exactly(back) == exactly(graph)
                assert identity.digest == graph.digest() == back.digest()
                assert identity[1:5] == (
                    graph.framework,
                    graph.language,
                    graph.id,
                    graph.document,
                )
                assert identity.flavor == graph.flavor


def test_look_alikes_stay_apart(database: Database) -> None:
    alike = (42, "42", 42.0, True, "true", None, "null", 1, 1.0, "1")
    node = Node(0, None, tuple(("p", value) for value in alike))
    put(database, read(Graph("1", "amr", nodes=(node,))))
    with database.reading() as connection:
        (graph,) = load_graphs(connection, [1]).values()
    found = [value for _, value in graph.nodes[0].properties]
    assert list(map(repr, found)) == list(map(repr, alike))


def test_many_graphs_in_the_order_asked_for(database: Database) -> None:
    given_graphs = [bark(f"i{n}", f"v{n % 7}") for n in range(2000)]
    put(database, read(*given_graphs))
    with database.reading() as connection:
        found = identities(connection, "gold")
        assert [one.item for one in found] == [graph.id for graph in given_graphs]
        backwards = [one.graph for one in reversed(found)]
        loaded = load_graphs(connection, [*backwards, 10**9, backwards[0]])
        assert list(loaded) == backwards
        assert list(loaded.values()) == given_graphs[::-1]


def test_identities_are_filtered(database: Database) -> None:
    put(
        database,
        read(
            bark("1"),
            bark("2"),
            bark("1", framework="eds"),
            bark("1", framework="eds", language="deu"),
        ),
    )
    with database.reading() as connection:

        def found(**wanted: Any) -> list[tuple[str, str, str]]:
            return [tuple(one[1:4]) for one in identities(connection, "gold", **wanted)]

        assert found(items=["2"]) == [("dm", "", "2")]
        assert found(frameworks=["eds"], languages=["deu"]) == [("eds", "deu", "1")]
        assert found(frameworks=["amr"]) == []
        assert found(languages=[""]) == [
            ("dm", "", "1"),
            ("dm", "", "2"),
            ("eds", "", "1"),
        ]


def test_rejected_records_are_told(database: Database) -> None:
    put(database, [*read(bark("1")), reject(2), reject(5)], keep_going=True)
    with database.reading() as connection:
        first, second = rejected_records(connection, "gold")
    assert first[:4] == ("a.mrp", 2, "dm", "bad2")
    assert first.message == "a.mrp:2: $.nodes: found nonsense, expected a list"
    assert first.raw == '{"nodes": \\xff}'
    assert second.line == 5


def test_a_connection_forgets_symbols_that_were_taken_back(database: Database) -> None:
    with database.writing() as connection:
        ids = SymbolIds.of(connection)
        kept = ids["kept"]
        ids.flush()
    try:
        with database.writing() as connection:
            ids = SymbolIds.of(connection)
            lost = ids["lost"]
            ids.flush()
            assert SymbolValues.of(connection)[lost] == "lost"
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    with database.writing() as connection:
        ids = SymbolIds.of(connection)
        assert ids["new"] == lost
        assert ids["kept"] == kept
        ids.flush()
        assert SymbolValues.of(connection)[lost] == "new"


def test_symbols_of_another_process_are_found(database: Database, path: str) -> None:
    with database.writing() as connection:
        ids = SymbolIds.of(connection)
        mine = ids["mine"]
        ids.flush()
    with open_store(path) as other, other.writing() as connection:
        ids = SymbolIds.of(connection)
        assert ids["mine"] == mine
        theirs = ids["theirs"]
        ids.flush()
    with database.writing() as connection:
        ids = SymbolIds.of(connection)
        assert ids["theirs"] == theirs
        assert ids["newer"] == theirs + 1


def test_symbols_beyond_memory_are_asked_for(
    database: Database, monkeypatch: Any
) -> None:
    monkeypatch.setattr("graphscore.store.symbols.REMEMBERED", 5)
    assert REMEMBERED > 5
    given_graphs = [bark(str(n), f"v{n % 9}") for n in range(40)]
    for start in range(0, 40, 4):
        put(database, read(*given_graphs[start : start + 4]), path=f"{start}.mrp")
        with database.reading() as connection:
            ids = [one.graph for one in identities(connection, "gold")]
            loaded = load_graphs(connection, ids)
            assert list(loaded.values()) == given_graphs[: start + 4]
    with database.reading() as connection:
        texts = connection.exec_driver_sql("select text, type from symbol").all()
    assert len(texts) == len(set(texts))
