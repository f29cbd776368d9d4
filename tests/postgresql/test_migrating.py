"""A store of an earlier revision, with data in it, becomes one of today."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store
from graphscore.exceptions import StoreError
from graphscore.store.opening import open_store
from graphscore.store.schema import HEAD
from graphscore.store.views import VIEWS
from tests.conftest import DATA
from tests.databases import query
from tests.store.earlier import EARLIER, earlier_known, make_earlier

Ask = Callable[[str], list[tuple[Any, ...]]]


def rows(url: str) -> dict[str, list[str]]:
    return {
        view: sorted(map(repr, query(url, f"select * from {view}")[1]))
        for view in VIEWS
    }


@pytest.fixture
def before(url: str, tmp_path: Path) -> Iterator[dict[str, list[str]]]:
    """A store of the earlier revision; gives what its views held at the present one."""
    with Store(url, mode="create") as store:
        for name in ("gold", "alder"):
            store.ingest(DATA / f"{name}.mrp", name)
        store.score("gold", "alder", ["mrp", "smatch"])
    found = rows(url)
    with earlier_known(tmp_path / "migrations"):
        make_earlier(url)
        yield found


def test_from_an_earlier_revision(
    url: str, before: dict[str, list[str]], ask: Ask
) -> None:
    with pytest.raises(StoreError, match="run: graphscore store migrate") as raised:
        open_store(url, read_only=True)
    assert EARLIER in str(raised.value)
    open_store(url).close()
    assert ask("select version_num from alembic_version") == [(HEAD,)]
    assert rows(url) == before
    with Store(url, mode="write") as store:
        for result in store.score("gold", "alder", ["mrp", "smatch"]):
            assert result.reused == result.pairs > 0


def test_a_migration_that_fails_changes_nothing(
    url: str, before: dict[str, list[str]], ask: Ask, do: Any
) -> None:
    # Something of somebody else's stands on a column that has to go.
    do("create view mine as select note from graph")
    with pytest.raises(StoreError, match="depend on it") as raised:
        open_store(url)
    assert "\n" not in str(raised.value)
    assert ask("select version_num from alembic_version") == [(EARLIER,)]
    do("drop view mine")
    open_store(url).close()
    assert rows(url) == before
