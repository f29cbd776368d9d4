"""Entity linking: mentions, their types and their entries, as sets.

Every measure is a set of what gold says and one of what the system says, and its name
is that of neleval: *strong* where mentions have the same characters.  What is there
several times counts once.  ``NIL`` is an entry that all mentions without one share;
which of them are of one thing is asked by ``clustering``.

Everything is compared at once, so that what a system says of a document of which gold
says nothing counts: files of linked mentions cannot name a document without any.

A gold mention without an equal is *missing*, a system mention *surplus*.  Where both
have the same characters, ``name`` says what is wrong: ``link``, ``type``, or both.

Hachey, Nothman and Radford (2014), "Cheap and easy entity evaluation"; Ji, Nothman and
Hachey (2014), "Overview of TAC-KBP2014 Entity Discovery and Linking Tasks".  Reference
implementation: neleval 3.1.0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.entities.linked import Linked, Mention, document_of
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import Error, Masses, MassKey, Outcome, Side

METHOD = "sets"
"""What results say of how they were found."""

Key = Callable[[Mention], Hashable]


def _span(mention: Mention) -> Hashable:
    return mention.item, mention.place


def _typed(mention: Mention) -> Hashable:
    return mention.item, mention.place, mention.label


def _document(mention: Mention) -> Hashable:
    return mention.document


def _every(_: Mention) -> bool:
    return True


def _linked(mention: Mention) -> bool:
    return mention.linked


def _nil(mention: Mention) -> bool:
    return mention.nil


MEASURES: Mapping[str, tuple[Key, Callable[[Mention], bool], bool]] = {
    "strong_mention_match": (_span, _every, False),
    "strong_typed_mention_match": (_typed, _every, False),
    "strong_linked_mention_match": (_span, _linked, False),
    "strong_link_match": (_span, _linked, True),
    "strong_nil_match": (_span, _nil, False),
    "strong_all_match": (_span, _every, True),
    "strong_typed_link_match": (_typed, _linked, True),
    "strong_typed_nil_match": (_typed, _nil, False),
    "strong_typed_all_match": (_typed, _every, True),
    "entity_match": (_document, _linked, True),
}
"""What a mention must share, which mentions count, and whether entries must agree."""

MAIN = "strong_link_match"


@dataclass(frozen=True)
class Linking(Metric):
    """Mentions and what they are linked to, under ten measures.

    Example:
        >>> from graphscore import Anchor, Graph, Node, score
        >>> def said(*entries):
        ...     return [Graph("1", "ner", text="Ada Rome", nodes=tuple(
        ...         Node(k, "X", (("kind", "mention"), ("authority", entry)),
        ...              (Anchor(4 * k, 4 * k + 3),))
        ...         for k, entry in enumerate(entries)))]
        >>> result = score(said("Q1", "Q2"), said("Q1", "NIL"), "linking")
        >>> result.f1 == 2 / 3, result.counts["strong_mention_match"].f1
        (True, 1.0)
    """

    name = "linking"
    follows = "neleval 3.1.0"
    title = "entity linking: mentions, links and NIL, typed or not"
    citation = "Hachey et al. 2014, Cheap and easy entity evaluation"
    unit = "collection"
    frameworks = frozenset({"ner"})
    kinds = tuple(MEASURES)
    main = MAIN
    bound = "what is said several times counts once over everything"
    by_tokens = True
    sums_over = "document"

    @property
    def layout(self) -> Hashable:
        """Shared by all metrics of linked mentions."""
        return Linked

    @property
    def error_kinds(self) -> tuple[str, ...]:
        """A mention that is not equal in all is an error once."""
        return ("strong_typed_all_match",)

    def prepare(self, graph: Graph) -> Linked:
        """The mentions."""
        return Linked(graph)

    def compare(
        self,
        gold: Sequence[Linked],
        system: Sequence[Linked],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Count what both sides say under each measure."""
        ledger = Ledger(details)
        mentions = _numbered(gold), _numbered(system)
        for _, key, amount in _counted(*mentions):
            ledger.masses[key] = ledger.masses.get(key, 0) + amount
        if details:
            _enter(ledger, *mentions)
        return ledger.outcome(ledger.masses.get((MAIN, "", "matched"), 0), METHOD)

    def shares(
        self, gold: Sequence[Linked], system: Sequence[Linked], *, budget: Budget
    ) -> Sequence[Masses]:
        """The masses of every gold graph.

        What is asked of documents, not of mentions, is given to the first graph of a
        document; documents that gold does not have, to the first of all.
        """
        items, documents = _numbers(gold)
        found: list[Masses] = [{} for _ in gold]
        for mention, key, amount in _counted(_numbered(gold), _numbered(system)):
            there = documents.get(mention.document, 0)
            if MEASURES[key[0]][0] is not _document:
                there = items.get(mention.item, there)
            found[there][key] = found[there].get(key, 0) + amount
        return found

    def places(
        self,
        gold: Sequence[Linked],
        system: Sequence[Linked],
        errors: Sequence[Error],
        *,
        budget: Budget,
    ) -> Sequence[int]:
        """The gold graph of every error: that of the mention's item, or its document.

        What is in a document that gold does not have belongs to the first of all.
        """
        items, documents = _numbers(gold)
        mine, theirs = (
            {each.ordinal: each for each in _numbered(side)} for side in (gold, system)
        )
        found = []
        for error in errors:
            side, ordinal = (
                (theirs, error.system) if error.gold is None else (mine, error.gold)
            )
            assert ordinal is not None
            there = documents.get(side[ordinal].document, 0)
            found.append(items.get(side[ordinal].item, there))
        return found


