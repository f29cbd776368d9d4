"""What holds of every format, whatever it is a format of.

What a format does besides is tested in its own file.  Where one differs on purpose,
it stands in a table here, with the reason.
"""

from __future__ import annotations

import io
import json
import re
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError, InputError, Problem
from graphscore.formats import ReaderOptions, format_of, read_file, round_trip
from graphscore.formats.base import Format, ReadGraph, Record, Rejected
from graphscore.formats.registry import (
    UnclaimedError,
    detect,
    format_named,
    formats,
)
from graphscore.formats.source import BOM
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.roles.reading import sentence_of
from tests.formats.damage import check, damaged, damages
from tests.formats.found import FOUND
from tests.formats.samples import SAMPLES, Sample

NAMES = sorted(SAMPLES)

CASES = [(name, each) for name in NAMES for each in SAMPLES[name]]

# What stands in files beside it is not written.
WRITTEN = [
    (name, each)
    for name, each in CASES
    if (chosen := format_named(name)).write
    and not (chosen.beside and Path(each.name).is_absolute())
]


def cases(found: list[tuple[str, Sample]]) -> pytest.MarkDecorator:
    """A test of each sample, which is called after its format."""
    return pytest.mark.parametrize(
        ("name", "sample"), found, ids=[name for name, _ in found]
    )


# Where formats differ, and why.

NAMED = {
    "bionlp": "a file of it is one of brat",
    "brat-trees": "that mentions are within each other is not said in a file",
    "span-trees": "that spans are within each other is not said in a file",
    "coref-jsonlines-exclusive": "what ends mean is not said in a file",
    "dygie-gold": "which of two annotations in a file is meant is not said",
    "hipe-columns": "that columns are meant, not graphs, is not said in a file",
    "iob-gold": "which of two columns is meant is not said",
    "label-studio-predictions": "that predictions are meant is not said in a file",
    "srl-ud": "which of two layers in a file is meant is not said",
    "tacred-labels": "a line is any word",
}
"""Formats that are never recognised."""

RAGGED = {
    ("conllu-srl", b"\t"): "cells at the end of a line may be empty",
    ("pubtator", b" "): "titles and abstracts are as they stand, as offsets need",
    ("pubtator", b"\t"): "titles and abstracts are as they stand, as offsets need",
    ("genia", b"\t"): "blanks alone part tokens, which may have other white space",
}
"""Formats where white space at the ends of lines says something."""

XML = {
    "bioc": "XML names its encoding itself, and is well-formed or not",
    "framenet-xml": "XML names its encoding itself, and is well-formed or not",
    "ucca": "XML names its encoding itself, and is well-formed or not",
}
"""Formats whose files are one XML document, of which the parser says what is wrong."""

DOCUMENT = {
    **dict.fromkeys(("bionlp", "brat", "brat-trees"), "a file is one document"),
    "webanno": "a file is one document",
    **XML,
}
"""Formats whose records are of the first line, whatever is above them."""

EMPTY = {
    "better": "found '', expected an object with entries",
    "docred": "found '', expected an object or array of records",
    **dict.fromkeys(XML, "found malformed XML"),
}
"""Formats of one value a file, which say of an empty one that there is none."""

ENCODINGS = {"quaero": "UTF-8, as before", **dict.fromkeys(XML, "well-formed XML")}
"""Formats that may be encoded in another way than UTF-8: what they expect."""

GUESSED = {
    "conll2005": "which columns there are is found out from the first ones",
    "conllu-srl": "which columns there are is found out from the first ones",
    "grit": "lines or one object is found out from the first character",
    "gtt": "lines or one object is found out from the first character",
    "sdp": "the version is said by the first line, and later lines of it go with it",
    "srl-ud": "which format the columns are of is found out from the first ones",
}
"""Formats of which damage may make another kind of file."""

TEXTLESS = {
    "neleval": "the format has none",
    "tac-kbp": "the format has none",
    "drg": "where its words do not fit their positions, there is no text",
    "eds": "it has positions and no text",
    "sbn": "where its words do not fit their positions, there is no text",
    "simpledmrs": "where its words do not fit their positions, there is no text",
    "mrp": "it need not have the text of its positions",
}
"""Formats whose positions may be those of a text that is elsewhere."""

REFUSED_LATER = {
    "umr": "a node that lost its words gets some when it is read anew",
}
"""What is written of a changed graph and cannot be written once it was read."""

