"""No writer loses a character silently, whatever stands wherever in a graph."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from graphscore import write_graphs
from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import Format, ReadGraph, faithful
from graphscore.formats.graph_diff import REWRITTEN, likeness
from graphscore.formats.registry import format_named, formats
from graphscore.formats.roles.up import STANDARD
from graphscore.formats.round_trip import write_with_losses
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.formats.samples import SAMPLES

put = msgspec.structs.replace

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
INVISIBLE = "\0\t\x1b\x7f\xa0\u3000\u200b\u202e\ufeff"
NOTATION = "#|=:,;()[]{}<>\"'\\~%&/*_"
WHOLE = (
    "_",
    "-",
    "*",
    "O",
    "",
    " ",
    "# a",
    "a ",
    "\r\n",
    "\n\n",
    "&#10;",
    "\\n",
    "\ud800",
)
HOSTILE = (
    *(f"a{each}b" for each in LINE_ENDS + INVISIBLE + NOTATION),
    *(f"{each}a" for each in LINE_ENDS + "\ufeff#\t"),
    *WHOLE,
    "\U0001f642e\u0301",
)

SENSES = {"labels": "senses"}
"""What labels are called that a format keeps in its own way."""

BOTH = sorted(n for n, each in formats().items() if each.read and each.write)


def base(name: str) -> list[Graph]:
    """A small graph of each framework that can be written alone."""
    chosen = format_named(name)
    assert chosen.read is not None
    found: dict[str, Graph] = {}
    for sample in SAMPLES[name]:
        for record in chosen.read(io.BytesIO(sample.data), sample.name):
            if isinstance(record, ReadGraph):
                graph = record.graph
                least = found.get(graph.framework)
                if graph.framework in chosen.dependent or not graph.nodes:
                    continue
                if least is None or len(graph.nodes) < len(least.nodes):
                    found[graph.framework] = graph
    return [*found.values()]


def _node(graph: Graph, place: int, node: Node) -> Graph:
    nodes = (*graph.nodes[:place], node, *graph.nodes[place + 1 :])
    return put(graph, nodes=nodes)


def _longer(graph: Graph, text: str) -> Graph:
    """The graph with something more in the middle of a word."""
    place = next((a.start + 1 for a in graph.tokens if a.end - a.start > 1), 1)

    def moved(anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
        size = len(text)
        return tuple(
            Anchor(a + size * (a >= place), b + size * (b >= place)) for a, b in anchors
        )

    def read_anew(node: Node) -> Node:
        anchors = moved(node.anchors)
        label = node.label
        if [label] == [graph.text[a:b] for a, b in node.anchors]:
            [label] = [whole[a:b] for a, b in anchors]
        return put(node, anchors=anchors, label=label)

    whole = graph.text[:place] + text + graph.text[place:]
    return put(
        graph,
        text=whole,
        tokens=moved(graph.tokens),
        nodes=tuple(map(read_anew, graph.nodes)),
    )


def good(name: str, data: bytes) -> list[Graph]:
    read = format_named(name).read
    assert read is not None
    records = read(io.BytesIO(data), "a")
    return [record.graph for record in records if isinstance(record, ReadGraph)]


Change = Callable[[str], Graph]
Holds = Callable[[Graph, str], bool]


def places(graph: Graph) -> Iterator[tuple[str, Change, Holds]]:
    """What of a graph may be anything, how to put it, and whether it is there."""
    yield "ids", lambda s: put(graph, id=s), lambda back, s: back.id == s
    if graph.text:
        yield "texts", partial(_longer, graph), lambda back, s: s in back.text
    for place, node in enumerate(graph.nodes):
        if isinstance(node.label, str):
            yield (
                "labels",
                lambda s, place=place, node=node: _node(
                    graph, place, put(node, label=s)
                ),
                lambda back, s: any(each.label == s for each in back.nodes),
            )
            break
    for place, node in enumerate(graph.nodes):
        said = [n for n, v in node.properties if n != "kind" and isinstance(v, str)]
        if said:
            name = said[0]
            kept = tuple(each for each in node.properties if each[0] != name)
            yield (
                f"property {name}",
                lambda s, place=place, node=node, kept=kept, name=name: _node(
                    graph, place, put(node, properties=(*kept, (name, s)))
                ),
                lambda back, s, name=name: any(
                    (name, s) in each.properties for each in back.nodes
                ),
            )
            break
    for place, edge in enumerate(graph.edges[:1]):
        rest = graph.edges[place + 1 :]
        yield (
            "labels of edges",
            lambda s, edge=edge, rest=rest: put(
                graph, edges=(put(edge, label=s), *rest)
            ),
            lambda back, s: any(each.label == s for each in back.edges),
        )


def written(chosen: Format, graph: Graph) -> tuple[bytes, set[str]] | str:
    """What is written of a graph, and what is not in it; or why it is refused."""
    lost: set[str] = set()
    try:
        data = b"".join(
            write_with_losses(chosen, [graph], lambda _, each: lost.update(each))
        )
    except GraphscoreError as error:
        return str(error)
    return data, lost


@pytest.mark.parametrize("name", BOTH)
def test_a_character_is_read_again_or_is_an_error_that_names_the_item(
    name: str,
) -> None:
    chosen = format_named(name)
    kept = refused = 0
    for graph in base(name):
        for what, change, holds in places(graph):
            for hostile in HOSTILE:
                changed = change(hostile)
                found = written(chosen, changed)
                if isinstance(found, str):
                    refused += 1
                    assert repr(changed.id)[1:-1] in found
                    continue
                data, lost = found
                reader = chosen.rereads([changed]) if chosen.rereads else chosen.read
                assert reader is not None
                records = reader(io.BytesIO(data), "a")
                back = [each.graph for each in records if isinstance(each, ReadGraph)]
                kept += 1
                restated = REWRITTEN | {*chosen.restates}
                assert (
                    any(holds(each, hostile) for each in back)
                    or what in lost
                    or bool(restated & {*what.split(), SENSES.get(what, "")})
                    or (what, hostile) == ("ids", "")
                ), (what, hostile, back)
    assert kept
    assert refused or name == "mrp"


@pytest.mark.parametrize("name", ["amr", "conllu", "grit", "iob", "sdp", "ucca"])
@given(data=st.data())
def test_whatever_stands_there_is_read_again_or_refused(
    name: str, data: st.DataObject
) -> None:
    [graph, *_] = base(name)
    _, change, _ = data.draw(st.sampled_from([*places(graph)]))
    text = data.draw(st.text(st.sampled_from(LINE_ENDS + INVISIBLE + NOTATION + "ab ")))
    with suppress(GraphscoreError):
        data = b"".join(write_graphs([change(text)], name))
        again = good(name, data)
        assert b"".join(write_graphs(again, name)) == data


@pytest.mark.parametrize(
    ("where", "character", "shown"),
    [
        ("text", "\n", r"U+000A in the text: 'a\nb' comes back as 'a b'"),
        ("id", "\r", r"U+000D in the id: 'a\rb' comes back as 'a b'"),
        ("date", "\n", r"U+000A in the field 'date': 'a\nb' comes back as 'a b'"),
        ("text", "\ud800", "U+D800, half of a surrogate pair"),
    ],
)
def test_what_amr_cannot_hold_is_named(where: str, character: str, shown: str) -> None:
    value = f"a{character}b"
    said = {"id": "7", "text": "x", **{where: value}}
    extra = {"date": said.pop("date")} if where == "date" else {}
    node = Node("b", "bark-01")
    graph = Graph(framework="amr", nodes=(node,), tops=("b",), extra=extra, **said)
    with pytest.raises(GraphscoreError) as caught:
        list(write_graphs([graph], "amr"))
    assert str(caught.value) == f"item {graph.id!r}: amr cannot hold {shown}"


@pytest.mark.parametrize("end", LINE_ENDS[4:])
def test_amr_keeps_what_ends_lines_elsewhere(end: str) -> None:
    nodes = (Node("b", "bark-01"),)
    graph = Graph("7", "amr", 2, text=f"Dogs{end}bark", nodes=nodes, tops=("b",))
    [again] = good("amr", b"".join(write_graphs([graph], "amr")))
    assert again.text == graph.text


def test_words_that_are_one_in_the_text_are_written_without_it() -> None:
    lines = b"# text = am Meer\n1-2\tam" + b"\t_" * 11 + b"\n"
    for number, word in enumerate(("an", "dem", "Meer"), 1):
        head = b"0\troot" if number == 3 else b"3\tcase"
        cells = f"{number}\t{word}\t_\t_\t_\t_\t".encode() + head
        lines += cells + b"\t_\t_\t_\t_\t_\n"
    first = b"# global.columns = " + " ".join(STANDARD.names).encode() + b"\n"
    [graph] = good("up", first + lines + b"\n")
    graph = put(graph, extra={})
    for name in ("up", "conll2009"):
        [again] = good(name, b"".join(write_graphs([graph], name)))
        assert again.text == "an dem Meer"


def test_edges_keep_their_labels_where_formats_turn_fewer_of_them() -> None:
    nodes = Node("t", "team"), Node("p", "person")
    edges = (Edge("t", "p", "consist-of", "consist"),)
    graph = Graph("1", "amr", 2, nodes=nodes, edges=edges, tops=("t",))
    lost: list[tuple[str, ...]] = []
    data = write_with_losses(
        format_named("amr"), [graph], lambda _, each: lost.append(each)
    )
    [again] = good("amr", b"".join(data))
    assert again.edges[0].label == "consist-of"
    assert lost == [("normal labels of edges",)]


@pytest.mark.parametrize("name", ["txt", "ids"])
@pytest.mark.parametrize(
    ("character", "shown"), [("\ud800", "U+D800"), ("\x85", "U+0085")]
)
def test_what_lines_of_text_cannot_hold_is_named(
    name: str, character: str, shown: str
) -> None:
    graph = Graph(f"a{character}", "amr", text="x")
    with pytest.raises(GraphscoreError, match=f"item .*{re.escape(shown)}"):
        list(write_graphs([graph], name))


def test_pictures_spell_what_would_not_be_seen() -> None:
    graph = Graph("1", "amr", nodes=(Node(0, "a\0b\x1b\x85\ud800\nc"),))
    data = b"".join(write_graphs([graph], "dot"))
    assert rb'label="a\\x00b\\x1b\\x85\\ud800\nc"' in data


@pytest.mark.parametrize("name", ["grit", "gtt", "iterx", "neleval", "drg"])
def test_kept_fields_may_be_anything(name: str) -> None:
    for graph in base(name):
        for value in (-1, [3], [[-1, "x"]], {"a": [1]}, None):
            nodes = [
                put(each, extra=tuple((key, value) for key, _ in each.extra))
                for each in graph.nodes
            ]
            labelled = [*nodes[:-1], put(nodes[-1], label=value)]
            for changed in (nodes, labelled):
                with suppress(GraphscoreError):
                    list(write_graphs([put(graph, nodes=tuple(changed))], name))


def test_a_writer_that_loses_something_is_found_out() -> None:
    plain = format_named("mrp")
    assert plain.read is not None

    def lossy(text: bytes, other: bytes) -> Format:
        write = format_named("mrp").write
        assert write is not None

        def written(graphs: Iterable[Graph]) -> Iterator[bytes]:
            for piece in write(graphs):
                yield piece.replace(text, other)

        return faithful(replace(plain, write=written))

    graph = Graph("1", "dm", 0, text="Dogs", nodes=(Node(0, "dog"),), tops=(0,))
    for text, other, said in (
        (b'"dog"', b'"dig"', "U+006F in the label of a node"),
        (b"Dogs", b"Dog", "U+0073 in the text"),
        (b'"tops":[0]', b'"tops":[7]', "cannot hold it"),
    ):
        with pytest.raises(GraphscoreError, match=re.escape(said)):
            list(lossy(text, other).write([graph]))  # type: ignore[misc]
    lost: list[tuple[str, ...]] = []
    chosen = lossy(b'"tops":[0]', b'"tops":[]')
    list(write_with_losses(chosen, [graph], lambda _, each: lost.append(each)))
    assert lost == [("tops",)]


WORDS = (
    Node(0, "Ann", (("pos", "NNP"),), (Anchor(0, 3),)),
    Node(1, "left", (("pos", "VBD"),), (Anchor(4, 8),)),
)
LEFT = Graph(
    *("1", "dm", 0),
    text="Ann left",
    tokens=(Anchor(0, 3), Anchor(4, 8)),
    nodes=WORDS,
    edges=(Edge(1, 0, "ARG1", attributes=(("sure", True),)),),
    tops=(1,),
)
NOUN, VERB = WORDS


@pytest.mark.parametrize(
    ("back", "said"),
    [
        ({"tokens": LEFT.tokens[:1]}, "the tokens of the text: 2 come back as 1"),
        ({"tops": (0,)}, "the tops: [1] comes back as [0]"),
        ({"tops": (0, 1)}, "the tops: [1] comes back as [0, 1]"),
        (
            {"nodes": (put(NOUN, label="Anna" * 9), VERB)},
            "that nothing follows U+006E in the label of a node: "
            "'Ann' comes back as 'AnnaAnnaAnnaAnnaAnnaAnn…'",
        ),
        (
            {"nodes": (put(NOUN, label=None), VERB)},
            "the label of a node: 'Ann' comes back as None",
        ),
        (
            {"nodes": (put(NOUN, properties=()), VERB)},
            "property 'pos' of node 'Ann': 'NNP' does not come back",
        ),
        (
            {"nodes": (put(NOUN, properties=(*NOUN.properties, ("kind", "x"))), VERB)},
            "property 'kind' of node 'Ann': 'x' comes back, and there is none",
        ),
        (
            {"nodes": (put(NOUN, anchors=(Anchor(0, 2),)), VERB)},
            "the anchors of node 'Ann': '0:3' comes back as '0:2'",
        ),
        (
            {"nodes": (NOUN, VERB, put(VERB, id=2))},
            "the nodes: 'left' comes back as well",
        ),
        ({"nodes": (VERB,)}, "all nodes: 'Ann' does not come back"),
        (
            {"edges": (Edge(1, 0, "ARG1", attributes=(("sure", False),)),)},
            "the attributes of edge 'ARG1': {'sure': 'true'} comes back as "
            "{'sure': 'false'}",
        ),
        (
            {"edges": (Edge(0, 1, "ARG2"),)},
            "the edges: one 'ARG1' does not come back, and one 'ARG2' does",
        ),
        (
            {"edges": (*LEFT.edges, Edge(0, 1, "ARG2"))},
            "the edges: one 'ARG2' comes back as well",
        ),
    ],
)
def test_what_was_given_and_what_came_back_is_said(
    back: dict[str, object], said: str
) -> None:
    assert likeness(LEFT, put(LEFT, **back)).changed == said


def test_tops_that_were_not_given_do_not_come_back() -> None:
    said = "the tops: [] comes back as [1]"
    assert likeness(put(LEFT, tops=()), LEFT).changed == said
    assert likeness(LEFT, put(LEFT, tops=())).lost == ("tops",)


def test_graphs_are_alike_whatever_the_order_of_their_parts_which_is_lost() -> None:
    nodes = (Node(0), Node(1, "a"), Node(2, "b"), Node(3))
    edges = (Edge(0, 1, "x"), Edge(3, 2, "x"))
    graph = Graph("1", "coref", nodes=nodes, edges=edges)
    turned = put(graph, nodes=nodes[::-1], edges=edges[::-1])
    assert likeness(graph, turned) == ("", ("order of nodes", "order of edges"))
    crossed = put(graph, edges=(Edge(0, 1, "x"), Edge(0, 2, "x")))
    assert likeness(graph, crossed).changed


def test_two_edges_to_one_node_are_not_those_to_two_of_the_same_label() -> None:
    nodes = (Node(0, "a"), Node(1, "now"), Node(2, "now"))
    shared = (Edge(0, 1, "x"), Edge(0, 1, "y"))
    graph = Graph("1", "sbn", nodes=nodes, edges=shared)
    apart = put(graph, edges=(Edge(0, 1, "x"), Edge(0, 2, "y")))
    said = "the edges: one 'y' comes back at other nodes"
    assert likeness(graph, apart).changed == said


@pytest.mark.parametrize("name", ["conllu", "eds", "mrp"])
def test_what_is_written_flows_by(name: str) -> None:
    """Reading again holds neither all graphs nor all of the file."""
    [plain] = base(name)[:1]
    taken = 0

    def endless() -> Iterator[Graph]:
        nonlocal taken
        while True:
            taken += 1
            yield put(plain, id=str(taken))

    write = format_named(name).write
    assert write is not None
    size, ahead = 0, 0
    for place, piece in enumerate(write(endless()), 1):
        size += len(piece)
        ahead = max(ahead, taken - place)
        if place == 500:
            break
    # A buffer of it is read before anything can be written.
    assert ahead <= 500 * 2 * io.DEFAULT_BUFFER_SIZE / size
