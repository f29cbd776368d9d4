"""Options that several commands share."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from graphscore.cli.bundles import Bundle, bundle, option
from graphscore.cli.command import FILE, OneOf
from graphscore.cli.output import Output
from graphscore.exceptions import UsageError, did_you_mean
from graphscore.store import WAIT

if TYPE_CHECKING:
    from graphscore.evaluation.options import Further, Options, Selection
    from graphscore.formats import ReaderOptions
    from graphscore.metrics.base import Metric

Found = TypeVar("Found")

CLASS = "graphscore.class"
"""Key of a context that holds the class named by ``-m``, of the files' objects."""

GROUPS = ("framework", "tuple_type", "document", "item", "language", "layer")
"""Groups of ``--by``."""

output_options = bundle("output", Output)
"""Adds ``output``: an :class:`~graphscore.cli.output.Output`."""

brief_output_options = bundle(
    "output",
    Output,
    help={"quiet": "Print one line per system and missed thresholds."},
)
"""The same for ``score``, which is brief where it is quiet."""


_FORMAT = "Set the input format; mine.py:NAME names a reader of your own."


class ReaderArguments(Bundle):
    """Options of readers."""

    document: str | None = option(
        "--document",
        "--document-regex",
        metavar="REGEX",
        excludes=["document_map"],
        help="Take the document ID from group 1 of REGEX.",
    )
    format: str | None = option("--format", metavar="NAME", help=_FORMAT)
    gold_format: str | None = option(
        "--gold-format", metavar="NAME", help="Set the format of GOLD, if different."
    )
    system_format: str | None = option(
        "--system-format",
        metavar="NAME",
        help="Set the format of SYSTEM files, if different.",
    )
    document_map: str | None = option(
        "--document-map",
        type=FILE,
        metavar="FILE",
        help="Read item-to-document IDs from a TSV or CSV file.",
    )
    text: str | None = option(
        "--text",
        type=FILE,
        metavar="FILE",
        help="Read raw sentences from a TSV file or a folder.",
    )
    framework_of_file: str | None = option(
        "--framework-of-file",
        metavar="NAME",
        help="Set the framework of files that lack one (sdp).",
    )
    inventory: str | None = option(
        "--inventory",
        type=FILE,
        metavar="FILE",
        help="Read entity and component tags from TOML (quaero).",
    )

    labels: str | None = option(
        "--labels",
        metavar="NAMES",
        help="Name tags that are numbers: O,B-PER... or a file (token-rows).",
    )

    @property
    def given(self) -> bool:
        """True if any reader option is set."""
        return any(value is not None for value in self.values().values())

    def of(self, side: Literal["gold", "system"]) -> ReaderArguments:
        """Return the reader options of one side."""
        own = self.gold_format if side == "gold" else self.system_format
        return self.changed(
            format=own or self.format, gold_format=None, system_format=None
        )

    def reading(self) -> ReaderOptions:
        """The formats' view of it.

        Raises:
            UsageError: for an unknown format, or two rules for documents.
        """
        from graphscore.formats import ReaderOptions
        from graphscore.formats.document_rules import read_table, rule_from
        from graphscore.formats.registry import reader_of
        from graphscore.formats.user_formats import format_given

        table = None
        if self.document_map is not None:
            table = _once(read_table, self.document_map)
        format = self.format or class_to_read()
        if format is not None:
            reader_of(format_given(format))
        rule = (self.document, sorted(table.items()) if table else None)
        described = repr(rule) if any(rule) else ""
        texts = inventory = None
        folder = self.text if self.text and os.path.isdir(self.text) else ""
        if self.text is not None and not folder:
            from graphscore.formats.raw_text import read_texts

            texts = _once(read_texts, self.text)
        if self.inventory is not None:
            from graphscore.formats.entities.inventories import read_inventory

            inventory = _once(read_inventory, self.inventory)
        labels: tuple[str, ...] = ()
        if self.labels is not None:
            from graphscore.formats.entities.token_rows import labels_of

            labels = _once(labels_of, self.labels)
        framework = self.framework_of_file
        if framework is not None and not framework.strip():
            raise UsageError("--framework-of-file needs the name of a framework")
        return ReaderOptions(
            format,
            rule_from(self.document, table) if any(rule) else None,
            described,
            texts,
            framework and framework.strip().lower(),
            inventory,
            folder,
            labels,
        )


def _once(read: Callable[[str], Found], path: str) -> Found:
    """Read a table once; it may be a pipe, and serve both sides."""
    context = click.get_current_context(silent=True)
    if context is None:
        return read(path)
    known: dict[Any, Any] = context.meta.setdefault("graphscore.tables", {})
    if (read, path) not in known:
        known[read, path] = read(path)
    result: Found = known[read, path]
    return result


