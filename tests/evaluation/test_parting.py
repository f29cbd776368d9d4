"""Parts of an evaluation, however many, add up to one run bit by bit."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore import Edge, Graph, Node, References
from graphscore.errors import InputError, PairingError, UsageError
from graphscore.evaluation.files import score_files
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.pairing import Pairing
from graphscore.evaluation.parting.scoring import part_of, score_part
from graphscore.evaluation.parting.splitting import score_split, split
from graphscore.evaluation.parting.sums import Sums, merge
from graphscore.evaluation.result import Result
from graphscore.evaluation.units import Unit
from graphscore.formats import Reading, read_file
from graphscore.metrics.registry import parse
from tests.conftest import ROOT

DATA = ROOT / "data"
GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))
TREES = DATA / "dependencies"
COREF = DATA / "coreference"
IE = DATA / "ie"


def graphs_of(path: str) -> list[Graph]:
    return [each.graph for each in read_file(path, Reading())]  # type: ignore[union-attr]


def said(result: Result, per_item: bool = True) -> tuple[Any, ...]:
    """All that anybody is told of a result, byte by byte."""
    return (
        json.dumps(result.to_dict(("framework", "document"), per_item)),
        result.notes,
        result.rejected,
        result.surplus_system,
        [(key, [*each.items()]) for key, each in result.masses.items()],
    )


def parts_of(
    gold: Any,
    system: Any,
    metrics: Sequence[str] | None,
    options: Options,
    of: int,
    units: bool = True,
) -> list[Sums]:
    asked = None if metrics is None else [*map(parse, metrics)]
    return [
        score_part(gold, system, asked, options, part=(part, of), units=units)
        for part in range(1, of + 1)
    ]


def told(sums: Sums) -> str:
    """All that sums hold, exact sums of doubles included."""
    return repr(
        (
            *(sums.of, sums.parts, sums.units, sums.version),
            [
                (
                    *(str(each.metric), each.findings, each.compared, each.unproven),
                    [
                        (key, group.first, group.firsts, group.in_order())
                        for key, group in each.groups.items()
                    ],
                    [
                        sorted(group.masses.exact.items())
                        for group in each.groups.values()
                    ],
                    each.items,
                )
                for mine in sums.systems
                for each in mine
            ],
        )
    )


def split_apart(
    gold: Any, system: Any, metrics: Sequence[str] | None, options: Options, of: int
) -> list[Sums]:
    """The sums of every part, where files were split before."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "parts"
        split(gold, [system], metrics, options, folder=target, parts=of)
        assert len([*target.iterdir()]) > 1
        return [
            score_split(target, part=(part, of), units=True)
            for part in range(1, of + 1)
        ]


def same_as_one_run(
    gold: Any,
    system: Any,
    metrics: Sequence[str] | None = None,
    options: Options | None = None,
    ns: Sequence[int] = (5,),
) -> list[Result]:
    """Hold merges of N parts, which came from other processes, against one run."""
    chosen = options or Options()
    asked = None if metrics is None else [*map(parse, metrics)]
    kept = replace(chosen, per_item=True, parts=True)
    whole = score_files(gold, system, asked, kept)
    for of in ns:
        parts = parts_of(gold, system, metrics, chosen, of)
        if of == ns[-1]:
            apart = split_apart(gold, system, metrics, chosen, of)
            assert [*map(told, apart)] == [*map(told, parts)]
        Random(of).shuffle(parts)
        read = [pickle.loads(pickle.dumps(each)) for each in parts]
        [found] = merge(read).results()
        assert [*map(said, found)] == [*map(said, whole)]
        assert sum(len(each.parts) for each in read) == of
        for number, one in enumerate(whole):
            compared = [each.systems[0][number].compared for each in read]
            assert sum(compared) == one.pairs
            assert of == 1 or one.pairs < 8 or max(compared) < one.pairs
    return whole


@pytest.mark.parametrize(
    ("gold", "system", "metrics"),
    [
        (GOLD, BIRCH, ["mrp", "smatch"]),
        (GOLD, BIRCH, None),
        (COREF / "key.conll", COREF / "response.conll", ["b3", "lea", "ceafe"]),
        (COREF / "key.conll", COREF / "response.conll", ["blanc", "conll"]),
        (TREES / "gold.conllu", TREES / "parser.conllu", ["las", "mlas"]),
        (DATA / "ner" / "gold.iob2", DATA / "ner" / "tagger.iob2", ["ner"]),
        (IE / "abstracts.jsonl", IE / "abstracts.predicted.jsonl", None),
    ],
    ids=["mrp", "default", "coref", "blanc", "las", "ner", "ie"],
)
def test_parts_add_up_to_one_run(
    gold: object, system: object, metrics: list[str] | None
) -> None:
    same_as_one_run(str(gold), str(system), metrics, ns=(1, 2, 3, 7))


