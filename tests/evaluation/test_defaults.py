"""Without a metric, what is there says which ones score it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphscore import Edge, Graph, Node, Options, Selection, Store, score
from graphscore.evaluation.default_metrics import (
    DetectedContent,
    SideContent,
    choices,
    describe_choice,
)
from graphscore.evaluation.scoring import default_metrics, score_files
from graphscore.evaluation.sources import base as source
from graphscore.evaluation.sources import files as filesource
from graphscore.exceptions import PairingError, StoreError, UsageError
from graphscore.formats import ReaderOptions
from graphscore.metrics.base import covers, takes
from graphscore.metrics.registry import parse, split_metrics
from graphscore.model.frameworks import FRAMEWORKS
from graphscore.model.frameworks import framework as known


def found(*gold: Graph, system: tuple[Graph, ...] = ()) -> DetectedContent:
    made = DetectedContent()
    for graph in gold:
        made.gold.take(graph)
    for graph in system:
        made.system.take(graph)
    return made


def names(*gold: Graph, system: tuple[Graph, ...] = ()) -> list[str]:
    return [str(each.metric) for each in choices(found(*gold, system=system))]


def of(framework: str, item: str = "1", label: str = "a", **more: Any) -> Graph:
    """A graph with what counts of its framework."""
    tuple_type = known(framework).counted
    properties = (("kind", tuple_type),) if tuple_type else ()
    return Graph(item, framework, nodes=(Node(0, label, properties),), **more)


def template(label: str | None, *slots: str) -> Graph:
    nodes = [Node(0, label, (("kind", "template"),))]
    nodes += [
        Node(k, "x", (("tuple_type", "value"),)) for k in range(1, len(slots) + 1)
    ]
    edges = [Edge(0, k, slot) for k, slot in enumerate(slots, 1)]
    return Graph("1", "template", nodes=tuple(nodes), edges=tuple(edges))


@pytest.mark.parametrize(
    ("framework", "metrics"),
    [
        *((name, ["mrp"]) for name in ("dm", "psd", "pas", "ccd", "eds")),
        *((name, ["mrp"]) for name in ("ucca", "ptg", "amr", "drg")),
        ("mine", ["mrp"]),
        ("ud", ["udeval"]),
        ("eud", ["elas"]),
        ("coref", ["conll"]),
        ("ner", ["ner"]),
        ("etree", ["eter"]),
        ("relation", ["relation"]),
        ("event", ["trigger", "argument"]),
        ("srl", ["primesrl"]),
        ("template", ["gtt"]),
    ],
)  # fmt: skip
def test_each_framework_has_its_metric(framework: str, metrics: list[str]) -> None:
    assert names(Graph("1", framework)) == metrics


@pytest.mark.parametrize(
    ("metric", "gold", "system", "expected"),
    [
        ("smatch", "amr", "amr", "smatch"),
        ("edm", "eds", "eds", "edm"),
        ("sdp", "dm", "dm", "sdp"),
        ("ucca", "ucca", "ucca", "ucca"),
        # The metric of a format scores what it is made for.
        ("smatch", "mine", "mine", "mrp"),
        ("smatch", "umr", "umr", "smatch"),
    ],
)
def test_the_format_of_gold_decides(
    metric: str, gold: str, system: str, expected: str
) -> None:
    content = DetectedContent()
    content.gold.take(of(gold), metric)
    content.system.take(of(system))
    assert [str(choice.metric) for choice in choices(content)] == [expected]
    content.gold.take(of(gold, "2"))
    assert [str(choice.metric) for choice in choices(content)] == names(of(gold))


AMR = "# ::id 1\n(d / dog)\n"


def test_files_stores_and_items_that_a_pattern_is_in_choose_alike(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "gold.amr")
    Path(path).write_text(AMR)
    [result] = score_files(path, path)
    assert (str(result.metric), result.because) == (
        "smatch",
        "the files hold meaning representations (amr)",
    )
    assert [str(choice.metric) for choice in default_metrics(path, path)] == ["smatch"]
    [given] = score_files(path, path, None, Options(reading=ReaderOptions("amr")))
    assert str(given.metric) == "smatch"
    [some] = score_files(path, path, None, Options(where="pattern { X [] }"))
    assert str(some.metric) == "smatch"
    with Store("sqlite://", mode="create") as store:
        store.ingest([path], "files")
        store.add([of("amr")], "memory")
        [choice] = store.default_metrics("files", "memory")
        assert str(choice.metric) == "smatch"
        [choice] = store.default_metrics("memory", "files")
        assert str(choice.metric) == "mrp"


def test_every_default_scores_its_framework() -> None:
    for name in FRAMEWORKS:
        for choice in choices(found(Graph("1", name))):
            assert covers(choice.metric, name), name


def test_several_come_in_the_order_of_the_table() -> None:
    order = ["template", "srl", "event", "relation", "etree", "ner", "coref", "eud"]
    graphs = [Graph("1", name) for name in (*order, "ud", "amr")]
    assert names(*graphs, system=tuple(graphs)) == [
        *("mrp", "udeval", "elas", "conll", "ner", "eter", "relation", "trigger"),
        *("argument", "primesrl", "gtt"),
    ]


@pytest.mark.parametrize(
    ("graph", "metric"),
    [
        (template("attack", "PERP: INDIVIDUAL ID", "HUM TGT: NAME"), "muc4"),
        (template(None, "PHYS TGT: ID"), "muc4"),
        (template(None, "PerpInd", "Victim"), "ceaf_ree"),
        (template(None), "ceaf_ree"),
        (template("attack", "PerpInd"), "gtt"),
        (Graph("1", "template"), "gtt"),
    ],
)
def test_templates_are_looked_at(graph: Graph, metric: str) -> None:
    assert names(graph) == [metric]
    # Gold that has none says nothing.
    assert names(Graph("1", "template"), system=(graph,)) == [metric]


def test_one_type_among_the_templates_is_enough() -> None:
    assert names(template(None, "Victim"), template("attack", "Victim")) == ["gtt"]


def test_enhanced_graphs_of_both_sides_count_and_nothing_else_of_the_system() -> None:
    both = of("ud"), of("eud")
    assert names(*both, system=both) == ["elas"]
    assert names(of("ud"), system=both) == ["udeval"]
    tree = of("ud", tops=(0,))
    assert names(tree, of("eud"), system=(of("ud"),)) == ["udeval"]
    assert names(tree, of("eud"), system=(tree, of("eud"))) == ["udeval", "elas"]
    # Words without a tree are nothing of their own beside the enhanced layer.
    assert names(of("ud"), of("eud"), system=(of("ud"),)) == ["elas"]
    assert names(of("ner"), system=(of("ner"), of("relation"))) == ["ner"]
    assert names(of("ner"), system=(of("ner"), of("eud"))) == ["ner"]
    assert names(system=(of("ner"),)) == ["ner"]


MENTIONS = Graph("1", "event", nodes=(Node(0, "PER", (("kind", "mention"),)),))


def test_layers_without_anything_are_not_there() -> None:
    empty = [Graph("1", name) for name in ("coref", "relation", "srl", "template")]
    assert names(of("ner"), *empty, MENTIONS) == ["ner"]
    # Gold says what there is, and that there was nothing if it has nothing at all.
    assert names(of("ner"), *empty, system=(of("relation"),)) == ["ner"]
    assert names(*empty[:2]) == ["conll", "relation"]
    assert names(Graph("1", "ud"), of("ner")) == ["ner"]


def test_only_what_the_system_has_is_said_to_be_left_out() -> None:
    gold = [of("ner"), Graph("1", "relation"), MENTIONS]
    result = score(gold, gold)
    assert str(result.metric) == "ner"
    assert not result.notes
    result = score(gold, [of("ner"), of("relation"), MENTIONS])
    assert result.notes == ["ner does not score relation: 1 graph left out"]


def test_events_that_come_late_are_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "HELD_GRAPHS", 4)
    graphs = [
        graph
        for number in range(9)
        for graph in (of("ner", str(number)), Graph(str(number), "event"))
    ]
    sides = written(tmp_path, *graphs, of("event", "last"))
    found = score_files(*sides)
    assert [str(each.metric) for each in found] == ["ner", "trigger", "argument"]
    assert not any(each.notes for each in found)
    assert found[1].pairs == 10


def test_reasons_are_said() -> None:
    made = choices(found(of("ud"), system=(of("eud"),)))
    assert [each.because for each in made] == ["the files hold basic dependencies"]
    assert choices(found(of("mine")))[0].because == "the files hold graphs of mine"
    assert describe_choice([(parse("ner"), "")]) == ""
    both = [(parse(name), "the files hold events") for name in ("trigger", "argument")]
    assert describe_choice(both) == (
        "trigger and argument, because the files hold events; -m chooses others"
    )


MIXED = [of("ner"), of("amr"), of("amr", "2"), of("mine"), of("ud")]


def test_a_metric_scores_what_it_is_made_for_named_or_not() -> None:
    results = score(MIXED, MIXED)
    assert [str(each.metric) for each in results] == ["mrp", "udeval", "ner"]
    mrp = results[0]
    assert mrp.frameworks == ["amr", "mine"]
    assert mrp.pairs == 3
    assert not mrp.notes
    named = score(MIXED, MIXED, "mrp")
    assert (named.signature, named.scores) == (mrp.signature, mrp.scores)
    assert named.notes == [
        "mrp does not score ner, ud unless --framework names it: 2 graphs left out"
    ]
    more = score(MIXED, MIXED, "mrp", framework=["amr", "ud"])
    assert (more.frameworks, more.pairs, more.notes) == (["amr", "ud"], 3, [])
    # Nobody names the metrics: each scores its own.
    both = score(MIXED, MIXED, framework=["amr", "ud"])
    assert [(str(x.metric), x.frameworks) for x in both] == [
        ("mrp", ["amr"]),
        ("udeval", ["ud"]),
    ]


def test_every_default_is_made_for_its_framework() -> None:
    for name, each in FRAMEWORKS.items():
        for metric in split_metrics(each.metric):
            assert takes(parse(metric), name), (name, metric)


@pytest.mark.parametrize(
    ("metric", "own"),
    [
        ("mrp", "dm psd pas ccd eds ucca amr ptg drg mine"),
        ("predications", "dm psd pas ccd eds ucca amr ptg drg mine"),
        ("sdp", "dm psd pas ccd"),
        ("edm", "eds dmrs"),
        ("ucca", "ucca"),
        ("smatch", "amr umr sbn drg"),
        ("finegrained", "amr umr sbn drg"),
        ("conll", "coref"),
        ("las", "ud"),
    ],
)
def test_what_metrics_are_made_for(metric: str, own: str) -> None:
    made = parse(metric)
    assert {x for x in (*FRAMEWORKS, "mine") if takes(made, x)} == {*own.split()}
    assert takes(made, "coref", ["coref"]) == (metric not in ("las",))
    assert not takes(made, "umrdoc", ["umrdoc"])


def test_formulas_score_what_they_find_and_say_so() -> None:
    labels = parse("f1(match(nodes(), exact(label)))")
    result = score(MIXED, MIXED, labels)
    assert result.scope.frameworks == ("amr", "mine", "ner", "ud")
    assert result.notes[-1] == (
        f"{labels} is made for no framework in particular and scored amr, mine, ner, "
        "ud together"
    )


def test_scores_and_signatures_are_those_of_metrics_that_are_named() -> None:
    gold = [of("ner"), of("relation"), of("event"), of("coref"), of("srl")]
    system = [of("ner", label="b"), of("relation"), of("event"), of("coref"), of("srl")]
    results = score(gold, system)
    named = score(gold, system, [str(each.metric) for each in results])
    assert [each.signature for each in results] == [each.signature for each in named]
    assert [each.scores for each in results] == [each.scores for each in named]
    assert all(each.because for each in results)
    assert not any(each.because for each in named)


def test_one_default_is_one_result() -> None:
    result = score([of("ner")], [of("ner")])
    assert str(result.metric) == "ner"
    assert result.because == "the graphs hold named entities"
    assert score([of("ner")], [of("ner")], "ner").because == ""


def test_nothing_at_all_is_no_score() -> None:
    with pytest.raises(PairingError, match="nothing to score: no graphs in <memory>"):
        score([], [])
    options = Options(Selection(layers=frozenset({"outer"}), items=frozenset({"9"})))
    with pytest.raises(PairingError, match=r"no graphs that take part.*compare --fram"):
        score(MIXED, MIXED, options=options)
    with Store("sqlite://", mode="create") as store:
        store.add(MIXED, "gold")
        with pytest.raises(PairingError, match="no graphs that take part in gold"):
            store.score("gold", "gold", options=options)


def test_a_selection_decides_what_is_there() -> None:
    options = Options(Selection(frameworks=frozenset({"ner"})))
    assert str(score(MIXED, MIXED, options=options).metric) == "ner"
    options = Options(Selection(items=frozenset({"2"})))
    assert str(score(MIXED, MIXED, options=options).metric) == "mrp"


def lines(*graphs: Graph) -> str:
    return "".join(
        json.dumps(
            {
                "id": each.id,
                "framework": each.framework,
                "version": 1.1,
                "nodes": [
                    {
                        "id": n.id,
                        "label": n.label,
                        "properties": [name for name, _ in n.properties],
                        "values": [value for _, value in n.properties],
                    }
                    for n in each.nodes
                ],
            }
        )
        + "\n"
        for each in graphs
    )


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that have been opened for reading, each time."""
    opened: list[str] = []
    read_file = filesource.read_file

    def counted(path: Any, *rest: Any) -> Any:
        opened.append(Path(path).name)
        return read_file(path, *rest)

    monkeypatch.setattr(filesource, "read_file", counted)
    return opened


