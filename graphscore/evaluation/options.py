"""Options of an evaluation: which units take part, and how they are scored.

The signature of a result says so in one line, with all else that scores depend on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from graphscore import __version__
from graphscore.correspondence import REVISION as SEARCH
from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError, did_you_mean, truncate
from graphscore.formats import ReaderOptions
from graphscore.formats.source import shown
from graphscore.metrics.base import covers, takes
from graphscore.model.frameworks import framework as framework_of
from graphscore.model.scope import Scope, escape_name, only_items

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric


Further = Literal["", "usual", "all"]
"""Metrics that stand beside default metrics in tables of the field."""


@dataclass(frozen=True)
class Selection:
    """Selection of the graphs of both sides that take part; empty means all."""

    frameworks: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    layers: frozenset[str] = frozenset()

    def takes(self, framework: str, language: str, item: str, layer: str = "") -> bool:
        """Return whether a graph takes part; one without a layer is in every layer."""
        return (
            (not self.frameworks or framework in self.frameworks)
            and (not self.languages or language in self.languages)
            and (not self.items or item in self.items)
            and (not self.layers or not layer or layer in self.layers)
        )


@dataclass(frozen=True)
class Options:
    """Options of an evaluation.

    Args:
        selection: which units take part.
        pair: by equal ids or by order.
        ids: rule that rewrites ids for pairing, see ``model.ids.id_rule``.
        budget: work per pair.
        jobs: worker processes; 1 stays in this one.
        per_item: whether results per item are kept.
        details: whether matches, errors and texts (with ``per_item``) are kept too.
        parts: whether the raw counts of sentences or documents are kept too, where a
            metric sums over them (``SumsOver.sums_over``).
        reading: formats and documents of the files.
        system_reading: those of the system's, where they are others.
        references: what becomes of several references (:class:`References`): the best
            for every item, or the mean over all.
        traced: whether items (with ``per_item``) know their texts and what the system
            calls them, by which those of several references are found to be the same.
        where: a pattern, as ``find`` takes them; only items in which it is found count.
        within: whether of these only tuples count about the nodes and edges that the
            pattern binds.
        beyond: whether metrics score frameworks that they are not made for, where the
            selection names them.
        further: which metrics stand beside default metrics: none, those of the usual
            tables of the field, or all.
    """

    selection: Selection = field(default_factory=Selection)
    pair: Literal["id", "order"] = "id"
    ids: str | None = None
    budget: Budget = field(default_factory=Budget)
    jobs: int = 1
    per_item: bool = False
    details: bool = False
    parts: bool = False
    reading: ReaderOptions = field(default_factory=ReaderOptions)
    system_reading: ReaderOptions | None = None
    references: Literal["best", "mean"] = "best"
    traced: bool = False
    where: str | None = None
    within: bool = False
    beyond: bool = True
    further: Further = ""

    def takes(self, metric: Metric, framework: str) -> bool:
        """Return whether a metric scores graphs of a framework that take part."""
        named = self.selection.frameworks if self.beyond else ()
        return takes(metric, framework, named)

    def naming(
        self, framework: str | None, metrics: Iterable[Metric] | None
    ) -> Options:
        """Options that name a framework, where metrics only score it if it is named.

        Args:
            framework: what only is asked for, if anything.
            metrics: those that the user has named; default metrics score a further
                layer of trees that one side lacks if it is named.
        """
        if framework is None:
            return self
        named = metrics is not None and any(
            covers(metric, framework) and not takes(metric, framework)
            for metric in metrics
        )
        is_layer = metrics is None and bool(framework_of(framework).layer_over)
        if not (named or is_layer):
            return self
        only = replace(self.selection, frameworks=frozenset({framework}))
        return replace(self, selection=only)

    def scope(self, frameworks: Iterable[str]) -> Scope:
        """Return the scope of an evaluation under these options.

        Args:
            frameworks: those that are scored.
        """
        selection = self.selection
        ids = f"id under {escape_name(self.ids)}" if self.ids else "id"
        return Scope(
            tuple(sorted(frameworks)),
            tuple(sorted(selection.languages)),
            tuple(sorted(selection.layers)),
            only_items(selection.items) if selection.items else "",
            self.pair if self.pair != "id" else ids,
        )


class OptionWords(TypedDict, total=False):
    """Options as keywords of functions, under the words of the command line."""

    framework: str | Collection[str] | None
    """Only graphs of this framework, or of these; also beyond what a metric is for."""
    language: str | Collection[str] | None
    layer: str | Collection[str] | None
    item: str | Collection[str] | None
    pair: Literal["id", "order"]
    ids: str | None
    """Rule that rewrites IDs for pairing."""
    limit: int | None
    """Search steps per pair."""
    time_limit: float | None
    """Seconds per pair, not reproducible."""
    jobs: int | None
    where: str | None
    """Pattern: only items count in whose gold graph it is found."""
    within: bool
    """Count only tuples that the pattern binds."""
    references: Literal["best", "mean"]
    format: str | None
    """Format of the files."""
    labels: Sequence[str] | Mapping[Any, str] | None
    """Names of tags that are numbers, from 0 or by number (``id2label``)."""
    of: type[Any] | None
    """Dataclass of which dicts, texts of JSON and files hold the fields."""


class ScoreWords(OptionWords, total=False):
    """Keywords of :func:`~graphscore.score`."""

    by: str | Sequence[str] | None
    """Columns that tables and rows are broken down by."""
    ci: bool | float
    """Confidence intervals, of 95 % or another level."""


_NAMES: Any = str | Collection | None
WORD_TYPES: Mapping[str, Any] = {
    "framework": _NAMES,
    "language": _NAMES,
    "layer": _NAMES,
    "item": _NAMES,
    "pair": str,
    "ids": str | None,
    "limit": Integral | None,
    "time_limit": Real | None,
    "jobs": Integral | None,
    "where": str | None,
    "within": bool,
    "references": str,
    "format": str | None,
    "labels": Sequence | Mapping | None,
    "of": type | None,
}
"""Types of :class:`OptionWords`, as ``expecting`` checks them."""

_SELECTED = {
    "framework": "frameworks",
    "language": "languages",
    "layer": "layers",
    "item": "items",
}
_CHOICES = {"pair": ("id", "order"), "references": ("best", "mean")}


def options_of(
    function: str,
    options: Options | None,
    words: Mapping[str, Any],
    known: Iterable[str] = (),
) -> Options:
    """Options, changed by the keywords of a function.

    Args:
        function: what was called, in messages.
        options: those that were given, if any.
        words: keywords, as in :class:`OptionWords`.
        known: other parameters of the function, for suggestions.

    Raises:
        TypeError: if there is no such keyword; the nearest is named.
        UsageError: if a value is none of the choices.

    Example:
        >>> options_of("score", None, {"framework": "amr"}).selection.frameworks
        frozenset({'amr'})
        >>> options_of("score", None, {"framwork": "amr"})
        Traceback (most recent call last):
        TypeError: score: unknown keyword 'framwork' (did you mean 'framework'?)
    """
    options = options or Options()
    changes: dict[str, Any] = {}
    selected, budget = {}, {}
    for word, value in words.items():
        if word not in WORD_TYPES:
            near = did_you_mean(word, (*WORD_TYPES, *known))
            raise TypeError(f"{function}: unknown keyword {word!r}{near}")
        if value is None:
            continue
        if word in _CHOICES and value not in _CHOICES[word]:
            near = did_you_mean(value, _CHOICES[word])
            raise UsageError(
                f"{word} is {value!r}{near}; there are: {', '.join(_CHOICES[word])}"
            )
        if word in _SELECTED:
            values = [value] if isinstance(value, str) else value
            selected[_SELECTED[word]] = frozenset(values)
        elif word in ("limit", "time_limit"):
            budget["steps" if word == "limit" else "seconds"] = value
        elif word in ("format", "of", "labels"):
            if word == "labels":
                # Only who names numbers needs what reads them.
                from graphscore.inputs.base import labels_of

                value = labels_of(value)
            elif word == "of":
                from graphscore.structures.objects.models import as_dataclass

                value = as_dataclass(value)
            field = "labels" if word == "labels" else "format"
            reading = changes.get("reading", options.reading)
            changes["reading"] = replace(reading, **{field: value})
        else:
            changes[word] = value
    if selected:
        changes["selection"] = replace(options.selection, **selected)
    if budget:
        changes["budget"] = replace(options.budget, **budget)
    return replace(options, **changes) if changes else options


class References:
    """Several gold sides, each of which says what is right of the same items.

    Args:
        golds: files, directories, globs, graphs in memory, whatever else scoring takes,
            or names of collections.
        names: what they are called; without, as files and collections are, and
            ``reference 1`` and so on in memory.

    Raises:
        UsageError: without any, or with another number of names.

    Example:
        >>> References("a.mrp", "b.mrp").names
        ('a.mrp', 'b.mrp')
    """

    def __init__(self, *golds: Any, names: Sequence[str] = ()) -> None:
        if not golds:
            raise UsageError("expected one or more references")
        if names and len(names) != len(golds):
            raise UsageError(f"{len(names)} names of {len(golds)} references")
        # What can be gone through once only may be needed for several systems.
        self.golds: tuple[Any, ...] = tuple(
            list(gold) if isinstance(gold, Iterator) else gold for gold in golds
        )
        self.names = tuple(names) or tuple(
            shown(str(gold))
            if isinstance(gold, str | PathLike)
            else f"reference {number}"
            for number, gold in enumerate(self.golds, 1)
        )

    def __len__(self) -> int:
        return len(self.golds)

    def __repr__(self) -> str:
        return truncate(f"References({', '.join(map(repr, self.names))})", 150)


class Runs:
    """Several runs of one system on the same items.

    Args:
        systems: files, directories, globs, graphs in memory, whatever else scoring
            takes, or names of collections.
        name: what the system is called; without, as its runs are.

    Raises:
        UsageError: without any.

    Example:
        >>> runs = Runs("seed1.mrp", "seed2.mrp", name="alder")
        >>> runs.name, runs.names
        ('alder', ('seed1.mrp', 'seed2.mrp'))
    """

    def __init__(self, *systems: Any, name: str = "") -> None:
        if not systems:
            raise UsageError("expected one or more runs")
        self.systems: tuple[Any, ...] = tuple(
            list(system) if isinstance(system, Iterator) else system
            for system in systems
        )
        self.names = tuple(
            shown(str(system))
            if isinstance(system, str | PathLike)
            else f"run {number}"
            for number, system in enumerate(self.systems, 1)
        )
        self.name = name or ",".join(self.names)

    def __len__(self) -> int:
        return len(self.systems)

    def __repr__(self) -> str:
        return f"Runs({', '.join(map(repr, self.names))}, name={self.name!r})"


def signature(result: Result, options: Options, gold: int, system: int) -> str:
    """Everything that the scores depend on, in one line.

    Args:
        result: with its metric and the numbers of its pairs.
        options: how was scored.
        gold: sum of the fingerprints of gold units.
        system: likewise of system units.
    """
    metric, budget = result.metric, options.budget
    parts = [
        f"metric:{metric}",
        f"revision:{metric.revision}",
        f"normalize:{metric.normalization}",
        f"proven:{result.proven}/{result.pairs}",
        f"pair:{options.pair}",
    ]
    if options.ids:
        parts.append(f"ids:{options.ids}")
    for name, values in (
        ("framework", options.selection.frameworks),
        ("language", options.selection.languages),
        ("items", options.selection.items),
        ("layer", options.selection.layers),
    ):
        if values:
            parts.append(selection_field(name, values))
    parts += [f"limit:{budget.steps}", f"search:{SEARCH}"]
    if budget.seconds is not None:
        parts.append(f"time:{budget.seconds:g}")
    for name, total in (("gold", gold), ("system", system)):
        parts.append(f"{name}:{total % (1 << 64):016x}")
    parts.append(f"version:{__version__}")
    return "|".join(parts)


def signature_of_several(
    result: Result, results: Sequence[Result], side: str, which: Mapping[str, object]
) -> str:
    """Return the signature of a result that is made of several, in one line.

    Args:
        result: made of results that have the same metric and options.
        results: they.
        side: ``gold`` or ``system``: the side in which they differ.
        which: fields that say what was made of them.
    """
    fields = [single.signature.split("|") for single in results]
    sides = [
        field.removeprefix(f"{side}:")
        for own_fields in fields
        for field in own_fields
        if field.startswith(f"{side}:")
    ]
    parts = []
    for part in fields[0]:
        if part.startswith("proven:"):
            part = f"proven:{result.proven}/{result.pairs}"
        elif part.startswith(f"{side}:"):
            parts += [f"{name}:{value}" for name, value in which.items()]
            part = f"{side}:{','.join(sides)}"
        parts.append(part)
    return "|".join(parts)


def proven_of(text: str, proven: str) -> str:
    """A signature that says something else of how many pairs are proven.

    Args:
        text: the signature of a result.
        proven: what it shall say.

    Example:
        >>> proven_of("metric:mrp|proven:3/7|pair:id", "7/7")
        'metric:mrp|proven:7/7|pair:id'
    """
    head, mark, rest = text.partition("|proven:")
    return f"{head}{mark}{proven}|{rest.partition('|')[2]}"


def selection_field(name: str, values: frozenset[str]) -> str:
    """Return the signature field of a selection: the values, or their number.

    >>> selection_field("framework", frozenset({"eds", "dm"}))
    'framework:dm,eds'
    """
    shown = ",".join(sorted(values)) if len(values) < 6 else len(values)
    return f"{name}:{shown}"
