"""Hostile files of semantic roles: one clear error, and good sentences survive."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from graphscore.correspondence import Budget
from graphscore.formats import read_file
from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from tests.conftest import ROOT

DATA = ROOT / "data" / "srl"

TABLE = b"""#begin document (a); part 000
a 0 0 Mei NN * - - - - * (ARG0*) -
a 0 1 sold NN * sell 01 - - * (V*) -
a 0 2 boats NN * - - - - * (ARG1*) -

#end document
"""

SAMPLES = {
    "conllu-srl": (DATA / "market.conllu").read_bytes(),
    "up": (DATA / "market.conllup").read_bytes(),
    "conll2009": (DATA / "market.conll09").read_bytes(),
    "conll2005": (DATA / "props" / "market.props").read_bytes(),
    "conll2012": TABLE,
}

FORMATS = sorted(SAMPLES)

METRICS = (
    *("primesrl", "primesrl(unit=span)", "conll05", "conll09"),
    "framenet",
)


def read(name: str, data: bytes) -> list[Record]:
    reader = format_named(name).read
    assert reader is not None
    found = list(reader(io.BytesIO(data), "a"))
    return [
        record
        for record in found
        if isinstance(record, Rejected) or record.graph.framework == "srl"
    ]


def problems(record: Record) -> list[str]:
    assert isinstance(record, Rejected), record
    return [str(each) for each in record.problems]


def score_all(records: list[Record]) -> None:
    """Every metric comes to an end, and finds a graph equal to itself."""
    for record in records:
        if isinstance(record, ReadGraph):
            for spelled in METRICS:
                metric = parse(spelled)
                prepared = (metric.prepare(record.graph),)
                outcome = metric.compare(
                    prepared, prepared, budget=Budget(), details=True
                )
                count = metric.scores(outcome.raw_counts).counts["all"]
                assert count.matched == count.gold == count.system, spelled


@pytest.mark.parametrize("name", ["conllu-srl", "up", "conll2009", "conll2005"])
def test_a_column_too_many_is_one_problem(name: str) -> None:
    data = SAMPLES[name]
    rows = data.splitlines(keepends=True)
    for at, row in enumerate(rows):
        if not row.strip() or row.startswith(b"#"):
            continue
        longer = [*rows]
        longer[at] = row.replace(b"\n", b"\t_\n")
        good, broken, again = read(name, data + b"".join(longer) + data)
        [found] = problems(broken)
        assert found.startswith(f"a:{len(rows) + at + 1}: found ")
        assert ", as " in found
        assert isinstance(good, ReadGraph)
        assert isinstance(again, ReadGraph)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("conllu-srl", "a:1: found 3 columns, expected ten or more columns with tabs "
         "between"),
        ("up", "a:1: found no columns, expected a line '# global.columns = ID ...' "
         "before"),
        ("conll2009", "a:1: found 3 columns, expected 14 columns and one for each "
         "predicate"),
    ],
)  # fmt: skip
def test_too_few_columns_are_one_problem(name: str, expected: str) -> None:
    broken, good = read(name, b"1\ta\tb\n2\tc\td\n\n" + SAMPLES[name])
    assert problems(broken) == [expected]
    assert isinstance(good, ReadGraph)


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("conllu-srl", b"\t9\tnsubj", b"\t12\tnsubj",
         "a:11:20: HEAD: found '12', expected 0 or the id of a word"),
        ("conllu-srl", b"\t9\tnsubj", b"\t-1\tnsubj",
         "a:11:20: HEAD: found '-1', expected 0 or the id of a word"),
        ("up", b"\t9\tnsubj", b"\t12\tnsubj",
         "a:12:20: HEAD: found '12', expected 0 or the id of a word"),
        ("up", b"A1:5", b"A1:12",
         "a:6:41: UP:ARGHEADS: found 'A1:12', expected LABEL:ID of a word, with | "
         "between"),
        ("conll2009", b"\t9\t9\tnsubj", b"\t12\t9\tnsubj",
         "a:8:29: HEAD: found '12', expected 0 or the id of a word"),
        ("conll2009", b"\n3\tthe", b"\n2\tthe", "a:3:1: ID: found '2', expected 3"),
        ("conllu-srl", b"\n3\tthe", b"\n2\tthe",
         "a:6:1: ID: found '2', expected the id 3"),
        ("up", b"\n3\tthe", b"\n2\tthe",
         "a:7:1: ID: found '2', expected the id 3"),
        ("conll2005", b"(A1*\t", b"(A1*)\t",
         "a:5:3: column 2: found an unmatched '*)', expected an opening "
         "bracket before it"),
        ("conll2005", b"*)\t*\n-\t*\t*", b"*\t*\n-\t*\t*",
         "a:3:3: column 2: found an unmatched '(A1', expected ) further down"),
        ("conll2012", b"(ARG1*)", b"(ARG1*",
         "a:4: column 12: found an unmatched '(ARG1', expected ) further "
         "down"),
        ("conllu-srl", b"Y\tregret.01", b"_\tregret.01",
         "a:4: found 1 words with the flag Y, expected 2, as there are 12 columns"),
        ("conll2009", b"Y\tregret.01", b"Y\t_",
         "a:1: found 1 predicates, expected 2, as there are 16 columns"),
        ("conll2005", b"regret\t", b"-\t",
         "a:1: found 1 target, expected 2, as there are so many columns of brackets"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_problem(
    name: str, old: bytes, new: bytes, expected: str
) -> None:
    data = SAMPLES[name]
    assert old in data
    records = read(name, data.replace(old, new, 1) + data)
    # CoNLL-2012: a broken column costs its sentence's roles only.
    broken = next(each for each in records if isinstance(each, Rejected))
    [found] = problems(broken)
    assert found.startswith(expected)
    good = [each for each in records if isinstance(each, ReadGraph)]
    assert len(good) == 1
    score_all([*good])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        # A word that governs itself, two that govern each other, no root at all.
        ("conllu-srl", b"\t2\tobj", b"\t5\tobj"),
        ("conllu-srl", b"\t0\troot", b"\t5\troot"),
        ("up", b"\t2\tobj", b"\t5\tobj"),
        ("up", b"\t0\troot", b"\t5\troot"),
        ("conll2009", b"\t2\t2\tobj", b"\t5\t5\tobj"),
        ("conll2009", b"\t0\t0\troot", b"\t5\t5\troot"),
    ],
)
def test_cycles_are_read_and_scored(name: str, old: bytes, new: bytes) -> None:
    assert old in SAMPLES[name]
    records = read(name, SAMPLES[name].replace(old, new))
    assert isinstance(records[0], ReadGraph)
    score_all(records)


@pytest.mark.parametrize("name", ["conllu-srl", "conll2009", "conll2005", "up"])
def test_nothing_but_underscores(name: str) -> None:
    """A predicate that is only flagged has no sense; without a flag it is none."""
    data = SAMPLES[name]
    for sense in (b"sell.01", b"regret.01"):
        data = data.replace(sense, b"_")
    records = read(name, data)
    if name == "conllu-srl":
        [record] = records
        assert isinstance(record, ReadGraph)
        assert [node.label for node in record.graph.nodes if node.id in ("p1", "p2")]
        assert all(
            node.label is None for node in record.graph.nodes if node.id in ("p1", "p2")
        )
        score_all(records)
    elif name == "conll2009":
        assert problems(records[0]) == [
            "a:1: found 0 predicates, expected 2, as there are 16 columns"
        ]
    elif name == "up":
        assert len(problems(records[0])) == 2
        assert "without a sense, expected a predicate" in problems(records[0])[0]
    else:
        score_all(records)


def test_damaged_words_cost_the_sentences_behind_them(tmp_path: Path) -> None:
    props = tmp_path / "x.props"
    props.write_bytes(SAMPLES["conll2005"] * 3)
    words = (DATA / "words" / "market.words").read_bytes()
    (tmp_path / "x.words").write_bytes(words + words.replace(b"Mei", b"\xff") + words)
    records = list(read_file(str(props)))
    assert [isinstance(each, ReadGraph) for each in records] == [True, False, True]
    [found] = problems(records[1])
    assert found == (
        f"{tmp_path / 'x.words'}:13:1: found bytes that are not UTF-8, expected UTF-8 "
        "text"
    )
    (tmp_path / "x.words").write_bytes(words)
    records = list(read_file(str(props)))
    assert [isinstance(each, ReadGraph) for each in records] == [True, False, False]
    assert problems(records[1]) == [
        f"{tmp_path / 'x.words'}: found no sentence for line 13 of {props}, expected "
        "the words of every sentence"
    ]
    os.remove(tmp_path / "x.words")
    (tmp_path / "x.words.gz").write_bytes(b"no gzip file")
    [record] = read_file(str(props))
    [found] = problems(record)
    assert (
        f"{tmp_path / 'x.words.gz'}: found truncated or damaged compressed data"
        in found
    )
