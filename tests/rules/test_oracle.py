"""The shipped rules come to what nested conditionals come to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given

from graphscore.correspondence import Budget
from graphscore.metrics.entities.rules import Rules
from graphscore.rules.facts import Unit
from graphscore.rules.outcome import batch_of, trace
from tests.rules.generate import DOCUMENTS, SETTINGS, Document, dense, documents, graphs
from tests.rules.oracle import FUZZY, GOLD, IGNORED, PARTIAL, SYSTEM, Found, classify
from tests.rules.oracle import documents as documents_of

RULES = """
extends = "default"
remove = [
    "document fuzzy match", "document fuzzy match, gold side",
    "document partial mention", "document ignored", "document ignored, gold side",
    "document low confidence of the fuzzy partner",
    "document partial label", "document low confidence of the partial partner",
]

[settings]
levels = ["span", "document", "resolution"]
document_key = "{key}"

[settings.fuzzy_words]
"*" = ["the"]
PER = ["mr", "mrs"]
ORG = []

[settings.stop_words]
"*" = ["monday"]
ORG = ["the bank"]

[settings.hierarchy]
CITY = "LOC"
COUNTRY = "LOC"
CAPITAL = "CITY"
"""
"""The settings of the generator, as a file of rules has them."""


@pytest.fixture(scope="module", params=["words", "entries only"])
def metric(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Rules:
    file: Path = tmp_path_factory.mktemp("rules") / "own.toml"
    file.write_text(RULES.replace("{key}", request.param))
    return Rules(str(file))


Entity = tuple[str, str, int]
"""Side and document of an entity, and a number that tells it from others."""


def apart(metric: Rules, made: Sequence[Document]) -> list[Unit]:
    """Documents of one graph each."""
    sides = zip(graphs(made, GOLD), graphs(made, SYSTEM), strict=True)
    return [Unit([metric.prepare(a)], [metric.prepare(b)]) for a, b in sides]


def together(metric: Rules, made: Sequence[Document]) -> list[Unit]:
    """One document of several graphs; those without spans are left out."""
    sides = [
        [metric.prepare(each) for each in graphs(made, side) if each.nodes]
        for side in (GOLD, SYSTEM)
    ]
    return [Unit(*sides)]


def said(
    metric: Rules, made: Sequence[Document], units: Sequence[Unit]
) -> tuple[dict[str, list[Found]], dict[str, list[tuple[Entity, str]]]]:
    """What the engine says of every span of a side, and of the entity it mentions."""
    found: dict[str, list[Found]] = {}
    entities: dict[str, list[tuple[Entity, str]]] = {}
    for side in (GOLD, SYSTEM):
        count = sum(span.side == side for each in made for span in each.spans)
        found[side] = [Found("", "", "")] * count
        entities[side] = [(("", "", 0), "")] * count
    with metric.engines.engine() as engine:
        batch = batch_of(metric.rules, engine, units)
        engine.run(batch)
        for each in trace(engine, batch):
            mine = found[each.side]
            if each.level == "span":
                mine[each.row - 1] = mine[each.row - 1]._replace(span=each.name)
            elif each.level == "resolution":
                cause = each.steps[-1].rule.cause
                mine[each.row - 1] = mine[each.row - 1]._replace(
                    resolution=each.name, source=cause
                )
            else:
                begin, members = batch.entities[each.side == SYSTEM][each.row - 1]
                name = made[each.unit].name
                for member in members:
                    entity = each.side, name, each.row
                    entities[each.side][begin + member] = entity, each.name
    return found, entities


def check(metric: Rules, made: Sequence[Document], joined: bool = False) -> None:
    """Compare every span, at every level.

    Args:
        metric: the rules.
        made: documents.
        joined: whether they are the sentences of one document.
    """
    spans = [span for document in made for span in document.spans]
    expected = classify(spans, SETTINGS)
    by_ids = metric.rules.settings.document_key == "entries only"
    of_one = [span._replace(document="d") for span in spans] if joined else spans
    mentioned = documents_of(of_one, by_ids)
    units = together(metric, made) if joined else apart(metric, made)
    found, entities = said(metric, made, units)
    for side in (GOLD, SYSTEM):
        own = [k for k, span in enumerate(spans) if span.side == side]
        for k, verdict, (_, entity) in zip(
            own, found[side], entities[side], strict=True
        ):
            assert verdict == expected[k], spans[k]
            assert entity == mentioned[k][1], spans[k]
        numbers = {mentioned[k][0] for k in own}
        assert len({entity for entity, _ in entities[side]}) == len(numbers)


@given(made=DOCUMENTS)
def test_small_awkward_documents(metric: Rules, made: tuple[Document, ...]) -> None:
    check(metric, made)


def test_dense_documents(metric: Rules) -> None:
    for seed in range(300):
        check(metric, [dense(seed)])


def test_sentences_of_a_document(metric: Rules) -> None:
    """Places are compared within sentences, entities across them."""
    for seed in range(100):
        made = []
        for part in range(3):
            document = dense(1000 + 3 * seed + part)
            name = f"s{part}"
            kept = [
                span._replace(document=name)
                for span in document.spans
                if span.side == GOLD or (seed + part) % 4
            ]
            made.append(Document(name, document.text, tuple(kept)))
        check(metric, made, joined=True)


@pytest.mark.parametrize("seed", range(3))
def test_large_documents(metric: Rules, seed: int) -> None:
    check(metric, list(documents(10, seed)))


def test_a_document_against_itself_is_right_at_every_level(metric: Rules) -> None:
    """Also where a mention has several correct entries: the sides share them all."""
    made = list(documents(20, 11))
    several = 0
    for graph in graphs(made, GOLD):
        side = [metric.prepare(graph)]
        raw_counts = metric.compare(side, side, budget=Budget()).raw_counts
        for level, count in metric.scores(raw_counts).counts.items():
            assert count.matched == count.gold, level
            assert count.correct_system == count.system, level
        several += sum(
            amount
            for (_, name, side_), amount in raw_counts.items()
            if name.startswith("conditional TP") and side_ == SYSTEM
        )
    assert several


def test_every_class_occurs() -> None:
    """The large documents have all that there is to be told apart."""
    made = list(documents(60, 7))
    spans = [span for document in made for span in document.spans]
    verdicts = classify(spans, SETTINGS)
    classes = {each.span for each in verdicts} | {each.resolution for each in verdicts}
    assert classes >= {"TP", "FP", "FN", "TN", PARTIAL, FUZZY, IGNORED} | {
        *("conditional TP", "fuzzy TP", "fuzzy TN", "fuzzy conditional TP"),
        *("FP low confidence", "FN low confidence", "TP low confidence"),
    }
    assert {each.source for each in verdicts} == {"", "tagger", "resolver"}
