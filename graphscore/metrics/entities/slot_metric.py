"""What the error rates of slots have in common, above all those of flat slots.

Every entity and every component is a slot, whatever it is part of; entities are
aligned with entities and components with components, so that the errors are fewest.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.entities.slot_alignment import Paired, cheapest
from graphscore.metrics.entities.slot_costs import BOUNDARY, type_error
from graphscore.metrics.entities.slot_figures import (
    DELETIONS,
    INSERTIONS,
    Adding,
    Tally,
    counted,
    error_table,
    is_loss,
    labels_of,
    prefixed,
    tallied,
)
from graphscore.metrics.entities.slot_rows import SlotRows
from graphscore.metrics.entities.slot_view import COMPONENTS, ENTITIES, Piece, Slots
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    Figures,
    FigureTable,
    Masses,
    MassKey,
    Outcome,
    total_count,
)
from graphscore.structures.entity_trees import ETREE, Metonymy
from graphscore.structures.layout import NER

METHOD = "alignment"
"""What results say of how they were found."""

LIMIT = 2.0
"""A deletion and an insertion."""


class SlotErrors(Metric):
    """What all error rates of slots have in common, flat or in trees.

    Attributes:
        metonymy: a parameter: whether an entity right around another one is one of
            two types.
    """

    kinds = (ENTITIES, COMPONENTS)
    less_is_better = True

    metonymy: Metonymy

    @property
    def layout(self) -> Hashable:
        """Shared with all metrics of slots that read metonymy alike."""
        return Slots, self.metonymy

    @property
    def normalization(self) -> str:
        """How metonymy is read."""
        return f"metonymy={self.metonymy}"

    def prepare(self, graph: Graph) -> Slots:
        """The slots of a graph."""
        return Slots(graph, self.metonymy)

    def lowest_best(self, figure: str) -> bool:
        """Whether of a figure the lowest is the best: of rates, and of errors."""
        return super().lowest_best(figure) or is_loss(figure)


@dataclass(frozen=True)
class SlotMetric(SlotErrors):
    """Base of the error rates of flat slots.

    Args:
        slots: which slots count.
        metonymy: whether an entity right around another one is one of two types.
    """

    frameworks = frozenset({ETREE, NER})

    slots: Literal["all", "types", "components"] = "all"
    metonymy: Metonymy = "joined"

    @abstractmethod
    def substituted(self, wrong: int) -> float:
        """What a substitution costs, by what is wrong with it; at most 1."""

    @abstractmethod
    def rate(self, tally: Tally) -> float:
        """The error rate of some slots; ``nan`` where it is undefined."""

    @property
    def chosen(self) -> tuple[str, ...]:
        """The kinds of slots that count."""
        if self.slots == "all":
            return self.kinds
        return (ENTITIES if self.slots == "types" else COMPONENTS,)

    def applicable(self, framework: str) -> frozenset[str]:
        """Flat entities have no components."""
        return frozenset((ENTITIES,) if framework == NER else self.kinds)

    def compare(
        self,
        gold: Sequence[Slots],
        system: Sequence[Slots],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the slots of one item."""
        mine = gold[0] if gold else EMPTY
        theirs = system[0] if system else EMPTY
        masses: Masses = {}
        score = 0.0
        rows = SlotRows(mine.graph, theirs.graph) if details else None
        for kind in self.chosen:
            here, there = mine.flat_pieces[kind], theirs.flat_pieces[kind]
            masses |= mine.flat_amounts[kind][0] | theirs.flat_amounts[kind][1]
            if here == there and rows is None:
                masses |= mine.flat_amounts[kind][2]
                score += LIMIT * len(here)
                continue
            pairs = self.aligned(here, there)
            score += sum(LIMIT - cost for _, _, cost in pairs)
            self._add(masses, kind, mine, theirs, pairs, rows)
        if rows is None:
            return Outcome(masses, score, score, True, 0, METHOD)
        matches = tuple(rows.matches)
        return Outcome(masses, score, score, True, 0, METHOD, matches, rows.errors)

    def aligned(self, gold: Sequence[Piece], system: Sequence[Piece]) -> list[Paired]:
        """The pairs of slots of one kind that cost least."""
        if gold == system:
            return [(k, k, 0.0) for k in range(len(gold))]

        def cost(row: int, column: int) -> float:
            wrong = wrong_with(gold[row], system[column])
            return self.substituted(wrong) if wrong else 0.0

        return cheapest(gold, system, cost, LIMIT)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """The rate; its parts, and what it is made of by kind, type and label."""
        tallies = {kind: tallied(masses, kind) for kind in self.kinds}
        whole = Tally(0, 0, 0, 0, 0, 0)
        for kind in self.chosen:
            whole = whole.plus(tallies[kind])
        name = self.name
        numbers: dict[str, float] = {name: self.rate(whole)}
        for kind in self.chosen:
            numbers[f"{name}.{kind}"] = self.rate(tallies[kind])
        numbers |= self.parts(whole, tallies)
        numbers |= {
            "errors": whole.errors(),
            "slots": whole.gold,
            "correct": whole.correct,
            "substitutions": whole.substitutions,
            DELETIONS: whole.deletions,
            INSERTIONS: whole.insertions,
        }
        for kind in self.chosen:
            numbers |= prefixed(kind, counted(masses, kind))
        for kind in self.chosen:
            for label in labels_of(masses, kind):
                prefix = f"{kind}.{label}"
                numbers[f"{prefix}.{name}"] = self.rate(tallied(masses, kind, label))
                numbers |= prefixed(prefix, counted(masses, kind, label))
        counts = {
            kind: Count(tally.gold, tally.system, tally.correct)
            for kind, tally in tallies.items()
        }
        counts["all"] = total_count(counts.values())
        return Figures(counts, numbers)

    def parts(self, whole: Tally, tallies: Mapping[str, Tally]) -> dict[str, float]:
        """Further figures of the whole and its kinds."""
        return {}

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """None: the table of errors has what matters."""
        return {}

    def tables(self, figures: Figures) -> Sequence[FigureTable]:
        """The errors by type, or of components by label."""
        return (error_table(self.name, figures.numbers, self.chosen),)

    def _add(
        self,
        masses: Masses,
        kind: str,
        gold: Slots,
        system: Slots,
        pairs: Sequence[Paired],
        rows: SlotRows | None,
    ) -> None:
        """Add what became of every slot, as masses and as rows."""
        adding = Adding(masses, kind)
        left = dict(enumerate(gold.flat[kind]))
        right = dict(enumerate(system.flat[kind]))
        for row, column, cost in pairs:
            one, two = left.pop(row), right.pop(column)
            wrong = wrong_with(one.piece, two.piece)
            adding.pair(one, wrong, cost)
            if rows is not None:
                rows.pair(kind, one, two, wrong, cost)
        adding.alone(DELETIONS, left.values())
        adding.alone(INSERTIONS, right.values())
        if rows is not None:
            for held in left.values():
                rows.alone("missing", kind, held)
            for held in right.values():
                rows.alone("surplus", kind, held)


def wrong_with(gold: Piece, system: Piece) -> int:
    """What is wrong with a pair of slots; their children aside."""
    _, wrong = type_error(gold[1], system[1], 1.0, 0.5)
    return wrong | BOUNDARY if gold[0] != system[0] else wrong


EMPTY = Slots(Graph("", ETREE))
"""What is compared where an item is missing."""