def written(folder: Path, *graphs: Graph) -> tuple[str, str]:
    for name in ("gold", "system"):
        (folder / f"{name}.mrp").write_text(lines(*graphs))
    return str(folder / "gold.mrp"), str(folder / "system.mrp")


def test_files_of_one_framework_are_read_once(tmp_path: Path, reads: list[str]) -> None:
    sides = written(tmp_path, *(of("ud", str(k)) for k in range(2500)))
    [result] = score_files(*sides)
    assert str(result.metric) == "udeval"
    assert reads == ["gold.mrp", "system.mrp"]


def test_frameworks_of_one_metric_are_read_once_however_late_they_come(
    tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "HELD_GRAPHS", 3)
    sides = written(
        tmp_path, *(of(name, str(k)) for name in ("dm", "eds", "amr") for k in range(9))
    )
    [result] = score_files(*sides)
    assert result.because == "the files hold meaning representations (dm, eds, amr)"
    assert result.pairs == 27
    assert len(reads) == 2


def test_items_and_documents_are_two_passes_as_ever(
    tmp_path: Path, reads: list[str]
) -> None:
    sides = written(tmp_path, of("ner"), of("ud"), of("coref"), of("event"))
    results = score_files(*sides)
    assert [str(each.metric) for each in results] == [
        *("udeval", "conll", "ner", "trigger", "argument")
    ]
    assert len(reads) == 4