EXACT = {
    *("aida", "conll2005", "conll2009", "conll2012", "conllu", "conllu-srl", "drg"),
    *("eds", "genia", "hipe", "iob", "pubtator", "up"),
}
"""Formats that are written as they were read, to the byte."""

UNSCORED = {"sdp"}
"""Frameworks that no metric scores unless they are named: SDP of no known kind."""

JSON_LINES = (
    *("coref-jsonlines", "coref-jsonlines-exclusive", "dygie", "dygie-gold", "grit"),
    *("gtt", "oneie", "scirex", "spans", "span-trees", "token-rows"),
)
"""Formats of one JSON object per line; others say more of it in their own tests."""

NORMALIZED = {
    "aida": "a carriage return at the end of a file becomes a line end",
    "amr": "texts have no control characters, items no two ids",
    "iob": "a word may look like the line that begins a document",
    "sdp": "an empty part of speech is none",
    "ucca": "units are numbered anew where their ids are none of UCCA",
}
"""Formats of which odd things are not written as they were read."""


def test_every_format_that_can_be_read_has_samples() -> None:
    assert {each.name for each in formats().values() if each.read} == SAMPLES.keys()
    tables = (
        NAMED,
        DOCUMENT,
        EMPTY,
        ENCODINGS,
        GUESSED,
        TEXTLESS,
        NORMALIZED,
    )
    assert set().union(*tables) <= SAMPLES.keys()


def read(name: str, data: bytes, path: str = "a") -> list[Record]:
    """The records of a file."""
    reader = format_named(name).read
    assert reader is not None
    return list(reader(io.BytesIO(data), path))


def graphs_of(records: Iterable[Record]) -> list[Graph]:
    """Those that are none but refused ones left out."""
    return [record.graph for record in records if isinstance(record, ReadGraph)]


def good(name: str, data: bytes, path: str = "a") -> list[Graph]:
    """The graphs of a file; none may be refused."""
    records = read(name, data, path)
    assert not problems_of(records)
    return graphs_of(records)


def named(graphs: Iterable[Graph]) -> list[tuple[str, str, bytes]]:
    """What graphs are called, and what scoring sees of them."""
    return [(each.id, each.document, each.digest()) for each in graphs]


def problems_of(
    records: Iterable[Record], ignored: Iterable[str] = ()
) -> list[Problem]:
    """What is wrong, except with layers that need all of a document."""
    return [
        problem
        for record in records
        for problem in (
            record.left_out if isinstance(record, ReadGraph) else record.problems
        )
        if isinstance(record, ReadGraph) or record.framework not in ignored
    ]


def written(name: str, graphs: Iterable[Graph]) -> bytes:
    """A file of the graphs."""
    writer = format_named(name).write
    assert writer is not None
    return b"".join(writer(graphs))


def told(data: bytes, path: str) -> str:
    """The format that a file seems to have, if it seems to have any."""
    stream: Any = io.BufferedReader(io.BytesIO(data), 1 << 16)
    with suppress(UnclaimedError):
        return detect(stream, path).name
    return ""


@cases(CASES)
def test_it_is_told_by_its_content(name: str, sample: Sample) -> None:
    chosen = format_named(name)
    assert bool(chosen.signs) is (name not in NAMED)
    for path in ("-", "x", "x.mrp", *("x" + suffix for suffix in chosen.suffixes)):
        for data in (
            sample.data,
            sample.data.replace(b"\n", b"\r\n"),
            BOM + sample.data,
        ):
            assert (told(data, path) == name) is (name not in NAMED), path


LINED = [
    (name, each)
    for name, each in CASES
    if name in (*JSON_LINES, "mrp") and each.data.count(b"\n{")
]


@cases(LINED)
def test_objects_may_be_printed_over_several_lines(name: str, sample: Sample) -> None:
    plain = [graph.digest() for graph in good(name, sample.data)]
    objects = [json.loads(line) for line in sample.data.splitlines() if line.strip()]
    turned = [dict(reversed(each.items())) for each in objects]
    for found in (objects, turned):
        for data in (
            "\n".join(json.dumps(each, indent=2) for each in found),
            "".join(json.dumps(each) + "\n" for each in found),
            json.dumps(found),
            json.dumps(found, indent=1),
            "[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n",
        ):
            raw = data.encode()
            assert [each.digest() for each in good(name, raw)] == plain
            if name not in NAMED:
                assert told(raw, "a.json") == name


