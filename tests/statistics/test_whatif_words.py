"""What errors of words cost, beside words that are put right and scored again."""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

import pytest

from graphscore import Options, score
from graphscore.model.graph import Edge, Graph, Node
from graphscore.statistics.whatif.corrections import what_if

KEPT = Options(per_item=True, details=True)
RELATIONS = ("nsubj", "obj", "obl", "case", "det", "aux", "conj:and", "conj:or")
FUNCTIONAL = ("case", "det", "aux")
SIZE = 9


class Word(NamedTuple):
    head: int
    """-1 for the root."""
    relation: str
    upos: str
    feature: str
    lemma: str
    more: tuple[tuple[int, str], ...] = ()
    """Enhanced dependencies."""


def word(chance: random.Random, number: int, old: Word | None = None) -> Word:
    head = chance.choice([each for each in range(SIZE) if each != number])
    more = {(chance.randrange(SIZE), chance.choice(RELATIONS)) for _ in range(2)}
    new = Word(
        head if number else -1,
        chance.choice(RELATIONS) if number else "root",
        chance.choice("NV"),
        chance.choice("xy"),
        chance.choice("ab"),
        tuple(sorted(more)),
    )
    if old is None:
        return new
    # One column is another.
    name = chance.choice(Word._fields[:] if number else Word._fields[2:])
    return old._replace(**{name: getattr(new, name)})


def graph(words: list[Word], framework: str) -> Graph:
    nodes, edges = [], []
    for number, each in enumerate(words):
        tags = ("lemma", each.lemma), ("upos", each.upos), ("Case", each.feature)
        nodes.append(Node(number, f"w{number}", tags))
        if framework == "eud":
            edges += [Edge(head, number, name) for head, name in each.more]
        elif each.head >= 0:
            edges.append(Edge(each.head, number, each.relation))
    return Graph("1", framework, 0, nodes=tuple(nodes), edges=tuple(edges), tops=(0,))


def rows(result) -> Counter:
    return Counter(
        (e.error_type, e.tuple_type, e.gold, e.system, e.value, e.name)
        for item in result.items
        for e in item.errors
    )


def of_class(metric, errors, each) -> set[int]:
    """The errors of a class, and those that stand in the place of one."""
    entailed = metric.entailed(errors)
    found: set[int] = set()
    for number, error in enumerate(errors):
        if error.tuple_type != each.tuple_type:
            continue
        others = entailed.get(number, ())
        if each.error_type == "confusion":
            wanted = error.error_type == "missing" and any(
                metric.confusion(error, errors[other]) == each.label for other in others
            )
        else:
            label = str(metric.class_of(error))
            wanted = (error.error_type, label) == (each.error_type, each.label)
        found |= {number, *others} if wanted else set()
    return found


def children(words: list[Word], number: int) -> set[int]:
    return {
        place
        for place, each in enumerate(words)
        if each.head == number and each.relation in FUNCTIONAL
    }


@pytest.mark.parametrize("name", ["uas", "las", "clas", "blex", "mlas", "tagging"])
def test_every_class_is_the_score_of_repaired_words(name):
    same = more = 0
    for seed in range(20):
        chance = random.Random(seed)
        gold = [word(chance, number) for number in range(SIZE)]
        system = [
            word(chance, number, each) if chance.random() < 0.6 else each
            for number, each in enumerate(gold)
        ]
        sides = [graph(each, "ud") for each in (gold, system)]
        result = score([sides[0]], [sides[1]], name, options=KEPT)
        [item] = result.items
        for each in what_if(result).classes:
            right = of_class(result.metric, item.errors, each)
            words = list(system)
            for error in map(item.errors.__getitem__, right):
                place = error.gold
                assert place == error.system
                for mended in (
                    {place} | children(gold, place) | children(system, place)
                    if name == "mlas"
                    else {place}
                ):
                    words[mended] = mended_word(gold, words, mended, name)
            mended = [sides[0]], [graph(words, "ud")]
            after = score(*mended, name, options=KEPT)
            expected = rows(result) - Counter(
                (e.error_type, e.tuple_type, e.gold, e.system, e.value, e.name)
                for e in map(item.errors.__getitem__, right)
            )
            found = rows(after)
            if {r: n for r, n in found.items() if r[1] == each.tuple_type} == {
                r: n for r, n in expected.items() if r[1] == each.tuple_type
            }:
                same += 1
                assert each.value == pytest.approx(after.value, abs=1e-12)
            else:
                # Function words that were another word's before.
                assert name == "mlas"
                more += 1
                assert after.value >= each.value - 1e-12
    assert same >= 20
    assert more < same / 2


def mended_word(gold: list[Word], words: list[Word], place: int, metric: str) -> Word:
    """The word of gold; with tagging only its tags."""
    right, wrong = gold[place], words[place]
    if metric == "tagging":
        return wrong._replace(upos=right.upos, feature=right.feature)
    return right._replace(more=wrong.more)


def apart(words: list[Word], others: list[Word], name: str) -> list[list]:
    """For every word the enhanced dependencies that the other side lacks, in order."""

    def key(arc):
        return arc if name == "elas" else (arc[0], arc[1].partition(":")[0])

    found = []
    for each, other in zip(words, others, strict=True):
        there = Counter(map(key, other.more))
        found.append([])
        for arc in each.more:
            if there[key(arc)]:
                there[key(arc)] -= 1
            else:
                found[-1].append(arc)
    return found


@pytest.mark.parametrize("metric", ["elas", "eulas"])
def test_every_class_is_the_score_of_repaired_enhanced_dependencies(metric):
    classes = 0
    for seed in range(15):
        chance = random.Random(seed)
        gold = [word(chance, number) for number in range(SIZE)]
        system = [
            each._replace(more=word(chance, number).more)
            if chance.random() < 0.6
            else each
            for number, each in enumerate(gold)
        ]
        sides = [graph(each, "eud") for each in (gold, system)]
        result = score([sides[0]], [sides[1]], metric, options=KEPT)
        [item] = result.items
        arcs = {
            "missing": apart(gold, system, metric),
            "spurious": apart(system, gold, metric),
        }
        # Rows of a word are in the order of its dependencies.
        of_row, seen = {}, Counter()
        for number, error in enumerate(item.errors):
            place = error.gold
            at = seen[error.error_type, place]
            seen[error.error_type, place] += 1
            of_row[number] = error.error_type, place, arcs[error.error_type][place][at]
        for each in what_if(result).classes:
            words = [list(one.more) for one in system]
            for number in of_class(result.metric, item.errors, each):
                side, place, arc = of_row[number]
                if side == "missing":
                    words[place].append(arc)
                else:
                    words[place].remove(arc)
            made = [
                one._replace(more=tuple(arcs))
                for one, arcs in zip(system, words, strict=True)
            ]
            after = score([sides[0]], [graph(made, "eud")], metric)
            assert each.value == pytest.approx(after.value, abs=1e-12)
            classes += 1
    assert classes > 200