def _numbers(gold: Sequence[Linked]) -> tuple[dict[str, int], dict[str, int]]:
    """The first graph of every item and of every document, by number."""
    items: dict[str, int] = {}
    documents: dict[str, int] = {}
    for number, each in enumerate(gold):
        items.setdefault(each.graph.id, number)
        documents.setdefault(document_of(each.graph), number)
    return items, documents


def _counted(
    gold: list[Mention], system: list[Mention]
) -> Iterator[tuple[Mention, MassKey, int]]:
    """What both sides say under each measure, place by place.

    Yields:
        A mention that is there, a mass, and how much it is.
    """
    for kind, (key, counts, entries) in MEASURES.items():
        mine, theirs = (
            _said(filter(counts, side), key, entries) for side in (gold, system)
        )
        for quantity, side in (("gold", mine), ("system", theirs)):
            for mention, said in side.values():
                yield mention, (kind, "", quantity), len(said)
        for place in mine.keys() & theirs.keys():
            (mention, left), (_, right) = mine[place], theirs[place]
            if matched := matching(left, right):
                yield mention, (kind, "", "matched"), matched


def _numbered(side: Sequence[Linked]) -> list[Mention]:
    """The mentions of a side, whose nodes count on from graph to graph."""
    found: list[Mention] = []
    start = 0
    for part in side:
        found += [each._replace(ordinal=start + each.ordinal) for each in part.mentions]
        start += len(part.graph.nodes)
    return found


Entries = tuple[str, ...]


def _said(
    mentions: Iterable[Mention], key: Key, entries: bool
) -> dict[Hashable, tuple[Mention, list[Entries]]]:
    """What is said at each key, each set of entries once, and who says it first."""
    found: dict[Hashable, tuple[Mention, dict[Entries, None]]] = {}
    for mention in mentions:
        _, said = found.setdefault(key(mention), (mention, {}))
        said[mention.entries if entries else ()] = None
    return {place: (first, list(said)) for place, (first, said) in found.items()}


def matching(gold: list[Entries], system: list[Entries]) -> int:
    """How many sets of entries pair that have an entry in common, or are both empty.

    Args:
        gold: those of one side.
        system: those of the other.

    >>> matching([("Q1", "Q2"), ("Q3",)], [("Q2",), ("Q1",)]), matching([()], [()])
    (1, 1)
    """
    partner: dict[int, int] = {}

    def find(mine: int, tried: set[int]) -> bool:
        for theirs, other in enumerate(system):
            same = gold[mine] == other or not set(gold[mine]).isdisjoint(other)
            if same and theirs not in tried:
                tried.add(theirs)
                if theirs not in partner or find(partner[theirs], tried):
                    partner[theirs] = mine
                    return True
        return False

    if len(gold) == len(system) == 1:
        return int(gold[0] == system[0] or not set(gold[0]).isdisjoint(system[0]))
    return sum(find(mine, set()) for mine in range(len(gold)))


def _enter(ledger: Ledger, gold: list[Mention], system: list[Mention]) -> None:
    """Enter what is wrong, with mentions of the same characters, and the others."""
    waiting: defaultdict[Hashable, list[Mention]] = defaultdict(list)
    for mention in system:
        waiting[_span(mention)].append(mention)
    for mine in gold:
        others = waiting[_span(mine)]
        if not others:
            _error(ledger, "missing", mine, None, "")
            continue
        best = min(others, key=lambda each: len(_wrong(mine, each)))
        others.remove(best)
        if wrong := _wrong(mine, best):
            _error(ledger, "missing", mine, best, wrong)
            _error(ledger, "surplus", best, mine, wrong)
    for others in waiting.values():
        for theirs in others:
            _error(ledger, "surplus", theirs, None, "")


def _error(
    ledger: Ledger, side: Side, own: Mention, other: Mention | None, name: str
) -> None:
    link = own.cluster or ("NIL" if own.nil else None)
    ledger.error(
        side,
        "strong_typed_all_match",
        own.ordinal,
        other.ordinal if other else None,
        label=own.label,
        name=name,
        value=own.label if name == "type" else link,
    )


def _wrong(gold: Mention, system: Mention) -> str:
    """What is wrong with a mention of the right characters."""
    linked = bool(matching([gold.entries], [system.entries]))
    if linked:
        return "" if gold.label == system.label else "type"
    return "link" if gold.label == system.label else "link and type"