def test_languages_on_one_side_only() -> None:
    gold = graphs_of(GOLD)
    system = [
        msgspec.structs.replace(each, language="eng") for each in graphs_of(ALDER)
    ]
    [result] = same_as_one_run(gold, system[::-1], ["mrp"])
    assert not result.missing_system


def test_a_part_is_the_same_whatever_the_language() -> None:
    pairing: Pairing[Unit] = Pairing()
    units = [Unit((Graph(f"s{n}", "dm"),), f"s{n}", "", None) for n in range(300)]
    there = [part_of(_pair(0, unit), pairing, 3) for unit in units]
    assert there == [
        part_of(
            _pair(n, replace(unit, graphs=(Graph(unit.item, "dm", language="eng"),))),
            pairing,
            3,
        )
        for n, unit in enumerate(units)
    ]
    assert min(Counter(there).values()) > 70


def _pair(position: int, unit: Unit) -> Any:
    from graphscore.evaluation.pairing import Pair

    return Pair(position, unit, unit)


def test_documents_that_end_elsewhere_are_joined(tmp_path: Path) -> None:
    text = (TREES / "parser.conllu").read_text(encoding="utf-8")
    sentences = text.strip().split("\n\n")
    cut = "\n\n".join(
        f"# newdoc id = d{n}\n{each}" if n % 2 else each
        for n, each in enumerate(
            "\n".join(x for x in s.split("\n") if not x.startswith("# newdoc"))
            for s in sentences
        )
    )
    system = tmp_path / "system.conllu"
    system.write_text(cut + "\n\n", encoding="utf-8")
    [result] = same_as_one_run(str(TREES / "gold.conllu"), str(system), ["las"])
    assert any("documents do not begin and end" in note for note in result.notes)


def test_pairs_by_order_and_ids_that_name_nothing() -> None:
    gold, system = (
        [each for each in graphs_of(path) if each.framework == "dm"]
        for path in (GOLD, ALDER)
    )
    same_as_one_run(gold, system, ["mrp"], Options(pair="order"))
    alike = [msgspec.structs.replace(each, id="x") for each in system]
    [result] = same_as_one_run(gold, alike, ["mrp"])
    assert any("paired by order" in note for note in result.notes)
    unnamed = [msgspec.structs.replace(each, id="") for each in system]
    nameless = [msgspec.structs.replace(each, id="") for each in gold]
    same_as_one_run(nameless, unnamed, ["mrp"])


def test_what_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    lines = Path(BIRCH).read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3][:-20]
    lines[5] = '{"id": 7'
    lines += [lines[0], lines[1]]
    system = tmp_path / "bad.mrp"
    system.write_text("\n".join(lines) + "\n", encoding="utf-8")
    [result] = same_as_one_run(GOLD, str(system), ["mrp"])
    assert result.rejected_records == 4
    with pytest.raises(InputError, match="the gold side cannot be used"):
        score_part(str(system), GOLD, [parse("mrp")], part=(2, 3))


def test_more_parts_than_items() -> None:
    same_as_one_run(GOLD, ALDER, ["mrp"], Options(Selection(frameworks={"dm"})), [20])  # type: ignore[arg-type]


def test_other_texts_and_other_frameworks_are_noted() -> None:
    gold, system = graphs_of(GOLD), graphs_of(ALDER)
    changed = [
        msgspec.structs.replace(each, text=each.text.replace("e", "ee", 1))
        if n % 3 == 0
        else each
        for n, each in enumerate(system)
    ]
    results = same_as_one_run(gold, changed, ["edm"], ns=[3])
    assert any("the text differs" in note for each in results for note in each.notes)
    files = str(IE / "abstracts.jsonl"), str(IE / "abstracts.predicted.jsonl")
    [result] = same_as_one_run(*files, ["ner"], ns=[3])
    assert any("does not score" in note for note in result.notes)


def test_sums_without_units_have_no_items() -> None:
    parts = parts_of(GOLD, ALDER, ["mrp"], Options(), 2, units=False)
    [[found]] = merge(parts).results()
    [whole] = score_files(GOLD, ALDER, [parse("mrp")])
    assert said(found, False) == said(whole, False)
    assert found.items == []


def test_several_workers_change_nothing() -> None:
    one, two = (
        score_part(GOLD, ALDER, None, Options(jobs=jobs), part=(1, 2), units=True)
        for jobs in (1, 2)
    )
    assert told(one) == told(two)


labels = st.sampled_from(["a", "b", "c"])


