"""Rows of tokens and tags."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from graphscore.exceptions import UsageError
from graphscore.formats import ReaderOptions, ReadGraph, Rejected, read_file
from graphscore.formats.entities.token_rows import labels_of, reader_of
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

FORMAT = format_named("token-rows")
READER = FormatReader(FORMAT, "a.jsonl")

LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")


def row(*tags: Any, key: str = "ner_tags", **more: Any) -> str:
    tokens = ["Ada", "Lo", "saw", "Rome"][: more.pop("size", 4)]
    return json.dumps({"id": "7", "tokens": tokens, key: tags} | more) + "\n"


ROWS = row("B-PER", "I-PER", "O", "B-LOC") + row(
    "O", "O", "O", "I-LOC", key="tags", id="8", chunk_tags=[1, 2]
)


def test_tags_are_names_or_numbers(tmp_path: Path) -> None:
    named = READER.good(row("B-PER", "I-PER", "O", "B-LOC"))
    assert [(n.label, n.anchors) for n in named[0].nodes] == [
        ("PER", (Anchor(0, 6),)),
        ("LOC", (Anchor(11, 15),)),
    ]
    path = tmp_path / "a.jsonl"
    path.write_text(row(1, 2, 0, 3))
    [record] = read_file(str(path), ReaderOptions(labels=LABELS))
    assert isinstance(record, ReadGraph)
    assert record.graph.nodes == named[0].nodes
    assert ReaderOptions(labels=LABELS).identity != ReaderOptions().identity


def test_types_without_letters() -> None:
    stream = io.BytesIO(row(1, 1, 0, 2).encode())
    [record] = reader_of(("O", "person", "place"))(stream, "a.jsonl")
    assert isinstance(record, ReadGraph)
    assert [n.label for n in record.graph.nodes] == ["person", "place"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (row(0, 1, 0, 0), "$.ner_tags[0]: found 0, expected a name, or what numbers"),
        (row("PER", "O", "O", "O"), "$.ner_tags[0]: found 'PER', expected a tag: O"),
        (row("O"), "$.ner_tags: found 1 tag, expected one for each of 4 tokens"),
        (row("O", None, "O", "O"), "$.ner_tags[1]: found null, expected a tag"),
        (row("O", tokens=3), "$.tokens: found 3, expected a list"),
    ],
)
def test_what_is_wrong_costs_its_row(data: str, problem: str) -> None:
    said = READER.problems(data + ROWS)
    assert said[0].startswith("a.jsonl:1: ")
    assert problem in said[0]
    assert len([r for r in READER.read(data + ROWS) if isinstance(r, ReadGraph)]) == 2


def test_labels_are_a_list_or_a_file(tmp_path: Path) -> None:
    assert labels_of("O, B-PER,I-PER") == ("O", "B-PER", "I-PER")
    path = tmp_path / "labels"
    for text in ("O\nB-PER\n", '["O", "B-PER"]', '{"1": "B-PER", "0": "O"}'):
        path.write_text(text)
        assert labels_of(str(path)) == ("O", "B-PER")
    path.write_text('{"id2label": {"0": "O", "1": "B-PER"}}')
    assert labels_of(str(path)) == ("O", "B-PER")
    for text in ("", "[1]", '{"0": "O", "2": "B-PER"}', "{"):
        path.write_text(text)
        with pytest.raises(UsageError, match="names of tags"):
            labels_of(str(path))


def parquet(path: Path, tags: list[list[Any]], names: list[str] | None = None) -> str:
    """Write rows to a file of Parquet, with the metadata of a data set."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet as files

    rows = [["Ada", "Lo", "saw", "Rome"]] * len(tags)
    numbers = [*map(str, range(len(tags)))]
    table = arrow.table({"id": numbers, "tokens": rows, "ner_tags": tags})
    if names is not None:
        feature = {"feature": {"names": names, "_type": "ClassLabel"}}
        about = {"info": {"features": {"ner_tags": feature}}}
        table = table.replace_schema_metadata({"huggingface": json.dumps(about)})
    files.write_table(table, path)
    return str(path)


def test_parquet_has_rows_and_the_names_of_tags(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", [[1, 2, 0, 3]] * 1100, [*LABELS])
    records = [*read_file(path)]
    assert len(records) == 1100
    first, last = records[0], records[-1]
    assert isinstance(first, ReadGraph)
    assert isinstance(last, ReadGraph)
    assert [n.label for n in first.graph.nodes] == ["PER", "LOC"]
    assert (last.line, last.graph.id) == (1100, "1099")
    # The ending says nothing that the content does not.
    renamed = Path(path).rename(tmp_path / "rows")
    assert [*read_file(str(renamed))] == [
        r._replace(graph=replace(r.graph, document="rows"))
        for r in records
        if isinstance(r, ReadGraph)
    ]


def test_numbers_in_parquet_need_names(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", [[1, 2, 0, 3], [9, 0, 0, 0]])
    first, _ = read_file(path)
    assert isinstance(first, Rejected)
    assert str(first.problems[0]).startswith(f"{path}:1: $.ner_tags[0]: found 1, exp")
    _, second = read_file(path, ReaderOptions(labels=LABELS))
    assert isinstance(second, Rejected)
    assert f"{path}:2: $.ner_tags[0]: found 9" in str(second.problems[0])


@pytest.mark.parametrize("kept", [4, 100, -9])
def test_parquet_that_is_damaged_is_one_problem(tmp_path: Path, kept: int) -> None:
    path = Path(parquet(tmp_path / "a.parquet", [["O"] * 4]))
    path.write_bytes(path.read_bytes()[:kept])
    [record] = read_file(str(path))
    assert isinstance(record, Rejected)
    assert str(record.problems[0]).startswith(f"{path}:1: found Parquet that is damag")


def test_parquet_without_its_library_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'graphscore\[frames\]'"):
        READER.read(b"PAR1 and more")
