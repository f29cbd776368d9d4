"""What is said of a file is short, however long the values in it are."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from itertools import chain

import pytest

from graphscore.duplicates import folded
from graphscore.exceptions import GraphscoreError, listed
from graphscore.formats.base import Record, Rejected
from graphscore.formats.registry import format_named
from graphscore.validation import Finding, left_out, unreadable, validate
from tests.formats.samples import SAMPLES

PLACES = 6
"""Values of each sample that are replaced, evenly over it."""

VALUES = (b"z" * 30_000, b"zzzz " * 400, b"zz\\'zz" * 300)
"""One piece, many words, and one with quotes in it."""

MOST = 1_000
"""Characters of a message, its place included."""

_PIECE = re.compile(rb"[^\s\"'<>=,;:|/()\[\]{}\t#]+")


def damaged(data: bytes) -> Iterator[bytes]:
    """The file with a huge value in place of, and behind, what stands in it."""
    places = [found.span() for found in _PIECE.finditer(data)]
    for start, end in places[:: max(1, len(places) // PLACES)]:
        for value in VALUES:
            yield data[:start] + value + data[end:]
        yield data[:end] + VALUES[0] + data[end:]


def findings(records: list[Record]) -> Iterator[Finding]:
    """What ``validate`` says of records."""
    for record in records:
        if isinstance(record, Rejected):
            for problem in record.problems:
                yield unreadable(problem, record.framework, record.item)
        else:
            yield from (left_out(each, record.graph) for each in record.left_out)
            yield from validate(record.graph, "a", record.line)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_huge_value_is_cut_wherever_it_stands(name: str) -> None:
    chosen = format_named(name)
    said = 0
    for data in chain.from_iterable(damaged(each.data) for each in SAMPLES[name]):
        try:
            found = [*findings([*chosen.read(io.BytesIO(data), "a")])]
        except GraphscoreError as error:
            messages = str(error).splitlines()
        else:
            shown, _ = folded(found, lambda each: each.kind)
            messages = [str(each) for each, _ in shown]
            fields = [json.dumps(each._asdict()) for each, _ in shown]
            assert sum(map(len, fields)) < len(data) + 100 * MOST
            assert max(map(len, fields), default=0) < MOST + 300
        said += len(messages)
        for message in messages:
            assert len(message) <= MOST, message
            assert "z" * 201 not in message
            assert "zzzz " * 41 not in message
    assert said, "nothing was tested"


def test_equal_problems_are_folded_with_their_number() -> None:
    words = (b"%d\tDogs\tdog\t_\t_\t_\tx\troot\t_\t_\n" % n for n in range(1, 2_001))
    data = b"".join(words)
    chosen = format_named("conllu")
    [rejected] = chosen.read(io.BytesIO(data + b"\n"), "a.conllu")
    assert isinstance(rejected, Rejected)
    lines = [*listed(rejected.problems)]
    heads = [line for line in lines if "HEAD" in line]
    assert [each.split(":")[1] for each in heads] == ["1", "2", "3"]
    assert heads[-1].endswith(" (and 1,997 more like it)")
    assert len("\n".join(lines)) < 20_000
