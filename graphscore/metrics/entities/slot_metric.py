"""Base of the error rates of slots, above all those of flat slots.

Every entity and every component is a slot, whatever it is part of; entities are
aligned with entities and components with components, so that the errors are fewest.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.corrections import Correctable, spelled
from graphscore.metrics.entities.eter_repairs import slot_repaired
from graphscore.metrics.entities.slot_alignment import Paired, cheapest
from graphscore.metrics.entities.slot_scores import (
    COST,
    DELETIONS,
    INSERTIONS,
    MISHEARD,
    RECOGNITION,
    WORDS,
    Tally,
    counted,
    error_table,
    heard_of,
    is_loss,
    labels_of,
    missed,
    ratio,
    tallied,
)
from graphscore.metrics.entities.slots import (
    ASPECTS,
    BOUNDARY,
    COMPONENTS,
    ENTITIES,
    NAMES,
    Piece,
    Slots,
    SlotView,
    type_error,
)
from graphscore.metrics.entities.view import (
    Spans,
    add_links,
    check_types,
    remark_links,
    remark_untyped,
    words_of,
)
from graphscore.metrics.pairwise import with_text
from graphscore.metrics.traits import Losses
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    CountKey,
    Error,
    ErrorType,
    Outcome,
    Scores,
    ScoreTable,
)
from graphscore.model.outcome_builder import Described, OutcomeBuilder, sided
from graphscore.structures.entities.trees import ETREE, Metonymy
from graphscore.structures.layout import NER

if TYPE_CHECKING:
    from graphscore.metrics.entities.speech import TranscriptPair

Words = Literal["given", "aligned", "document"]
"""Words of the two sides: equal, or aligned item by item or over whole documents."""

LEFT = {"missing": DELETIONS, "spurious": INSERTIONS}
"""Names of the counts of unaligned slots, by error type."""


class SlotBuilder(OutcomeBuilder):
    """Builder of the rows of slots for a pair of graphs.

    A gold slot that is not right is *missing*, a system slot *spurious*.  Where the two
    are a pair all the same, both rows name each other, and ``name`` says what is wrong:
    ``type``, ``subtype``, ``label`` (of components), ``boundary``, or two of them, as
    ``type and boundary``.  The value is the label, or the words where only the boundary
    is wrong; of an entity with two types it is both, that of its context first
    (``org.adm/loc.adm.town``).  A match and the rows of a pair earn what is left of 1,
    less what it costs.

    Args:
        gold: the gold side.
        system: the system's.
        details: whether matches and errors are wanted beside the raw counts.
        heard: the words of both sides, where they are not the same: then errors of
            recognition are raw counts of their own, and their rows say so as their
            reason.
    """

    __slots__ = ("_graphs", "_heard")

    def __init__(
        self,
        gold: Slots,
        system: Slots,
        details: bool,
        heard: TranscriptPair | None = None,
    ) -> None:
        super().__init__(details)
        self._graphs = (gold.graph, system.graph) if heard is None else heard.graphs
        self._heard = heard
        if heard is not None:
            for quantity, count in heard.counts().items():
                self.add(WORDS, "", quantity, count)

    def pair(
        self,
        tuple_type: str,
        slots: tuple[SlotView, SlotView],
        wrong: int,
        cost: float,
        parent: int | None = None,
        own: float | None = None,
    ) -> int:
        """Enter a pair.

        Args:
            tuple_type: of slots.
            slots: its gold and its system slot.
            wrong: what is wrong with it; 0 for nothing.
            cost: what it costs.
            parent: the number of the match that it is part of.
            own: what of the cost is of the slot itself; by default all.

        Returns:
            The number of its match.
        """
        gold, system = slots
        if not wrong:
            self._amount(tuple_type, gold, "matched", 1)
        else:
            for aspect, bit in ASPECTS[tuple_type].items():
                if wrong & bit:
                    self._amount(tuple_type, gold, aspect, 1)
        self._amount(tuple_type, gold, COST, cost)
        misheard = bool(wrong) and self.misheard(wrong, gold, system)
        if misheard:
            self.add(tuple_type, "", MISHEARD + COST, cost if own is None else own)
        if not self.details:
            return 0
        credit = 1.0 - cost
        if wrong:
            reason = RECOGNITION if misheard else ""
            for side, slot, counterpart in sided(gold, system):
                described = self._described(side, tuple_type, slot, wrong)
                described = described._replace(
                    other=counterpart.ordinal, reason=reason, credit=credit
                )
                self.error(side, described, parent)
        return self.match(gold.ordinal, system.ordinal, credit, parent=parent)

    def alone(
        self,
        side: Literal["missing", "spurious"],
        tuple_type: str,
        slots: Iterable[SlotView],
        parent: int | None = None,
    ) -> None:
        """Enter slots that are left alone.

        Args:
            side: whose they are.
            tuple_type: of slots.
            slots: the slots.
            parent: the number of the match that they are part of.
        """
        for slot in slots:
            self._amount(tuple_type, slot, LEFT[side], 1)
            misheard = self.misheard(0, slot)
            if misheard:
                self.add(tuple_type, "", MISHEARD + LEFT[side], 1)
            if self.details:
                reason = "absent" if parent is not None else ""
                described = self._described(side, tuple_type, slot, 0)
                described = described._replace(
                    reason=RECOGNITION if misheard else reason
                )
                self.error(side, described, parent)

    def misheard(self, wrong: int, *slots: SlotView) -> bool:
        """Return true if an error is one of recognition; never if all words are given.

        Args:
            wrong: what is wrong with a pair; 0 for a slot that is alone.
            slots: both slots of a pair, or the one.
        """
        return self._heard is not None and self._heard.misheard(wrong, *slots)

    def _amount(
        self, tuple_type: str, slot: SlotView, quantity: str, amount: float
    ) -> None:
        self.add(tuple_type, "", quantity, amount)
        self.add(tuple_type, slot.label, quantity, amount)

    def _described(
        self, side: ErrorType, tuple_type: str, slot: SlotView, wrong: int
    ) -> Described:
        graph = self._graphs[side == "spurious"]
        node = graph.nodes[slot.ordinal]
        value = node.label
        if wrong == BOUNDARY:
            value = words_of(graph, node)
        elif len(slot.types) > 1:
            others = Counter(slot.types) - Counter((str(node.label),))
            value = "/".join((str(node.label), *others.elements()))
        name = NAMES[tuple_type][wrong]
        return Described(
            tuple_type, slot.ordinal, label=node.label, name=name, value=value
        )


UNITS = {"given": "item", "aligned": "item", "document": "document"}
"""Unit that is paired, by the treatment of words."""


def _by_words(values: Mapping[str, Any]) -> Any:
    """An attribute of a metric that depends on what is known of the words."""
    return property(lambda metric: values[metric.words])


class SlotErrors(Metric, Correctable, Losses):
    """Base class of the error rates of slots, flat or in trees.

    Attributes:
        method: what results say of how they were found.
        metonymy: a parameter: whether an entity right around another one is one of
            two types.
        words: a parameter: whether both sides have the same words.
        spans: a parameter: whether white space in spans counts.
    """

    tuple_types = (ENTITIES, COMPONENTS)
    less_is_better = True
    revision = 3
    method: ClassVar[str] = "alignment"

    metonymy: Metonymy
    words: Words
    spans: Spans

    unit = _by_words(UNITS)
    spans_by = _by_words(
        {"given": "tokens", "aligned": "strings", "document": "strings"}
    )

    @property
    def layout(self) -> Hashable:
        """Shared with all metrics of slots that read metonymy alike."""
        return Slots, self.metonymy, self.spans

    @property
    def normalization(self) -> str:
        """Description of how metonymy is treated."""
        return f"metonymy={self.metonymy}"

    def prepare(self, graph: Graph) -> Slots:
        """The slots of a graph."""
        return Slots(graph, self.metonymy, self.spans)

    @abstractmethod
    def rate(self, tally: Tally) -> float:
        """The error rate of some slots; ``nan`` where it is undefined."""

    @abstractmethod
    def enter(self, builder: SlotBuilder, gold: Slots, system: Slots) -> float:
        """Align the slots of one item, and enter what became of them.

        Args:
            builder: where to.
            gold: the gold side.
            system: the system's.

        Returns:
            What the alignment saves.
        """

    def compare(
        self,
        gold: Sequence[Slots],
        system: Sequence[Slots],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the slots of one item."""
        graphs = [[slots.graph for slots in side] for side in (gold, system)]
        check_types(*graphs)
        if self.words != "given":
            return self._compare_heard(gold, system, details)
        left = gold[0] if gold else EMPTY
        right = system[0] if system else EMPTY
        if self.spans == "characters":
            left, right = with_text(left, right, self.prepare)
        builder = SlotBuilder(left, right, details)
        score = self.enter(builder, left, right)
        add_links(builder.raw_counts, *graphs)
        return builder.outcome(score, self.method)

    def _compare_heard(
        self, gold: Sequence[Slots], system: Sequence[Slots], details: bool
    ) -> Outcome:
        """Align the words of both sides, and then the slots at their columns."""
        # Few systems have other words, and numpy takes its time.
        from graphscore.metrics.entities.speech import TranscriptPair

        left, right = ([slots.graph for slots in side] for side in (gold, system))
        heard = TranscriptPair(left, right, self.metonymy)
        builder = SlotBuilder(*heard.sides, details, heard)
        score = self.enter(builder, *heard.sides)
        add_links(builder.raw_counts, left, right)
        return builder.outcome(score, f"word alignment, {self.method}")

    def heard(
        self,
        raw_counts: Mapping[CountKey, int | float],
        rate: float,
        errors: float,
        misheard: float,
    ) -> dict[str, float]:
        """Split the rate into recognition and tagging, with the word error rate.

        Args:
            raw_counts: summed raw counts.
            rate: the rate.
            errors: what all errors in it cost.
            misheard: what those of recognition cost.

        Returns:
            Nothing where all words are given.
        """
        if self.words == "given":
            return {}
        part = rate * misheard / errors if errors else rate
        counts = {
            name: raw_counts.get((WORDS, "", name), 0)
            for name in ("gold", "substitutions", DELETIONS, INSERTIONS)
        }
        words = counts.pop("gold")
        return {
            f"{self.name}.{RECOGNITION}": part,
            f"{self.name}.tagging": rate - part,
            "wer": ratio(sum(counts.values()), words),
            WORDS: words,
            **{f"{WORDS}.{name}": count for name, count in counts.items()},
        }

    def labelled(
        self, raw_counts: Mapping[CountKey, int | float], tuple_types: Sequence[str]
    ) -> dict[str, float]:
        """The rate of every label, and its errors by what they are.

        Args:
            raw_counts: summed raw counts.
            tuple_types: of slots.
        """
        numbers: dict[str, float] = {}
        for tuple_type in tuple_types:
            for label in labels_of(raw_counts, tuple_type):
                tally = tallied(raw_counts, tuple_type, label)
                numbers[f"{tuple_type}.{label}.{self.name}"] = self.rate(tally)
                numbers |= counted(raw_counts, tuple_type, label)
        return numbers

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Say that spans have no types, or links besides."""
        yield from remark_untyped(self, raw_counts, ENTITIES)
        yield from remark_links(self, raw_counts)

    def confusion(self, missing: Error, spurious: Error) -> str:
        """The types of both, and whether the boundary is wrong."""
        if missing.name == "boundary":
            return f"{spelled(missing.label)} → {spelled(spurious.label)} (boundary)"
        both = f"{spelled(missing.value)} → {spelled(spurious.value)}"
        return f"{both} (boundary)" if "boundary" in missing.name else both

    def is_loss(self, score: str) -> bool:
        """True of errors, and of their shares in a rate."""
        return is_loss(score)


@dataclass(frozen=True)
class SlotMetric(SlotErrors):
    """Base of the error rates of flat slots.

    Args:
        slots: which slots count.
        metonymy: whether an entity right around another one is one of two types.
        words: whether both sides have the same words; ``aligned``: those of each item
            are aligned by edit distance; ``document``: those of each document, whose
            items may be others.
        spans: ``characters`` leaves white space in spans aside; with ``offsets`` it
            counts.
    """

    frameworks = frozenset({ETREE, NER})
    bound = ""

    slots: Literal["all", "types", "components"] = "all"
    metonymy: Metonymy = "joined"
    words: Words = "given"
    spans: Spans = "characters"

    @abstractmethod
    def substituted(self, wrong: int) -> float:
        """Return the cost of a substitution, by the errors of the pair."""

    @property
    def limit(self) -> float:
        """Cost that aligned pairs must stay below: a deletion and an insertion."""
        return 2.0

    def total(self, tally: Tally) -> float:
        """Return the cost of all errors of some slots."""
        return tally.errors()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The kinds of slots that count."""
        if self.slots == "all":
            return self.tuple_types
        return (ENTITIES if self.slots == "types" else COMPONENTS,)

    def applicable(self, framework: str) -> frozenset[str]:
        """Flat entities have no components."""
        return frozenset((ENTITIES,) if framework == NER else self.tuple_types)

    def repaired(self, error: Error) -> Mapping[CountKey, int | float]:
        """Return the change of slot counts for a corrected error."""
        return slot_repaired(error)

    def enter(self, builder: SlotBuilder, gold: Slots, system: Slots) -> float:
        """Align the slots, and enter what became of them."""
        score = 0.0
        for tuple_type in self.chosen:
            gold_pieces, system_pieces = (
                gold.flat_pieces[tuple_type],
                system.flat_pieces[tuple_type],
            )
            builder.raw_counts |= (
                gold.flat_amounts[tuple_type][0] | system.flat_amounts[tuple_type][1]
            )
            if gold_pieces == system_pieces and not builder.details:
                builder.raw_counts |= gold.flat_amounts[tuple_type][2]
                score += self.limit * len(gold_pieces)
                continue
            pairs = self.aligned(gold_pieces, system_pieces)
            score += sum(self.limit - cost for _, _, cost in pairs)
            left = dict(enumerate(gold.flat[tuple_type]))
            right = dict(enumerate(system.flat[tuple_type]))
            for row, column, cost in pairs:
                first, second = left.pop(row), right.pop(column)
                wrong = wrong_with(first.piece, second.piece)
                builder.pair(tuple_type, (first, second), wrong, cost)
            builder.alone("missing", tuple_type, left.values())
            builder.alone("spurious", tuple_type, right.values())
        return score

    def aligned(self, gold: Sequence[Piece], system: Sequence[Piece]) -> list[Paired]:
        """The pairs of slots of one tuple type that cost least."""
        if gold == system:
            return [(k, k, 0.0) for k in range(len(gold))]

        def cost(row: int, column: int) -> float:
            wrong = wrong_with(gold[row], system[column])
            return self.substituted(wrong) if wrong else 0.0

        return cheapest(gold, system, cost, self.limit)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """The rate; its parts, and what it is made of by tuple type, type and label."""
        tallies = {
            tuple_type: tallied(raw_counts, tuple_type)
            for tuple_type in self.tuple_types
        }
        whole = Tally(0, 0, 0, 0, 0, 0)
        for tuple_type in self.chosen:
            whole = whole.plus(tallies[tuple_type])
        name = self.name
        numbers: dict[str, float] = {name: self.rate(whole)}
        for tuple_type in self.chosen:
            numbers[f"{name}.{tuple_type}"] = self.rate(tallies[tuple_type])
        numbers |= self.parts(whole, tallies)
        numbers |= {"errors": self.total(whole)} | whole.amounts()
        misheard = sum(
            self.total(missed(raw_counts, tuple_type)) for tuple_type in self.chosen
        )
        numbers |= self.heard(raw_counts, numbers[name], numbers["errors"], misheard)
        for tuple_type in self.chosen:
            numbers |= counted(raw_counts, tuple_type)
        numbers |= self.labelled(raw_counts, self.chosen)
        return Scores(super().scores(raw_counts).counts, numbers)

    def parts(self, whole: Tally, tallies: Mapping[str, Tally]) -> dict[str, float]:
        """Further scores of the whole and its tuple types."""
        return {}

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """Return the errors of recognition; the table of errors has the rest."""
        return heard_of(self.name, numbers)

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """The errors by type, or of components by label."""
        numbers = scores.numbers
        return (error_table(self.name, numbers, self.chosen, numbers[self.name]),)


def wrong_with(gold: Piece, system: Piece) -> int:
    """Return the errors of a pair of slots as bits, without those of their children."""
    _, wrong = type_error(gold[1], system[1], 1.0, 0.5)
    return wrong | BOUNDARY if gold[0] != system[0] else wrong


EMPTY = Slots(Graph("", ETREE))
"""Empty slots, for a side that lacks the item."""