@cases(LINED)
def test_a_bad_object_over_several_lines_costs_only_itself(
    name: str, sample: Sample
) -> None:
    objects = [json.loads(line) for line in sample.data.splitlines() if line.strip()]
    whole = [json.dumps(each, indent=2) for each in objects]
    array = json.dumps(objects[:1] + objects, indent=1)
    last = good(name, sample.data)[-1].digest()
    for data in (
        "\n".join([whole[0][:-1].rstrip(), *whole]),
        "\n".join([whole[0].replace(":", ": ]", 1), *whole]),
        "\n".join([whole[0] + "}]", *whole]),
        array.replace("\n },", "\n ,", 1),
        array.replace(":", ": ]", 1),
        array.replace("\n },", "\n }}]],", 1),
        array[:-1],
    ):
        records = read(name, data.encode())
        assert problems_of(records)
        assert last in [graph.digest() for graph in graphs_of(records)]


@cases(CASES)
def test_what_surrounds_lines_does_not_matter(name: str, sample: Sample) -> None:
    data, path = sample.data, sample.name
    plain = read(name, data, path)
    assert not problems_of(plain)
    ended = data.rstrip(b"\r\n")
    for same in (
        data.replace(b"\n", b"\r\n"),
        BOM + data,
        BOM + data.replace(b"\n", b"\r\n"),
        ended,
        ended + b"\r",
        ended + b"\n",
        data + b"\n \n\t\n",
    ):
        assert repr(read(name, same, path)) == repr(plain)
    for end in (b" \n", b"\t\n", b" \r\n"):
        if (name, end[:1]) not in RAGGED:
            padded = re.sub(rb"(?<=\S)\n", end, data)
            assert named(good(name, padded, path)) == named(graphs_of(plain))
            assert name in NAMED or told(padded, "a") == name
    parted = data.replace(b"\n\n", b"\n \t\n\n")
    found = graphs_of(read(name, parted, path))
    assert [g.digest() for g in found] == [g.digest() for g in graphs_of(plain)]
    for above in (b"\n", b"\n \r\n", b"\t\n \n\n", BOM + b"\r\n", BOM + b" \n\n"):
        for same in (data, data.replace(b"\n", b"\r\n"), ended):
            below = read(name, above + same, path)
            assert repr(graphs_of(below)) == repr(graphs_of(plain))
            if name not in DOCUMENT:
                shift = above.count(b"\n")
                assert [r.line - shift for r in below] == [r.line for r in plain]
        assert name in NAMED or told(above + data, "a") == name


def others(name: str, path: Path) -> list[str]:
    """The files beside a sample."""
    beside = format_named(name).beside
    return beside(str(path)) if beside and path.is_absolute() else []


@cases(CASES)
def test_carriage_returns_alone_end_lines(
    tmp_path: Path, name: str, sample: Sample
) -> None:
    path = Path(sample.name)
    reading = ReaderOptions(format=name)
    ways = []
    for number, end in enumerate((b"\n", b"\r")):
        folder = tmp_path / str(number)
        folder.mkdir()
        for beside in others(name, path):
            (folder / Path(beside).name).write_bytes(Path(beside).read_bytes())
        file = folder / path.name
        file.write_bytes(BOM + end + sample.data.replace(b"\n", end))
        ways.append(named(graphs_of(read_file(str(file), reading))))
        if name not in NAMED:
            assert format_of(str(file), ReaderOptions()).name == name
    assert ways[0] == ways[1]


@pytest.mark.parametrize("data", [b"", b"\n \n\t\r\n", BOM])
@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_is_said_to_be_one(
    tmp_path: Path, name: str, data: bytes
) -> None:
    chosen = format_named(name)
    path = tmp_path / f"a{chosen.suffixes[0]}"
    path.write_bytes(data)
    (tmp_path / "a.txt").write_text("Nothing here.")
    reading = ReaderOptions(format=name)
    if chosen.empty:
        records = list(read_file(str(path), reading))
        assert [record.line for record in records] == [1] * len(chosen.frameworks)
        found = graphs_of(records)
        assert [graph.framework for graph in found] == [*chosen.frameworks]
        assert not any(graph.nodes for graph in found)
    elif name in EMPTY or (name, data) == ("srl-ud", BOM):
        # Which format columns are of is asked before the mark is dropped.
        [problem] = problems_of(read_file(str(path), reading))
        assert EMPTY.get(name, "found content of another kind") in str(problem)
    else:
        with pytest.raises(InputError, match=r"found a file without graphs"):
            list(read_file(str(path), reading))


