"""Semantic roles under the sense of their predicate.

Jindal et al. (2023), "PriMeSRL-Eval: A Practical Quality Metric for Semantic Role
Labeling Systems Evaluation", section 3; published code PriMeSRL-Eval f3409f4.

::

    matched = predicates, senses, and whole arguments (X with its C-X) of equal label
    and place: core ones under the right sense, R-X beside the right X

What differs from the code, which departs from its paper: X is joined before R-X refers
to it, joined parts are sets, and C-R-X continues R-X (``preset=tool``: as the code).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from graphscore.exceptions import InvalidGraphError, UsageError
from graphscore.metrics.base import numbered
from graphscore.metrics.roles.base import (
    Labels,
    Predicates,
    Prepared,
    RoleBuilder,
    RoleMetric,
    by_role,
    role_table,
)
from graphscore.metrics.roles.inventories import (
    CONTEXT,
    CORE,
    FILES,
    Inventory,
    files_digest,
    inventory_of,
)
from graphscore.metrics.roles.primesrl_count import (
    ARGUMENTS,
    ASIDE,
    IDENTIFIED,
    NOTHING,
    PREDICATES,
    SENSE_ARGUMENTS,
    SENSES,
    Joined,
    Labelled,
    Places,
    PredicateArguments,
    Tally,
    join,
    loss_table,
    losses,
)
from graphscore.metrics.roles.primesrl_rows import (
    ErrorRows,
    awaited_senses,
    with_senses,
)
from graphscore.metrics.roles.primesrl_tool import (
    CLASSES,
    RIGHT,
    Extent,
    Merged,
    compared,
    is_context,
    is_core,
    merge,
)
from graphscore.metrics.traits import TupleTypeGroups
from graphscore.model.outcome import (
    Count,
    CountKey,
    Error,
    Scores,
    ScoreTable,
    count_of,
    total_count,
)
from graphscore.model.outcome_builder import Described, sided
from graphscore.structures.layout import first_of
from graphscore.structures.roles.sentence import HEAD, Piece, Proposition, Sentence

CLASSED, WRITTEN = "classes", "written"
"""Not tuple types: rows of the published code by class, and arguments before
comparing."""


class ComparedFields(NamedTuple):
    """Compared fields of a sentence."""

    predicates: dict[int, list[PredicateArguments]]
    """By place."""
    merged: dict[int, list[Merged]]
    """Arguments joined as in the published code, by the ordinal of the predicate."""
    headless: int
    """Number of arguments without a head although heads are compared."""


@dataclass(frozen=True)
class Primesrl(RoleMetric[ComparedFields], TupleTypeGroups):
    """Senses, core arguments under the right sense, contextual ones under any.

    Args:
        labels: whether labels are compared in one spelling, or as written.
        unit: whether an argument is its heads or its words.
        preset: ``tool`` compares as the published code does.
        core: the inventory that says which labels are core, as
            :func:`~graphscore.metrics.roles.inventories.inventory_of` reads it.
        predicates: whether those that one side lacks count, or only shared ones.

    Example:
        >>> str(Primesrl(unit="span"))
        'primesrl(unit=span)'
    """

    name = "primesrl"
    follows = "the rules of Jindal et al. 2023"
    title = "PriMeSRL-Eval (Jindal et al. 2023): sense-aware SRL F1"
    citation = (
        "Jindal et al. 2023, PriMeSRL-Eval: A Practical Quality Metric for Semantic "
        "Role Labeling Systems Evaluation"
    )
    classed = (CORE, CONTEXT)
    tuple_types = (PREDICATES, SENSES, CORE, CONTEXT)
    total_tuple_type = SENSE_ARGUMENTS

    opens = (f"core={FILES}",)

    labels: Labels = "alike"
    # What is paired is told by another name, see ``unit_of``.
    unit: Literal["head", "span"] = "head"  # type: ignore[assignment,misc]
    preset: Literal["none", "tool"] = "none"
    core: str = "propbank"
    predicates: Predicates = "all"

    def __post_init__(self) -> None:
        if self.preset == "tool" and (self.core, self.predicates) != (
            "propbank",
            "all",
        ):
            raise UsageError(
                "primesrl: preset=tool with core or predicates: the published code "
                "knows labels of PropBank alone, and counts all predicates"
            )
        if self.preset == "tool" and self.unit == "span":
            raise UsageError(
                "primesrl: preset=tool, unit=span: the published code compares heads"
            )
        # What the files say now is what counts.
        _ = self.revision, self.inventory

    @cached_property
    def revision(self) -> int:
        """4, or a digest of files of FrameNet: what they say is part of the metric."""
        return files_digest(self.core) or 4

    @cached_property
    def inventory(self) -> Inventory:
        """Inventory of core labels.

        Raises:
            UsageError: naming what is wrong with the parameter, or its files.
        """
        return inventory_of(self.core)

    def label(self, written: str) -> str:
        """A label as it is compared; functors of the PDT have one spelling."""
        return super().label(written) if self.inventory.normalized else written

    @property
    def bound(self) -> str:
        """True if rows blame no sense, as the published code counts."""
        if self.preset == "none":
            return ""
        return "its errors do not say which arguments wait for a sense"

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors to those corrected with the predicate, the sense or X."""
        return with_senses(errors)

    def awaited(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """The sense of core arguments, and the X of R-X."""
        return awaited_senses(errors)

    @property
    def normalization(self) -> str:
        """Description of how labels, units and continuations are compared."""
        if self.preset == "tool":
            return "labels=written,head,tool"
        core = "" if self.core == "propbank" else f",core={self.core}"
        return f"labels={self.labels},{self.unit}{core}"

    def lay_out(self, sentence: Sentence) -> ComparedFields:
        """Join the pieces of each predicate."""
        compared_fields = ComparedFields({}, {}, 0)
        headless = 0
        for proposition in sentence.propositions:
            joined = NOTHING
            if self.preset == "tool":
                compared_fields.merged[proposition.node] = merge(
                    [
                        _extents(sentence, proposition, piece)
                        for piece in proposition.pieces
                    ]
                )
            else:
                joined = self._joined(sentence, proposition)
            if self.unit == "head":
                headless += sum(piece.head is None for piece in proposition.pieces)
            laid = PredicateArguments(proposition.node, proposition.label, joined)
            compared_fields.predicates.setdefault(proposition.place, []).append(laid)
        return compared_fields._replace(headless=headless)

    def _joined(self, sentence: Sentence, proposition: Proposition) -> Joined:
        pieces = []
        for piece in proposition.pieces:
            places: Places
            if self.unit == "span":
                places = sentence.span(proposition, piece)
            elif piece.head is not None:
                places = (piece.head,)
            else:
                places = piece.words or ()
            pieces.append(Labelled(self.label(piece.label), places, piece.edge))
        return join(pieces, self.inventory, proposition.label)

    def measure(
        self,
        gold: Prepared,
        system: Prepared,
        builder: RoleBuilder,
    ) -> int | float:
        """Compare predicates in equal places."""
        left, right = gold.laid(self), system.laid(self)
        compare = self._tool if self.preset == "tool" else self._paper
        compare(left, right, builder)
        builder.add(ASIDE, "headless", "gold", left.headless)
        builder.add(ASIDE, "headless", "system", right.headless)
        total = self._counts(builder.raw_counts)["all"]
        amounts = int(total.gold), int(total.system), int(total.matched)
        builder.count(SENSE_ARGUMENTS, *amounts)
        scored = (SENSES, CORE, CONTEXT)
        return sum(
            builder.raw_counts.get((tuple_type, "", "matched"), 0)
            for tuple_type in scored
        )

    def _counts(self, raw_counts: Mapping[CountKey, int | float]) -> dict[str, Count]:
        """Counts by tuple type, and of senses and arguments together."""
        counts = {
            tuple_type: count_of(raw_counts, tuple_type)
            for tuple_type in self.tuple_types
        }
        if self.preset == "tool":
            for tuple_type in (CORE, CONTEXT):
                written = (
                    raw_counts.get((WRITTEN, tuple_type, "gold"), 0),
                    raw_counts.get((WRITTEN, tuple_type, "system"), 0),
                )
                # A class that one side of a file lacks is not compared at all.
                if not all(written):
                    counts[tuple_type] = Count()
        counts["all"] = total_count(
            counts[tuple_type] for tuple_type in (SENSES, CORE, CONTEXT)
        )
        return counts

    def _paper(
        self, gold: ComparedFields, system: ComparedFields, builder: RoleBuilder
    ) -> None:
        errors = ErrorRows(builder) if builder.details else None
        for left, right in self._paired(gold, system):
            tally, _ = _compare(left, right, builder, errors)
            if left is not None and right is not None:
                tally.pair(left.joined, right.joined, left.sense == right.sense)
        if errors is not None:
            errors.finish()

    def _paired(
        self, gold: ComparedFields, system: ComparedFields
    ) -> Iterator[tuple[PredicateArguments | None, PredicateArguments | None]]:
        """Predicates in equal places, those of one side too if they count."""
        for pair in _pairs(gold, system):
            if self.predicates == "all" or None not in pair:
                yield pair

    def _tool(
        self, gold: ComparedFields, system: ComparedFields, builder: RoleBuilder
    ) -> None:
        errors = ErrorRows(builder) if builder.details else None
        for first, second in _pairs(gold, system):
            _, parent = _compare(first, second, builder, errors)
            ours = [] if first is None else gold.merged[first.node]
            others = [] if second is None else system.merged[second.node]
            both = first is not None and second is not None
            right = (
                first is not None and second is not None and first.sense == second.sense
            )
            for tuple_type, belongs, joinable in (
                (CORE, is_core, right),
                (CONTEXT, is_context, both),
            ):
                left = [our for our in ours if belongs(our.label)]
                over = [each for each in others if belongs(each.label)]
                builder.add(WRITTEN, tuple_type, "gold", len(left))
                builder.add(WRITTEN, tuple_type, "system", len(over))
                found = (
                    compared(left, over)
                    if joinable
                    else [*compared(left, ()), *compared((), over)]
                )
                for row in found:
                    _enter_classed(builder, tuple_type, *row, parent)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts, sums of tuple types, identification, and where F1 is lost."""
        counts = self._counts(raw_counts)
        arguments = counts[CORE].plus(counts[CONTEXT])
        numbers: dict[str, float] = {
            f"{ARGUMENTS}.gold": arguments.gold,
            f"{ARGUMENTS}.system": arguments.system,
            f"{ARGUMENTS}.matched": arguments.matched,
            **numbered(ARGUMENTS, arguments),
            **numbered(SENSE_ARGUMENTS, counts["all"]),
        }
        if self.preset == "tool":
            numbers |= _tool_numbers(counts, arguments, raw_counts)
        else:
            right = raw_counts.get((IDENTIFIED, "", "matched"), 0)
            identified = arguments._replace(matched=right)
            labeled = sum(
                raw_counts.get(("whole", tuple_type, "labeled"), 0)
                for tuple_type in (CORE, CONTEXT)
            )
            numbers |= numbered("identification", identified)
            numbers["classification.accuracy"] = (
                arguments.matched / right if right else 0.0
            )
            numbers["classification.labels"] = labeled / right if right else 0.0
            numbers |= dict(losses(raw_counts))
            for name in ("verbs", "unknown_labels"):
                numbers[name] = _aside(raw_counts, name)
        numbers["headless"] = _aside(raw_counts, "headless")
        return Scores(counts, numbers | by_role(self.classes(raw_counts)))

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Without roles and losses."""
        return {
            name: value
            for name, value in numbers.items()
            if not name.startswith(("role.", "loss."))
        }

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """Return the table of F1 losses, and the table of roles."""
        if self.preset == "tool":
            return ()
        return loss_table(scores), role_table(scores.numbers)


def _aside(raw_counts: Mapping[CountKey, int | float], name: str) -> int | float:
    return raw_counts.get((ASIDE, name, "gold"), 0) + raw_counts.get(
        (ASIDE, name, "system"), 0
    )


def _pairs(
    gold: ComparedFields, system: ComparedFields
) -> Iterator[tuple[PredicateArguments | None, PredicateArguments | None]]:
    """Predicates in equal places; of several in one, those of equal senses first."""
    nothing: list[PredicateArguments] = []
    for place in {**gold.predicates, **system.predicates}:
        left = gold.predicates.get(place, nothing)
        right = system.predicates.get(place, nothing)
        if len(left) > 1 or len(right) > 1:
            right, left = list(right), list(left)
            for one in list(left):
                same = next(
                    (their for their in right if their.sense == one.sense), None
                )
                if same is not None:
                    left.remove(one)
                    right.remove(same)
                    yield one, same
        for k in range(max(len(left), len(right))):
            yield (
                left[k] if k < len(left) else None,
                right[k] if k < len(right) else None,
            )


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
    said = first_of(node.properties, HEAD)
    if said is not None:
        first, last = map(int, str(said).split(":"))
    elif piece.words is None:
        first, last = node.anchors[0].start, node.anchors[-1].end
    else:
        first, last = span.first, span.last
    head = Extent(first, last, graph.text[first:last])
    return Merged(piece.label, head, span, piece.edge)


def _compare(
    first: PredicateArguments | None,
    second: PredicateArguments | None,
    builder: RoleBuilder,
    errors: ErrorRows | None,
) -> tuple[Tally, int | None]:
    """Count two predicates in one place, and enter them; the number of their match."""
    tally, parent = Tally(builder), None
    if first is not None:
        tally.side(first, "gold")
    if second is not None:
        tally.side(second, "system")
    if first is not None and second is not None:
        right = first.sense == second.sense
        tally.add(PREDICATES, "", "matched")
        tally.add(SENSES, "", "matched", right)
        if errors is not None:
            parent = errors.pair(first, second, right)
    elif errors is not None and first is not None:
        errors.alone("missing", first)
    elif errors is not None and second is not None:
        errors.alone("spurious", second)
    return tally, parent


def _enter_classed(
    builder: RoleBuilder,
    tuple_type: str,
    name: str,
    left: Merged | None,
    right: Merged | None,
    parent: int | None,
) -> None:
    """Count a row of the published code, and enter it."""
    builder.add(CLASSED, f"{tuple_type}.{name}", "gold")
    builder.add(tuple_type, "", "gold", left is not None)
    builder.add(tuple_type, "", "system", right is not None)
    if name in RIGHT and left is not None and right is not None:
        builder.add(tuple_type, "", "matched")
        builder.match(left.edge, right.edge, 1.0, "edge", parent)
        return
    reason = "no counterpart" if parent is None else "absent"
    for side, own, other in sided(left, right):
        if own is not None:
            beside = None if other is None else other.edge
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


def _tool_numbers(
    counts: Mapping[str, Count],
    arguments: Count,
    raw_counts: Mapping[CountKey, int | float],
) -> dict[str, float]:
    """Classes and accuracy as the published code prints them."""
    numbers: dict[str, float] = {}
    tuple_types = {PREDICATES: counts[PREDICATES], ARGUMENTS: arguments}
    tuple_types |= {CORE: counts[CORE], CONTEXT: counts[CONTEXT]}
    for tuple_type, count in tuple_types.items():
        union = count.gold + count.system - count.matched
        numbers[f"{tuple_type}.accuracy"] = count.matched / union if union else 0.0
    for name in CLASSES:
        each = {
            tuple_type: raw_counts.get((CLASSED, f"{tuple_type}.{name}", "gold"), 0)
            if counts[tuple_type] != Count()
            else 0
            for tuple_type in (CORE, CONTEXT)
        }
        each[ARGUMENTS] = sum(each.values())
        numbers |= {
            f"{tuple_type}.{name}": amount for tuple_type, amount in each.items()
        }
    return numbers
