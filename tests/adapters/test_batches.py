"""Results add up, and batches give what one call over everything gives."""

from __future__ import annotations

import pickle
from dataclasses import replace
from inspect import signature
from random import Random

import pytest

from graphscore import Graph, Node, Options, Scorer, score
from graphscore.adapters.batches import EvaluateMetric, TorchMetric
from graphscore.exceptions import UsageError

TAGS = ["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG"]
Lists = list[list[str]]


def _lists(seed: int, size: int = 30) -> tuple[Lists, Lists]:
    random = Random(seed)
    gold = [random.choices(TAGS, k=random.randint(1, 9)) for _ in range(size)]
    system = [
        [tag if random.random() < 0.7 else random.choice(TAGS) for tag in tags]
        for tags in gold
    ]
    return gold, system


@pytest.mark.parametrize("metric", ["ner", "ser", "err", "mrp"])
@pytest.mark.parametrize("seed", range(3))
def test_random_batches_give_what_one_call_gives(metric: str, seed: int) -> None:
    gold, system = _lists(seed)
    options = Options(per_item=True, details=True, parts=True)
    framework = "ner" if metric == "mrp" else None
    whole = score(gold, system, metric, options=options, framework=framework)
    random, start = Random(seed), 0
    kept = Scorer(metric, framework=framework)
    counted = Scorer(metric, keep="counts", framework=framework)
    results = []
    while start < len(gold):
        end = start + random.randint(1, 7)
        batch = gold[start:end], system[start:end]
        kept.add(*batch)
        counted.add(*batch)
        results.append(score(*batch, metric, options=options, framework=framework))
        start = end
    for result in (kept.compute(), sum(pickle.loads(pickle.dumps(results)))):
        assert result.scores == whole.scores
        assert result.by("framework") == whole.by("framework")
        assert result.errors.to_dicts() == whole.errors.to_dicts()
        assert [*result.per_item] == [*whole.per_item]
        assert result.notes == whole.notes
    result = counted.compute()
    assert (result.scores, [*result.per_item]) == (whole.scores, [])
    assert result.pairs == whole.pairs == 30


def test_a_sum_has_the_signature_of_one_call_where_items_have_ids() -> None:
    gold = [Graph(id, "amr", 2, nodes=(Node(0, "dog"),)) for id in "abcd"]
    system = [replace_label(graph) if graph.id < "c" else graph for graph in gold]
    whole = score(gold, system, "mrp")
    parts = [score(gold[k : k + 2], system[k : k + 2], "mrp") for k in (0, 2)]
    before = parts[0].signature
    assert (parts[0] + parts[1]).signature == whole.signature
    assert (parts[0].signature, parts[0].pairs) == (before, 2)


def replace_label(graph: Graph) -> Graph:
    return Graph(graph.id, "amr", 2, nodes=(Node(0, "cat"),))


def test_what_does_not_add_up_is_refused() -> None:
    gold, system = _lists(7, 4)
    result = score(gold, system, "ner")
    for other, message in (
        (score(gold, system, "ser"), "results of ner and ser do not add up"),
        (score(gold, system, "ner", options=Options(pair="order")), "differ in pair"),
        (replace(result, mode="best", references=(result,)), "several references"),
    ):
        with pytest.raises(UsageError, match=message):
            result + other
    with pytest.raises(TypeError):
        result + 1
    named = [Graph("a", "amr", 2, nodes=(Node(0, "dog"),))]
    with pytest.raises(UsageError, match="item 'a' is in two results"):
        sum([score(named, named, "mrp")] * 2)
    with pytest.raises(UsageError, match="did you mean 'counts'"):
        Scorer("ner", keep="count")  # type: ignore[arg-type]


def test_records_that_were_rejected_add_up() -> None:
    gold = [{"text": "Rome", "entities": [["Rome", "LOC"]]}] * 2
    answers = ['{"entities": [["Rome", "LOC"]]}', '{"entities": [["Ro']
    results = [score(gold, answers, "ner") for _ in range(2)]
    assert [result.rejected_records for result in results] == [1, 1]
    assert sum(results).rejected_records == 2
    assert len(sum(results).rejected) == 2


