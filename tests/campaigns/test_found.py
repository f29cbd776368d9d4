"""What campaigns have found of what is no format, in words that are made up."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphscore.exceptions import UsageError
from graphscore.find.grammar import parse
from graphscore.metrics.parameters import facts_of
from graphscore.metrics.roles.frame_relations import digest_of, relations_of


def relations(path: str) -> Any:
    return relations_of(path, digest_of(path))


@pytest.mark.parametrize(
    ("read", "data", "said"),
    [
        # From Python 3.14 on the size of the stack bounds it.
        (facts_of, b"[" * 1_000_000, "nested too deep"),
        (relations, b'<?xml version="1.0" encoding="UTF-9"?><a/>', "UTF-9"),
        (relations, b'<?xml version="1.0" encoding="idna"?><a/>', "expected relations"),
    ],
)
def test_files_are_refused_by_name(
    tmp_path: Path, read: Callable[[str], Any], data: bytes, said: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=said) as raised:
        read(str(path))
    assert str(raised.value).startswith(str(path))


def test_regular_expressions_nested_without_end_are_refused() -> None:
    with pytest.raises(UsageError, match="nested too deep"):
        parse(f'pattern {{ X [label=re"{"(" * 9_000}"] }}')


def test_a_pattern_of_one_long_word_is_refused_at_once() -> None:
    began = time.process_time()
    with pytest.raises(UsageError, match="in the pattern"):
        parse("pattern { N [" + "label" * 6_000)
    assert time.process_time() - began < 1