@cases(CASES)
def test_bytes_that_are_no_text_cost_only_their_record(
    name: str, sample: Sample
) -> None:
    chosen = format_named(name)
    broken = sample.data.replace(sample.word, b"\xff" + sample.word[1:], 1)
    whole = sample.data
    if not sample.whole:
        broken, whole = sample.data + broken + sample.data, sample.data * 3
    records = read(name, broken, sample.name)
    # Of a part of two records it may be said of both.
    [problem] = dict.fromkeys(problems_of(records, chosen.dependent))
    assert all(record.raw for record in records if isinstance(record, Rejected))
    assert problem.file == sample.name
    assert problem.line == broken[: broken.index(b"\xff")].count(b"\n") + 1
    assert problem.column is not None
    assert name in XML or problem.found == "bytes that are not UTF-8"
    assert problem.expected == ENCODINGS.get(name, "UTF-8 text")
    every = Counter(map(repr, good(name, whole, sample.name)))
    # Of a record some parts may do without others.
    spared = [r for r in records if not (isinstance(r, ReadGraph) and r.left_out)]
    kept = Counter(map(repr, graphs_of(spared)))
    assert kept <= every
    if not sample.whole:
        assert kept.total() >= every.total() * 2 // 3


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"[1]", "a:{}: $: found JSON that is not an object, expected a JSON object"),
        (b'{"a": ', "a:{}: found a truncated line"),
        (b'{"a": nope}', "a:{}:11: found invalid character"),
        (b'{"a": "\xff"}', "a:{}:8: found bytes that are not UTF-8"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair"),
        (b'{"a": ' + b"[" * 99_999, "nested too deep"),
        (b'{"a": ' + b"[" * 150 + b"]" * 150 + b"}", "nested too deep"),
    ],
)
@pytest.mark.parametrize("name", JSON_LINES)
def test_a_line_that_is_no_object_costs_only_itself(
    name: str, line: bytes, problem: str
) -> None:
    data = SAMPLES[name][0].data
    records = read(name, data + line + b"\n" + data.replace(b'": "', b'": "new '))
    number = data.count(b"\n") + 1
    [found] = problems_of(records)
    assert problem.format(number) in str(found)
    plain = read(name, data)
    assert [r.line for r in records if isinstance(r, ReadGraph)] == [
        line + above for above in (0, number) for line in (r.line for r in plain)
    ]


HUGE = 500_000