@pytest.mark.parametrize("late", ["ner", "eud", "coref", "mine"])
def test_what_comes_late_is_scored_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    graphs = [*(of("amr", str(k)) for k in range(20)), of(late, "last")]
    sides = written(tmp_path, *graphs)
    whole = score_files(*sides)
    monkeypatch.setattr(source, "HELD_GRAPHS", 3)
    again = score_files(*sides)
    assert [each.signature for each in again] == [each.signature for each in whole]
    assert [each.scores for each in again] == [each.scores for each in whole]
    assert [each.because for each in again] == [each.because for each in whole]
    assert again[0].frameworks == sorted({"amr", late} & {"amr", "mine"})
    assert default_metrics(*sides)[0].metric == whole[0].metric


def test_late_types_change_the_metric_of_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "HELD_GRAPHS", 1)
    graphs = [template(None, "Victim"), template("attack", "Victim")]
    gold = [Graph(str(k), "template", nodes=g.nodes, edges=g.edges)
            for k, g in enumerate(graphs)]  # fmt: skip
    assert str(score(gold, gold).metric) == "gtt"


def test_what_is_held_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "HELD_GRAPHS", 5)
    taken = []

    def endless() -> Iterator[Graph]:
        for number in range(100):
            taken.append(number)
            yield of("ner", str(number))

    side = source.GraphSource(endless(), Selection())
    side.peek(SideContent())
    assert len(taken) == 5
    units = side.units("item", lambda _: True)
    assert [unit.item for unit in units] == [str(number) for number in range(100)]


