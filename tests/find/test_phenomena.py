"""Systems scored by files of patterns: what is counted, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.cli.main import cli
from graphscore.errors import InputError, UsageError
from graphscore.evaluation.stored import Store
from graphscore.find.grammar import parse
from graphscore.find.phenomena.reading import phenomena_of
from graphscore.find.scope import scope_of
from graphscore.model.graph import Edge, Graph, Node
from tests.conftest import ROOT
from tests.find.fates import fates, mirrored
from tests.find.test_oracle import changed, judged, patterns, random_graph, seeds

FILE = """
[[phenomenon]]
name = "role"
pattern = "pattern { V -[ARG1]-> A }"
frameworks = ["dm"]
source = "Somebody 2020"
"""


def written(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def toml(*asked: str, framework: str = "eds") -> str:
    return "\n".join(
        f"[[phenomenon]]\nname = 'p{number}'\npattern = '''{pattern}'''\n"
        f"frameworks = ['{framework}']\nsource = 'here'"
        for number, pattern in enumerate(asked)
    )


# What binds no node has no fate.
some = patterns(False).filter(lambda text: bool(scope_of(parse(text)).main.new))


@settings(max_examples=8)
@given(seeds, st.lists(some, min_size=4, max_size=4))
def test_hits_are_judged_as_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, seed: int, asked: list[str]
) -> None:
    chance = Random(seed)
    golds = [random_graph(chance, str(number)) for number in range(5)]
    systems = [changed(chance, graph) for graph in golds[:-1]]
    file = written(tmp_path_factory.mktemp("file"), toml(*asked))
    with Store("sqlite://", mode="create") as store:
        store.add(golds, "gold")
        store.add(systems, "system")
        store.score("gold", "system", "mrp")
        found = store.phenomena(file)
        pairs = judged(store, golds, systems)
    others = {name: mirrored(pair) for name, pair in pairs.items()}
    for pattern, (_, [tally]) in zip(asked, found.phenomena, strict=True):
        gold, system = fates(pattern, pairs), fates(pattern, others)
        expected = [gold[x] for x in ("right", "wrong", "lost")]
        expected += [system[x] for x in ("right", "wrong", "lost")]
        assert list(tally[1:]) == expected, pattern


def graph(*edges: Edge, labels: str = "abcd") -> Graph:
    nodes = tuple(Node(k, label) for k, label in enumerate(labels))
    return Graph("1", "dm", 0, nodes=nodes, edges=edges)


@pytest.fixture
def store() -> Iterator[Store]:
    gold = graph(Edge(0, 1, "ARG1"), Edge(0, 2, "ARG1"), Edge(2, 3, "ARG1"))
    with Store("sqlite://", mode="create") as found:
        found.add([gold], "gold")
        found.add([gold], "same")
        system = graph(Edge(0, 1, "ARG1"), Edge(0, 2, "ARG2"), Edge(3, 0, "ARG1"))
        found.add([system], "system")
        for name in ("same", "system"):
            found.score("gold", name, "smatch")
        yield found


def test_a_hit_is_right_or_wrong_or_missing(store: Store, tmp_path: Path) -> None:
    found = store.phenomena(written(tmp_path, FILE))
    assert (found.gold, found.metric) == ("gold", "smatch")
    assert found.systems == ("same", "system")
    [(phenomenon, (same, system))] = found.phenomena
    assert (phenomenon.name, phenomenon.source) == ("role", "Somebody 2020")
    assert same.to_dict() == {
        "system": "same",
        "gold_hits": 3,
        "right": 3,
        "wrong": 0,
        "missing": 0,
        "system_hits": 3,
        "system_right": 3,
        "system_wrong": 0,
        "surplus": 0,
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
    }
    assert (system.right, system.wrong, system.missing) == (1, 1, 1)
    assert (system.system_right, system.system_wrong, system.surplus) == (1, 0, 1)
    assert (system.precision, system.recall) == (1 / 2, 1 / 3)
    assert system.f1 == pytest.approx(0.4, abs=1e-15)
    assert [row["system"] for row in found] == ["same", "system"]


def test_a_phenomenon_without_a_hit_has_no_figures(
    store: Store, tmp_path: Path
) -> None:
    file = written(tmp_path, FILE + toml("pattern { X -[none]-> Y }", framework="dm"))
    found = store.phenomena(file, systems="system")
    [_, (_, [tally])] = found.phenomena
    assert (tally.gold_hits, tally.system_hits) == (0, 0)
    assert (tally.precision, tally.recall, tally.f1) == (None, None, None)


def test_what_is_not_clear_is_refused(store: Store, tmp_path: Path) -> None:
    file = written(tmp_path, FILE)
    with pytest.raises(UsageError, match="no collection 'sistem'"):
        store.phenomena(file, systems=["sistem"])
    with pytest.raises(UsageError, match="its phenomena are of amr; expected some of "):
        store.phenomena("amr")
    with pytest.raises(
        UsageError, match=r"arm: .*expected a file of phenomena, or one"
    ):
        store.phenomena("arm")
    store.score("gold", "same", "mrp")
    with pytest.raises(UsageError, match="--metric with one of: smatch, mrp"):
        store.phenomena(file, systems="same")
    # The only one that both have.
    assert store.phenomena(file).metric == "smatch"
    assert store.phenomena(file, metric="mrp").systems == ("same",)
    store.score("gold", "system", "sdp")
    with pytest.raises(UsageError, match="sdp"):
        store.phenomena(file, systems="same", metric="sdp")


def test_of_dependencies_what_is_not_right_is_what_errors_count(
    tmp_path: Path,
) -> None:
    with Store("sqlite://", mode="create") as store:
        store.ingest(ROOT / "data" / "dependencies" / "gold.conllu", "gold")
        store.ingest(ROOT / "data" / "dependencies" / "parser.conllu", "parser")
        store.score("gold", "parser", "las")
        labels = store.find("pattern { e: X -> Y }", gold="gold", by=["e.label"])
        hits = {each["e.label"]: each["hits"] for each in labels.groups}
        asked = [f'pattern {{ X -["{label}"]-> Y }}' for label in hits]
        found = store.phenomena(written(tmp_path, toml(*asked, framework="ud")))
        missing = dict(store.errors(by=["value"], top=1000, side="missing").rows)
        surplus = dict(store.errors(by=["value"], top=1000, side="surplus").rows)
    tallies = [tally for _, [tally] in found.phenomena]
    for label, tally in zip(hits, tallies, strict=True):
        assert tally.gold_hits == hits[label]
        assert tally.wrong + tally.missing == missing.get(label, 0), label
        assert tally.system_wrong + tally.surplus == surplus.get(label, 0), label
    assert sum(tally.wrong for tally in tallies) > 0
    assert sum(tally.missing for tally in tallies) > 0
    assert sum(tally.right for tally in tallies) > sum(hits.values()) / 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"role"', "7", ":3: name: found 7, expected a string"),
        ('name = "role"\n', "", ":2: found no name, expected name = "),
        ("source", "sauce", ":6: found the key 'sauce', expected one of: .*'source'"),
        ('"dm"', '"dn"', r":5: frameworks: found 'dn', expected a framework"),
        ('["dm"]', "[]", r":5: frameworks: found \[\], expected a list of names"),
        (
            "-> A",
            "-> ",
            r":4:35: phenomenon 'role', pattern: found '}', expected a nam",
        ),
        (" }", "; X << A }", r":4:37: .*: found no node X in the pattern"),
        ("}", "} without { missing(V) }", r":4:48: .*: found missing\(…\), expected a"),
        (
            "pattern {",
            "gold {",
            r":4:12: .*: found gold { … }, expected a pattern of o",
        ),
        ("V -[ARG1]-> A", "", r":4:12: .*: found no node that is bound, expected pat"),
        (
            "[[phen",
            "[[fen",
            r":2: found the key 'fenomenon', expected \[\[phenomenon\]",
        ),
        ('= "Some', '= "Some\n', r":6:\d+: found Illegal character"),
    ],
)
def test_a_file_is_told_what_is_wrong_and_where(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = written(tmp_path, FILE.replace(old, new, 1))
    with pytest.raises(InputError, match=f"^{file}{said}"):
        phenomena_of(file)


def test_a_file_is_told_all_that_is_wrong_with_it(tmp_path: Path) -> None:
    long = FILE.replace('"pattern { V', "'''\r\npattern {\r\n  V").replace(
        'A }"', "}'''"
    )
    file = written(tmp_path, "\r\n# Mine\r\n" + FILE + FILE + long)
    with pytest.raises(InputError) as caught:
        phenomena_of(file)
    assert [(x.line, x.column) for x in caught.value.problems] == [(11, None), (20, 15)]
    assert "another name than that of line 5" in str(caught.value)


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, ["find", *arguments])
    return done.exit_code, done.stdout, done.stderr


DATA = [str(ROOT / "data" / f"{name}.mrp") for name in ("gold", "alder", "birch")]


def test_the_verb_compares_systems_by_phenomena(tmp_path: Path) -> None:
    code, out, _ = run(*DATA, "--patterns", "ucca", "--table", "-q")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "F1 (mrp, against gold)"
    assert lines[1].split() == ["phenomenon", "gold", "alder", "birch"]
    assert max(map(len, lines)) < 80
    code, out, _ = run(*DATA[:2], "--patterns", "ucca", "--json")
    found = json.loads(out)
    assert (code, found["file"], found["systems"]) == (0, "ucca", ["alder"])
    first = found["phenomena"][0]
    assert [*first] == [
        *("name", "about", "source", "frameworks", "pattern", "systems"),
    ]
    assert first["systems"][0]["gold_hits"] == 7
    code, out, _ = run(*DATA[:2], "--patterns", "ucca", "--csv")
    assert out.splitlines()[0].startswith("phenomenon,system,gold_hits,right,wrong,mis")
    assert len(out.splitlines()) == 1 + len(found["phenomena"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            [*DATA[:2], "--patterns", "ucca", "--by", "X.label"],
            "--by goes with one PAT",
        ),
        ([*DATA[:2], "--patterns", "ucca", "--show"], "--show goes with one PATTERN"),
        ([DATA[0], "--patterns", "ucca"], "nothing to compare"),
        ([*DATA[:2], "--patterns", "ucca", "--gold", "gold"], "is not one"),
        ([*DATA[:2], "--patterns", "nothing"], "expected a file of phenomena"),
        ([DATA[0], "pattern { X [] }", "--system", "a", "--system", "b"], "one system"),
    ],
)
def test_the_verb_refuses_what_does_not_go_together(
    arguments: list[str], said: str
) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert said in " ".join(err.split())
