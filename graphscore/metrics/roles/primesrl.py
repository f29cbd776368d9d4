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
from types import MappingProxyType
from typing import Literal

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
    PREDICATES,
    SENSE_ARGUMENTS,
    SENSES,
    WHOLE,
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
from graphscore.model.outcome import (
    Count,
    CountKey,
    Error,
    Scores,
    ScoreTable,
    counts_of,
    total_count,
)
from graphscore.structures.roles.sentence import Proposition, Sentence


@dataclass
class ComparedFields:
    """Compared fields of a sentence.

    Args:
        predicates: by place.
        headless: number of arguments without a head although heads are compared.
    """

    predicates: dict[int, list[PredicateArguments]]
    headless: int


@dataclass(frozen=True)
class Primesrl(RoleMetric[ComparedFields]):
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

    opens = (f"core={FILES}",)
    presets = MappingProxyType(
        {"tool": "graphscore.metrics.roles.primesrl_tool:PrimesrlTool"}
    )
    bound = ""

    labels: Labels = "alike"
    # What is paired is told by another name, see ``unit_of``.
    unit: Literal["head", "span"] = "head"  # type: ignore[assignment,misc]
    preset: Literal["none", "tool"] = "none"
    core: str = "propbank"
    predicates: Predicates = "all"

    def __post_init__(self) -> None:
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

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors to those corrected with the predicate, the sense or X."""
        return with_senses(errors)

    def awaited(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """The sense of core arguments, and the X of R-X."""
        return awaited_senses(errors)

    @property
    def normalization(self) -> str:
        """Description of how labels, units and continuations are compared."""
        core = "" if self.core == "propbank" else f",core={self.core}"
        return f"labels={self.labels},{self.unit}{core}"

    def lay_out(self, sentence: Sentence) -> ComparedFields:
        """Join the pieces of each predicate."""
        fields = ComparedFields({}, 0)
        for proposition in sentence.propositions:
            if self.unit == "head":
                fields.headless += sum(p.head is None for p in proposition.pieces)
            joined = _joined(self, sentence, proposition)
            arguments = PredicateArguments(proposition.node, proposition.label, joined)
            fields.predicates.setdefault(proposition.place, []).append(arguments)
        return fields

    def measure(
        self,
        gold: Prepared,
        system: Prepared,
        builder: RoleBuilder,
    ) -> int | float:
        """Compare predicates in equal places."""
        left, right = gold.laid(self), system.laid(self)
        self.compare_predicates(left, right, builder)
        builder.add(ASIDE, "headless", "gold", left.headless)
        builder.add(ASIDE, "headless", "system", right.headless)
        total = self.counts(builder.raw_counts)["all"]
        amounts = int(total.gold), int(total.system), int(total.matched)
        builder.count(SENSE_ARGUMENTS, *amounts)
        scored = (SENSES, CORE, CONTEXT)
        return sum(
            builder.raw_counts.get((tuple_type, "", "matched"), 0)
            for tuple_type in scored
        )

    def compare_predicates(
        self, gold: ComparedFields, system: ComparedFields, builder: RoleBuilder
    ) -> None:
        """Count and enter predicates in equal places, and their arguments.

        Args:
            gold: the gold fields.
            system: the system's.
            builder: where everything that is found goes.
        """
        errors = ErrorRows(builder) if builder.details else None
        for left, right in paired_predicates(gold, system):
            if self.predicates != "all" and (left is None or right is None):
                continue
            tally, _ = compare_senses(left, right, builder, errors)
            if left is not None and right is not None:
                tally.pair(left.joined, right.joined, left.sense == right.sense)
        if errors is not None:
            errors.finish()

    def counts(self, raw_counts: Mapping[CountKey, int | float]) -> dict[str, Count]:
        """Counts by tuple type, and of senses and arguments together.

        Args:
            raw_counts: summed raw counts.
        """
        counts = counts_of(raw_counts, self.tuple_types)
        counts["all"] = total_count(counts[part] for part in (SENSES, CORE, CONTEXT))
        return counts

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts, sums of tuple types, identification, and where F1 is lost."""
        counts = self.counts(raw_counts)
        arguments = counts[CORE].plus(counts[CONTEXT])
        numbers: dict[str, float] = {
            f"{ARGUMENTS}.gold": arguments.gold,
            f"{ARGUMENTS}.system": arguments.system,
            f"{ARGUMENTS}.matched": arguments.matched,
            **numbered(ARGUMENTS, arguments),
            **numbered(SENSE_ARGUMENTS, counts["all"]),
        }
        numbers |= self.further_scores(counts, raw_counts)
        numbers["headless"] = _aside(raw_counts, "headless")
        return Scores(counts, numbers | by_role(self.classes(raw_counts)))

    def further_scores(
        self, counts: Mapping[str, Count], raw_counts: Mapping[CountKey, int | float]
    ) -> dict[str, float]:
        """Identification and classification of arguments, and where F1 is lost.

        Args:
            counts: by tuple type.
            raw_counts: summed raw counts.
        """
        arguments = counts[CORE].plus(counts[CONTEXT])
        right = raw_counts.get((IDENTIFIED, "", "matched"), 0)
        labeled = sum(
            raw_counts.get((WHOLE, tuple_type, "labeled"), 0)
            for tuple_type in (CORE, CONTEXT)
        )
        return {
            **numbered("identification", arguments._replace(matched=right)),
            "classification.accuracy": arguments.matched / right if right else 0.0,
            "classification.labels": labeled / right if right else 0.0,
            **dict(losses(raw_counts)),
            **{name: _aside(raw_counts, name) for name in ("verbs", "unknown_labels")},
        }

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Without roles and losses."""
        return {
            name: value
            for name, value in numbers.items()
            if not name.startswith(("role.", "loss."))
        }

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """Return the table of F1 losses, and the table of roles."""
        return loss_table(scores), role_table(scores.numbers)


def _joined(metric: Primesrl, sentence: Sentence, proposition: Proposition) -> Joined:
    pieces = []
    for piece in proposition.pieces:
        positions: Places
        if metric.unit == "span":
            positions = sentence.span(proposition, piece)
        elif piece.head is not None:
            positions = (piece.head,)
        else:
            positions = piece.words or ()
        pieces.append(Labelled(metric.label(piece.label), positions, piece.edge))
    return join(pieces, metric.inventory, proposition.label)


def _aside(raw_counts: Mapping[CountKey, int | float], name: str) -> int | float:
    return raw_counts.get((ASIDE, name, "gold"), 0) + raw_counts.get(
        (ASIDE, name, "system"), 0
    )


def paired_predicates(
    gold: ComparedFields, system: ComparedFields
) -> Iterator[tuple[PredicateArguments | None, PredicateArguments | None]]:
    """Predicates in equal places; of several in one, those of equal senses first."""
    nothing: list[PredicateArguments] = []
    for position in {**gold.predicates, **system.predicates}:
        left = gold.predicates.get(position, nothing)
        right = system.predicates.get(position, nothing)
        if len(left) > 1 or len(right) > 1:
            right, left = list(right), list(left)
            for gold_predicate in list(left):
                same = next(
                    (their for their in right if their.sense == gold_predicate.sense),
                    None,
                )
                if same is not None:
                    left.remove(gold_predicate)
                    right.remove(same)
                    yield gold_predicate, same
        for k in range(max(len(left), len(right))):
            yield (
                left[k] if k < len(left) else None,
                right[k] if k < len(right) else None,
            )


def compare_senses(
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