@cases(CASES)
def test_a_huge_field_is_a_record_or_one_problem(name: str, sample: Sample) -> None:
    data = sample.data.replace(sample.word, sample.word + b"x" * HUGE, 1)
    if not sample.whole:
        data += sample.data
    began = time.process_time()
    tracemalloc.start()
    records = read(name, data, sample.name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert time.process_time() - began < 10
    assert peak < 200 * HUGE
    found = problems_of(records, format_named(name).dependent)
    assert len(found) <= 1
    assert all(len(str(problem)) < 1000 for problem in found)
    if not sample.whole:
        assert isinstance(records[-1], ReadGraph)


@cases(WRITTEN)
def test_what_is_written_is_read_again(name: str, sample: Sample) -> None:
    graphs = good(name, sample.data, sample.name)
    data = written(name, graphs)
    again = good(name, data)
    # Equality alone would let 1, 1.0 and true pass for one another.
    assert repr(again) == repr(graphs)
    assert written(name, again) == data
    assert data == sample.data or name not in EXACT


@cases(CASES)
def test_what_is_read_has_no_errors_against_itself(name: str, sample: Sample) -> None:
    graphs = good(name, sample.data, sample.name)
    for framework in {graph.framework for graph in graphs} - UNSCORED:
        layer = [graph for graph in graphs if graph.framework == framework]
        results = score(layer, layer, format_named(name).metric or None)
        for result in results if isinstance(results, list) else [results]:
            assert result.pairs
            assert not [*result.errors]


@pytest.mark.parametrize("name", sorted({name for name, _ in WRITTEN}))
def test_a_graph_of_another_framework_is_refused_by_name(name: str) -> None:
    graph = Graph("zz7", "other", text="a", nodes=(Node(0, "a"),))
    if not format_named(name).frameworks:
        assert written(name, [graph])
        return
    with pytest.raises(GraphscoreError, match="'zz7'") as caught:
        written(name, [graph])
    said = "is of framework 'other'", "cannot hold it", "in graph 'zz7'"
    assert any(each in str(caught.value) for each in said)


ODD_NODE = Node("zz", "zz", (("kind", "zz"),))


def changes(graph: Graph) -> Iterator[tuple[str, Graph]]:
    """The graph with one thing in it that few formats have a place for."""
    put = msgspec.structs.replace
    for key in ("anchors", "label", "properties"):
        for place, node in enumerate(graph.nodes):
            others: dict[str, list[Any]] = {
                "anchors": [
                    (),
                    (*node.anchors, Anchor(0, 1)),
                    tuple(Anchor(a + 1, b + 1) for a, b in node.anchors),
                    tuple(Anchor(a, b - 1) for a, b in node.anchors if b - a > 1),
                ],
                "label": [None, "zz zz", 7, "kind"],
                "properties": [
                    (),
                    node.properties[:1],
                    (*node.properties, ("zz", 1)),
                    (*node.properties, ("score", 0.25)),
                    (*node.properties[1:], ("kind", "zz")),
                    (*node.properties, *node.properties[-1:]),
                ],
            }
            for value in others[key]:
                nodes = [*graph.nodes]
                nodes[place] = put(node, **{key: value})
                yield f"{key} {value} of node {place}", put(graph, nodes=tuple(nodes))
    for place, node in enumerate(graph.nodes[:6]):
        for source, target in ((node.id, graph.nodes[0].id), (node.id, "zz")):
            edges = (*graph.edges, Edge(source, target, "zz"))
            nodes = graph.nodes if target != "zz" else (*graph.nodes, ODD_NODE)
            yield f"an edge of node {place}", put(graph, nodes=nodes, edges=edges)
        yield f"a top {place}", put(graph, tops=(node.id,))
    for place, edge in enumerate(graph.edges[:6]):
        rest = graph.edges[:place], graph.edges[place + 1 :]
        yield f"no edge {place}", put(graph, edges=(*rest[0], *rest[1]))
        for key, value in (
            ("label", "zz"),
            ("label", None),
            ("attributes", (("zz", 1),)),
            ("target", edge.source),
            ("target", graph.nodes[0].id),
        ):
            changed = put(edge, **{key: value})
            edges = (*rest[0], changed, *rest[1])
            yield f"{key} {value} of edge {place}", put(graph, edges=edges)
        yield f"edge {place} twice", put(graph, edges=(*graph.edges, edge))
    yield "no tokens", put(graph, tokens=())
    yield "no text", put(graph, tokens=(), text="")
    yield "another token", put(graph, tokens=(*graph.tokens, Anchor(0, 1)))
    yield "a language", put(graph, language="zz")
    yield "a document", put(graph, document="zz")
    yield "fields", put(graph, extra={**graph.extra, "zz": {"a": [1, "é"]}})
    yield "no fields", put(graph, extra={})


def written_or_refused(name: str, graph: Graph) -> bytes | str:
    """A file of a graph, or why there is none."""
    try:
        return written(name, [graph])
    except GraphscoreError as error:
        return str(error)


@cases(WRITTEN)
def test_any_graph_is_laid_out_or_refused_with_its_item(
    name: str, sample: Sample
) -> None:
    """Whatever the graph is, what is written of it is read, and so from then on."""
    chosen = format_named(name)
    seen: set[str] = set()
    for graph in good(name, sample.data, sample.name):
        if graph.framework in seen or graph.framework in chosen.dependent:
            continue
        seen.add(graph.framework)
        for what, changed in changes(graph):
            data = written_or_refused(name, changed)
            if isinstance(data, str):
                assert repr(changed.id)[1:-1] in data, what
                continue
            reader = chosen.rereads([changed]) if chosen.rereads else chosen.read
            assert reader is not None
            back = graphs_of(reader(io.BytesIO(data), "a"))
            if not back or name in REFUSED_LATER:
                continue
            again = good(name, written(name, back))
            assert [x.digest() for x in again] == [x.digest() for x in back], what


@cases(CASES)
def test_nothing_but_documents_is_lost_in_mrp(name: str, sample: Sample) -> None:
    graphs = good(name, sample.data, sample.name)
    again = good("mrp", written("mrp", graphs))
    bare = [msgspec.structs.replace(each, document="") for each in graphs]
    assert repr(again) == repr(bare)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("store")
    with Store(str(folder / "runs.db"), mode="create") as made:
        yield made


@cases(WRITTEN)
def test_what_is_read_can_be_written_and_so_through_mrp(
    name: str, sample: Sample, tmp_path: Path
) -> None:
    graphs = good(name, sample.data, "without.an.ending")
    frameworks = {graph.framework for graph in graphs}
    chosen = format_named(name)
    assert not chosen.frameworks or frameworks <= {*chosen.frameworks}
    assert written(name, graphs)
    # Documents, which MRP does not have, are those of the file then.
    path = tmp_path / "through.mrp"
    path.write_bytes(written("mrp", graphs))
    again = [
        record.graph for record in read_file(path) if isinstance(record, ReadGraph)
    ]
    assert len(again) == len(graphs)
    assert written(name, again)


@cases(CASES)
def test_nothing_is_lost_in_a_store(
    store: Store, tmp_path: Path, name: str, sample: Sample
) -> None:
    path = Path(sample.name)
    if not path.is_absolute():
        path = tmp_path / "a"
        path.write_bytes(sample.data)
    reading = ReaderOptions(format=name)
    collection = f"{name} {path}"
    store.ingest(str(path), collection, reading=reading)
    number: Counter[tuple[str, str]] = Counter()
    expected = {}
    for graph in graphs_of(read_file(str(path), reading)):
        # Items without a name get their number.
        layer = graph.framework, graph.layer
        item = graph.id or str(number[layer])
        number[layer] += 1
        named = msgspec.structs.replace(graph, id=item)
        expected[layer, item] = repr(named)
    back = {
        ((each.framework, each.layer), each.id): repr(each)
        for each in store.graphs(collection)
    }
    assert back == expected


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_no_damage_breaks_the_reader(name: str, data: st.DataObject) -> None:
    chosen = format_named(name)
    sample = data.draw(st.sampled_from(SAMPLES[name]))
    raw = damaged(sample.data, data.draw(damages(len(sample.data))))
    records = read(name, raw, sample.name)
    check(records, name not in TEXTLESS)
    places = [*(chosen.beside(sample.name) if chosen.beside else ())]
    for problem in problems_of(records):
        if problem.file not in places:
            assert problem.file == sample.name
            assert problem.line is not None
            assert 1 <= problem.line <= raw.count(b"\n") + 1
    for graph in graphs_of(records):
        if graph.framework == "srl":
            sentence_of(graph)
    with suppress(InputError):
        told(raw, "-")
    if chosen.write is not None and name not in NORMALIZED:
        check_writing(chosen, records)
    if not sample.whole and name not in GUESSED:
        check_next(name, sample, raw)


def check_writing(chosen: Format, records: list[Record]) -> None:
    """What could be read is written and read again, told as lost, or refused."""
    # Where a layer is refused, others may lack what only that one says.
    refused = {record.line for record in records if isinstance(record, Rejected)}
    graphs = [
        record.graph
        for record in records
        if isinstance(record, ReadGraph)
        and record.line not in refused
        and record.graph.framework not in chosen.dependent
    ]
    lost: list[Graph] = []
    try:
        data = b"".join(
            round_trip.write_with_losses(
                chosen, graphs, lambda graph, _: lost.append(graph)
            )
        )
    except GraphscoreError:
        return
    layers = {graph.framework for graph in graphs}
    again = [g for g in graphs_of(read(chosen.name, data)) if g.framework in layers]
    assert len(again) == len(graphs)
    for graph, other in zip(graphs, again, strict=True):
        assert other.digest() == graph.digest() or graph in lost


def check_next(name: str, sample: Sample, raw: bytes) -> None:
    """A good record below a damaged file is read, at its place."""
    last = read(name, sample.data, sample.name)[-1]
    assert isinstance(last, ReadGraph)
    line = last.line + raw.count(b"\n") + 2
    anywhere = last.graph.framework in format_named(name).dependent
    # The last one need not come last: documents of several lines wait for all of them.
    assert any(
        isinstance(record, ReadGraph)
        and (anywhere or record.line == line)
        and record.graph.digest() == last.graph.digest()
        for record in read(name, raw + b"\n\n" + sample.data, sample.name)
    )


@pytest.mark.parametrize(("name", "damage", "below"), FOUND)
def test_what_campaigns_found_stays_mended(
    name: str, damage: bytes, below: bytes
) -> None:
    alone = read(name, damage)
    check(alone, name not in TEXTLESS)
    assert all(isinstance(record, Rejected) for record in alone)
    together = graphs_of(read(name, damage + below))
    assert [g.digest() for g in together] == [
        graph.digest() for graph in (good(name, below) if below else ())
    ]


@given(st.binary(max_size=200))
def test_no_bytes_break_a_reader(data: bytes) -> None:
    for name in NAMES:
        check(read(name, data), name not in TEXTLESS)
    with suppress(InputError):
        told(data, "-")
