"""Arguments as the CoNLL shared tasks of 2004 and 2005 count them.

Carreras and Màrquez (2005), "Introduction to the CoNLL-2005 Shared Task: Semantic Role
Labeling"; reference scorer ``srl-eval.pl`` (SHA-1 5be33e0a).

What differs: sentences that are missing or have other words, at which the scorer ends,
are scored, and a lemma that is not said equals any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

from graphscore.exceptions import UsageError
from graphscore.metrics.roles.base import (
    CONTINUED,
    Labels,
    Predicates,
    Prepared,
    RoleBuilder,
    RoleMetric,
    by_role,
    role_table,
)
from graphscore.model.outcome import (
    CountKey,
    ErrorType,
    Scores,
    ScoreTable,
    count_of,
    counts_of,
)
from graphscore.model.outcome_builder import Alignment, Described
from graphscore.structures.roles.sentence import VERB, Sentence

ARGUMENTS, UNLABELED, PROPOSITIONS = "arguments", "unlabeled", "propositions"

EXCLUDED = "excluded"
"""Not a tuple type: arguments that are in the table of roles and in no sum."""

OVERWRITTEN = "overwritten"
"""Not a tuple type: arguments that another one of the same extent hides."""

Pieces = tuple[tuple[int, int], ...]
"""First and last positions of each piece, sorted."""


class Joined(NamedTuple):
    """An argument, its continuations included."""

    label: str
    first: int
    last: int
    pieces: Pieces
    """Empty if there is only one."""
    edge: int
    """The ordinal of the edge of its first piece."""

    @property
    def extent(self) -> tuple[int, int]:
        """First and last position."""
        return self.first, self.last


class Proposition(NamedTuple):
    """A proposition."""

    node: int
    lemma: str
    arguments: tuple[Joined, ...]
    hidden: int
    """Number of arguments hidden by another one of equal extent."""


Propositions = dict[int, Proposition]
"""By the position of the predicate."""


def _add_argument(builder: RoleBuilder, label: str, quantity: str) -> None:
    """Count an argument, in sum and by role."""
    if label == VERB:
        builder.add(EXCLUDED, label, quantity)
    else:
        builder.add(ARGUMENTS, "", quantity)
        builder.add(ARGUMENTS, label, quantity)


@dataclass(frozen=True)
class Conll05(RoleMetric[Propositions]):
    """Arguments by label and words, of predicates in the same place.

    Args:
        labels: whether labels are compared as written, or in one spelling.
        lemmas: whether predicates must have equal lemmas, or any.
        spurious: whether predicates that only the system has are skipped, or their
            arguments are spurious.
        duplicates: whether of several arguments with equal extents the last one
            counts, or each.
        predicates: whether those that one side lacks count, or only shared ones.

    Example:
        >>> str(Conll05(lemmas="any"))
        'conll05(lemmas=any)'
    """

    name = "conll05"
    follows = "srl-eval.pl SHA-1 5be33e0a"
    title = "CoNLL-2005 SRL: argument span F1 (srl-eval)"
    citation = (
        "Carreras and Màrquez 2005, Introduction to the CoNLL-2005 Shared Task: "
        "Semantic Role Labeling"
    )
    classed = (ARGUMENTS, EXCLUDED)
    tuple_types = (ARGUMENTS, UNLABELED)
    main = ARGUMENTS
    bound = ""
    error_tuple_types = (ARGUMENTS,)

    labels: Labels = "written"
    lemmas: Literal["equal", "any"] = "equal"
    spurious: Literal["skip", "count"] = "skip"
    duplicates: Literal["last", "each"] = "last"
    predicates: Predicates = "all"

    def __post_init__(self) -> None:
        if self.predicates == "given" and self.spurious == "count":
            raise UsageError(
                "conll05: spurious=count, predicates=given: predicates of the system "
                "alone cannot both count and be left out"
            )

    def lay_out(self, sentence: Sentence) -> Propositions:
        """Join the pieces of each proposition.

        Of several predicates in one place the last one is taken, as there.
        """
        propositions: Propositions = {}
        for proposition in sentence.propositions:
            pieces = []
            for piece in proposition.pieces:
                words = sentence.span(proposition, piece) or (-1,)
                label = self.label(piece.label)
                pieces.append((words[0], -words[-1], label, piece.edge))
            pieces.sort(key=lambda piece: piece[:2])
            shown = pieces
            if self.duplicates == "last":
                shown = list({piece[:2]: piece for piece in pieces}.values())
            hidden = len(pieces) - len(shown)
            arguments = _joined([(c, a, -b, d) for a, b, c, d in shown])
            propositions[proposition.place] = Proposition(
                proposition.node, proposition.lemma, arguments, hidden
            )
        return propositions

    def measure(
        self,
        gold: Prepared,
        system: Prepared,
        builder: RoleBuilder,
    ) -> int | float:
        """Compare propositions in equal places."""
        left, right = gold.laid(self), system.laid(self)
        for position, value in left.items():
            counterpart = right.get(position)
            if counterpart is not None:
                builder.add(PROPOSITIONS, "", "system")
                if self.lemmas == "equal" and not _same(value.lemma, counterpart.lemma):
                    counterpart = None
            if counterpart is None and self.predicates == "given":
                continue
            self._proposition(value, counterpart, builder)
        for position, counterpart in right.items():
            if position not in left:
                builder.add(PROPOSITIONS, "", "system")
                if self.spurious == "count":
                    self._spurious(counterpart, builder)
        return builder.raw_counts.get((ARGUMENTS, "", "matched"), 0)

    def _spurious(self, proposition: Proposition, builder: RoleBuilder) -> None:
        for joined in proposition.arguments:
            _add_argument(builder, joined.label, "system")
            if joined.label != VERB:
                builder.add(UNLABELED, "", "system")
            argument = Described(
                ARGUMENTS, joined.edge, what="edge", compared=joined.label
            )
            builder.error("spurious", argument)

    def _proposition(
        self, gold: Proposition, system: Proposition | None, builder: RoleBuilder
    ) -> None:
        """Compare two propositions; the gold one alone is missed."""
        builder.add(PROPOSITIONS, "", "gold")
        parent = None
        arguments: tuple[Joined, ...] = ()
        hidden = gold.hidden
        if system is not None:
            arguments, hidden = system.arguments, hidden + system.hidden
            parent = builder.match(gold.node, system.node, 0.0)
        pairs, missed, excess, lost = self._discriminate(gold.arguments, arguments)
        builder.add(OVERWRITTEN, "", "gold", hidden + len(lost))
        for first, second in pairs:
            for quantity in ("gold", "system", "matched"):
                _add_argument(builder, first.label, quantity)
            credit = float(first.label != VERB)
            builder.match(first.edge, second.edge, credit, "edge", parent)
        for quantity, left in (("gold", missed), ("system", excess)):
            for argument in left:
                _add_argument(builder, argument.label, quantity)
        if all(argument.label == VERB for argument in (*missed, *excess)):
            builder.add(PROPOSITIONS, "", "matched")
        self._unlabeled(gold.arguments, arguments, builder)
        alone = _beside(missed, excess), _beside(excess, missed)
        builder.enter(Alignment(*alone), partial(_described, parent), parent=parent)

    def _discriminate(
        self, gold: tuple[Joined, ...], system: tuple[Joined, ...]
    ) -> tuple[list[tuple[Joined, Joined]], list[Joined], list[Joined], list[Joined]]:
        """Equal arguments; those of gold and system that are left; hidden ones."""
        waiting: dict[object, list[Joined]] = {}
        lost: list[Joined] = []
        for joined in gold:
            if self.duplicates == "last":
                lost += waiting.get(joined.extent, [])
                waiting[joined.extent] = [joined]
            else:
                key = joined.extent, joined.label, joined.pieces
                waiting.setdefault(key, []).append(joined)
        pairs, excess = [], []
        for joined in system:
            key = joined.extent, joined.label, joined.pieces
            equal = waiting.get(joined.extent if self.duplicates == "last" else key)
            if (
                equal
                and equal[0].label == joined.label
                and equal[0].pieces == joined.pieces
            ):
                pairs.append((equal.pop(0), joined))
            else:
                excess.append(joined)
        missed = list(chain.from_iterable(waiting.values()))
        return pairs, missed, excess, lost

    def _unlabeled(
        self, gold: tuple[Joined, ...], system: tuple[Joined, ...], builder: RoleBuilder
    ) -> None:
        """The same regardless of labels (``-C``); what V takes part in is left out."""
        waiting: dict[object, list[Joined]] = {}
        for gold_argument in gold:
            if self.duplicates == "last":
                waiting[gold_argument.extent] = [gold_argument]
            else:
                waiting.setdefault(
                    (gold_argument.extent, gold_argument.pieces), []
                ).append(gold_argument)
        for joined in system:
            last = self.duplicates == "last"
            key: object = joined.extent if last else (joined.extent, joined.pieces)
            equal = waiting.get(key)
            if equal and equal[0].pieces == joined.pieces:
                gold_argument = equal.pop(0)
                if VERB not in (gold_argument.label, joined.label):
                    for quantity in ("gold", "system", "matched"):
                        builder.add(UNLABELED, "", quantity)
                    if gold_argument.label == joined.label:
                        builder.add(UNLABELED, "", "correct")
            elif joined.label != VERB:
                builder.add(UNLABELED, "", "system")
        for equal in waiting.values():
            count = sum(gold_argument.label != VERB for gold_argument in equal)
            builder.add(UNLABELED, "", "gold", count)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts, perfect propositions, label accuracy, and the table of roles."""
        counts = counts_of(raw_counts, self.tuple_types)
        counts["all"] = counts[ARGUMENTS]
        props = count_of(raw_counts, PROPOSITIONS)
        right = raw_counts.get((UNLABELED, "", "correct"), 0)
        matched = counts[UNLABELED].matched
        numbers: dict[str, float] = {
            "propositions": props.gold,
            "perfect": props.matched,
            "perfect_share": props.recall,
            "label_accuracy": right / matched if matched else 0.0,
            "overwritten": raw_counts.get((OVERWRITTEN, "", "gold"), 0),
        }
        return Scores(counts, numbers | by_role(self.classes(raw_counts)))

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """The table of roles, V included."""
        return (role_table(scores.numbers),)


