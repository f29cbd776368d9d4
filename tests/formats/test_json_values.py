"""Values of JSON: good ones below damaged ones, any one in any place, further fields.

Formats of JSON have no such tests of their own.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.shared.json_values import values
from tests.formats.damage import check
from tests.formats.reading import FormatReader
from tests.formats.samples import SAMPLES
from tests.formats.test_contract import check_writing

GOOD = b'{"id": "2", "words": ["a"]}'


@pytest.mark.parametrize(
    "damaged",
    [
        b'[{""d": "1", "words": ["a"]}\n\n',
        b'[{"id": "1", "words": ["a"}\n',
        b'\t{"id": "1", "words": ["a"\n\n',
        b'\t{"id": "1", "words": [\n',
        b'{"id": "1", "wor\n',
    ],
)
def test_what_begins_a_line_below_is_a_value(damaged: bytes) -> None:
    found = [*values(io.BytesIO(damaged + GOOD + b"\n"), 1000)]
    line = damaged.count(b"\n") + 1
    assert (line, GOOD) in [(number, raw.strip()) for number, raw in found]


def test_a_file_printed_for_people_is_no_file_of_lines() -> None:
    printed = b'[{\n"id": "1",\n"inner":\n{"a": 1}},\n{"id": "2"}]'
    found = [raw for _, raw in values(io.BytesIO(printed), 1000)]
    assert found == [b'{\n"id": "1",\n"inner":\n{"a": 1}}', b'{"id": "2"}']


Path = tuple[str | int, ...]


def records_of(data: bytes) -> list[Any]:
    """The JSON values of a file of one or of many; none of another file."""
    for pieces in ([data], data.splitlines()):
        try:
            return [json.loads(piece) for piece in pieces]
        except ValueError:
            continue
    return []


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places of everything in a value."""
    found = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in found:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


JSON = {
    name: [found for sample in samples if (found := records_of(sample.data))]
    for name, samples in SAMPLES.items()
}
CASES = sorted(name for name, files in JSON.items() if files)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.sampled_from(("", "E1", 0.5, 10**30)),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(
        st.sampled_from(("id", "start", "end", "text", "label")), inner
    ),
    max_leaves=12,
)  # fmt: skip


def changed(records: list[Any], path: Path, value: Any) -> bytes:
    """The file with another value in a place."""
    records = json.loads(json.dumps(records))
    place: Any = records
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return b"\n".join(json.dumps(record).encode() for record in records)


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_no_value_in_any_place_breaks_a_reader_or_writer(
    name: str, data: st.DataObject
) -> None:
    """What is read with it is written and read again, told as lost or refused."""
    chosen = format_named(name)
    records = data.draw(st.sampled_from(JSON[name]))
    path = data.draw(st.sampled_from([*places(records)]))
    found = FormatReader(chosen, "a").read(
        changed(records, path, data.draw(json_values))
    )
    check(found, name != "mrp")
    if chosen.write is not None:
        check_writing(chosen, found)


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_said_with_its_line_and_path(name: str) -> None:
    """A path leads to the wrong value, around it, or into it; or names its item."""
    reader = FormatReader(format_named(name), "a")
    named = 0
    for records in JSON[name]:
        for path in places(records):
            for value in (None, {"zz": [[]]}, [[7]], -7, "zz zz"):
                data = changed(records, path, value)
                for record in reader.read(data):
                    if not isinstance(record, Rejected):
                        continue
                    for problem in record.problems:
                        assert problem.file == "a"
                        assert problem.line is not None
                        assert 1 <= problem.line <= len(records)
                        assert problem.found
                        assert problem.expected
                        named += problem.where.startswith("$")
    assert named


UNKEPT = {
    "coref-jsonlines-exclusive": "it is only read",
    "dygie-gold": "it is only read",
    "label-studio-predictions": "it is only read",
    "preco": "it is only read",
}
"""Formats that are not written, or whose records have no fields of their own."""

TEXTS = {"doctext", "input", "segment-text", "sents", "sentences", "text", "tokens"}
TEXTS |= {"cats", "paragraphs", "passages", "token", "words"}
"""Keys of which a record has one."""

FURTHER = [1, {"a": "é"}]


@pytest.mark.parametrize("name", CASES)
def test_further_fields_of_a_record_are_kept_and_written(name: str) -> None:
    chosen = format_named(name)
    assert (chosen.write is None) is (name in UNKEPT)
    if chosen.write is None:
        return
    kept = 0
    for records in JSON[name]:
        for path in ((), *places(records)):
            value: Any = records
            for key in path:
                value = value[key]
            if not isinstance(value, dict) or not TEXTS & value.keys():
                continue
            outer = ("documents", "entries")
            if any(isinstance(step, str) and step not in outer for step in path[:-1]):
                continue  # within a record
            data = changed(records, (*path, "zz"), FURTHER)
            graphs = FormatReader(chosen, "a").good(data)
            assert FURTHER in [*values_in(records_of(b"".join(chosen.write(graphs))))]
            kept += 1
    assert kept


def values_in(value: Any) -> Iterator[Any]:
    """Everything in a value, and it itself."""
    yield value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from values_in(inner)
