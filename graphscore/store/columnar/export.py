"""All of a store as Parquet: a folder for each view, parted in the way of Hive.

The folder is written beside its place and renamed when all went well.
"""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from graphscore.exceptions import (
    GraphscoreError,
    UsageError,
    as_text,
    did_you_mean,
    truncate,
)
from graphscore.files import neighbour_of, remove_left, resolve_target, writing
from graphscore.store.columnar.answers import (
    Answers,
    open_answers,
    refuse_without,
    schema_of,
)
from graphscore.store.columnar.layouts import LAYOUTS, USUAL, Columns, Layout
from graphscore.store.columnar.parquet import write_batches
from graphscore.store.passwords import hidden
from graphscore.store.read.queries import literal
from graphscore.store.revisions import RevisionOf
from graphscore.store.schema import HEAD
from graphscore.store.views import STATUS

MANIFEST = "manifest.json"
"""Name of the file that identifies an exported folder."""

LONGEST = 255
"""Bytes that the name of a folder may have."""


class Chosen(NamedTuple):
    """Selection of a store to export; nothing named is everything."""

    views: Sequence[str] = ()
    golds: Sequence[str] = ()
    systems: Sequence[str] = ()
    metrics: Sequence[str] = ()


class ExportedView(NamedTuple):
    """Sizes of an exported view."""

    view: str
    rows: int
    files: int
    bytes: int


def export(
    store: str,
    folder: str,
    chosen: Chosen,
    *,
    flat: bool = False,
    replace: bool = False,
    version: str = "",
    revision_of: RevisionOf | None = None,
) -> list[ExportedView]:
    """Write views of a store as files of Parquet.

    Args:
        store: path or URL.
        folder: where to; it is made, or replaced, when all has been written.
        chosen: which views, collections and metrics.
        flat: whether each view is a single file, with all its columns.
        replace: whether an earlier export in that folder is replaced.
        version: of graphscore, for the manifest.
        revision_of: the revision that a metric has now, by its canonical string.

    Returns:
        What was written, by view.

    Raises:
        UsageError: something unknown is named, a library is missing, or the folder
            is in use.
        StoreError: the store cannot be read.
        GraphscoreError: the folder cannot be written.
    """
    refuse_without("pyarrow")
    views = _known(chosen.views) or USUAL
    with writing(folder):
        target = resolve_target(folder)
        _refuse_taken(folder, target, replace)
    with (
        open_answers(store, revision_of) as answers,
        writing(folder),
        _beside(target) as part,
    ):
        plan = _planned(answers, chosen)
        result, listed = [], {}
        for view in views:
            files = [*_written(answers, view, plan, part, flat)]
            listed[view] = _described(LAYOUTS[view], files, flat)
            sizes = sum(file["bytes"] for file in files)
            rows = sum(file["rows"] for file in files)
            result.append(ExportedView(view, rows, len(files), sizes))
        manifest = {
            "version": version,
            "revision": HEAD,
            "store": hidden(store),
            "evaluations": [evaluation._asdict() for evaluation in plan.evaluations],
            "collections": plan.collections,
            "views": listed,
        }
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        (part / MANIFEST).write_text(text, encoding="utf-8", errors="backslashreplace")
    return result


def _known(views: Iterable[str]) -> tuple[str, ...]:
    """Views, each once."""
    for view in views:
        if view not in LAYOUTS:
            raise UsageError(
                f"--views: no view "
                f"{truncate(repr(view))}{did_you_mean(view, LAYOUTS)}; there are "
                f"{', '.join(LAYOUTS)}"
            )
    return tuple(dict.fromkeys(views))