@st.composite
def sides(draw: st.DrawFn) -> tuple[list[Graph], list[Graph]]:
    """Small graphs, of which each side lacks some, in orders of their own."""
    found: tuple[list[Graph], list[Graph]] = ([], [])
    for framework in ("dm", "eds"):
        for number in range(draw(st.integers(1, 4))):
            for side in found:
                if side and draw(st.integers(0, 5)) == 0:
                    continue
                nodes = tuple(
                    Node(n, draw(labels)) for n in range(draw(st.integers(1, 3)))
                )
                edges = tuple(Edge(0, each.id, draw(labels)) for each in nodes[1:])
                language = (
                    draw(st.sampled_from(["", "eng"])) if side is found[0] else ""
                )
                side.append(
                    Graph(f"i{number}", framework, 0 if framework == "dm" else 1,
                          language, nodes=nodes, edges=edges, tops=(0,))
                )  # fmt: skip
    gold, system = found
    return gold, draw(st.permutations(system))


@settings(max_examples=15, deadline=None)
@given(sides(), st.integers(1, 5), st.randoms(use_true_random=False))
def test_any_tree_of_merges_is_one_run(
    both: tuple[list[Graph], list[Graph]], of: int, random: Random
) -> None:
    gold, system = both
    try:
        whole = score_files(gold, system, [parse("mrp")])
    except PairingError as error:
        with pytest.raises(PairingError, match=re.escape(str(error))):
            parts_of(gold, system, ["mrp"], Options(), of)
        return
    parts = parts_of(gold, system, ["mrp"], Options(), of, units=False)
    while len(parts) > 1:
        random.shuffle(parts)
        parts = [reduce(Sums.with_other, parts[:2]), *parts[2:]]
    assert [said(x, False) for x in parts[0].results()[0]] == [
        said(x, False) for x in whole
    ]


def test_a_part_missing_or_there_twice() -> None:
    parts = parts_of(GOLD, ALDER, ["mrp"], Options(), 3)
    with pytest.raises(InputError, match=r"part 2 is missing of 3 parts"):
        merge([parts[2], parts[0]]).results()
    with pytest.raises(InputError, match=r"parts 2, 3 are missing of 3 parts"):
        parts[0].results()
    with pytest.raises(InputError, match=r"1/3.*each part once"):
        merge([parts[0], parts[1], parts[0]])


@pytest.mark.parametrize(
    ("system", "metric", "options", "of", "units", "found"),
    [
        (BIRCH, "mrp", Options(), 2, True, "system: found .*birch"),
        (ALDER, "smatch", Options(), 2, True, "metrics: found smatch, expected mrp"),
        (ALDER, "mrp", Options(), 3, True, "parts: found 3, expected 2, as in a"),
        (ALDER, "mrp", Options(ids="wsj"), 2, True, "ids: found wsj, expected none"),
        (ALDER, "mrp", Options(), 2, False, "units: found not kept, expected kept"),
    ],
    ids=["system", "metric", "number", "ids", "units"],
)
def test_a_foreign_part_is_named(
    system: str, metric: str, options: Options, of: int, units: bool, found: str
) -> None:
    mine = score_part(GOLD, ALDER, [parse("mrp")], part=(1, 2), units=True)
    other = score_part(
        GOLD, system, [parse(metric)], options, part=(2, of), units=units
    )
    with pytest.raises(InputError, match=f"^b: .*{found}"):
        merge([replace(mine, parts={1: "a"}), replace(other, parts={2: "b"})])


def test_a_part_of_changed_files_is_foreign() -> None:
    gold, system = graphs_of(GOLD), graphs_of(ALDER)
    mine = score_part(gold, system, [parse("mrp")], part=(1, 2))
    nodes = (*system[9].nodes[:-1], Node(system[9].nodes[-1].id, "other"))
    system[9] = msgspec.structs.replace(system[9], nodes=nodes)
    other = score_part(gold, system, [parse("mrp")], part=(2, 2))
    with pytest.raises(InputError, match="fingerprint of the system"):
        merge([mine, other])
    with pytest.raises(InputError, match=r"version: found 0\.0"):
        merge([mine, replace(other, version="0.0")])


