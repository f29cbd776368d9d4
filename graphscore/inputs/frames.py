"""Frames of pandas, polars and Arrow: a row for each token with its tag, or each span.

Columns are found by their names, or named; items come in the order of their first rows.
All of it goes through narwhals (extra ``[frames]``): any frame that it knows will do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from graphscore.exceptions import UsageError
from graphscore.inputs.base import Ends, refusal
from graphscore.inputs.spans import ENDS, STARTS, from_spans
from graphscore.inputs.tags import from_tags
from graphscore.model.graph import Graph
from graphscore.structures.entities.tags import TYPE_KEYS

ITEMS = (
    "item",
    "id",
    "sentence",
    "sentence_id",
    "sent_id",
    "sent",
    "sentence #",
    "document",
    "doc_id",
    "doc",
)
"""Names that the column of items may have, the first that is there, in any case."""

TOKENS = ("token", "word", "form", "tokens", "words")
TAG_COLUMNS = ("tag", "tags", "ner_tag", "ner_tags", "ner", "bio", "iob", "iob_tag")
TEXTS = ("text",)

_TAGGED = f"a column of tags ({', '.join(TAG_COLUMNS)})"
_SPANNED = "columns start and end"


class Columns(NamedTuple):
    """Names of the columns of a frame; empty where there is none."""

    item: str
    token: str
    tag: str
    start: str
    end: str
    label: str
    text: str


def from_frame(
    frame: Any,
    *,
    item: str | None = None,
    token: str | None = None,
    tag: str | None = None,
    start: str | None = None,
    end: str | None = None,
    label: str | None = None,
    text: str | None = None,
    count: str = "characters",
    ends: Ends = "inclusive",
    name: str = "frame",
) -> list[Graph]:
    """Named entities from a frame with a row for each token, or for each span.

    Args:
        frame: a frame of pandas, polars, Arrow or another library that narwhals knows.
        item: the column of items; without, one of the usual names.
        token: that of words, beside tags.
        tag: that of tags (IOB and the like).
        start: that of the beginnings of spans.
        end: that of their ends.
        label: that of their types.
        text: that of texts, beside spans.
        count: what spans count: ``characters``, end excluded, or ``tokens``.
        ends: of tokens, whether the end is the last one or the one after it.
        name: what messages call the frame.

    Returns:
        A graph of the framework ``ner`` for each item, with its id.

    Raises:
        InputError: if a column is missing or a value is none of its kind.
        TypeError: if there are columns of tags and of spans, and none is named.
        UsageError: if narwhals is missing, or ``count`` is something else.
    """
    if count not in ("characters", "tokens"):
        raise UsageError(f"count is {count!r}, expected 'characters' or 'tokens'")
    rows = _rows(name, frame)
    requested = {
        "item": item,
        "token": token,
        "tag": tag,
        "start": start,
        "end": end,
        "label": label,
        "text": text,
    }
    columns = _columns(name, rows, requested)
    groups: dict[str, list[int]] = {}
    for row, value in enumerate(rows[columns.item]):
        if value is None:
            raise refusal(name, f"row {row}, {columns.item}", "nothing", "an item")
        groups.setdefault(str(value), []).append(row)
    if columns.tag:
        return _from_tag_columns(name, rows, columns, groups)
    return _from_span_columns(name, rows, columns, groups, count, ends)


def column_of(series: Any) -> list[Any]:
    """The values of one column: a series of pandas or polars, an array of Arrow.

    Args:
        series: a column.

    Raises:
        UsageError: if narwhals is missing.
    """
    nw = _narwhals()
    result = nw.from_native(series, allow_series=True, pass_through=True)
    # Arrays of Arrow that are no columns of a table are none to narwhals.
    return list(
        result.to_list() if isinstance(result, nw.Series) else result.to_pylist()
    )


def _narwhals() -> Any:
    try:
        import narwhals
    except ImportError:
        raise UsageError(
            "frames need narwhals: pip install 'graphscore[frames]'"
        ) from None
    return narwhals


def _rows(name: str, frame: Any) -> Mapping[str, list[Any]]:
    """The values of each column; missing ones are ``None``."""
    nw = _narwhals()
    rows = nw.from_native(frame, pass_through=True)
    if isinstance(rows, nw.LazyFrame):
        rows = rows.collect()
    if not isinstance(rows, nw.DataFrame):
        raise refusal(name, "", repr(frame), "a frame of pandas, polars or Arrow")
    return {
        str(column): [None if value != value else value for value in values.to_list()]
        for column, values in rows.to_dict(as_series=True).items()
    }


def _columns(
    name: str, rows: Mapping[str, list[Any]], requested: Mapping[str, str | None]
) -> Columns:
    """Assign columns to their roles.

    Raises:
        InputError: if one that is named or needed is not there.
        TypeError: if there are tags and spans.
    """
    present = ", ".join(rows)
    for column in filter(None, requested.values()):
        if column not in rows:
            raise refusal(name, "", f"columns {present}", f"one called {column!r}")
    spanned = bool(requested["start"] or requested["end"])
    written = {column.casefold(): column for column in reversed([*rows])}

    def of(what: str, names: tuple[str, ...], allowed: bool = True) -> str:
        if requested[what]:
            return requested[what] or ""
        return next(
            (written[name] for name in names if allowed and name in written), ""
        )

    start = of("start", STARTS, not requested["tag"])
    end = of("end", ENDS, not requested["tag"])
    # Beside words a label is that of a token, unless there are spans.
    tokens = not (start and end) and of("token", TOKENS) != ""
    tag = of("tag", (*TAG_COLUMNS, *TYPE_KEYS * tokens), not spanned)
    if tag and start and end:
        raise TypeError(
            f"{name} may be tags (column {tag!r}) or spans (columns {start!r} and "
            f"{end!r}): say which with from_frame(tag=...) or from_frame(start=...)"
        )
    if not tag and not (start and end):
        raise refusal(name, "", f"columns {present}", f"{_TAGGED}, or {_SPANNED}")
    item = of("item", ITEMS)
    if not item:
        raise refusal(
            name, "", f"columns {present}", f"one of items ({', '.join(ITEMS)})"
        )
    return Columns(
        item,
        of("token", TOKENS, bool(tag)),
        tag,
        start,
        end,
        of("label", TYPE_KEYS, not tag),
        of("text", TEXTS, not tag),
    )


def _from_tag_columns(
    name: str,
    rows: Mapping[str, list[Any]],
    columns: Columns,
    groups: Mapping[str, list[int]],
) -> list[Graph]:
    tags = [[rows[columns.tag][row] for row in group] for group in groups.values()]
    tokens = None
    if columns.token:
        words = rows[columns.token]
        tokens = [[str(words[row]) for row in group] for group in groups.values()]
    return from_tags(tags, tokens=tokens, ids=groups, name=name)


def _from_span_columns(
    name: str,
    rows: Mapping[str, list[Any]],
    columns: Columns,
    groups: Mapping[str, list[int]],
    count: str,
    ends: Ends,
) -> list[Graph]:
    starts, stops = rows[columns.start], rows[columns.end]
    labels = rows[columns.label] if columns.label else [None] * len(starts)
    items: list[list[Any]] = []
    for group in groups.values():
        items.append([])
        for row in group:
            start, end, label = (
                _to_integer(starts[row]),
                _to_integer(stops[row]),
                labels[row],
            )
            if start is None and end is None:
                # A row of an item without any span.
                continue
            items[-1].append(
                (start, end, label)
                if count == "tokens"
                else {"start": start, "end": end, "label": label}
            )
    texts = None
    if columns.text:
        values = rows[columns.text]
        texts = [str(values[group[0]] or "") for group in groups.values()]
    return from_spans(
        items,
        texts=texts if count == "characters" else None,
        ids=groups,
        ends=ends,
        name=name,
    )


def _to_integer(value: Any) -> Any:
    """A number of a column that has gaps, which pandas keeps as fractions."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
