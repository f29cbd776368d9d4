"""Default metrics for when none is named, by the frameworks present.

The column ``metric`` of :data:`graphscore.model.frameworks.FRAMEWORKS` says it, unless
the format that files were read as has one of its own; of templates, what their slots
and types are decides as well.

>>> from graphscore.model.graph import Node
>>> found = DetectedContent()
>>> chain = Node(0, None, (("kind", "mention"),))
>>> found.gold.take(Graph("1", "ud", nodes=(Node(1, "Dogs"),)))
>>> found.gold.take(Graph("1", "coref", nodes=(chain,)))
>>> found.system.take(Graph("1", "eud", nodes=(Node(1, "Dogs"),)))
>>> [(str(each.metric), each.because) for each in choices(found)]
... # doctest: +NORMALIZE_WHITESPACE
[('udeval', 'the files hold basic dependencies'),
 ('conll', 'the files hold coreference')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from graphscore.evaluation.options import Further, Options, Selection
from graphscore.exceptions import PairingError, did_you_mean
from graphscore.formats.registry import find_format
from graphscore.metrics.base import (
    Metric,
    takes,
)
from graphscore.metrics.registry import parse, split_metrics
from graphscore.model.frameworks import FRAMEWORKS, framework
from graphscore.model.graph import Graph

LAYERS = {name: known.layer_over for name, known in FRAMEWORKS.items()}
"""Frameworks, and those whose trees they are another layer of."""

TREES = frozenset(filter(None, LAYERS.values()))
"""Frameworks whose graphs may be words alone, beside those of the other layer."""

TEMPLATE = "template"


class Choice(NamedTuple):
    """A metric, and why it was chosen."""

    metric: Metric
    because: str
    """Description of the content of the files, as part of a sentence."""

    def limited(self, options: Options) -> Options:
        """Options under which a metric that nobody named scores what it is made for.

        Args:
            options: those of the user.
        """
        return replace(options, beyond=False) if self.because else options


@dataclass
class SideContent:
    """Content of one side.

    Attributes:
        frameworks: those of its graphs.
        held: those of which there is anything.
        words: those of which there are words without a tree.
        templates: whether there are any templates.
        typed: whether any of them has a type.
        slots: the slots that they have.
        metrics: of each framework the default metrics of the formats that its graphs
            were read as; empty of formats that have none.
    """

    frameworks: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    templates: bool = False
    typed: bool = False
    slots: set[str] = field(default_factory=set)
    metrics: dict[str, set[str]] = field(default_factory=dict)

    def take(self, graph: Graph, metric: str = "") -> None:
        """Take in a graph.

        Args:
            graph: the graph.
            metric: the default metric of the format that it was read as, if any.
        """
        self.metrics.setdefault(graph.framework, set()).add(metric)
        self.look_at(graph)

    def look_at(self, graph: Graph) -> None:
        """Take in what a graph holds, whatever it was read as.

        Args:
            graph: the graph.
        """
        name = graph.framework
        self.frameworks.add(name)
        if name not in self.held and _holds(graph):
            bare = name in TREES and not (graph.edges or graph.tops)
            (self.words if bare else self.held).add(name)
        if name == TEMPLATE:
            self._look_at_slots(graph)

    @property
    def scored(self) -> set[str]:
        """Those that default metrics are for.

        Words without a tree are among them where no other layer has a graph of them.
        """
        beside = {tree for layer, tree in LAYERS.items() if layer in self.held}
        return self.held | (self.words - beside)

    def merge(self, other: SideContent) -> None:
        """Take in what another process has found of the same side."""
        self.frameworks |= other.frameworks
        self.held |= other.held
        self.words |= other.words
        self.templates |= other.templates
        self.typed |= other.typed
        self.slots |= other.slots
        for name, metrics in other.metrics.items():
            self.metrics.setdefault(name, set()).update(metrics)

    def _look_at_slots(self, graph: Graph) -> None:
        """Note slots and types of the templates of a graph."""
        from graphscore.structures.layout import kind_of

        templates = {
            node.id: node.label for node in graph.nodes if kind_of(node) == TEMPLATE
        }
        self.templates |= bool(templates)
        self.typed |= any(label is not None for label in templates.values())
        self.slots |= {str(e.label) for e in graph.edges if e.source in templates}


@dataclass
class DetectedContent:
    """Content of both sides, as far as they have been inspected.

    Attributes:
        gold: what gold holds.
        system: what the system holds.
    """

    gold: SideContent = field(default_factory=SideContent)
    system: SideContent = field(default_factory=SideContent)

    @property
    def frameworks(self) -> list[str]:
        """Those that matter, in the order of the table.

        They are those of which gold holds anything; the system's where gold is empty.
        A layer of a tree is among them where both sides have it.
        """
        gold, system = self.gold, self.system
        base = gold.scored or gold.frameworks or system.scored or system.frameworks
        layers = {layer for layer, tree in LAYERS.items() if tree in base}
        base = base - (layers & (gold.held ^ system.held))
        order = [name for name in FRAMEWORKS if name in base]
        return order + sorted(base - FRAMEWORKS.keys())

    def metric_of(self, name: str) -> str:
        """The metric of a framework, or that of the format that gold was read as.

        Args:
            name: the framework; the system's format decides where gold has none of it.
        """
        metrics = self.gold.metrics.get(name) or self.system.metrics.get(name, {""})
        [metric, *others] = metrics
        if metric and not others and takes(parse(metric), name):
            return metric
        return framework(name).metric

    def left_out(self, framework: str) -> bool:
        """Return whether there is content of a framework without a default metric."""
        held = self.gold.held | self.system.held
        return framework in held and framework not in self.frameworks

    @property
    def templates(self) -> SideContent:
        """The side whose templates decide: gold, unless it has none."""
        return self.gold if self.gold.templates else self.system


def _holds(graph: Graph) -> bool:
    """Return whether the graph has content of its framework."""
    from graphscore.structures.layout import kind_of

    kind = framework(graph.framework).counted
    if not kind:
        return bool(graph.nodes)
    return any(kind_of(node) == kind for node in graph.nodes)


def choices(
    content: DetectedContent, holder: str = "files", further: Further = ""
) -> list[Choice]:
    """The metrics for what was found, in the order of the table.

    Args:
        content: what both sides hold.
        holder: what holds it: files, collections, graphs.
        further: which metrics stand beside them, as ``Options.further``.
    """
    frameworks = content.frameworks or [""]
    of: dict[str, list[str]] = {}
    for name in frameworks:
        is_template = name == TEMPLATE
        named = _template_rule(content)[0] if is_template else content.metric_of(name)
        known = framework(name)
        if further and named == known.metric:
            beside = [known.further, known.detailed * (further == "all")]
            named = ",".join(filter(None, [named, *beside]))
        for text in split_metrics(named):
            of.setdefault(text, []).append(name)
    result = []
    for text, names in of.items():
        metric, title = parse(text), _title(names, content)
        result.append(Choice(metric, f"the {holder} hold {title}"))
    return result


def stored_choices(
    sides: Iterable[
        tuple[
            Mapping[str, bool],
            Callable[[str], Iterator[Graph]],
            Iterable[tuple[str, str]],
        ]
    ],
    holder: str = "collections",
    further: Further = "",
) -> list[Choice]:
    """The metrics for what two collections of a store hold.

    Args:
        sides: gold and system: their frameworks, each with whether any of its graphs
            has nodes, what gives those graphs, of which for most frameworks one is
            looked at, and each framework with each format that it was read as.
        holder: what holds them.
        further: which metrics stand beside them, as ``Options.further``.
    """
    detected_content = DetectedContent()
    for (held, graphs, read_as), side in zip(
        sides, (detected_content.gold, detected_content.system), strict=True
    ):
        side.frameworks |= held.keys()
        for name, format_name in read_as:
            known = find_format(format_name)
            side.metrics.setdefault(name, set()).add(known.metric if known else "")
        for name in (name for name, is_filled in held.items() if is_filled):
            if not framework(name).counted and name not in TREES:
                side.held.add(name)
                continue
            # The first will do, but for templates all slots and types matter.
            for graph in graphs(name):
                side.look_at(graph)
                if name in side.held and name != TEMPLATE:
                    break
    return choices(detected_content, holder, further)


def _title(names: Sequence[str], content: DetectedContent) -> str:
    """Describe the graphs of some frameworks."""
    if names == [TEMPLATE]:
        return _template_rule(content)[1]
    if all(framework(name).family == "meaning" for name in names):
        return f"meaning representations ({', '.join(names)})"
    if names == [""]:
        return "nothing"
    return " and ".join(framework(name).title or f"graphs of {name}" for name in names)


def _template_rule(content: DetectedContent) -> tuple[str, str]:
    """Return the default metric of templates and their description."""
    side = content.templates
    if side.templates:
        if _of_muc4(side.slots):
            return "muc4", "templates with the slots of MUC-4"
        if not side.typed:
            return "ceaf_ree", "templates without types"
    known = FRAMEWORKS[TEMPLATE]
    return known.metric, known.title


def _of_muc4(slots: Iterable[str]) -> bool:
    """Return whether slots are those of MUC-4, by their names."""
    from graphscore.formats.templates.muc.fills import SLOTS

    return not frozenset(SLOTS).isdisjoint(slots)


def nothing_found(
    gold: str, system: str, options: Options, notes: Iterable[str] = ()
) -> PairingError:
    """Return the error for two sides without any graph to score.

    Args:
        gold: the name of gold.
        system: the name of the system.
        options: which graphs take part.
        notes: what else there is to say, a line each.
    """
    limits = "; compare --framework, --language, --layer and --item"
    for name in sorted(options.selection.frameworks.difference(FRAMEWORKS)):
        limits += f"; --framework {name}{did_you_mean(name, FRAMEWORKS)}"
    chosen = options.selection != Selection()
    return PairingError(
        f"nothing to score: no graphs{' that take part' * chosen} in {gold}, nor in "
        f"{system}{limits * chosen}" + "".join(f"\n{note}" for note in notes)
    )


def describe_choice(chosen: Iterable[tuple[Metric, str]]) -> str:
    """Return a one-line reason for each default metric.

    Args:
        chosen: metrics, and why each was chosen; of those that were named, nothing.

    Returns:
        The line; empty where all were named.

    Example:
        >>> print(describe_choice([(parse("ner"), "the files hold named entities")]))
        ner, because the files hold named entities; -m chooses another
    """
    of: dict[str, dict[str, None]] = {}
    for metric, because in chosen:
        if because:
            of.setdefault(because, {})[str(metric)] = None
    if not of:
        return ""
    several = len({name for names in of.values() for name in names}) > 1
    reasons = [f"{' and '.join(value)}, because {why}" for why, value in of.items()]
    return f"{'; '.join(reasons)}; -m chooses {'others' if several else 'another'}"