def _refuse_taken(folder: str, target: Path, replace: bool) -> None:
    """Refuse a folder that has something in it that is not to be replaced."""
    shown = as_text(folder)
    if target.is_dir():
        if not any(target.iterdir()):
            return
        if not (target / MANIFEST).is_file():
            raise UsageError(
                f"{shown}: is not empty and not an earlier export; name another folder"
            )
        if not replace:
            raise UsageError(f"{shown}: exists; --replace overwrites it")
    elif target.exists():
        raise UsageError(f"{shown}: is not a folder")
    elif not target.parent.is_dir():
        raise UsageError(f"{shown}: its parent folder does not exist")


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A new folder beside *target* that takes its place when all went well."""
    remove_left([target])
    part, old = neighbour_of(target), neighbour_of(target, "old")
    part.mkdir()
    try:
        yield part
        if not target.exists():
            part.rename(target)
            return
        target.rename(old)
        try:
            part.rename(target)
        except BaseException:
            old.rename(target)
            raise
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


class _Evaluation(NamedTuple):
    gold: str
    system: str
    metric: str
    scope: str
    revision: int
    evaluation: str
    signature: str


class _Plan(NamedTuple):
    """Evaluations and collections to export."""

    evaluations: Sequence[_Evaluation]
    collections: Sequence[str]


def _planned(answers: Answers, chosen: Chosen) -> _Plan:
    """Find what was chosen.

    Raises:
        UsageError: if something is named that is not there.
    """
    columns: Columns = {
        "gold": "text",
        "system": "text",
        "metric": "text",
        "scope": "text",
        "revision": "integer",
        "evaluation": "text",
        "signature": "text",
        "id": "integer",
    }
    source = f"""(
      select g.name as gold, s.name as system, e.metric, e.scope, e.revision,
        {STATUS} as evaluation, e.signature, e.id
      from evaluation e
      join collection g on g.id = e.gold
      join collection s on s.id = e.system) x"""
    evaluation_rows = sorted(_rows(answers, columns, source), key=lambda row: row["id"])
    evaluations = [_Evaluation(*[*row.values()][:-1]) for row in evaluation_rows]
    rows = _rows(answers, {"name": "text", "id": "integer"}, "collection")
    names = [row["name"] for row in sorted(rows, key=lambda row: row["id"])]
    for option, requested in (("--gold", chosen.golds), ("--system", chosen.systems)):
        for name in requested:
            _refuse_unknown(f"{option}: no collection", name, names)
    for name in chosen.metrics:
        fromkeys = dict.fromkeys(evaluation.metric for evaluation in evaluations)
        _refuse_unknown("--metric: nothing is scored by", name, [*fromkeys])
    kept = [
        evaluation
        for evaluation in evaluations
        if evaluation.gold in (chosen.golds or (evaluation.gold,))
        and evaluation.system in (chosen.systems or (evaluation.system,))
        and evaluation.metric in (chosen.metrics or (evaluation.metric,))
    ]
    if evaluations and not kept:
        raise UsageError(
            "no evaluation has this gold, system and metric together; graphscore "
            "store list tells which there are"
        )
    sides = {*chosen.golds, *chosen.systems}
    return _Plan(kept, [name for name in names if not sides or name in sides])


def _rows(answers: Answers, columns: Columns, source: str) -> list[dict[str, Any]]:
    batches = answers.batches(columns, source)
    return [row for batch in batches for row in batch.to_pylist()]


def _refuse_unknown(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        hint = f"there are {truncate(', '.join(known))}" if known else "there is none"
        raise UsageError(
            f"{what} {truncate(repr(name))}{did_you_mean(name, known)}; {hint}"
        )


def _written(
    answers: Answers, view: str, plan: _Plan, part: Path, flat: bool
) -> Iterator[dict[str, Any]]:
    """Write the files of a view, and tell what each of them holds."""
    layout = LAYOUTS[view]
    view_folder = part / view
    view_folder.mkdir()
    filters = [*_wanted(layout, plan)]
    if flat or not filters:
        # Readers that look for files shall find one, and so the columns.
        path, columns = view_folder / "part-0.parquet", layout.columns
        every = (
            b for values in filters for b in _found(answers, view, columns, values)
        )
        yield _file(part, path, columns, every, {})
        return
    columns = {k: v for k, v in layout.columns.items() if k not in layout.parts}
    for number, values in enumerate(filters):
        folder = view_folder
        for name in layout.parts:
            folder /= hive(name, values.keys[name])
        folder.mkdir(parents=True, exist_ok=True)
        # Numbers are not used twice, in case names differ for us but not for a disk.
        path = folder / f"part-{number}.parquet"
        source = _found(answers, view, columns, values)
        yield _file(part, path, columns, source, values.keys)


class _Wanted(NamedTuple):
    """Rows that go into a file: by which cells they are found, and which are known."""

    keys: dict[str, str]
    known: dict[str, Any]


def _wanted(layout: Layout, plan: _Plan) -> Iterator[_Wanted]:
    if layout.parts == ("collection",):
        for name in plan.collections:
            yield _Wanted({"collection": name}, {"collection": name})
        return
    if "system" not in layout.parts:
        shared = "gold", "metric", "scope"
        for row in dict.fromkeys((x.gold, x.metric, x.scope) for x in plan.evaluations):
            keys = dict(zip(shared, row, strict=True))
            yield _Wanted(keys, dict[str, Any](keys))
        return
    for evaluation in plan.evaluations:
        names = ("gold", "system", "metric", "scope")
        keys = {name: getattr(evaluation, name) for name in names}
        # What has become of two evaluations is not what has become of one.
        more = {"revision": evaluation.revision, "evaluation": evaluation.evaluation}
        yield _Wanted(keys, keys | (more if "revision" in layout.columns else {}))


def _found(
    answers: Answers, view: str, columns: Columns, values: _Wanted
) -> Iterator[Any]:
    """The rows of a file; cells that are the same in all are not asked for."""
    import pyarrow as pa

    extra = {k: v for k, v in columns.items() if k not in values.known}
    schema = schema_of(columns)
    for batch in answers.batches(extra, _where(view, values.keys)):
        made = [
            batch.column(field.name)
            if field.name in extra
            else _repeated(values.known[field.name], batch.num_rows)
            for field in schema
        ]
        yield pa.record_batch(made, schema=schema)


def _repeated(value: str | int, rows: int) -> Any:
    """A column with the same name, or whole number, in all rows.

    Made of bytes, as scalars and lists of Python have Arrow import pandas.
    """
    import pyarrow as pa

    def array(kind: Any, length: int, *buffers: bytes) -> Any:
        parts = [None, *map(pa.py_buffer, buffers)]
        return pa.Array.from_buffers(kind, length, parts)

    if isinstance(value, int):
        return array(pa.int64(), rows, struct.pack("=q", value) * rows)
    text = value.encode()
    names = array(pa.string(), 1, struct.pack("=2i", 0, len(text)), text)
    codes = array(pa.int32(), rows, bytes(4 * rows))
    return pa.DictionaryArray.from_arrays(codes, names)


def _where(view: str, values: dict[str, str]) -> str:
    conditions = (f'"{key}" = {literal(value)}' for key, value in values.items())
    return f"{view} where {' and '.join(conditions)}"


def _file(
    part: Path,
    path: Path,
    columns: Columns,
    batches: Iterable[Any],
    holds: dict[str, str],
) -> dict[str, Any]:
    rows = write_batches(path, columns, batches)
    size = path.stat().st_size
    return {"path": path.relative_to(part).as_posix(), **holds} | {
        "rows": rows,
        "bytes": size,
    }


def hive(name: str, value: str) -> str:
    """The name of a folder that tells the value of a column.

    Args:
        name: of the column.
        value: percent-encoded, so that no sign in it means anything to a file system.

    Raises:
        GraphscoreError: if no folder can be called so.

    Example:
        >>> hive("metric", "mrp(order=free)")
        'metric=mrp%28order%3Dfree%29'
    """
    result = f"{name}={quote(value, safe='', errors='surrogatepass')}"
    if len(result) > LONGEST:
        raise GraphscoreError(
            f"{name} {truncate(repr(value))} is too long for the name of a folder; "
            f"--flat "
            "makes none"
        )
    return result


def _described(
    layout: Layout, files: list[dict[str, Any]], flat: bool
) -> dict[str, Any]:
    """A view as the manifest has it."""
    types = {"name": "string", "text": "string", "integer": "int64", "boolean": "bool"}
    return {
        "rows": sum(file["rows"] for file in files),
        "parts": [] if flat else [*layout.parts],
        "columns": {k: types.get(v, v) for k, v in layout.columns.items()},
        "files": files,
    }
