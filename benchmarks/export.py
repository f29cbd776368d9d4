"""What it takes to write a store as Parquet, in seconds of CPU.

    python -m benchmarks.export [--graphs 2000] [--store runs.db]

Graphs are seeded variations of the bundled sample, most of whose tuples are
disturbed, scored by two metrics.  The seconds are those of this process and of the one
that reads, from its start.  Beside them stand those of the same rows as CSV, and as a
frame that is made row by row.  Needs graphscore[frames].
"""

from __future__ import annotations

import argparse
import csv
import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.corpus import graphs, variations
from benchmarks.history import begin, record, recorded
from graphscore import Store
from graphscore.formats import write_graphs
from graphscore.rows import frame_of
from graphscore.store.columnar.exporting import Chosen, ExportedView, export

DATA = Path(__file__).parent.parent / "data"


def cpu(run: Callable[[], object]) -> float:
    """Seconds of CPU that something takes, here and in processes that it starts."""
    before = os.times()
    run()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def fill(place: str, folder: Path, count: int) -> None:
    """Make a store of that many pairs."""
    with Store(place, mode="create") as store:
        for seed, (name, file, rate) in enumerate(
            [("gold", "gold", 0.0), ("system", "alder", 0.4)]
        ):
            path = folder / f"{name}.mrp"
            with path.open("wb") as written:
                made = variations(graphs(DATA / f"{file}.mrp"), count, seed, rate)
                written.writelines(write_graphs(made, "mrp"))
            store.ingest(str(path), name)
        store.score("gold", "system", ["mrp", "mrp(order=free)"])


def show(what: str, seconds: float, rows: int, size: int) -> None:
    """Print and record a line."""
    each = f"{size / rows:7.1f} bytes a row" if size else ""
    print(f"{what:32}{rows:10,}{seconds:8.2f} s{rows / seconds:12,.0f} /s{each}")
    record(what, rows / seconds, "rows/s")


def exported(
    place: str, folder: str, views: list[str], made: list[ExportedView]
) -> None:
    """Write views as Parquet, and gather what was written."""
    made += export(place, folder, Chosen(views))


def as_csv(place: str, path: Path) -> None:
    """Write all errors as CSV, as ``graphscore query`` prints them."""
    with Store(place) as store, path.open("w", newline="") as file:
        columns, rows = store.query("select * from v_errors")
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def row_by_row(place: str) -> None:
    """Make a frame of all errors, of rows of Python."""
    with Store(place) as store:
        frame_of(*store.query("select * from v_errors"), "arrow")


def by_columns(place: str) -> None:
    """Make the same frame in the way of the store."""
    with Store(place) as store:
        store.frame("select * from v_errors", "arrow")


def measure(place: str, folder: Path) -> None:
    """Export what is in a store, and print what that took."""
    for name, views in (("v_errors", ["v_errors"]), ("all views", [])):
        made: list[ExportedView] = []
        spent = cpu(partial(exported, place, str(folder / name), views, made))
        rows, size = sum(x.rows for x in made), sum(x.bytes for x in made)
        show(f"{name} as Parquet", spent, rows, size)
        if name == "v_errors":
            errors = rows
    path = folder / "errors.csv"
    spent = cpu(lambda: as_csv(place, path))
    show("v_errors as CSV", spent, errors, path.stat().st_size)
    spent = cpu(lambda: row_by_row(place))
    show("v_errors as a frame, by rows", spent, errors, 0)
    spent = cpu(lambda: by_columns(place))
    show("v_errors as a frame", spent, errors, 0)


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=2000)
    parser.add_argument("--store", help="one that is there")
    chosen = begin(parser)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = chosen.store or str(folder / "runs.db")
        if chosen.store is None:
            fill(place, folder, chosen.graphs)
        measure(place, folder)


if __name__ == "__main__":
    main()
