"""Functions of the commands: what they list, from Python, as rows.

>>> from graphscore import errors, items
>>> gold, system = [["B-PER", "O"], ["B-LOC"]], [["B-PER", "O"], ["O"]]
>>> errors(gold, system, metric="ner").to_dicts()[0]["value"]
'LOC'
>>> [row["ner"] for row in items(gold, system, metric="ner").to_dicts()]
[0.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any, Literal, Unpack

from graphscore.evaluation.api import into_class
from graphscore.evaluation.collection_selection import Scored, StoreRequest
from graphscore.evaluation.options import Options, OptionWords, options_of
from graphscore.evaluation.store import Store
from graphscore.exceptions import GraphscoreError, UsageError, amount, listed
from graphscore.inputs.alignment import several_sides, sides
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import frameworks_of, parse, parse_all
from graphscore.report.table import Table, as_table
from graphscore.rows import Rows, Tabular, brief, numbers_of
from graphscore.store.detect import best_mode, is_store

MEMORY = "gold", "system"
"""Collections of what is given in memory or in files."""


class Listing(Rows):
    """Rows of a function, as its command lists them.

    Args:
        name: what is listed.
        columns: names of the columns.
        rows: a cell for each.
        notes: what the user should know, one sentence each.
        tables: the tables that are shown, where they are others.
    """

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[Any]],
        notes: Sequence[str] = (),
        tables: Callable[[], list[Table]] | None = None,
    ) -> None:
        self.name, self.columns, self.rows = name, tuple(columns), [*rows]
        self.notes = list(notes)
        self._tables = tables

    def __iter__(self) -> Iterator[Sequence[Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def tabular(self) -> Tabular:
        """Columns and rows."""
        return Tabular(self.columns, self.rows)

    def numbers(self) -> dict[str, float]:
        """Numbers of the rows, by the texts that stand before them."""
        values = [
            name
            for index, name in enumerate(self.columns)
            if self.rows
            and all(isinstance(row[index], int | float | None) for row in self.rows)
        ]
        named = [name for name in self.columns if name not in values]
        return numbers_of(self.columns, self.rows, named, values)

    def tables(self) -> list[Table]:
        """Return the tables that are shown."""
        made = self._tables and self._tables()
        return made or [as_table(self.columns, self.rows)]

    def __str__(self) -> str:
        return self.table().rstrip("\n")

    def __repr__(self) -> str:
        return brief(self.name, amount(len(self.rows), "row"), self.notes)


class ErrorWords(OptionWords, total=False):
    """Keywords of :func:`errors`."""

    by: str | Sequence[str] | None
    top: int
    tuple_type: str | None
    error_type: Literal["missing", "spurious", "partial"] | None
    document: str | None
    confusions: bool


def errors(
    *operands: Any,
    metric: Any = None,
    options: Options | None = None,
    **words: Unpack[ErrorWords],
) -> Listing:
    """List the most frequent errors, as ``graphscore errors`` does.

    Args:
        operands: gold and systems, whatever :func:`~graphscore.score` takes; or a
            :class:`~graphscore.Store`, or its file, and names of its collections.
        metric: a metric, its string or a formula, or several; without, the default
            metrics.
        options: pairing, reading, budget.
        words: ``by``: columns by which they are grouped; ``top``: how many groups (20);
            ``tuple_type``, ``error_type``, ``framework``, ``document``, ``item``,
            ``layer``: only those; ``confusions``: gold value by system value instead;
            others as for :func:`~graphscore.score`.

    Raises:
        UsageError: if a column, tuple type or metric is unknown.
    """
    from graphscore.report.error_tables import ErrorQuestion

    keys = ("tuple_type", "error_type", "framework", "document", "item", "layer", "top")
    own = _take_keywords(words, (*keys, "by", "confusions"))
    if own.get("by") is not None:
        own["by"] = _columns(own["by"])
    question = ErrorQuestion(**own)
    chosen, _ = parse_all(metric)
    question.check(chosen or ())
    options = options_of("errors", options, words, (*keys, "by", "confusions"))
    with _score_into_store(operands, metric, question.limited(options)) as (
        store,
        gold,
        made,
    ):
        groups = question.answer(store, gold, made)
    return Listing("Errors", *groups.flat(), groups.remarks, groups.tables)


class ItemWords(OptionWords, total=False):
    """Keywords of :func:`items`."""

    worst: int | None
    order: Literal["mean", "best"]
    shared: bool


def items(
    *operands: Any,
    metric: Any = None,
    options: Options | None = None,
    **words: Unpack[ItemWords],
) -> Listing:
    """List F1 per item and framework, lowest first, as ``graphscore items`` does.

    Args:
        operands: as for :func:`errors`.
        metric: likewise.
        options: likewise.
        words: ``worst``: how many; ``order``: sorted by the ``mean`` over the
            frameworks, or by the ``best``; ``shared``: only items that every framework
            has; others as for :func:`~graphscore.score`.
    """
    from graphscore.evaluation.rows.sentences import ItemQuestion
    from graphscore.report.page.summaries import (
        framework_rows,
        framework_tables,
        summaries_of,
    )

    own = _take_keywords(words, ItemQuestion._fields)
    options = options_of("items", options, words, ItemQuestion._fields)
    with _score_into_store(operands, metric, options) as (store, gold, made):
        systems = ItemQuestion(**own).answer(store, gold, made, options)
        summaries = summaries_of(store, gold, made, systems, options)
    columns, rows = framework_rows(systems, summaries)
    return Listing(
        "Items", columns, rows, (), lambda: framework_tables(systems, summaries)
    )


def show(
    item: str | int,
    gold: Any,
    system: Any,
    /,
    metric: Any = None,
    *,
    options: Options | None = None,
    **words: Unpack[OptionWords],
) -> Listing:
    """Show one item, gold and system side by side, as ``graphscore show`` does.

    Args:
        item: its id, or that of a document; or its ordinal in gold, from 0.
        gold: whatever :func:`~graphscore.score` takes.
        system: likewise.
        metric: a metric, its string or a formula, or several; without, the default
            metrics.
        options: pairing, reading, budget.
        words: as for :func:`~graphscore.score`; ``framework`` and ``layer`` choose one
            where several have the item.

    Raises:
        GraphscoreError: if there is no such item; near names are said.
    """
    from graphscore.report.item_view.lookup import id_at
    from graphscore.report.item_view.sentences import compared_in_files
    from graphscore.report.side_by_side import FLAT

    among = _take_keywords(words, ("framework", "layer"))
    options = options_of("show", options, words, ("framework", "layer"))
    options = into_class(options, metric, gold, system)
    chosen, _ = parse_all(metric)
    readings = options.reading, options.system_reading or options.reading
    both = sides(gold, system, readings=readings, frameworks=frameworks_of(chosen))
    if chosen is None and both.cls is not None:
        chosen = [parse(both.cls)]
    laid: list[Any] = [
        side if isinstance(side, str | Sequence) else list(side) for side in both[:2]
    ]
    name = id_at(laid[0], item, options.reading)
    compared, notes = compared_in_files(
        laid[0], laid[1], name, chosen, options, **among
    )
    outcomes = [outcome for outcome, _ in compared]
    rows = [row for outcome in outcomes for row in outcome.flat()]

    def tables() -> list[Table]:
        return [table for outcome in outcomes for table in outcome.tables()]

    return Listing("Item", FLAT, rows, notes, tables)


def validate(
    *operands: Any,
    ignore: str | Sequence[str] = (),
    every: bool = False,
    options: Options | None = None,
    **words: Unpack[OptionWords],
) -> Listing:
    """Check files or graphs and list all problems, as ``graphscore validate`` does.

    Args:
        operands: files, directories and globs, each a collection of its own; or graphs,
            and whatever else :func:`~graphscore.score` takes.
        ignore: codes of findings that are left out.
        every: whether equal findings are all listed.
        options: how files are read.
        words: likewise: ``format``.

    Returns:
        A row of severity, code, place and message for each finding; none without any.
    """
    from graphscore.evaluation.rows.checking import check_files, findings_of
    from graphscore.inputs.alignment import graphs_of
    from graphscore.validation import codes_named
    from graphscore.validation import validate as findings_in
    from graphscore.validation.base import Finding

    reading = options_of("validate", options, words, ("ignore", "every")).reading
    ignored = codes_named([ignore] if isinstance(ignore, str) else ignore)
    notes: list[str] = []
    rows: list[dict[str, Any]] = []
    for operand in operands:
        if isinstance(operand, str | PathLike):
            path = str(fspath(operand))
            [files] = check_files([path], reading, ignored, every, notes.append)
            rows += findings_of(files, every)[0]
        else:
            rows += [
                finding._asdict()
                for graph in graphs_of(operand)
                for finding in findings_in(graph)
                if finding.code not in ignored
            ]
    counted = ["count"] if any("count" in row for row in rows) else []
    columns = [*Finding._fields, *counted]
    cells = ([row.get(column) for column in columns] for row in rows)
    return Listing("Findings", columns, cells, notes)


def convert(
    source: str | Sequence[str],
    target: str,
    *,
    to: str | None = None,
    force: bool = False,
    keep_going: bool = False,
    **words: Unpack[OptionWords],
) -> int:
    """Convert files to another format, as ``graphscore convert`` does.

    Args:
        source: a file, directory or glob, or several.
        target: the file that is written, or a folder, which ends in a slash.
        to: its format, where its ending does not say it.
        force: whether a file that is there is overwritten.
        keep_going: whether malformed records are left out.
        words: ``framework``, ``item``: only these; ``format`` of the source.

    Returns:
        How many graphs were written.

    Raises:
        GraphscoreError: if something cannot be read or written; nothing is, then.
    """
    from graphscore.formats.converting import (
        Converted,
        Inputs,
        is_folder,
        output_format,
        target_path,
    )

    options = options_of("convert", None, words, ("to", "force", "keep_going"))
    sources = [source] if isinstance(source, str | PathLike) else source
    inputs = Inputs(
        [str(fspath(path)) for path in sources], options.reading, lambda _: None
    )
    chosen = output_format(str(target), to, inputs)
    folder = is_folder(str(target), chosen)
    out = target_path(str(target), force, folder)
    selection = options.selection
    graphs = Converted(inputs, chosen, selection.frameworks, selection.items)
    count = graphs.write(out, folder, force, keep_going)
    if graphs.problems and not keep_going:
        raise GraphscoreError("\n".join(listed(graphs.problems)))
    return count


def analyze(
    *operands: Any,
    by: Literal["framework", "collection"] = "framework",
    inverted: Literal["keep", "turn"] = "keep",
    options: Options | None = None,
    **words: Unpack[OptionWords],
) -> Listing:
    """Compute graph statistics by framework, as ``graphscore analyze`` does.

    Args:
        operands: files, directories and globs, graphs, or whatever else
            :func:`~graphscore.score` takes; or a :class:`~graphscore.Store`, or its
            file, and names of its collections.
        by: ``collection`` gives a column to each operand.
        inverted: whether inverted edges are taken as written, or turned.
        options: how files are read.
        words: ``framework``: only this one; ``format`` of the files.

    Raises:
        InputError: if something cannot be read.
    """
    from graphscore.analysis.collection import Collections
    from graphscore.inputs.alignment import graphs_of
    from graphscore.report.analysis import analysis_tables, flat_statistics

    for name, value, known in (
        ("by", by, ("framework", "collection")),
        ("inverted", inverted, ("keep", "turn")),
    ):
        if value not in known:
            raise UsageError(f"{name} is {value!r}; there are: {', '.join(known)}")
    options = options_of("analyze", options, words, ("by", "inverted"))
    columns = Collections(options.selection.frameworks, inverted, by == "collection")
    source, rest = _store_of(operands)
    with _open_store(source) as store:
        for number, operand in enumerate(rest):
            graphs = (
                graphs_of(operand, options.reading)
                if store is None
                else store.graphs(operand)
            )
            for graph in graphs:
                columns.add(number, graph)
    names = [
        str(operand) if isinstance(operand, str | PathLike) else f"collection {number}"
        for number, operand in enumerate(rest, 1)
    ]
    statistics = columns.named(names)
    return Listing(
        "Statistics",
        *flat_statistics(statistics),
        (),
        lambda: analysis_tables(statistics),
    )


def find_pattern(
    pattern: str,
    *operands: Any,
    metric: Any = None,
    by: Sequence[str] = (),
    top: int | None = None,
    options: Options | None = None,
    **words: Unpack[OptionWords],
) -> Any:
    """Search graphs and errors by a pattern, as ``graphscore find`` does.

    Args:
        pattern: such as ``pattern { X -[ARG1]-> Y; missing(Y) }``.
        operands: graphs, or gold and a system where the pattern compares these,
            whatever :func:`~graphscore.score` takes; or a :class:`~graphscore.Store`,
            or its file, and names of its collections.
        metric: of the evaluation, where the pattern compares both sides.
        by: what hits are counted by, as ``X.label``, ``item``.
        top: how many hits and groups are given; all without.
        options: pairing, reading, budget.
        words: as for :func:`~graphscore.score`.

    Returns:
        Hits: ``hits`` says how many, ``items`` has them, ``groups`` their numbers.

    Raises:
        UsageError: if the pattern is wrong, pointing into it.
    """
    from graphscore.find.grammar import parse as pattern_of
    from graphscore.find.scope import scope_of
    from graphscore.inputs.alignment import graphs_of

    scope = scope_of(pattern_of(pattern))
    chosen = options_of("find_pattern", options, words, ("metric", "by", "top"))
    source, rest = _store_of(operands)
    if source is None and not scope.compares:
        if len(rest) != 1:
            raise UsageError(f"{len(rest)} sides: the pattern is about one")
        with Store("sqlite://", mode="create") as store:
            store.add([*graphs_of(rest[0], chosen.reading)], MEMORY[0])
            return store.find(scope.pattern, by=by, top=top)
    if source is not None and not scope.compares:
        with _open_store(source) as opened:
            assert opened is not None
            gold, system = (*map(str, rest), None, None)[:2]
            return opened.find(scope.pattern, gold=gold, system=system, by=by, top=top)
    with _score_into_store(operands, metric, chosen) as (store, gold, made):
        if len(made) != 1:
            raise UsageError(
                f"{len(made)} evaluations: find_pattern takes one system and metric"
            )
        [(system, choice, evaluated)] = made
        return store.find(
            scope.pattern,
            gold=gold,
            system=system,
            metric=str(choice.metric),
            scope=evaluated,
            by=by,
            top=top,
        )


def _columns(by: str | Sequence[str]) -> list[str]:
    names = by.split(",") if isinstance(by, str) else by
    return [name.strip().replace("-", "_") for name in names]


def _take_keywords(words: Any, keys: Iterable[str]) -> dict[str, Any]:
    """Take keywords of a function's own out of all."""
    return {key: words.pop(key) for key in keys if key in words}