def test_a_damaged_manifest_is_one_error(tmp_path: Path) -> None:
    target = tmp_path / "parts"
    split(GOLD, [ALDER], "mrp", folder=target, parts=2)
    manifest = target / "split.json"
    raw = manifest.read_bytes()
    envelope = json.loads(raw)
    content = envelope["content"]

    def resealed(**changes: Any) -> bytes:
        sums = {**content["sums"], **changes}
        inner = json.dumps({**content, "sums": sums}).encode()
        digest = hashlib.blake2b(inner, digest_size=16).hexdigest()
        return (
            json.dumps({**envelope, "digest": digest, "content": None})
            .encode()
            .replace(b'"content": null', b'"content": ' + inner)
        )

    [[metric]] = content["sums"]["systems"]
    for damaged, said_of_it in (
        (b"", "something else"),
        (Path(GOLD).read_bytes()[:500], "something else"),
        (raw[:-40], "damaged or truncated"),
        (raw.replace(b'"pairs":', b'"pairs":1', 1), "damaged"),
        (b"\xff\xfe" + raw, "something else"),
        (raw.replace(b'"split"', b'"page"', 1), "page"),
        (raw.replace(b'"revision":2', b'"revision":9', 1), "revision 9"),
        (resealed(of=-1), "number of parts"),
        (resealed(of="two"), "content"),
        (resealed(systems=[[{**metric, "metric": "mrpp"}]]), "metric"),
        (b'{"graphscore":"split","content":' + b"[" * 10**5, "damaged"),
    ):
        manifest.write_bytes(damaged)
        with pytest.raises(InputError, match=re.escape(said_of_it)) as caught:
            score_split(target, part=(1, 2))
        assert str(caught.value).startswith(f"{manifest}: ")
    manifest.write_bytes(resealed())
    assert score_split(target, part=(1, 2)).of == 2


def test_no_file_runs_code(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from graphscore.similarity import *\nm = f1(match(nodes(), exact(label)))\n",
        encoding="utf-8",
    )
    metric = parse(f"{own}:m")
    target = tmp_path / "parts"
    split(GOLD, [ALDER], [metric], folder=target, parts=2)
    own.write_text("raise SystemExit(9)\n", encoding="utf-8")
    with pytest.raises(InputError, match="named among the metrics"):
        score_split(target, part=(1, 2))
    parts = [score_split(target, [metric], part=(part, 2)) for part in (1, 2)]
    [found] = merge(parts).results()
    assert found[0].pairs == 73


def test_what_has_no_parts() -> None:
    for part in ((0, 3), (4, 3), (1, 0)):
        with pytest.raises(UsageError, match="expected K/N"):
            score_part(GOLD, ALDER, part=part)
    with pytest.raises(UsageError, match="references"):
        score_part(References(GOLD, GOLD), ALDER, part=(1, 2))  # type: ignore[arg-type]
    where = Options(where="pattern { X -> Y }")
    with pytest.raises(UsageError, match="pattern"):
        score_part(GOLD, ALDER, [parse("mrp")], where, part=(1, 2))
    with pytest.raises(PairingError, match="nothing to score"):
        score_part(GOLD, ALDER, [parse("ner")], part=(1, 2))
    with pytest.raises(ValueError, match="no sums"):
        merge([])


def test_a_split_folder_is_read_with_care(tmp_path: Path) -> None:
    target = tmp_path / "parts"
    asked = ["mrp", "edm"]
    split(GOLD, [ALDER, BIRCH], asked, folder=target, parts=2)
    with pytest.raises(UsageError, match="there already"):
        split(GOLD, [ALDER], asked, folder=target, parts=2)
    with pytest.raises(UsageError, match="was split into 2"):
        score_split(target, part=(1, 3))
    with pytest.raises(UsageError, match="was split for edm, mrp"):
        score_split(target, ["smatch"], part=(1, 2))
    with pytest.raises(InputError, match="the manifest"):
        score_split(tmp_path, part=(1, 2))
    both = merge(score_split(target, "edm", part=(part, 2)) for part in (2, 1))
    for system, [found] in zip((ALDER, BIRCH), both.results(), strict=True):
        whole = score_files(GOLD, system, [parse(name) for name in asked])[1]
        assert said(found, False) == said(whole, False)
    file = target / "system2-pass1-part1.jsonl"
    raw = file.read_bytes()
    lines = raw.splitlines(keepends=True)
    for damaged, told in (
        (b"".join(lines[:-1]), "a changed file"),
        (raw[:-9], "a damaged line"),
        (b"[" * 10**5, "a damaged line"),
        (raw.replace(b'"text":"', b'"text":" ', 1), "a changed file"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match=f"{file.name}.*{told}"):
            score_split(target, part=(1, 2))
    file.unlink()
    with pytest.raises(InputError, match="no such file"):
        score_split(target, part=(1, 2))
    manifest = target / "split.json"
    manifest.write_bytes(manifest.read_bytes()[:-4])
    with pytest.raises(InputError, match=r"split\.json: .*damaged or truncated"):
        score_split(target, part=(1, 2))


def test_nothing_is_left_of_a_split_that_failed(tmp_path: Path) -> None:
    graph = Graph("1", "amr", 2, nodes=(Node(0, float("nan")),))
    with pytest.raises(UsageError, match="item 1 has values that JSON cannot hold"):
        split([graph], [[graph]], "mrp", folder=tmp_path / "parts", parts=2)
    with pytest.raises(PairingError):
        split(GOLD, [ALDER], "ner", folder=tmp_path / "parts", parts=2)
    assert not [*tmp_path.iterdir()]
