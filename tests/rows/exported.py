"""Stores to export, and what is read back of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from graphscore import Store
from graphscore.store.columnar.layouts import LAYOUTS
from tests.conftest import DATA
from tests.metrics.coreference.chains import document
from tests.store.conftest import bark, put, read, reject

ODD = "a/b=ü 50%"
"""A system that no folder can be called after as it is."""


def fill(place: str) -> None:
    """Two systems, metrics with parameters and of coreference, odd texts, a reject."""
    with Store(place, mode="create") as store:
        for name, file in (("gold", "gold"), (ODD, "alder"), ("birch", "birch")):
            store.ingest(str(DATA / f"{file}.mrp"), name)
            parts = [[0, 1, 2], [3, 4]] if name == "gold" else [[0, 1], [2, 3, 4], [8]]
            store.add([document(*parts, name=f"d{n}") for n in range(3)], name)
            odd = bark("ä", "x" * 99 if name == "gold" else "%", document="é,\"'")
            none = bark("Z", None, text="日本\t\r\n\\N\\.\n\\.\n")  # type: ignore[arg-type]
            store.add([odd, none], name)
        put(store._database, [*read(bark("a")), reject(7)], "kept", keep_going=True)
        for system in (ODD, "birch"):
            store.score("gold", system, ["mrp(order=free)", "ceafe"])


def stored(place: str, view: str) -> Counter[tuple[Any, ...]]:
    """The rows of a view, as the database gives them."""
    columns = LAYOUTS[view].columns
    with Store(place) as store:
        names, rows = store.query(f"select * from {view}")
        assert names == tuple(columns)
        return Counter(map(tuple, rows))


def written(folder: Path, view: str) -> Counter[tuple[Any, ...]]:
    """The rows of a view, as its files and the names of their folders have them."""
    from pyarrow import parquet

    found: Counter[tuple[Any, ...]] = Counter()
    for path in sorted((folder / view).rglob("*.parquet")):
        parts = dict(
            unquote(each).split("=", 1)
            for each in path.relative_to(folder / view).parts[:-1]
        )
        # A single file, so that nothing is read into the names of folders.
        table = parquet.ParquetFile(path).read()
        assert not parts.keys() & {*table.column_names}
        for row in table.to_pylist():
            row |= parts
            found[tuple(row[name] for name in LAYOUTS[view].columns)] += 1
    return found
