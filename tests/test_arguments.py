"""Wrong types are refused where they are given, and named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from graphscore import Graph, Store, parse, read_file, score, write_graphs
from graphscore.evaluation.store import Store as Stored
from graphscore.exceptions import GraphscoreError, InputError
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import format_named
from graphscore.formats.source import expand


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: score([Graph("1", "dm")], 5),
            "system is 5, expected a path or pattern (a str)",
        ),
        (lambda: score([None], [Graph("1", "dm")], "mrp"), "gold[0] is None, expected"),
        (lambda: score([], [], options={}), "options is {}, expected Options"),
        (lambda: parse(7), "a metric is 7"),
        (lambda: parse({"x": 1}), "a metric is {'x': 1}"),
        (lambda: [*read_file(3)], "read_file: path is 3, expected str or PathLike"),
        (lambda: [*write_graphs([None], "mrp")], "a graph that is written is None"),
        (lambda: Store(None), "__init__: url is None, expected str"),
    ],
)
def test_a_wrong_type_is_named(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert said in str(raised.value)


def test_a_store_refuses_by_name_and_stays_as_it_is() -> None:
    with Stored("sqlite://", mode="create") as store:
        store.add([Graph("1", "dm")], "gold")
        for call in (
            lambda: store.remove(10**400),
            lambda: store.errors(gold=1),
            lambda: store.score("gold", "gold", 7),
            lambda: store.score("gold", "gold", ["mrp", None]),
            lambda: store.graphs("gold", "x"),
            lambda: store.add([1], "gold"),
        ):
            with pytest.raises(TypeError, match="expected"):
                call()
        with pytest.raises(GraphscoreError):
            store.remove("\udcff")
        assert [each.name for each in store.collections()] == ["gold"]


def test_a_folder_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "inner")

    monkeypatch.setattr(Path, "rglob", refused)
    with pytest.raises(InputError, match="inner that cannot be read"):
        expand(str(tmp_path))


def test_long_words_are_told_apart_at_once() -> None:
    row = "a\tNIL1\tPER\n"
    assert fit_of(format_named("tac-kbp"), row.encode()).score > 0
    begun = process_time()
    fit_of(format_named("tac-kbp"), b"a\t" + b"b" * 60_000 + b"\tno\n" + row.encode())
    assert process_time() - begun < 1
