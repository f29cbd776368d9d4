"""A good value below a damaged one is found, whichever way the file begins."""

from __future__ import annotations

import io

import pytest

from graphscore.formats.shared.json_values import values

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
