"""SciREX: entities by most of their mentions, relations by all of their entities."""

from __future__ import annotations

import msgspec

from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.metrics.templates.forms import amounts

TOKENS = tuple(Anchor(5 * number, 5 * number + 4) for number in range(40))
TEXT = "word " * 40

Span = tuple[int, int]
Relation = dict[str, list[Span]]


def article(*relations: Relation, unmentioned: bool = True) -> Graph:
    """Relations by role and tokens of mentions, the last one excluded."""
    build = LayoutBuilder()
    made: list[tuple[list[Argument], bool]] = []
    for relation in relations:
        arguments = []
        for role, spans in relation.items():
            mentions = [
                build.mention(None, [Anchor(5 * start, 5 * end - 1)])
                for start, end in spans
            ]
            arguments.append(Argument(role, build.entity(mentions)))
        made.append((arguments, not all(relation.values())))
    for arguments, bare in made:
        properties = (("unmentioned", True),) if bare and unmentioned else ()
        build.relation(None, arguments, properties)
    return build.graph("1", "relation", document="1", text=TEXT, tokens=TOKENS)


GOLD = {"Method": [(0, 2), (10, 12)], "Task": [(4, 6)]}


def scored(system: Relation, metric: str = "scirex") -> int:
    return int(amounts(metric, article(GOLD), article(system), "relations")[0])


def test_most_mentions_must_be_golds() -> None:
    assert scored(GOLD) == 1
    assert scored({**GOLD, "Method": [(0, 2)]}) == 1
    assert scored({**GOLD, "Method": [(0, 2), (20, 22)]}) == 0
    assert scored({**GOLD, "Method": [(0, 2), (10, 12), (20, 22)]}) == 1
    assert scored({**GOLD, "Method": [(0, 2), (20, 22)]}, "scirex(share=0.4)") == 1


def test_mentions_must_overlap_by_more_than_half() -> None:
    assert scored({**GOLD, "Task": [(4, 7)]}) == 1
    assert scored({**GOLD, "Task": [(4, 8)]}) == 0
    assert scored({**GOLD, "Task": [(4, 8)]}, "scirex(overlap=0.4)") == 1
    assert scored({**GOLD, "Task": [(5, 6)]}) == 0


def test_tokens_count_and_not_characters() -> None:
    text = "a internationalization"
    tokens = (Anchor(0, 1), Anchor(2, 22))
    build = [LayoutBuilder() for _ in range(2)]
    for each, start in zip(build, (0, 2), strict=True):
        mention = each.mention(None, [Anchor(start, 22)])
        each.relation(None, [Argument("Task", each.entity([mention]))])
    one, two = (
        each.graph("1", "relation", document="1", text=text, tokens=tokens)
        for each in build
    )
    # One token of two is half, 20 characters of 22 are more.
    assert amounts("scirex", one, two, "relations")[0] == 0
    assert amounts("scirex(overlap=0.4)", one, two, "relations")[0] == 1
    bare = msgspec.structs.replace(two, tokens=())
    assert amounts("scirex", one, bare, "relations")[0] == 0
    neither = msgspec.structs.replace(one, tokens=())
    assert amounts("scirex", neither, bare, "relations")[0] == 1


def test_all_entities_must_be_right() -> None:
    assert scored({"Method": GOLD["Method"]}) == 0
    assert scored({**GOLD, "Metric": [(30, 31)]}) == 0
    turned = {"Task": GOLD["Method"], "Method": GOLD["Task"]}
    assert scored(turned) == 0
    assert scored(turned, "scirex(roles=none)") == 1


def test_relations_one_to_one() -> None:
    system = article(GOLD, {**GOLD, "Method": [(0, 2)]})
    assert amounts("scirex", article(GOLD), system, "relations") == (1, 2, 1, 1)


def test_entities_without_mentions() -> None:
    gold = article(GOLD, {"Method": [], "Task": [(4, 6)]})
    assert amounts("scirex", gold, article(GOLD), "relations") == (1, 1, 1, 1)
    kept = amounts("scirex(unmentioned=keep)", gold, article(GOLD), "relations")
    assert kept == (1, 1, 1, 2)
