"""Options that several verbs share, each bundle as one typed value.

A decorator adds click options and hands them to the verb together::

    @click.command()
    @scoring_options
    @output_options
    def command(scoring: Scoring, output: Output) -> None: ...
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from graphscore.cli.classes import class_to_read, derived_from_format, note_class
from graphscore.cli.failures import complain
from graphscore.cli.output import SUMMARY, Output, append_summary
from graphscore.cli.verb import FILE, OneOf
from graphscore.errors import UsageError, meant
from graphscore.store.turns import WAIT

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options, Selection
    from graphscore.formats import Reading
    from graphscore.metrics.base import Metric

Found = TypeVar("Found")

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])

GROUPS = ("framework", "kind", "document", "item", "language", "layer")
"""What ``--by`` knows."""


def bundle(
    name: str, kind: type[Any], *options: Callable[[AnyCommand], AnyCommand]
) -> Callable[[AnyCommand], AnyCommand]:
    """A decorator that adds options and passes them as one value.

    Args:
        name: the parameter that takes it.
        kind: a data class whose fields are the options.
        options: as click has them.
    """
    fields = [field.name for field in dataclasses.fields(kind) if field.init]

    def decorate(function: AnyCommand) -> AnyCommand:
        @functools.wraps(function)
        def command(*args: Any, **values: Any) -> Any:
            mine = {field: values.pop(field) for field in fields if field in values}
            return function(*args, **values, **{name: kind(**mine)})

        decorated: Any = command
        for option in reversed(options):
            decorated = option(decorated)
        result: AnyCommand = decorated
        return result

    return decorate


def _mode(name: str, text: str) -> Callable[[Any], Any]:
    return click.option(f"--{name}", "mode", flag_value=name, help=text)


def _summary(ctx: click.Context, _: click.Parameter, asked: bool) -> str | None:
    """The file of the summary; where the environment names none, that is said.

    That it can be written is seen before anything is worked on.
    """
    if not asked or ctx.resilient_parsing:
        return None
    path = os.environ.get(SUMMARY)
    if path:
        append_summary(path, "")
        return path

    def remark() -> None:
        if not ctx.params.get("quiet"):
            complain(f"--summary: {SUMMARY} is not set, so that none is written")

    ctx.call_on_close(remark)
    return None


output_options = bundle(
    "output",
    Output,
    _mode("json", "Print JSON (the default in a pipe or file)."),
    _mode("jsonl", "Print one JSON value to a line."),
    _mode("csv", "Print comma-separated values with a header."),
    _mode("table", "Print a table (the default on a terminal)."),
    _mode("markdown", "Print tables as Markdown."),
    _mode("latex", "Print tables as LaTeX, with booktabs."),
    click.option(
        "--summary",
        is_flag=True,
        callback=_summary,
        help=f"Append the tables, as Markdown, to the file that {SUMMARY} names.",
    ),
    click.option(
        "--places",
        type=click.IntRange(0, 15),
        default=2,
        show_default=True,
        help="Decimals of scores in tables, where they are times 100.",
    ),
    click.option(
        "--width",
        type=click.IntRange(20, 10_000),
        metavar="COLUMNS",
        help="Columns that tables fit into (as many as the terminal has).",
    ),
    click.option("-v", "--verbose", is_flag=True, help="Say more."),
    click.option(
        "-q", "--quiet", is_flag=True, help="Say nothing but errors and failed gates."
    ),
)
"""Adds ``output``: an :class:`~graphscore.cli.output.Output`."""


@dataclass(frozen=True)
class ReadingOptions:
    """How files are read."""

    format: str | None = None
    document: str | None = None
    document_map: str | None = None
    text: str | None = None
    framework_of_file: str | None = None
    inventory: str | None = None
    gold_format: str | None = None
    system_format: str | None = None

    @property
    def given(self) -> bool:
        """Whether any of it was said."""
        return any(each is not None for each in dataclasses.astuple(self))

    def of(self, side: Literal["gold", "system"]) -> ReadingOptions:
        """How the files of one side are read."""
        own = self.gold_format if side == "gold" else self.system_format
        return dataclasses.replace(
            self, format=own or self.format, gold_format=None, system_format=None
        )

    def reading(self) -> Reading:
        """The formats' view of it.

        Raises:
            UsageError: for an unknown format, or two rules for documents.
        """
        from graphscore.formats import Reading
        from graphscore.formats.documents import read_table, rule_from
        from graphscore.formats.own import format_given
        from graphscore.formats.registry import reader_of

        if self.document is not None and self.document_map is not None:
            raise UsageError("--document and --document-map: only one can rule")
        table = _once(read_table, self.document_map)
        format = self.format or class_to_read()
        if format is not None:
            reader_of(format_given(format))
        rule = (self.document, sorted(table.items()) if table else None)
        described = repr(rule) if any(rule) else ""
        texts = inventory = None
        folder = self.text if self.text and os.path.isdir(self.text) else ""
        if self.text is not None and not folder:
            from graphscore.formats.texts import read_texts

            texts = _once(read_texts, self.text)
        if self.inventory is not None:
            from graphscore.formats.entities.inventories import read_inventory

            inventory = _once(read_inventory, self.inventory)
        framework = self.framework_of_file
        if framework is not None and not framework.strip():
            raise UsageError("--framework-of-file needs the name of a framework")
        return Reading(
            format,
            rule_from(self.document, table),
            described,
            texts,
            framework and framework.strip().lower(),
            inventory,
            folder,
        )


def _once(read: Callable[[str], Found], path: str | None) -> Found | None:
    """What a table holds; it may be a pipe, and both sides be read with it."""
    if path is None:
        return None
    context = click.get_current_context(silent=True)
    if context is None:
        return read(path)
    known: dict[Any, Any] = context.meta.setdefault("graphscore.tables", {})
    if (read, path) not in known:
        known[read, path] = read(path)
    found: Found = known[read, path]
    return found


def _document_regex(*names: str) -> Callable[[Any], Any]:
    return click.option(
        *names,
        "document",
        metavar="REGEX",
        help="Its first group, found in an item's id, is the item's document.",
    )


_FORMAT = (
    "Format of the files (see the verb formats), not guessed; mine.py:NAME and "
    "module:NAME run a function or dataclass of your own, and are taken here alone."
)

_SENTENCES = (
    click.option(
        "--text",
        type=FILE,
        metavar="FILE",
        help="Table of items and raw sentences (tab), or folder of annotations' texts.",
    ),
    click.option(
        "--framework-of-file",
        metavar="NAME",
        help="Framework of files that do not say it (sdp).",
    ),
    click.option(
        "--inventory",
        type=FILE,
        metavar="FILE",
        help="Tags of entities and of components (TOML), for inline tags (quaero).",
    ),
)

_FILES = (
    click.option("--format", metavar="NAME", help=_FORMAT),
    click.option(
        "--document-map",
        type=FILE,
        metavar="FILE",
        help="Table of items and their documents (tab or comma).",
    ),
    *_SENTENCES,
)

reading_options = bundle(
    "reading",
    ReadingOptions,
    _document_regex("--document", "--document-regex"),
    *_FILES,
)
"""Adds ``reading``: a :class:`ReadingOptions`."""

_SIDES = (
    click.option(
        "--gold-format", metavar="NAME", help="Format of GOLD, where it is another."
    ),
    click.option(
        "--system-format",
        metavar="NAME",
        help="Format of every SYSTEM, where it is another.",
    ),
)

sides_reading_options = bundle(
    "reading",
    ReadingOptions,
    _document_regex("--document", "--document-regex"),
    _FILES[0],
    *_SIDES,
    *_FILES[1:],
)
"""The same for verbs that compare two sides."""

converting_options = bundle(
    "reading",
    ReadingOptions,
    click.option(
        "--from",
        "--format",
        "format",
        metavar="NAME",
        help=_FORMAT.replace("the files", "IN"),
    ),
    _document_regex("--document", "--document-regex"),
    *_FILES[1:],
)
"""The same for ``convert``, where ``--from`` stands beside ``--to``."""

reading_options_beside_document = bundle(
    "reading",
    ReadingOptions,
    _document_regex("--document-regex"),
    _FILES[0],
    *_SIDES,
    *_FILES[1:],
)
"""The same for verbs where ``--document`` chooses a document."""


@dataclass(frozen=True)
class Scoring:
    """Which units are scored, how they pair and how much work they may take."""

    framework: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    only_item: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    pair: Literal["id", "order"] = "id"
    ids: str | None = None
    jobs: int = 1
    limit: int | None = None
    time_limit: float | None = None

    def selection(self, *items: str) -> Selection:
        """Which units take part; *items* beside those of ``--item``."""
        from graphscore.evaluation.options import Selection

        return Selection(
            frozenset(self.framework),
            frozenset(self.language),
            frozenset((*self.only_item, *items)),
            frozenset(self.layer),
        )

    def options(
        self,
        reading: ReadingOptions,
        *,
        per_item: bool = False,
        details: bool = False,
        parts: bool = False,
        references: Literal["best", "mean"] = "best",
    ) -> Options:
        """The evaluation's view of it.

        Raises:
            UsageError: if the rule for ids or documents is wrong.
        """
        from graphscore.correspondence import Budget
        from graphscore.evaluation.options import Options
        from graphscore.model.ids import id_rule

        id_rule(self.ids)
        budget = Budget(seconds=self.time_limit)
        if self.limit is not None:
            budget = dataclasses.replace(budget, steps=self.limit)
        return Options(
            selection=self.selection(),
            pair=self.pair,
            ids=self.ids,
            budget=budget,
            jobs=self.jobs,
            per_item=per_item,
            details=details,
            parts=parts,
            references=references,
            reading=reading.of("gold").reading(),
            system_reading=reading.of("system").reading(),
        )


wait_option = click.option(
    "--wait",
    type=click.FloatRange(0),
    default=WAIT,
    show_default=True,
    metavar="SECONDS",
    help="Time to wait for another process that writes to the store.",
)


def _many(name: str, text: str, target: str | None = None) -> Callable[[Any], Any]:
    return click.option(
        f"--{name}", target or name, multiple=True, metavar="NAME", help=text
    )


_WORK = (
    click.option(
        "--pair",
        type=OneOf(["id", "order"]),
        default="id",
        show_default=True,
        help="Pair equal ids, or the n-th with the n-th.",
    ),
    click.option(
        "--ids",
        metavar="RULE",
        help="Rewrite ids before pairing: wsj, muc4 or PATTERN=>REPLACEMENT.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        envvar="GRAPHSCORE_JOBS",
        metavar="N",
        help="Worker processes; output is the same for any N.  [GRAPHSCORE_JOBS]",
    ),
    click.option(
        "--limit",
        type=click.IntRange(1),
        metavar="STEPS",
        help="Search steps per pair; a pair that needs more is reported unproven.",
    ),
    click.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Time per pair; results may then differ between runs.",
    ),
)

scoring_options = bundle(
    "scoring",
    Scoring,
    _many("framework", "Only this framework (repeatable)."),
    _many("language", "Only this language (repeatable)."),
    _many("item", "Only this item (repeatable).", "only_item"),
    _many("layer", "Only this layer, of those that a file has (repeatable)."),
    *_WORK,
)
"""Adds ``scoring``: a :class:`Scoring`."""

work_options = bundle("scoring", Scoring, *_WORK)
"""The same without selection, for verbs that choose by other means."""


metric_option = click.option(
    "-m",
    "--metric",
    "metric_names",
    multiple=True,
    metavar="METRIC",
    help="Metric (see the verb metrics), as 'mrp(order=free)', or a formula in quotes, "
    "as \"f1(match(nodes('mention'), exact(label)))\" (repeatable, or with commas); "
    "mine.py:NAME and module:NAME run a formula, metric or dataclass of your own.  "
    "[default: by what there is to score]",
)

one_metric_option = click.option(
    "-m",
    "--metric",
    "metric_names",
    multiple=True,
    metavar="METRIC",
    help="Metric (see the verb metrics).  [default: by what there is to score]",
)

seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    default=12345,
    show_default=True,
    metavar="N",
    help="What the draws start from.",
)

level_option = click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    metavar="X",
    help="Level of the intervals.",
)

gold_option = click.option("--gold", metavar="NAME", help="Gold collection of a store.")

systems_option = click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="System collection of a store (repeatable).  [default: all that pair with "
    "gold]",
)

framework_option = click.option(
    "--framework", "in_framework", metavar="NAME", help="Only this framework."
)

layer_option = click.option(
    "--layer", "in_layer", metavar="NAME", help="Only this layer."
)


def chosen_metrics(names: tuple[str, ...], most: str = "") -> list[Metric] | None:
    """The metrics that ``-m`` names, each once.

    Args:
        names: the values of ``-m``.
        most: the verb, if it takes one only.

    Returns:
        Metrics; that of the class where ``--format`` names one; ``None`` where none is
        named, and what is there decides.

    Raises:
        UsageError: if one is unknown.
    """
    if not names:
        return derived_from_format()
    from graphscore.metrics.registry import parse, split_metrics

    found = [parse(text) for name in names for text in split_metrics(name)]
    if not found:
        raise UsageError("-m needs the name of a metric")
    metrics = list(dict.fromkeys(found))
    note_class(metrics)
    if most and len(metrics) > 1:
        raise UsageError(f"{most} takes one metric")
    return metrics


def chosen_groups(text: str) -> tuple[str, ...]:
    """The columns that ``--by`` names.

    Raises:
        UsageError: if one is unknown.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in GROUPS:
            raise UsageError(
                f"--by {name}{meant(name, GROUPS)}: there are {', '.join(GROUPS)}"
            )
    return tuple(dict.fromkeys(names))