def _store_of(operands: Sequence[Any]) -> tuple[Any, list[Any]]:
    """A store among operands, or its file, and the other operands."""
    rest = list(operands)
    if not rest:
        raise UsageError("nothing is given: expected files, objects, or a store")
    first = rest[0]
    held = isinstance(first, Store) or (isinstance(first, str) and is_store(first))
    return (rest.pop(0) if held else None), rest


@contextmanager
def _open_store(source: Any) -> Iterator[Store | None]:
    """A store, which is closed again if it was opened here."""
    if isinstance(source, str):
        with Store(source, mode=best_mode(source)) as store:
            yield store
    else:
        yield source


@contextmanager
def _score_into_store(
    operands: Sequence[Any], metric: Any, options: Options
) -> Iterator[tuple[Store, str, list[Scored]]]:
    """A store in which all systems are scored: the one that is given, or in memory."""
    chosen: Sequence[Metric] | None
    chosen, _ = parse_all(metric)
    source, rest = _store_of(operands)
    if len(rest) < 2:
        raise UsageError("expected gold and one or more systems")
    gold, *systems = rest
    if source is not None:
        with _open_store(source) as store:
            assert store is not None
            yield _evaluate(store, gold, systems, chosen, options)
        return
    options = into_class(options, metric, gold, *systems)
    readings = options.reading, options.system_reading or options.reading
    scored = frameworks_of(chosen)
    gold, laid, cls = several_sides(gold, systems, readings, scored)
    if chosen is None and cls is not None:
        chosen = [parse(cls)]
    names = [MEMORY[1]] if len(laid) == 1 else []
    names = names or [f"{MEMORY[1]} {number}" for number in range(1, len(laid) + 1)]
    with Store("sqlite://", mode="create") as store:
        for name, side in zip((MEMORY[0], *names), (gold, *laid), strict=True):
            reading = readings[name != MEMORY[0]]
            if isinstance(side, str):
                keep = name != MEMORY[0]
                store.ingest(side, name, reading=reading, keep_going=keep)
            else:
                store.add(list(side), name, keep_going=name != MEMORY[0])
        yield _evaluate(store, MEMORY[0], names, chosen, options)


def _evaluate(
    store: Store,
    gold: str,
    systems: Sequence[str],
    metrics: Sequence[Metric] | None,
    options: Options,
) -> tuple[Store, str, list[Scored]]:
    request = StoreRequest(metrics, options)
    made = request.chosen(store, gold, systems, "what is given")
    request.score(store, gold, made)
    return store, gold, made
