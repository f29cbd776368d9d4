"""Surface forms of named entities: each different one once, over everything.

A surface form is the words of an entity with its type.  How often it stands there is of
no account: a system that finds a frequent name everywhere earns no more than one that
finds it once, and finding what is new and rare is what counts.  A form of gold is found
if any of its entities is, and a form of the system is right if any of its is.

Derczynski et al. (2017), "Results of the WNUT2017 Shared Task on Novel and Emerging
Entity Recognition".  Reference implementation: wnuteval.py of the task.

::

    P = right forms / forms of the system    R = forms found / forms of gold

What differs from the program: nothing; every count is the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric, numbered
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.entities.view import (
    Entities,
    Place,
    Spans,
    add_links,
    check_types,
    remark_links,
    remark_untyped,
    words_of,
)
from graphscore.metrics.label_tables import label_table
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    CountKey,
    ErrorType,
    Outcome,
    Scores,
    ScoreTable,
    count_of,
)
from graphscore.model.outcome_builder import Described, OutcomeBuilder, aligned_by_key

FORMS = "forms"

METHOD = "sets"
"""Method recorded in results."""

Form = tuple[str, str]
"""Words and type."""


@dataclass(frozen=True)
class Surface(Metric, Correctable):
    """Different surface forms of entities.

    Args:
        spans: ``characters`` leaves white space in spans and forms aside, as the tokens
            of wnuteval.py have none; with ``offsets`` it counts.

    Example:
        >>> from graphscore import Anchor, Graph, Node, score
        >>> def said(text, *places):
        ...     return Graph(text, "ner", text=text, nodes=tuple(
        ...         Node(k, "LOC", (("kind", "mention"),), (Anchor(*place),))
        ...         for k, place in enumerate(places)))
        >>> gold = [said("Rome fell", (0, 4)), said("to Rome", (3, 7))]
        >>> score(gold, [said("Rome fell", (0, 4)), said("to Rome")], "surface").f1
        1.0
    """

    name = "surface"
    follows = "wnuteval.py of WNUT 2017"
    title = "Surface form F1 of entities (Derczynski et al. 2017)"
    citation = "Derczynski et al. 2017, Results of the WNUT2017 Shared Task"
    unit = "collection"
    frameworks = frozenset({"ner"})
    tuple_types = (FORMS,)
    main = FORMS
    bound = "a form is right if any entity has it"
    spans_by = "tokens"
    revision = 2

    spans: Spans = "characters"

    @property
    def layout(self) -> Hashable:
        """Key of the reading, the same as of ``ner``."""
        return Entities, None, "multiset", self.spans

    def prepare(self, graph: Graph) -> Entities:
        """The entities."""
        return Entities(graph, spans=self.spans)

    def compare(
        self,
        gold: Sequence[Entities],
        system: Sequence[Entities],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Count the forms of both sides, and those that both have somewhere."""
        graphs = [[entities.graph for entities in side] for side in (gold, system)]
        check_types(*graphs)
        gold_entities = {
            (entities.graph.id, entity)
            for entities in gold
            for entity in entities.entities
        }
        left, right = _forms(gold), _forms(system)
        shared = dict.fromkeys(
            form
            for entities in system
            for form, entity, _ in _named(entities)
            if (entities.graph.id, entity) in gold_entities
        )
        builder = OutcomeBuilder(details)
        add_links(builder.raw_counts, *graphs)
        counted = {"gold": left.keys(), "system": right.keys(), "matched": shared}
        for quantity, forms in counted.items():
            for _, label in forms:
                builder.add(FORMS, "", quantity, 1)
                builder.add(FORMS, label, quantity, 1)
        if details:
            for form in sorted(shared):
                builder.match(left.get(form), right[form], 1.0, what="form")
            sides = (
                {form: (form, side[form]) for form in sorted(side)}
                for side in (left, right)
            )
            builder.enter(aligned_by_key(*sides, same=shared), _described)
        return builder.outcome(len(shared), METHOD)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """The count, and ratios by type."""
        count = count_of(raw_counts, FORMS)
        numbers: dict[str, float] = {}
        for label in sorted({label for _, label, _ in raw_counts if label}):
            count_of_type = count_of(raw_counts, FORMS, label)
            for quantity in ("gold", "system", "matched"):
                numbers[f"{label}.{quantity}"] = getattr(count_of_type, quantity)
            numbers |= numbered(label, count_of_type)
        return Scores({FORMS: count, "all": count}, numbers)

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Say that spans have no types, or links besides."""
        yield from remark_untyped(self, raw_counts, FORMS)
        yield from remark_links(self, raw_counts)

    def brief(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return nothing: types have a table."""
        return {}

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """The forms by type."""
        ends = ("gold", "system", "matched", "precision", "recall", "f1")
        columns = ("type", "gold", "system", "matched", "P", "R", "F1")
        title = "surface forms, by type"
        return (label_table(title, columns, scores.numbers, "", ends),)


def _named(entities: Entities) -> list[tuple[Form, Hashable, int]]:
    """The form of each entity, the entity, and its node."""
    return [
        ((_words(entities, ordinal, entity[1]), entity[0]), entity, ordinal)
        for ordinal, entity in zip(entities.nodes, entities.entities, strict=True)
    ]


def _words(entities: Entities, ordinal: int, span: Place) -> str:
    """The words of an entity; with blanks between where white space is left aside."""
    text = entities.graph.text
    if entities.spans == "offsets" or not text or span[0][0] < 0:
        return words_of(entities.graph, entities.graph.nodes[ordinal])
    return " ".join(text[start:end] for start, end in span)


def _forms(side: Sequence[Entities]) -> dict[Form, int]:
    """The forms of a side, with the first node of each, counted from graph to graph."""
    forms: dict[Form, int] = {}
    start = 0
    for entities in side:
        for form, _, ordinal in _named(entities):
            forms.setdefault(form, start + ordinal)
        start += len(entities.graph.nodes)
    return forms


def _described(side: ErrorType, own: tuple[Form, int], other: object) -> Described:
    (words, label), ordinal = own
    return Described(FORMS, ordinal, what="form", label=label, value=words)
