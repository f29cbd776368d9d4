"""Values of JSON: good ones below damaged ones, and any one in any place."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.formats.registry import format_named
from graphscore.formats.shared.json_values import values
from tests.formats.damage import check
from tests.formats.reading import FormatReader
from tests.formats.samples import SAMPLES

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


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
@settings(max_examples=50)
def test_no_value_in_any_place_breaks_a_reader(name: str, data: st.DataObject) -> None:
    reader = FormatReader(format_named(name), "a")
    records = json.loads(json.dumps(data.draw(st.sampled_from(JSON[name]))))
    place: Any = records
    *path, last = data.draw(st.sampled_from([*places(records)]))
    for key in path:
        place = place[key]
    place[last] = data.draw(json_values)
    raw = b"\n".join(json.dumps(record).encode() for record in records)
    check(reader.read(raw), name != "mrp")
