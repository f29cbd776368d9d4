"""Arguments as the published code of PriMeSRL-Eval (f3409f4) compares them.

An argument is a head and a span, each a first character, a last character and a text.
R-X takes in the first X before that is joined with its C-X; joined texts are in the
order of joining, and a text ends at its first comma.

>>> one = Extent(0, 1, "a"), Extent(4, 5, "c"), Extent(10, 11, "f")
>>> gold = [Merged(label, each, each, 0) for label, each in zip(
...     ("A0", "C-A0", "C-A0"), one, strict=True)]
>>> system = [Merged(label, each, each, 0) for label, each in zip(
...     ("C-A0", "C-A0", "A0"), one, strict=True)]
>>> merge(gold)[0].head, merge(system)[0].head
(Extent(first=0, last=11, text='a c f'), Extent(first=0, last=11, text='a f c'))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphscore.exceptions import InvalidGraphError, UsageError
from graphscore.metrics.roles.base import CONTINUED, RoleBuilder
from graphscore.metrics.roles.inventories import CONTEXT, CORE
from graphscore.metrics.roles.primesrl import (
    ComparedFields,
    Primesrl,
    compare_senses,
    paired_predicates,
)
from graphscore.metrics.roles.primesrl_count import (
    ARGUMENTS,
    NOTHING,
    PREDICATES,
    SENSES,
    PredicateArguments,
)
from graphscore.metrics.roles.primesrl_rows import ErrorRows
from graphscore.model.outcome import Count, CountKey, Scores, ScoreTable, total_count
from graphscore.model.outcome_builder import Described, sided
from graphscore.structures.layout import first_of
from graphscore.structures.roles.sentence import HEAD, Piece, Proposition, Sentence

CORRECT, MISSING, SPURIOUS = "Correct", "Missing", "Spurious"

OTHER_HEAD = "SameValueSameSpanDiffHead"
OTHER_VALUE = "SameSpanDiffValue"
OTHER_SPAN = "SameHeadSameValueDiffSpan"
OTHER_PLACE = "SameValueDiffSpan"

PRIORITY = (CORRECT, OTHER_HEAD, OTHER_VALUE, OTHER_SPAN, OTHER_PLACE)
"""Pairs of an earlier class push out those of a later one."""

RIGHT = frozenset({CORRECT, OTHER_SPAN})
"""Pairs that count as right: heads alone decide."""

CLASSES = (CORRECT, MISSING, SPURIOUS, OTHER_PLACE, OTHER_VALUE, OTHER_SPAN, OTHER_HEAD)


class Extent(NamedTuple):
    """Characters of a head or a span."""

    first: int
    last: int
    text: str


class Merged(NamedTuple):
    """An argument."""

    label: str
    head: Extent
    span: Extent
    edge: int
    """The ordinal of the edge of its first piece."""

    @property
    def identity(self) -> tuple[str, Extent, Extent]:
        """Key by which equal arguments are deduplicated."""
        return self[:3]


def is_core(label: str) -> bool:
    """Return true if a label counts as core: it has a digit."""
    return any(character.isdigit() for character in label)


def is_context(label: str) -> bool:
    """Return true if a label counts as contextual: it has AM."""
    return "AM" in label


def merge(pieces: Sequence[Merged]) -> list[Merged]:
    """Join pieces of one predicate, first R-X with X, then X with C-X.

    Args:
        pieces: as the file has them, in order.
    """
    arguments = list(pieces)
    labels = [argument.label for argument in arguments]
    for number, label in enumerate(labels):
        if not label.startswith("R"):
            continue
        bare, own = label.partition("-")[2], arguments[number]
        if bare not in labels:
            arguments[number] = own._replace(label=label + "_")
            continue
        where = labels.index(bare)
        referent = arguments[where]
        left, right = (referent, own) if where > number else (own, referent)
        arguments[number] = Merged(
            left.label + right.label,
            _hull(left.head, right.head, (left.head, right.head)),
            _hull(left.span, right.span, (left.span, right.span)),
            own.edge,
        )
    labels = [argument.label for argument in arguments]
    gone = set()
    for number, label in enumerate(labels):
        if not label.startswith("C"):
            continue
        bare, own = label.partition("-")[2], arguments[number]
        if bare in labels:
            where = labels.index(bare)
            main = arguments[where]
            arguments[where] = main._replace(
                head=_continued(main.head, own.head),
                span=_continued(main.span, own.span),
            )
            gone.add(number)
        else:
            labels[number] = label[len(CONTINUED) :]
            arguments[number] = own._replace(label=labels[number])
    return [argument for index, argument in enumerate(arguments) if index not in gone]


def _continued(main: Extent, more: Extent) -> Extent:
    """Join two extents, the one that begins first in front."""
    return _hull(main, more, (main, more) if main.first <= more.first else (more, main))


def _hull(left: Extent, right: Extent, texts: tuple[Extent, Extent]) -> Extent:
    text = " ".join(_read(text.text) for text in texts)
    return Extent(min(left.first, right.first), max(left.last, right.last), text)


def _read(text: str) -> str:
    """A text as it is read back: it is cut before the character before a comma."""
    head, comma, _ = text.partition(",")
    return head[:-1] if comma else text


Row = tuple[str, Merged | None, Merged | None]
"""A class, and an argument of gold and system."""


def compared(gold: Sequence[Merged], system: Sequence[Merged]) -> list[Row]:
    """Rows of the comparison of one predicate's arguments.

    Two equal arguments of one side count once; of pairs of one class that have an
    argument in common, all count.

    Args:
        gold: core or contextual ones of a gold predicate.
        system: those of the system's predicate.
    """
    left = list({merged.identity: merged for merged in gold}.values())
    right = list({merged.identity: merged for merged in system}.values())
    waiting: dict[str, list[tuple[int, int]]] = {class_: [] for class_ in PRIORITY}
    for i, gold_argument in enumerate(left):
        for j, system_argument in enumerate(right):
            pair_class = _class(gold_argument, system_argument)
            if pair_class is not None:
                waiting[pair_class].append((i, j))
    rows: list[Row] = []
    gold_taken: set[int] = set()
    system_taken: set[int] = set()
    for name in PRIORITY:
        kept = [
            (i, j)
            for i, j in waiting[name]
            if i not in gold_taken and j not in system_taken
        ]
        rows += [(name, left[i], right[j]) for i, j in kept]
        gold_taken |= {i for i, _ in kept}
        system_taken |= {j for _, j in kept}
    rows += [
        (MISSING, gold_argument, None)
        for i, gold_argument in enumerate(left)
        if i not in gold_taken
    ]
    rows += [
        (SPURIOUS, None, system_argument)
        for j, system_argument in enumerate(right)
        if j not in system_taken
    ]
    return rows


def _class(left: Merged, right: Merged) -> str | None:
    """The class of a pair, nothing if it has nothing in common."""
    label, head = left.label == right.label, left.head == right.head
    if left.span == right.span:
        if not label:
            return OTHER_VALUE
        return CORRECT if head else OTHER_HEAD
    if not label:
        return None
    return OTHER_SPAN if head else OTHER_PLACE


CLASSED, WRITTEN = "classes", "written"
"""Not tuple types: rows of the published code by class, and arguments before
comparing."""


@dataclass
class ToolFields(ComparedFields):
    """Compared fields of a sentence as the published code has them.

    Args:
        merged: joined arguments, by the ordinal of the predicate.
    """

    merged: dict[int, list[Merged]]


@dataclass(frozen=True)
class PrimesrlTool(Primesrl):
    """The metric as the published code counts.

    Example:
        >>> type(Primesrl(preset="tool")) is PrimesrlTool
        True
    """

    bound = "its errors do not say which arguments wait for a sense"
    normalization = "labels=written,head,tool"

    def __post_init__(self) -> None:
        if (self.core, self.predicates) != ("propbank", "all"):
            raise UsageError(
                "primesrl: preset=tool with core or predicates: the published code "
                "knows labels of PropBank alone, and counts all predicates"
            )
        if self.unit == "span":
            raise UsageError(
                "primesrl: preset=tool, unit=span: the published code compares heads"
            )

    def lay_out(self, sentence: Sentence) -> ToolFields:
        """Join the pieces of each predicate."""
        fields = ToolFields({}, 0, {})
        for proposition in sentence.propositions:
            pieces = proposition.pieces
            fields.headless += sum(piece.head is None for piece in pieces)
            fields.merged[proposition.node] = merge(
                [_extents(sentence, proposition, piece) for piece in pieces]
            )
            arguments = PredicateArguments(proposition.node, proposition.label, NOTHING)
            fields.predicates.setdefault(proposition.place, []).append(arguments)
        return fields

    def compare_predicates(
        self, gold: ComparedFields, system: ComparedFields, builder: RoleBuilder
    ) -> None:
        """Count and enter predicates in equal places, and rows of their arguments."""
        assert isinstance(gold, ToolFields)
        assert isinstance(system, ToolFields)
        errors = ErrorRows(builder) if builder.details else None
        for first, second in paired_predicates(gold, system):
            _, parent = compare_senses(first, second, builder, errors)
            gold_arguments = [] if first is None else gold.merged[first.node]
            system_arguments = [] if second is None else system.merged[second.node]
            both = first is not None and second is not None
            right = (
                first is not None and second is not None and first.sense == second.sense
            )
            for tuple_type, belongs, joinable in (
                (CORE, is_core, right),
                (CONTEXT, is_context, both),
            ):
                left = [merged for merged in gold_arguments if belongs(merged.label)]
                over = [merged for merged in system_arguments if belongs(merged.label)]
                builder.add(WRITTEN, tuple_type, "gold", len(left))
                builder.add(WRITTEN, tuple_type, "system", len(over))
                rows = (
                    compared(left, over)
                    if joinable
                    else [*compared(left, ()), *compared((), over)]
                )
                for row in rows:
                    _enter_row(builder, tuple_type, row, parent)

    def counts(self, raw_counts: Mapping[CountKey, int | float]) -> dict[str, Count]:
        """Counts by tuple type, and of senses and arguments together."""
        counts = super().counts(raw_counts)
        for tuple_type in (CORE, CONTEXT):
            # A class that one side of a file lacks is not compared at all.
            if not all(
                raw_counts.get((WRITTEN, tuple_type, side), 0)
                for side in ("gold", "system")
            ):
                counts[tuple_type] = Count()
        counts["all"] = total_count(counts[part] for part in (SENSES, CORE, CONTEXT))
        return counts

    def further_scores(
        self, counts: Mapping[str, Count], raw_counts: Mapping[CountKey, int | float]
    ) -> dict[str, float]:
        """Classes and accuracy as the published code prints them."""
        arguments = counts[CORE].plus(counts[CONTEXT])
        numbers: dict[str, float] = {}
        tuple_types = {PREDICATES: counts[PREDICATES], ARGUMENTS: arguments}
        tuple_types |= {CORE: counts[CORE], CONTEXT: counts[CONTEXT]}
        for tuple_type, count in tuple_types.items():
            union = count.gold + count.system - count.matched
            numbers[f"{tuple_type}.accuracy"] = count.matched / union if union else 0.0
        for name in CLASSES:
            amounts = {
                tuple_type: raw_counts.get((CLASSED, f"{tuple_type}.{name}", "gold"), 0)
                if counts[tuple_type] != Count()
                else 0
                for tuple_type in (CORE, CONTEXT)
            }
            amounts[ARGUMENTS] = sum(amounts.values())
            numbers |= {
                f"{tuple_type}.{name}": amount for tuple_type, amount in amounts.items()
            }
        return numbers

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """No tables: the published code prints none."""
        return ()


def _extents(sentence: Sentence, proposition: Proposition, piece: Piece) -> Merged:
    """A piece as the published code writes it: head and span as characters."""
    graph = sentence.graph
    node = graph.nodes[piece.node]
    ranges = sentence.ranges(proposition, piece)
    if not ranges or not node.anchors:
        raise InvalidGraphError(
            f"the argument {node.id!r} without characters",
            "arguments with characters for preset=tool",
        )
    span = Extent(ranges[0][0], ranges[-1][1], graph.text[ranges[0][0] : ranges[-1][1]])
    head_range = first_of(node.properties, HEAD)
    if head_range is not None:
        first, last = map(int, str(head_range).split(":"))
    elif piece.words is None:
        first, last = node.anchors[0].start, node.anchors[-1].end
    else:
        first, last = span.first, span.last
    head = Extent(first, last, graph.text[first:last])
    return Merged(piece.label, head, span, piece.edge)


def _enter_row(
    builder: RoleBuilder,
    tuple_type: str,
    row: Row,
    parent: int | None,
) -> None:
    """Count a row, and enter it."""
    name, left, right = row
    builder.add(CLASSED, f"{tuple_type}.{name}", "gold")
    builder.add(tuple_type, "", "gold", left is not None)
    builder.add(tuple_type, "", "system", right is not None)
    if name in RIGHT and left is not None and right is not None:
        builder.add(tuple_type, "", "matched")
        builder.match(left.edge, right.edge, 1.0, "edge", parent)
        return
    reason = "no counterpart" if parent is None else "absent"
    for side, own, counterpart in sided(left, right):
        if own is not None:
            beside = None if counterpart is None else counterpart.edge
            differs = beside is not None and parent is not None
            described = Described(
                tuple_type,
                own.edge,
                beside,
                "edge",
                name=name,
                compared=own.label,
                reason="differs" if differs else reason,
            )
            builder.error(side, described, parent)
