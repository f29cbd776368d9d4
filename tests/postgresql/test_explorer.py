"""The explorer's pages are the same, whichever database holds the store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store
from graphscore.explorer.app import PAGES
from graphscore.explorer.downloads import Download, content
from graphscore.explorer.pages import sql
from graphscore.explorer.reader import Reader, name_of
from graphscore.explorer.urls import Parameters
from graphscore.store.read.limits import Limits, TooLongError
from tests.conftest import DATA

MADE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


def filled(url: str) -> Reader:
    with Store(url, mode="create") as store:
        for name in ("gold", "alder", "birch"):
            store.ingest(str(DATA / f"{name}.mrp"), name)
        for name in ("alder", "birch"):
            store.score("gold", name, "mrp")
    return Reader(url)


@pytest.fixture
def readers(url: str, tmp_path: Path) -> Iterator[tuple[Reader, Reader]]:
    both = filled(str(tmp_path / "runs.db")), filled(url)
    yield both
    for each in both:
        each.close()


def shown(reader: Reader, page: str, **query: str) -> Any:
    """What a page has, without the times of what was made, and the store's name."""
    path = {"name": name_of(reader.evaluations()[0])}
    found = PAGES[page](reader, path, Parameters(query))
    if isinstance(found, Download):
        return list(found.columns), sorted(map(str, found.rows))
    return MADE.sub("", str(found.values)).replace(reader.name, "STORE")


def test_pages_are_the_same(readers: tuple[Reader, Reader]) -> None:
    one, two = (name_of(each) for each in readers[0].evaluations())
    both = {"baseline": one, "system": two}
    asked: list[tuple[str, dict[str, str]]] = [
        *((page, {}) for page in PAGES if not page.endswith("/item")
          and page not in ("/graph", "/collection")
          and not page.startswith("/compare/")),
        ("/evaluation/{name}", {"by": "document"}),
        ("/evaluation/{name}/errors", {"label": "dog"}),
        ("/evaluation/{name}/errors", {"document": "gold", "error_type": "missing"}),
        (
            "/evaluation/{name}/errors/single",
            {"tuple_type": "labels", "format": "json"},
        ),
        ("/evaluation/{name}/items", {"order": "errors", "format": "csv"}),
        ("/evaluation/{name}/item", {"id": "sample-03"}),
        ("/search", {"q": "THE"}),
        ("/search", {"q": "sample-0", "in": "items"}),
        ("/compare", both),
        ("/compare", both | {"item": "sample-03"}),
        ("/compare/changes", both),
        ("/compare/tests", both),
        ("/collection", {"name": "gold", "find": "SAMPLE-0"}),
        ("/collection", {"name": "alder", "framework": "ucca", "format": "csv"}),
        ("/search", {"q": "sample-0", "in": "items", "format": "json"}),
        ("/graph", {"collection": "gold", "framework": "eds", "item": "sample-03"}),
    ]  # fmt: skip
    for page, query in asked:
        first, second = (shown(reader, page, **query) for reader in readers)
        assert first == second, (page, query)


def test_types_of_the_server_alone_are_written_into_files(
    readers: tuple[Reader, Reader],
) -> None:
    statement = (
        "select timestamp '2026-01-02 03:04:05' as a, array[1, 2] as b, "
        "interval '90 seconds' as c, 1.5 as d, '\\x00ff'::bytea as e, "
        "'NaN'::float8 as f"
    )
    for way in ("csv", "json"):
        asked = Parameters({"sql": statement, "format": way})
        found = sql.answer(readers[1], {}, asked)
        assert isinstance(found, Download)
        written = b"".join(content(found)).decode()
        for said in ("2026-01-02 03:04:05", "[1, 2]", "0:01:30", "1.5", "00ff"):
            assert said in written
        assert "nan" not in written.lower()


def test_the_box_only_reads_and_ends(readers: tuple[Reader, Reader]) -> None:
    reader = readers[1]
    found = sql.answer(reader, {}, Parameters({"sql": "delete from pair"}))
    assert not isinstance(found, Download)
    assert found.status == 400
    endless = "select count(*) from v_errors a, v_errors b, v_errors c, v_errors d"
    with pytest.raises(TooLongError, match="which is the limit"):
        reader.ask(endless, Limits(0.2, 10))
    assert reader.ask("select 1").rows == [(1,)]
