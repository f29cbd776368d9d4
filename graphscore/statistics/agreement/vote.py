"""A majority vote of annotators on spans: mentions of things, triggers of events.

A span with its label is taken if more than half of those have it who annotated the
item.  Any two spans that are taken so stand together in at least one annotation: a vote
crosses or nests nothing that nobody crosses or nests.

>>> from graphscore.model.graph import Anchor
>>> def graph(*spans):
...     nodes = (Node(n, label, (("kind", "mention"),), (Anchor(*place),))
...              for n, (label, place) in enumerate(spans))
...     return Graph("1", "ner", 1, text="Rome fell", nodes=tuple(nodes))
>>> found = voted({"ann": [graph(("LOC", (0, 4)))], "ben": [graph(("ORG", (0, 4)))],
...                "eve": [graph(("LOC", (0, 4)), ("EVENT", (5, 9)))]})
>>> [node.label for node in found.graphs[0].nodes], found.ties
(['LOC'], ())
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from graphscore.errors import InputError, Problem, UsageError, expecting
from graphscore.evaluation.options import Options
from graphscore.evaluation.stored import Store
from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.statistics.agreement.notebook import ShownVote
from graphscore.statistics.agreement.sources import gathered
from graphscore.statistics.agreement.voted import Candidate, Tie, Vote
from graphscore.structures.entities.tags import TAGS
from graphscore.structures.layout import MENTION, TRIGGER, first_of, kind_of

LEAST = 3
"""Annotators of whom there can be a majority."""

_DEFAULT = Options()


@expecting(names=Sequence, options=Options)
def vote(
    *annotators: Any, names: Sequence[str] = (), options: Options = _DEFAULT
) -> Vote:
    """What most annotators say: the spans that more than half of them have.

    Args:
        annotators: three or more, each a file, directory or glob of any known format,
            or graphs; or a :class:`~graphscore.Store`, or its file, and collections.
        names: what the annotators are called; without, as their files or collections.
        options: selection and how files are read.

    Returns:
        Graphs of what was voted for, and the ties.

    Raises:
        InputError: if an annotator's file cannot be used, or one has another text or
            other tokens than another; every problem is named.
        UsageError: if there are fewer than three annotators, or there is more than
            spans in their graphs.

    Example:
        >>> from graphscore import Anchor
        >>> def graphs(*labels):
        ...     return [Graph("1", "ner", 1, text="Rome", nodes=(
        ...         Node(0, label, (("kind", "mention"),), (Anchor(0, 4),)),))
        ...         for label in labels]
        >>> found = vote(*(graphs(label) for label in ("LOC", "LOC", "ORG")))
        >>> found.spans, found.graphs[0].nodes[0].label
        (1, 'LOC')
    """
    with gathered(annotators, names, options) as (store, collections, called):
        return vote_of(store, collections, called, options)


def vote_of(
    store: Store, collections: Sequence[str], names: Sequence[str], options: Options
) -> Vote:
    """What most annotators of a store's collections say.

    Args:
        store: where they are; nothing is written to it.
        collections: of three or more annotators.
        names: what the annotators are called.
        options: the selection.

    Raises:
        InputError: if one has another text or other tokens of an item than another.
        UsageError: if there are fewer than three annotators, or more than spans.
    """
    if len(collections) < LEAST:
        raise UsageError(
            f"a vote of {len(collections)}: expected {LEAST} annotators or more, of "
            "two there is no majority"
        )
    return voted(
        {
            name: [*store.graphs(each, options.selection)]
            for name, each in zip(names, collections, strict=True)
        }
    )


_Unit = tuple[str, str, str, str]
"""Language, item, framework and layer."""


class _Ballot(NamedTuple):
    """A span as it is voted on."""

    kind: str
    label: Value
    anchors: tuple[Anchor, ...]
    copy: int
    """Which of several equal ones of an annotator."""

    @property
    def order(self) -> Any:
        """Outer spans before inner ones, as files have them."""
        first = min(start for start, _ in self.anchors)
        return first, -max(end for _, end in self.anchors), str(self.label)

    def overlaps(self, other: _Ballot) -> bool:
        """Whether both have a character in common."""
        return any(
            a.start < b.end and b.start < a.end
            for a in self.anchors
            for b in other.anchors
        )


_Votes = dict[_Ballot, dict[str, Node]]
"""Who has which span, and as which node."""


def voted(sides: Mapping[str, Sequence[Graph]]) -> ShownVote:
    """The vote of annotators by name.

    Args:
        sides: the graphs of each; an item at most once.

    Raises:
        InputError: if one has another text or other tokens of an item than another.
        UsageError: if there is more than spans.
    """
    units: dict[_Unit, dict[str, Graph]] = {}
    for name, graphs in sides.items():
        for graph in graphs:
            unit = graph.language, graph.id, graph.framework, graph.layer
            units.setdefault(unit, {})[name] = graph
    _refuse_other_texts(units)
    found: list[Graph] = []
    ties: list[Tie] = []
    spans: set[Hashable] = set()
    for unit in _in_order([[*map(_unit, graphs)] for graphs in sides.values()]):
        by_name = units[unit]
        votes = _votes(by_name)
        taken = [each for each in votes if 2 * len(votes[each]) > len(by_name)]
        found.append(_elected(by_name, votes, taken))
        ties += _ties(unit, by_name, votes, taken)
        spans |= {(*unit[:2], unit[3], each) for each in taken}
    shown: dict[Hashable, Tie] = {}
    for tie in ties:
        # The layers of an item may share spans, as those of brat do.
        shown.setdefault(tie[1:], tie)
    people: dict[tuple[str, str], set[str]] = {}
    for unit, by_name in units.items():
        people.setdefault(unit[:2], set()).update(by_name)
    return ShownVote(
        tuple(sides),
        tuple(found),
        len(people),
        sum(len(each) == 1 for each in people.values()),
        len(spans),
        tuple(shown.values()),
    )


def _unit(graph: Graph) -> _Unit:
    return graph.language, graph.id, graph.framework, graph.layer


def _in_order(sides: Iterable[Sequence[_Unit]]) -> Iterator[_Unit]:
    """Everything once, in the order of the first; others add behind what they share."""
    after: dict[_Unit | None, _Unit | None] = {None: None}
    for units in sides:
        before: _Unit | None = None
        for unit in units:
            if unit not in after:
                after[unit], after[before] = after[before], unit
            before = unit
    at = after[None]
    while at is not None:
        yield at
        at = after[at]


def _refuse_other_texts(units: Mapping[_Unit, Mapping[str, Graph]]) -> None:
    """Raise if annotators have different words of an item.

    Raises:
        InputError: naming item and annotator.
    """
    problems: dict[Problem, None] = {}
    for (_, item, _, _), by_name in units.items():
        (first, graph), *others = by_name.items()
        for name, other in others:
            if (graph.text, graph.tokens) != (other.text, other.tokens):
                same = graph.text == other.text
                what = ("other tokens", "tokens") if same else ("another text", "text")
                said = f"item {item}", what[0], f"the {what[1]} of {first}"
                problems[Problem(name, None, None, *said)] = None
                break
    if problems:
        raise InputError(problems, "a vote is on spans of the same words")


def _votes(by_name: Mapping[str, Graph]) -> _Votes:
    found: _Votes = {}
    for name, graph in by_name.items():
        copies: Counter[Hashable] = Counter()
        for node in graph.nodes:
            kind = kind_of(node)
            if kind not in (MENTION, TRIGGER) or not node.anchors or graph.edges:
                raise UsageError(
                    "a vote is on spans alone, mentions or triggers: item "
                    f"{graph.id!r} of {name} has more in the framework "
                    f"{graph.framework!r}"
                )
            place = tuple(sorted(node.anchors))
            span = kind, node.label, place
            ballot = _Ballot(*span, copies[span])
            copies[span] += 1
            found.setdefault(ballot, {})[name] = node
    return found


def _elected(
    by_name: Mapping[str, Graph], votes: _Votes, taken: Iterable[_Ballot]
) -> Graph:
    """The graph of the annotator that is named first, with the nodes of the vote."""
    nodes: list[Node] = []
    graph = next(iter(by_name.values()))
    for number, ballot in enumerate(sorted(taken, key=lambda each: each.order)):
        # Those named first come first among equals.
        nodes_of = [*votes[ballot].values()]
        often = Counter(node.properties for node in nodes_of)
        most = max(often.values())
        node = next(each for each in nodes_of if often[each.properties] == most)
        node = replace(node, id=number, anchors=ballot.anchors)
        nodes.append(_opened(node, nodes, graph.tokens))
    return replace(graph, nodes=tuple(nodes), edges=(), tops=())


def _opened(node: Node, before: Sequence[Node], tokens: Sequence[Anchor]) -> Node:
    """A mention whose tags begin with B where one of its type ends right before it.

    Under IOB1 its letters depend on what stands before, which others voted for.
    """
    letters = first_of(node.properties, TAGS)
    if not isinstance(letters, str) or not letters.startswith("I") or not before:
        return node
    last = before[-1]
    starts = {each.start: place for place, each in enumerate(tokens)}
    place = starts.get(node.anchors[0].start)
    if last.label != node.label or not place or tokens[place - 1].end != max(
        anchor.end for anchor in last.anchors
    ):  # fmt: skip
        return node
    properties = tuple(
        (name, "B" + letters[1:] if name == TAGS else value)
        for name, value in node.properties
    )
    return replace(node, properties=properties)


def _ties(
    unit: _Unit, by_name: Mapping[str, Graph], votes: _Votes, taken: Iterable[_Ballot]
) -> Iterator[Tie]:
    """Places where half or more have a span that is not taken.

    Of spans that overlap each is one of those that people may have meant.
    """
    chosen = set(taken)
    left = sorted((each for each in votes if each not in chosen), key=lambda x: x.order)
    near = _near(left)
    tied = [
        each
        for each in left
        if 2 * len({name for other in near[each] for name in votes[other]})
        >= len(by_name)
    ]
    language, item, framework, layer = unit
    graph = next(iter(by_name.values()))
    for group in _groups(tied, near):
        start = min(anchor.start for each in group for anchor in each.anchors)
        end = max(anchor.end for each in group for anchor in each.anchors)
        candidates = (
            Candidate(*each[:3], tuple(name for name in by_name if name in votes[each]))
            for each in group
        )
        words = graph.text[start:end]
        head = framework, language, item, layer
        yield Tie(*head, start, end, words, len(by_name), tuple(candidates))


def _near(spans: Sequence[_Ballot]) -> dict[_Ballot, list[_Ballot]]:
    """What overlaps each of spans that are in order, itself included."""
    found: dict[_Ballot, list[_Ballot]] = {each: [each] for each in spans}
    for place, span in enumerate(spans):
        end = max(end for _, end in span.anchors)
        for other in spans[place + 1 :]:
            if other.order[0] >= end:
                break
            if span.overlaps(other):
                found[span].append(other)
                found[other].append(span)
    return found


def _groups(
    spans: Sequence[_Ballot], near: Mapping[_Ballot, Sequence[_Ballot]]
) -> Iterator[list[_Ballot]]:
    """Spans that overlap, directly or by way of others, in their order."""
    left = dict.fromkeys(spans)
    for span in spans:
        if span not in left:
            continue
        group, waiting = [], [span]
        del left[span]
        while waiting:
            group.append(at := waiting.pop())
            for other in near[at]:
                if other in left:
                    del left[other]
                    waiting.append(other)
        yield sorted(group, key=lambda each: each.order)