_ONE_SIDE = ("gold_format", "system_format")

reading_options = bundle("reading", ReaderArguments, _ONE_SIDE)
"""Adds ``reading``: a :class:`ReaderArguments`."""

sides_reading_options = bundle("reading", ReaderArguments)
"""The same for commands that compare two sides."""

converting_options = bundle(
    "reading",
    ReaderArguments,
    _ONE_SIDE,
    named={"format": ("--from", "--format")},
)
"""The same for ``convert``, where ``--from`` stands beside ``--to``."""

reading_options_beside_document = bundle(
    "reading", ReaderArguments, named={"document": ("--document-regex",)}
)
"""The same for commands where ``--document`` chooses a document."""


class ScoringOptions(Bundle):
    """Options of scoring: which units take part, how they pair, search budget."""

    framework: tuple[str, ...] = option(
        "--framework",
        default=(),
        multiple=True,
        metavar="NAME",
        help="Include only this framework (repeatable).",
    )
    language: tuple[str, ...] = option(
        "--language",
        default=(),
        multiple=True,
        metavar="NAME",
        help="Include only this language (repeatable).",
    )
    only_item: tuple[str, ...] = option(
        "--item",
        default=(),
        multiple=True,
        metavar="NAME",
        help="Include only this item (repeatable).",
    )
    layer: tuple[str, ...] = option(
        "--layer",
        default=(),
        multiple=True,
        metavar="NAME",
        help="Include only this layer (repeatable).",
    )
    pair: Literal["id", "order"] = option(
        "--pair",
        type=OneOf(["id", "order"]),
        default="id",
        show_default=True,
        help="Pair items by ID or by position.",
    )
    ids: str | None = option(
        "--ids",
        metavar="RULE",
        help="Rewrite IDs before pairing: wsj, muc4 or REGEX=>TEXT.",
    )
    jobs: int = option(
        "--jobs",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        envvar="GRAPHSCORE_JOBS",
        metavar="N",
        help="Set the number of worker processes. [GRAPHSCORE_JOBS]",
    )
    limit: int | None = option(
        "--limit",
        type=click.IntRange(1),
        metavar="STEPS",
        help="Limit search steps per pair.",
    )
    time_limit: float | None = option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Limit seconds per pair (not reproducible).",
    )

    def selection(self, *items: str) -> Selection:
        """Return the selection of units; *items* adds to those of ``--item``."""
        from graphscore.evaluation.options import Selection

        return Selection(
            frozenset(self.framework),
            frozenset(self.language),
            frozenset((*self.only_item, *items)),
            frozenset(self.layer),
        )

    def options(
        self,
        reading: ReaderArguments,
        *,
        per_item: bool = False,
        details: bool = False,
        parts: bool = False,
        references: Literal["best", "mean"] = "best",
        further: Further = "",
    ) -> Options:
        """The evaluation's view of it.

        Raises:
            UsageError: if the rule for ids or documents is wrong.
        """
        from graphscore.correspondence import Budget
        from graphscore.evaluation.options import Options
        from graphscore.model.ids import id_rule

        if self.ids:
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
            further=further,
            reading=reading.of("gold").reading(),
            system_reading=reading.of("system").reading(),
        )


WAITING = "Wait this long for another process that writes."

wait_option = click.option(
    "--wait",
    type=click.FloatRange(0),
    default=WAIT,
    show_default=True,
    metavar="SECONDS",
    help=WAITING,
)


scoring_options = bundle("scoring", ScoringOptions)
"""Adds ``scoring``: a :class:`ScoringOptions`."""

work_options = bundle(
    "scoring", ScoringOptions, ("framework", "language", "only_item", "layer")
)
"""The same without selection, for commands that choose by other means."""

_METRIC = "Select a metric or formula.  [default: by what there is to score]"


class Sides(Bundle):
    """Collections of a store to compare, and the metrics."""

    gold: str | Sequence[str] | None = option(
        "--gold", metavar="NAME", help="Select the gold collection of a store."
    )
    systems: tuple[str, ...] = option(
        "--system",
        default=(),
        multiple=True,
        metavar="NAME",
        help="Select a system collection of a store (repeatable).  [default: all "
        "that pair with gold]",
    )
    metric_names: tuple[str, ...] = option(
        "-m",
        "--metric",
        default=(),
        multiple=True,
        metavar="METRIC",
        help="Select a metric or formula (repeatable).  [default: by what there is "
        "to score]",
    )

    def metrics(self, most: str = "") -> list[Metric] | None:
        """The metrics that are named, as :func:`chosen_metrics`.

        Args:
            most: the command, if it takes one only.
        """
        return chosen_metrics(self.metric_names, most)


