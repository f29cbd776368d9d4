"""A store of the sample and of hostile graphs, and the pages that show it."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from graphscore import Graph, Store
from graphscore.model.graph import Anchor, Edge, Node
from tests.conftest import DATA

NEEDED = {
    "starlette": "[web]",
    "uvicorn": "[web]",
    "httpx": "[web-test]",
}
"""What pages and their tests take, and the extra that brings it."""

HOSTILE = (
    "<script>alert(1)</script>",
    "\" onmouseover=alert(2) x='",
    "</textarea></title><img src=x onerror=alert(3)>",
    "{{ 7 * 7 }}{% for x in y %}",
    "javascript:alert(4)",
    "\x1b]0;title\x07\x1b[31m",
    "\u202egnp.exe\u200b",
    "'; drop table pair; --",
    "../../../../etc/passwd",
    "%s%n%00",
    "a" * 5_000,
    "null",
    "-->]]><svg/onload=alert(5)>",
)
"""Labels that would like to act."""


class Shown(NamedTuple):
    """A store, and who asks it."""

    path: Path
    client: Any
    reader: Any
    said: list[str]
    """Tracebacks of defects."""

    def get(self, address: str, **query: Any) -> Any:
        return self.client.get(address, params=query or None)


def copied(store: Path, path: Path, *statements: str) -> Path:
    """A copy that nobody else has open, with what was done to it meanwhile."""
    with closing(sqlite3.connect(store)) as one, closing(sqlite3.connect(path)) as two:
        one.backup(two)
        for statement in statements:
            two.execute(statement)
        two.commit()
    return path


def hostile(labels: tuple[str, ...]) -> list[Graph]:
    """Graphs that say nothing but these."""
    return [
        Graph(
            f"{number} {label}",
            "amr",
            2,
            language="eng",
            document=label[:40],
            text=f"text {label}",
            nodes=(
                Node(0, label, ((label, label),), (Anchor(0, 4),)),
                Node(1, label[::-1] + "x"),
            ),
            edges=(Edge(0, 1, label),),
            tops=(0,),
        )
        for number, label in enumerate(labels)
    ]


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled sample with two systems, and hostile labels."""
    for name, extra in NEEDED.items():
        pytest.importorskip(name, reason=f"{name} is not installed ({extra})")
    path = tmp_path_factory.mktemp("explorer") / "runs <b>.db"
    with Store(str(path), mode="create") as store:
        for name in ("gold", "alder", "birch"):
            store.ingest(str(DATA / f"{name}.mrp"), name)
        for name in ("alder", "birch"):
            store.score("gold", name, "mrp")
        store.score("gold", "alder", "smatch")
        store.add(hostile(HOSTILE), HOSTILE[0])
        swapped = hostile(HOSTILE[1:] + HOSTILE[:1])
        renamed = [
            Graph(**{**fields(graph), "id": gold.id})
            for graph, gold in zip(swapped, hostile(HOSTILE), strict=True)
        ]
        store.add(renamed, HOSTILE[1])
        store.score(HOSTILE[0], HOSTILE[1], "mrp")
    return path


def fields(graph: Graph) -> dict[str, Any]:
    return {name: getattr(graph, name) for name in graph.__struct_fields__}


@pytest.fixture(scope="session")
def shown(stored: Path) -> Iterator[Shown]:
    """The pages of the store."""
    from graphscore.explorer.app import application
    from graphscore.explorer.reader import Reader
    from graphscore.explorer.security import Access

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from starlette.testclient import TestClient

    said: list[str] = []
    reader = Reader(str(stored))
    pages = application(reader, Access("127.0.0.1", 8765), said.append)
    client = TestClient(pages, base_url="http://127.0.0.1:8765")
    yield Shown(stored, client, reader, said)
    reader.close()
    assert not said