def _same(left: str, right: str) -> bool:
    """Return true if two lemmas are equal; a lemma that a file lacks equals any."""
    return left == right or not left or not right


def _joined(pieces: list[tuple[str, int, int, int]]) -> tuple[Joined, ...]:
    """Arguments of pieces: C-X continues the latest X, or begins one."""
    result: list[list[tuple[str, int, int, int]]] = []
    latest: dict[str, list[tuple[str, int, int, int]]] = {}
    for label, first, last, edge in pieces:
        continued = label.startswith(CONTINUED)
        bare = label.removeprefix(CONTINUED)
        piece = bare, first, last, edge
        if continued and bare in latest:
            latest[bare].append(piece)
        else:
            latest[bare] = [piece]
            result.append(latest[bare])
    return tuple(
        Joined(
            *parts[0][:2],
            # The last piece says where the argument ends, be it inside another.
            parts[-1][2],
            tuple(sorted({part[1:3] for part in parts})) if len(parts) > 1 else (),
            parts[0][3],
        )
        for parts in result
    )


def _beside(
    own: list[Joined], others: list[Joined]
) -> Iterator[tuple[Joined, Joined | None]]:
    """Pair each with one of equal words, else of equal label, of the other side."""
    for argument in own:
        same = (joined for joined in others if joined.extent == argument.extent)
        named = (joined for joined in others if joined.label == argument.label)
        yield argument, next(chain(same, named), None)


def _described(
    parent: int | None, side: ErrorType, own: Joined, counterpart: Joined | None
) -> Described:
    reason = "differs" if counterpart and own.extent == counterpart.extent else "absent"
    return Described(
        ARGUMENTS,
        own.edge,
        None if counterpart is None else counterpart.edge,
        "edge",
        compared=own.label,
        reason="no counterpart" if parent is None else reason,
    )
