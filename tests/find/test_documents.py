"""Patterns about metrics that compare documents, which the sides cut differently."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from graphscore.evaluation.store import Store
from graphscore.exceptions import StoreError
from graphscore.find.grammar import parse
from graphscore.model.document import united
from graphscore.model.graph import Edge, Graph, Node
from tests.find.oracle import Matcher, Pair

WILD = Path("../shared/wild/graphs/ud")

RELATIONS = ("nsubj", "obj", "obl:x", "punct")

PATTERNS = (
    "pattern { e: X -> Y; missing(e) }",
    "pattern { X -[nsubj|obj]-> Y; missing(X -[nsubj|obj]-> Y) }",
    "pattern { e: X -> Y; matched(e) }",
    "pattern { e: X -> Y; wrong(e.label) }",
    "pattern { X -> Y; spurious(X -> Y) }",
    "pattern { X -> Y; spurious(* -> Y); Y [upos=a] }",
    "pattern { X [upos=a]; matched(X) }",
    "gold { X -[obj]-> Y } system { X -[nsubj]-> Y }",
    'gold { e: X -> Y; e.label = X.upos } system { f: X -> Z; f.label <> "obj" }',
    "gold { X -> Y } system { Y -> X }",
    "gold { X -> Y } without { system { X -> Y } }",
    "gold { X -> Y } with { system { Z -> Y } }",
    "system { X -[obj]-> Y } without { gold { X -> Y } }",
)


def sentence(
    item: str, document: str, words: list[tuple[str, str]], chance: Random
) -> Graph:
    """A tree of words at random; some stand in a token of two."""
    nodes: list[Node] = []
    root = chance.randrange(len(words))
    for number, (form, tag) in enumerate(words, 1):
        if number % 3 == 1 and number < len(words):
            both = form + words[number][0]
            span = f"{number}-{number + 1}"
            nodes.append(Node(span, both, (("multiword", 2),)))
        nodes.append(Node(number, form, (("upos", tag),)))
    edges = tuple(
        Edge(
            chance.choice([k for k in range(1, len(words) + 1) if k != number]),
            number,
            chance.choice(RELATIONS),
        )
        for number in range(1, len(words) + 1)
        if number != root + 1
    )
    text = " ".join(form for form, _ in words)
    return Graph(
        item, "ud", 0, "", document, text, (), tuple(nodes), edges, (root + 1,)
    )


def cut(words: list[Any], chance: Random) -> list[list[Any]]:
    found, start = [], 0
    while start < len(words):
        size = 3 * chance.choice((1, 1, 2))
        found.append(words[start : start + size])
        start += size
    return found


def side(
    texts: list[list[tuple[str, str]]], chance: Random, joined: bool
) -> list[Graph]:
    """Documents of some words; two may be one, and of another name."""
    found = []
    for number, words in enumerate(texts):
        name = "all" if joined else f"d{number}"
        for part in cut(words, chance):
            found.append(sentence(f"{name}.{len(found)}", name, part, chance))
    return found


def pair_of(golds: list[Graph], systems: list[Graph]) -> Pair:
    """Both sides joined, and what follows from words that are the same."""
    graphs = {"gold": united(golds), "system": united(systems)}
    heads: dict[str, list[Any]] = {}
    words: dict[str, list[int]] = {}
    for name, graph in graphs.items():
        words[name] = [
            k
            for k, node in enumerate(graph.nodes)
            if not any(key == "multiword" for key, _ in node.properties)
        ]
        place = {ordinal: number for number, ordinal in enumerate(words[name])}
        arcs = {
            int(edge.target): (number, place[int(edge.source)], edge.label)
            for number, edge in enumerate(graph.edges)
        }
        heads[name] = [arcs.get(k) for k in words[name]]
    pair = Pair({**graphs})
    for number, (gold, system) in enumerate(zip(*words.values(), strict=True)):
        pair.nodes.add((gold, system))
        one, two = heads["gold"][number], heads["system"][number]
        if one and two:
            pair.edges.add((one[0], two[0]))
        shorn = [x and (x[1], str(x[2]).split(":")[0]) for x in (one, two)]
        if shorn[0] == shorn[1]:
            continue
        ends = {"gold": one and one[0], "system": two and two[0]}
        labels = [x[1] if x else "root" for x in shorn]
        for own, name in (("missing", "gold"), ("spurious", "system")):
            if ends[name] is not None:
                row = {
                    "object": "edge",
                    "error_type": own,
                    "tuple_type": "edges",
                    **ends,
                }
                pair.errors.append(row | {"name": ""})
                if labels[0] != labels[1]:
                    pair.errors.append(row | {"name": "deprel"})
    return pair


class Documents(Matcher):
    """The oracle, to which a wrong label is a relation that differs."""

    @staticmethod
    def is_about(error: dict[str, Any], what: str, name: str | None) -> bool:
        if name is None:
            return bool(error["name"] == "")
        there = error["gold"] is not None and error["system"] is not None
        return bool(there and error["name"] == "deprel")


def placed(graphs: list[Graph]) -> list[tuple[str, int]]:
    """The nodes of joined sentences: words are told by what they are called."""
    return [
        (str(node.label), k) for graph in graphs for k, node in enumerate(graph.nodes)
    ]


def bound(hit: dict[str, Any]) -> list[Any]:
    """The nodes of a hit, by side and name."""
    return sorted(
        ((one["side"], name), (one["label"], one["ordinal"]))
        for name, node in hit["nodes"].items()
        for one in ([node] if "side" in node else node.values())
    )


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_sentences_are_searched_as_documents_are(seed: int, joined: bool) -> None:
    chance = Random(seed)
    texts = [
        [(f"w{d}{k}", chance.choice("ab")) for k in range(3 * chance.randint(1, 2))]
        for d in range(2)
    ]
    golds, systems = side(texts, chance, False), side(texts, chance, joined)
    groups = ["all"] if joined else [f"d{k}" for k in range(2)]
    with Store("sqlite://", mode="create") as store:
        store.add(golds, "gold")
        store.add(systems, "system")
        store.score("gold", "system", "las")
        for pattern in PATTERNS:
            wanted = []
            for name in groups:
                mine = [x for x in golds if name in ("all", x.document)]
                theirs = [x for x in systems if x.document == name]
                place = {"gold": placed(mine), "system": placed(theirs)}
                matcher = Documents(parse(pattern), pair_of(mine, theirs))
                for nodes, _ in matcher.hits():
                    wanted.append(sorted((k, place[k[0]][n]) for k, n in nodes.items()))
            found = store.find(pattern)
            assert sorted(map(bound, found.items)) == sorted(wanted), pattern
            _, rows = store.query(f"select count(*) from ({found.sql})")
            assert [*rows] == [(found.hits,)]


def test_what_is_missing_of_a_treebank_is_what_errors_count() -> None:
    if not WILD.is_dir():
        pytest.skip("no published treebanks here")
    with Store("sqlite://", mode="create") as store:
        store.ingest(str(WILD / "fi_tdt_dev.gold.conllu"), "gold")
        store.ingest(str(WILD / "fi_tdt_dev.r12.conllu"), "system")
        store.score("gold", "system", "las")
        sides = {"framework": "ud", "items": False}
        found = store.find("pattern { e: X -> Y; missing(e) }", by=["e.label"], **sides)
        told = {each["e.label"]: each["hits"] for each in found.groups}
        errors = store.errors(by=["value"], top=1000, error_type="missing")
        counted = dict(errors.rows)
        # A root has no arc.
        assert counted.pop("root") > 0
        assert told == counted
        lost = store.find("pattern { X []; missing(X) }", **sides)
        alone = "select count(*) from v_errors where reason = 'no counterpart' "
        _, rows = store.query(alone + "and error_type = 'missing'")
        assert [*rows] == [(lost.hits,)]


def test_sentences_that_are_no_longer_those_compared_are_refused() -> None:
    chance = Random(0)
    words = [(f"w{k}", "a") for k in range(12)]
    golds, systems = side([words], chance, False), side([words], chance, False)
    with Store("sqlite://", mode="create") as store:
        store.add(golds, "gold")
        store.add(systems, "system")
        store.score("gold", "system", "las")
        store.add([sentence("new", "d0", words[:3], chance)], "gold")
        with pytest.raises(StoreError, match="score them again"):
            store.find("pattern { X []; missing(X) }")