class References(Sides):
    """The same, where gold may be several references."""

    gold: Sequence[str] = option(
        "--gold",
        default=(),
        multiple=True,
        metavar="NAME",
        help="Select the gold collection of a store.",
    )
    references: Literal["best", "mean"] = option(
        "--references",
        type=OneOf(["best", "mean"]),
        default="best",
        show_default=True,
        help="Take the best reference per item, or the mean.",
    )


sides_options = bundle("sides", Sides)
"""Adds ``sides``: a :class:`Sides`."""

one_metric_options = bundle("sides", Sides, help={"metric_names": _METRIC})
"""The same for commands that take one metric."""

references_options = bundle("sides", References)
"""The same for commands that take several references."""


class Drawing(Bundle):
    """Options of the bootstrap: samples, seed, and level."""

    samples: int = option(
        "--samples",
        type=click.IntRange(1),
        default=10_000,
        show_default=True,
        metavar="N",
        help="Set the number of bootstrap samples.",
    )
    seed: int = option(
        "--seed",
        type=click.IntRange(0),
        default=12345,
        show_default=True,
        metavar="N",
        help="Set the random seed.",
    )
    level: float = option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        metavar="X",
        help="Set the confidence level.",
    )


drawing_options = bundle("drawing", Drawing)
"""Adds ``drawing``: a :class:`Drawing`."""


class Among(Bundle):
    """Framework and layer to include."""

    framework: str | None = option(
        "--framework", metavar="NAME", help="Include only this framework."
    )
    layer: str | None = option(
        "--layer", metavar="NAME", help="Include only this layer."
    )


def class_to_read() -> str | None:
    """The class that ``-m`` names: without ``--format`` files hold its objects."""
    context = click.get_current_context(silent=True)
    result: str | None = context.meta.get(CLASS) if context else None
    return result


def note_class(metrics: Sequence[Metric]) -> None:
    """Remember the class that metrics are derived from, if there is one.

    Args:
        metrics: what ``-m`` names.

    Raises:
        UsageError: if there are several: files could not hold the objects of both.
    """
    context = click.get_current_context(silent=True)
    named = [str(metric) for metric in metrics if getattr(metric, "of_class", False)]
    if context is None or not named:
        return
    context.meta[CLASS] = named[0]
    if len(named) > 1 and context.params.get("format") is None:
        raise UsageError(
            f"-m names the classes {' and '.join(named)}, expected one: --format names "
            "what files are read as"
        )


def derived_from_format() -> list[Metric] | None:
    """The metric of the class that ``--format`` names, where ``-m`` names none.

    Raises:
        UsageError: if there is no such class.
    """
    context = click.get_current_context(silent=True)
    named = context.params.get("format") if context else None
    if not named or ":" not in named:
        return None
    from graphscore.formats.base import is_class
    from graphscore.formats.user_formats import reads
    from graphscore.metrics.registry import parse
    from graphscore.plugins import found_at

    return [parse(named)] if is_class(found_at(named, reads).value) else None


def chosen_metrics(names: tuple[str, ...], most: str = "") -> list[Metric] | None:
    """The metrics that ``-m`` names, each once.

    Args:
        names: the values of ``-m``.
        most: the command, if it takes one only.

    Returns:
        Metrics; that of the class where ``--format`` names one; ``None`` where none is
        named, and what is there decides.

    Raises:
        UsageError: if one is unknown.
    """
    if not names:
        return derived_from_format()
    from graphscore.metrics.registry import parse, split_metrics

    parsed = [parse(text) for name in names for text in split_metrics(name)]
    if not parsed:
        raise UsageError("-m needs the name of a metric")
    metrics = list(dict.fromkeys(parsed))
    note_class(metrics)
    if most and len(metrics) > 1:
        raise UsageError(f"{most} takes one metric")
    return metrics


def names_in(text: str) -> tuple[str, ...]:
    """The names in a text with commas between, each once."""
    names = (name.strip() for name in text.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def columns_in(text: str) -> tuple[str, ...]:
    """Return the columns that a text names, as ``tuple-type`` or ``tuple_type``."""
    return names_in(text.replace("-", "_"))


def chosen_groups(text: str) -> tuple[str, ...]:
    """The columns that ``--by`` names.

    Raises:
        UsageError: if one is unknown.
    """
    names = columns_in(text)
    for name in names:
        if name not in GROUPS:
            raise UsageError(
                f"--by {name}{did_you_mean(name, GROUPS)}: there are "
                f"{', '.join(GROUPS)}"
            )
    return names
