"""What a map leaves unmatched, tuple by tuple: the slow and obvious way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphscore.model.outcome import Error, ErrorType, Match
from graphscore.model.outcome_builder import error_of, unlike
from graphscore.model.tuples import Fact, Facts


def slow_matches(
    gold: Facts, system: Facts, pairs: tuple[tuple[int, int], ...]
) -> list[Match]:
    """Nodes that correspond and edges that match, with what they earn."""
    found = []
    for one, two in pairs:
        shared = set(gold.said[one]) & set(system.said[two])
        found.append(Match("node", one, two, float(len(shared))))
    partner = dict(pairs)
    for number, (source, target, label) in enumerate(gold.edges):
        for other, edge in enumerate(system.edges):
            if edge == (partner.get(source), partner.get(target), label):
                mine = set(gold.attributes.get(number, ()))
                credit = 1.0 + len(mine & set(system.attributes.get(other, ())))
                ordinals = gold.edge_ordinals[number], system.edge_ordinals[other]
                found.append(Match("edge", *ordinals, credit))
    return found


def slow_errors(
    gold: Facts, system: Facts, pairs: tuple[tuple[int, int], ...]
) -> list[Error]:
    """The errors of both sides."""
    backward = {two: one for one, two in pairs}
    return [
        *_errors("missing", gold, system, dict(pairs)),
        *_errors("spurious", system, gold, backward),
    ]


def _errors(
    side: ErrorType, mine: Facts, theirs: Facts, partner: dict[int, int]
) -> Iterator[Error]:
    for fact, other, reason in _unmatched(mine, theirs, partner):
        yield error_of(
            side,
            fact.tuple_type,
            fact.ordinal,
            other,
            what=fact.object,
            label=fact.label,
            name=fact.name,
            value=fact.value,
            compared=unlike(fact.compared, fact.value),
            reason=reason,
        )


def _unmatched(
    mine: Facts, theirs: Facts, partner: Mapping[int, int]
) -> Iterator[tuple[Fact, int | None, str]]:
    for node, said in enumerate(mine.said):
        other = partner.get(node)
        for key in said:
            fact = mine.node_fact(node, key)
            if other is None:
                yield fact, None, "no counterpart"
            elif key not in theirs.said[other]:
                stem = key[:-1] if len(key) > 1 else key
                rival = any(each[:-1] == stem for each in theirs.said[other])
                yield fact, other, "differs" if rival else "absent"
    places = {edge: number for number, edge in enumerate(theirs.edges)}
    between: dict[tuple[int, int], int] = {}
    for number, (source, target, _) in enumerate(theirs.edges):
        between.setdefault((source, target), theirs.edge_ordinals[number])
    for number, (source, target, label) in enumerate(mine.edges):
        one, two = partner.get(source), partner.get(target)
        attributes = mine.attributes.get(number, {})
        if one is None or two is None:
            yield mine.edge_fact(number), None, "no counterpart"
            for attribute in attributes:
                yield mine.attribute_fact(number, attribute), None, "no counterpart"
            continue
        same = places.get((one, two, label))
        rival_edge = between.get((one, two))
        if same is None:
            reason = "absent" if rival_edge is None else "differs"
            yield mine.edge_fact(number), rival_edge, reason
            for attribute in attributes:
                yield mine.attribute_fact(number, attribute), rival_edge, reason
            continue
        found = theirs.attributes.get(same, {})
        for attribute in attributes:
            if attribute not in found:
                named = any(name == attribute[0] for name, _ in found)
                yield (
                    mine.attribute_fact(number, attribute),
                    theirs.edge_ordinals[same],
                    "differs" if named else "absent",
                )