def test_a_scorer_begins_again_and_takes_several_metrics() -> None:
    gold, system = _lists(9, 4)
    scorer = Scorer(["ner", "ser"])
    with pytest.raises(UsageError, match="no batch"):
        scorer.compute()
    scorer.add([], [])
    scorer.add(gold, system)
    first = scorer.compute()
    scorer.add(gold, system)
    assert [result.pairs for result in first] == [4, 4]
    assert [result.pairs for result in scorer.compute()] == [8, 8]
    scorer.reset()
    scorer.add(gold, system)
    assert scorer.compute()[1].scores == first[1].scores


def test_the_system_comes_first_in_the_shapes_of_trainers() -> None:
    gold = [["B-PER", "B-LOC", "B-LOC"], ["O", "O"]]
    system = [["B-PER", "O", "O"], ["O", "O"]]
    expected = score(gold, system, "ner")
    assert (expected.precision, expected.recall) == (1, 1 / 3)
    evaluated, torch = EvaluateMetric("ner"), TorchMetric("ner")
    for k in range(2):
        evaluated.add_batch(predictions=system[k : k + 1], references=gold[k : k + 1])
        torch.update(system[k : k + 1], gold[k : k + 1])
    assert evaluated.compute() == torch.compute() == expected.flat()
    # As in evaluate, what was computed is forgotten.
    assert evaluated.compute(predictions=gold, references=gold)["ner_strict_f1"] == 1
    torch.reset()
    torch.update(preds=system, target=gold)
    assert torch.compute() == expected.flat()


def _ratios(numbers: dict[str, float]) -> tuple[float, float]:
    return numbers["ner_strict_precision"], numbers["ner_strict_recall"]


GOLD, SYSTEM = [["B-PER", "B-LOC"], ["O"]], [["B-PER", "O"], ["O"]]
"""Of these the precision is 1, the recall a half."""


def test_the_shape_is_that_of_evaluate() -> None:
    evaluate = pytest.importorskip("evaluate", reason="evaluate is not installed")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    tags = datasets.Sequence(datasets.Value("string"))

    class Ner(evaluate.Metric):  # type: ignore[misc]
        def _info(self) -> object:
            features = datasets.Features({"predictions": tags, "references": tags})
            return evaluate.MetricInfo(description="", citation="", features=features)

        def _compute(self, predictions: Lists, references: Lists) -> object:
            return score(references, predictions, "ner").flat()

    theirs, ours = Ner(), EvaluateMetric("ner")
    for module in (theirs, ours):
        module.add(prediction=SYSTEM[0], reference=GOLD[0])
        module.add_batch(predictions=SYSTEM[1:], references=GOLD[1:])
    numbers = theirs.compute()
    assert ours.compute() == numbers
    assert _ratios(numbers) == (1, 0.5)
    assert ours.compute(predictions=SYSTEM, references=GOLD) == numbers
    for name in ("add", "add_batch", "compute"):
        parameters = signature(getattr(evaluate.Metric, name)).parameters
        assert set(signature(getattr(ours, name)).parameters) <= set(parameters)


def test_the_shape_is_that_of_torchmetrics() -> None:
    classification = pytest.importorskip(
        "torchmetrics.classification", reason="torchmetrics is not installed"
    )
    torch = pytest.importorskip("torch", reason="torch is not installed")
    precision, recall = classification.BinaryPrecision(), classification.BinaryRecall()
    ours = TorchMetric("ner")
    for preds, target in zip(SYSTEM, GOLD, strict=True):
        numbers = [
            torch.tensor([tag != "O" for tag in tags]).int() for tags in (preds, target)
        ]
        batch = _ratios(ours([preds], [target]))
        assert batch == (precision(*numbers), recall(*numbers))
    assert _ratios(ours.compute()) == (precision.compute(), recall.compute())
    assert _ratios(ours.compute()) == (1, 0.5)
    ours.reset()
    ours.update(preds=SYSTEM, target=GOLD)
    precision.reset()
    precision.update(preds=numbers[0], target=numbers[1])
    assert _ratios(ours.compute()) == (1, 0.5)