def test_standard_input_is_enough_for_every_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def given(*graphs: Graph) -> str:
        stream = io.TextIOWrapper(io.BytesIO(lines(*graphs).encode()))
        monkeypatch.setattr("sys.stdin", stream)
        return written(tmp_path, *graphs)[1]

    [result] = score_files("-", given(of("ner"), of("ner", "2")))
    assert result.pairs == 2
    assert str(result.metric) == "ner"
    found = score_files("-", given(of("ner"), of("ud")))
    assert {str(each.metric): each.pairs for each in found} == {"ner": 1, "udeval": 1}
    given(of("ner"))
    with pytest.raises(UsageError, match="name the metric"):
        default_metrics("-", [of("ner")])


def test_a_store_chooses_alike() -> None:
    gold = [*MIXED, template(None, "Victim")]
    with Store("sqlite://", mode="create") as store:
        store.add(gold, "gold")
        store.add(gold, "system")
        results = store.score("gold", "system")
        files = score(gold, gold)
        assert [str(each.metric) for each in results] == [
            str(each.metric) for each in files
        ]
        assert [each.scores for each in results] == [each.scores for each in files]
        assert results[0].because == (
            "the collections hold abstract meaning representation and graphs of mine"
        )
        assert not any(each.notes for each in results)
        store.add([of("ner"), Graph("1", "coref"), MENTIONS], "bare")
        [only] = store.default_metrics("bare", "bare")
        assert str(only.metric) == "ner"
        again = store.score("gold", "system")
        assert all(each.reused == each.pairs for each in again)


def test_an_evaluation_is_there_under_its_scope_only() -> None:
    with Store("sqlite://", mode="create") as store:
        store.add(MIXED, "gold")
        store.add(MIXED, "system")
        store.score("gold", "system")
        mrp = parse("mrp")
        there = Options(Selection(frameworks=frozenset({"amr", "mine"})))
        assert store.holds("gold", "system", mrp, there)
        assert store.holds("gold", "system", mrp)
        other = Options(Selection(frameworks=frozenset({"amr"})))
        assert not store.holds("gold", "system", mrp, other)
        many = Options(Selection(frameworks=frozenset("abcdef")))
        assert not store.holds("gold", "system", parse("ner"), many)
        store.add([of("amr", "9")], "system")
        with pytest.raises(StoreError, match=r"mrp is stale .* score again"):
            store.holds("gold", "system", mrp)
