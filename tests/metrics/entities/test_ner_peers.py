"""Random sentences and documents, beside the tools that people use today.

seqeval's default mode is ``ner``, its strict mode ``ner(repair=strict,scheme=...)``;
nervaluate agrees wherever its order of going through entities makes no difference.
"""

from __future__ import annotations

import io
import random
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from graphscore import Anchor, Graph, Node, score
from graphscore.evaluation.result import Result
from graphscore.formats import ReadGraph
from graphscore.formats.registry import format_named

IOB = format_named("iob")

TYPES = ("PER", "LOC", "ORG")

Entity = tuple[int, int, str]
"""First token, last token, type."""

LETTERS = {
    "iob1": "IB",
    "iob2": "BI",
    "ioe1": "IE",
    "ioe2": "IE",
    "iobes": "BIES",
    "bilou": "BILU",
}

MEANS = ("micro", "macro", "weighted")
RATIOS = ("precision", "recall", "f1")

KNOWN_TO_DEFAULT = [each for each in LETTERS if each != "bilou"]
"""seqeval's default mode takes L and U for no letters at all."""

KNOWN_TO_STRICT = [each for each in LETTERS if each != "ioe1"]
"""seqeval's strict mode loses entities of one token under IOE1."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def entities(chance: random.Random, size: int) -> list[Entity]:
    """Entities of one to three tokens, often without a token between them."""
    found, place = [], 0
    while (place := place + chance.choice((0, 0, 1, 2))) < size:
        last = place + chance.randint(0, 2)
        if last < size:
            found.append((place, last, chance.choice(TYPES)))
        place = last + 1
    return found


def mistaken(chance: random.Random, said: list[Entity]) -> list[Entity]:
    kept = [each for each in said if chance.random() < 0.8]
    return [
        (first, last if chance.random() < 0.8 else first, tuple_type)
        if chance.random() < 0.7
        else (first, last, chance.choice(TYPES))
        for first, last, tuple_type in kept
    ]


def encoded(said: list[Entity], size: int, scheme: str) -> list[str]:
    """Well-formed tags."""
    tags = ["O"] * size
    for k, (first, last, tuple_type) in enumerate(said):
        before = k > 0 and said[k - 1][1:] == (first - 1, tuple_type)
        after = k + 1 < len(said) and said[k + 1][::2] == (last + 1, tuple_type)
        more, inside = last - first, max(last - first - 1, 0)
        letters = {
            "iob1": ("B" if before else "I") + "I" * more,
            "iob2": "B" + "I" * more,
            "ioe1": "I" * more + ("E" if after else "I"),
            "ioe2": "I" * more + "E",
            "iobes": "B" + "I" * inside + "E" if more else "S",
            "bilou": "B" + "I" * inside + "L" if more else "U",
        }[scheme]
        for place, letter in enumerate(letters, first):
            tags[place] = f"{letter}-{tuple_type}"
    return tags


Sides = tuple[list[list[str]], list[list[str]]]


def well_formed(scheme: str, seed: int, sentences: int = 200) -> Sides:
    chance = random.Random(f"{scheme}/{seed}")
    gold, system = [], []
    for _ in range(sentences):
        size = chance.randint(1, 15)
        said = entities(chance, size)
        gold.append(encoded(said, size, scheme))
        system.append(encoded(mistaken(chance, said), size, scheme))
    return gold, system


def ill_formed(scheme: str, seed: int, sentences: int = 200) -> Sides:
    """Any letter, anywhere."""
    chance = random.Random(f"{scheme}/{seed}/ill")

    def tag() -> str:
        if chance.random() < 0.35:
            return "O"
        return f"{chance.choice(LETTERS[scheme])}-{chance.choice(TYPES)}"

    gold = [[tag() for _ in range(chance.randint(1, 12))] for _ in range(sentences)]
    system = [[t if chance.random() < 0.8 else tag() for t in s] for s in gold]
    return gold, system


def read(sentences: list[list[str]]) -> list[Graph]:
    blocks = ("".join(f"w{k}\t{tag}\n" for k, tag in enumerate(s)) for s in sentences)
    assert IOB.read is not None
    records = list(IOB.read(io.BytesIO("\n".join(blocks).encode()), "a"))
    graphs = [each.graph for each in records if isinstance(each, ReadGraph)]
    assert len(graphs) == len(sentences)
    return graphs


def scored(sides: Sides, metric: str) -> Result:
    return score(read(sides[0]), read(sides[1]), metric)


def agree(sides: Sides, metric: str, **strict: Any) -> None:
    """Means and types are what seqeval says, as is every sum."""
    peer = pytest.importorskip("seqeval.metrics")
    result = scored(sides, metric)
    numbers = result.scores.numbers
    for name in RATIOS:
        function = getattr(peer, f"{name}_score")
        for mean in MEANS:
            expected = function(*sides, average=mean, **strict)
            if mean == "micro":
                found = getattr(result, name)
            else:
                found = numbers[f"{mean}.strict.{name}"]
            assert found == pytest.approx(expected, abs=1e-12), (mean, name)
        by_type = function(*sides, average=None, **strict)
        names = sorted({t[2:] for side in sides for s in side for t in s if t != "O"})
        found = [
            numbers.get(f"strict.{tuple_type}.{name}", 0.0) for tuple_type in names
        ]
        if len(by_type) == len(names):
            assert found == pytest.approx(list(by_type), abs=1e-12)
        else:
            assert strict, "only its strict mode may lose a type as a whole"


@pytest.mark.parametrize("scheme", KNOWN_TO_DEFAULT)
@pytest.mark.parametrize("made", [well_formed, ill_formed])
def test_default_is_seqeval(scheme: str, made: Any) -> None:
    for seed in range(3):
        agree(made(scheme, seed), "ner")


@pytest.mark.parametrize("scheme", KNOWN_TO_STRICT)
def test_strict_is_seqeval_strict(scheme: str) -> None:
    peer = pytest.importorskip("seqeval.scheme")
    strict = {"mode": "strict", "scheme": getattr(peer, scheme.upper())}
    metric = f"ner(repair=strict,scheme={scheme})"
    for seed in range(3):
        agree(well_formed(scheme, seed), metric, **strict)
        if scheme != "iob1":
            agree(ill_formed(scheme, seed), metric, **strict)


def test_accuracy_is_seqeval() -> None:
    peer = pytest.importorskip("seqeval.metrics")
    for seed in range(3):
        sides = well_formed("iob2", seed)
        found = scored(sides, "ner").scores.numbers["accuracy"]
        assert found == pytest.approx(peer.accuracy_score(*sides), abs=1e-12)


def test_the_scheme_is_of_no_account() -> None:
    """One corpus in six spellings has one score, lenient and strict."""
    for seed in range(3):
        expected = None
        for scheme in LETTERS:
            chance = random.Random(seed)
            gold, system = [], []
            for _ in range(50):
                size = chance.randint(1, 15)
                said = entities(chance, size)
                gold.append(encoded(said, size, scheme))
                system.append(encoded(mistaken(chance, said), size, scheme))
            for metric in ("ner", f"ner(repair=strict,scheme={scheme})"):
                found = scored((gold, system), metric).scores
                expected = expected or found
                assert found == expected, (scheme, metric)


# Where seqeval differs.


def test_seqeval_by_default_knows_no_l_and_u() -> None:
    tags = [["U-PER", "U-PER", "B-LOC", "L-LOC", "U-LOC"]]
    result = scored((tags, tags), "ner")
    assert result.counts["strict"].gold == 4
    peer = pytest.importorskip("seqeval.metrics.sequence_labeling")
    assert len(peer.get_entities(tags[0])) < 4


def test_ioe1_ends_of_one_token_are_entities() -> None:
    tags = ["E-PER", "I-PER"]  # two entities: E only where another one follows
    result = scored(([tags], [tags]), "ner(repair=strict,scheme=ioe1)")
    assert result.counts["strict"].gold == 2
    peer = pytest.importorskip("seqeval.scheme")
    assert len(peer.Tokens(tags, peer.IOE1).entities) == 1


def test_iob1_keeps_what_stands_before_a_stray_b() -> None:
    tags = ["I-PER", "B-PER", "B-LOC"]
    result = scored(([tags], [tags]), "ner(repair=strict,scheme=iob1)")
    assert result.counts["strict"].gold == 2
    peer = pytest.importorskip("seqeval.scheme")
    assert len(peer.Tokens(tags, peer.IOB1).entities) == 1


# nervaluate.


def ranges(chance: random.Random) -> tuple[list[Any], list[Any]]:
    """Documents in which no entity overlaps two of the other side."""
    gold, system, place = [], [], 0
    for _ in range(chance.randint(1, 8)):
        place += chance.randint(3, 9)
        end = place + chance.randint(1, 5)
        tuple_type = chance.choice(TYPES)
        mistake = chance.random()
        if mistake > 0.1:
            gold.append((place, end, tuple_type))
        if mistake < 0.1 or mistake > 0.2:
            other = chance.choice(TYPES) if chance.random() < 0.4 else tuple_type
            first, last = place, end
            if chance.random() < 0.4:
                first, last = place - chance.randint(0, 1), end + chance.randint(0, 1)
            system.append((first, last, other))
        place = end
    chance.shuffle(system)
    return gold, system


def placed(said: list[Any]) -> Graph:
    nodes = tuple(
        Node(k, tuple_type, (("kind", "mention"),), (Anchor(first, last + 1),))
        for k, (first, last, tuple_type) in enumerate(said)
    )
    return Graph("1", "ner", 1, text="x" * 200, nodes=nodes)


CLASSES = {
    "COR": "correct",
    "INC": "incorrect",
    "PAR": "partial",
    "MIS": "missed",
    "SPU": "spurious",
    "POS": "possible",
    "ACT": "actual",
}


def test_all_schemas_are_nervaluate_where_nothing_is_ambiguous() -> None:
    peer = pytest.importorskip("nervaluate.evaluator")
    chance = random.Random(1)
    compared = 0
    while compared < 400:
        gold, system = ranges(chance)
        if not gold or not system:
            continue
        compared += 1
        said = [
            [[{"start": a, "end": b, "label": tuple_type} for a, b, tuple_type in side]]
            for side in (gold, system)
        ]
        overall = peer.Evaluator(*said, list(TYPES), loader="dict").evaluate()
        for metric in ("ner", "ner(preset=nervaluate)"):
            scores = score([placed(gold)], [placed(system)], metric).scores
            for schema, theirs in (
                ("strict", "strict"),
                ("exact", "exact"),
                ("partial", "partial"),
                ("type", "ent_type"),
            ):
                expected = overall["overall"][theirs]
                for ours, name in CLASSES.items():
                    found = scores.numbers.get(f"{schema}.{ours}", 0)
                    assert found == getattr(expected, name), (schema, ours)
                for name in RATIOS:
                    found = getattr(scores.counts[schema], name)
                    assert found == pytest.approx(getattr(expected, name))


def overlapping(chance: random.Random) -> list[Any]:
    """Entities that overlap each other, in any order."""
    return [
        (start, start + chance.randint(0, 6), chance.choice(TYPES))
        for start in (chance.randint(0, 25) for _ in range(chance.randint(1, 6)))
    ]


def test_the_preset_is_nervaluate_where_much_overlaps() -> None:
    peer = pytest.importorskip("nervaluate.evaluator")
    strategies = pytest.importorskip("nervaluate.strategies")
    if not hasattr(strategies.EvaluationStrategy, "_calculate_boundaries_distance"):
        pytest.skip("nervaluate is older than 1.2.1")
    chance = random.Random(2)
    for _ in range(400):
        gold, system = overlapping(chance), overlapping(chance)
        said = [
            [[{"start": a, "end": b, "label": tuple_type} for a, b, tuple_type in side]]
            for side in (gold, system)
        ]
        evaluated = peer.Evaluator(*said, list(TYPES), loader="dict").evaluate()
        metric = "ner(preset=nervaluate)"
        numbers = score([placed(gold)], [placed(system)], metric).scores.numbers
        for schema in ("strict", "exact", "partial", "type"):
            theirs = "ent_type" if schema == "type" else schema
            results = {"": evaluated["overall"]}
            results |= {f".{name}": x for name, x in evaluated["entities"].items()}
            for name, result in results.items():
                for ours, their in CLASSES.items():
                    found = numbers.get(f"{schema}{name}.{ours}", 0)
                    assert found == getattr(result[theirs], their), (schema, ours)
