"""Scores under spaCy's names: its own scorer is the oracle where it is installed."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from graphscore import InputError
from graphscore.adapters.spacy import Scorer, score
from graphscore.adapters.spacy_alignment import align_tokens
from graphscore.exceptions import UsageError

# Documents without spaCy


class Token(SimpleNamespace):
    """What is looked at of a token."""


class Doc(list[Token]):
    """A document: words with tag, number of the head, and relation."""

    def __init__(
        self, *words: str, ents: tuple[tuple[int, int, str], ...] = (), annotated=True
    ) -> None:
        idx = 0
        for number, word in enumerate(words):
            text, tag, head, relation = word.split("/")
            self.append(
                Token(
                    i=number,
                    idx=idx,
                    text=text,
                    tag_=tag,
                    pos_="",
                    morph="",
                    dep_=relation,
                    at=int(head),
                )
            )
            idx += len(text) + 1
        for token in self:
            token.head = self[token.at]
        self.text = " ".join(token.text for token in self)
        self.spans = [
            SimpleNamespace(start=start, end=end, label_=label)
            for start, end, label in ents
        ]
        self.ents = self.spans
        self.known = annotated

    def has_annotation(self, name: str) -> bool:
        return self.known and name == "ENT_IOB"


GOLD = Doc(
    "Ada/NNP/1/nsubj",
    "left/VBD/1/ROOT",
    "New/NNP/3/compound",
    "York/NNP/1/obj",
    "././1/punct",
    ents=((0, 1, "PER"), (2, 4, "LOC")),
)
SYSTEM = Doc(
    "Ada/NNP/1/obj",
    "left/VB/1/ROOT",
    "New/NNP/3/compound",
    "York/NNP/2/obj",
    "././3/punct",
    ents=((0, 1, "PER"), (3, 4, "LOC")),
)


def test_numbers_by_hand() -> None:
    found = score([(GOLD, SYSTEM)])
    assert found["tag_acc"] == 0.8
    # Punctuation is left out: four words, of which York has another head.
    assert (found["dep_uas"], found["dep_las"]) == (0.75, 0.5)
    assert found["dep_las_per_type"]["obj"] == {"p": 0, "r": 0, "f": 0}
    assert found["dep_las_per_type"]["root"]["f"] == 1
    assert "punct" not in found["dep_las_per_type"]
    assert (found["ents_p"], found["ents_r"], found["ents_f"]) == (0.5, 0.5, 0.5)
    assert found["ents_per_type"]["LOC"] == {"p": 0, "r": 0, "f": 0}
    assert found["token_acc"] == 1


def test_what_references_do_not_annotate_is_none() -> None:
    bare = Doc("Ada//0/", "left//1/", annotated=False)
    found = score([(bare, bare)])
    nothing = {name for name, value in found.items() if value is None}
    assert nothing == set(found) - {"token_acc", "token_p", "token_r", "token_f"}
    assert score([])["token_acc"] is None


def test_tokens_that_are_divided_otherwise_are_aligned() -> None:
    glued = Doc(
        "Ada/NNP/1/nsubj",
        "left/VBD/1/ROOT",
        "NewYork/NNP/1/obj",
        "././1/punct",
        ents=((0, 1, "PER"), (2, 3, "LOC")),
    )
    found = score([(GOLD, glued)])
    assert found["ents_f"] == 1
    assert found["token_acc"] == 0.75
    assert found["tag_acc"] == 2 * 3 / (3 + 5)
    assert found["dep_uas"] == 2 * 2 / (3 + 4)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([], [], []),
        (["a", "b"], ["ab"], [[0], [0]]),
        (["ab"], ["a", " ", "b"], [[0, 2]]),
        (["A", "\n", "b"], ["a", "b"], [[0], [], [1]]),
    ],
)
def test_alignments(
    one: list[str], other: list[str], expected: list[list[int]]
) -> None:
    assert align_tokens(one, other) == expected


def test_examples_and_the_shape_of_a_scorer() -> None:
    example = SimpleNamespace(reference=GOLD, predicted=SYSTEM)
    assert Scorer().score([example]) == score([(GOLD, SYSTEM)])


def test_wrong_examples_are_refused() -> None:
    with pytest.raises(TypeError, match=r"examples\[1\] is Doc, expected an Example"):
        score([(GOLD, SYSTEM), GOLD])
    with pytest.raises(InputError, match=r"\[0\]: found the predicted text 'Bob left'"):
        score([(GOLD, Doc("Bob//0/", "left//1/"))])
    with pytest.raises(UsageError, match="expected a list of metrics"):
        score([(GOLD, SYSTEM)], metrics="ner")


def test_spacy_is_not_imported() -> None:
    script = (
        "import graphscore.adapters.spacy, sys; "
        "print({'spacy', 'numpy'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


# spaCy's own

WORDS = ["Ada", "left", "New", "York", "'s", ".", "Café", "IBM", "\n", "the"]
TAGS, POS = ["NN", "VB", ""], ["NOUN", "VERB", ""]
MORPHS = ["Number=Sing", "Number=Plur|Case=Acc", "Case=Nom", "_", ""]
RELATIONS = ["nsubj", "obj", "punct", "ROOT", "dep"]
SKIPPED = {"cats"}


@cache
def vocabulary() -> Any:
    """One for all documents: spaCy's scorer looks strings of both up in one."""
    return (
        pytest.importorskip("spacy", reason="spaCy is not installed").blank("xx").vocab
    )


def made(rng: random.Random, words: list[str], partial: bool) -> Any:
    """A document with everything at random."""
    from spacy.tokens import Doc, Span

    size = len(words)
    # Trees within sentences, as spaCy has them.
    starts = [True] + [rng.random() < 0.2 for _ in words[1:]]
    bounds = [*(n for n, each in enumerate(starts) if each), size]
    heads = []
    for first, after in pairwise(bounds):
        heads += [max(first, n - rng.randint(1, 3)) for n in range(first, after)]
    deps = [
        "ROOT" if head == n else rng.choice(RELATIONS + [""] * partial)
        for n, head in enumerate(heads)
    ]
    doc = Doc(
        vocabulary(),
        words=words,
        heads=heads,
        deps=deps,
        tags=[rng.choice(TAGS) for _ in words],
        pos=[rng.choice(POS) for _ in words],
        morphs=[rng.choice(MORPHS) for _ in words],
    )
    ents, at = [], 0
    while at < size:
        end = min(size, at + rng.randint(1, 3))
        if rng.random() < 0.5:
            ents.append(Span(doc, at, end, label=rng.choice(["PER", "LOC"])))
        at = end
    free = [n for n in range(size) if not any(e.start <= n < e.end for e in ents)]
    missing = [Span(doc, n, n + 1) for n in free if partial and rng.random() < 0.3]
    doc.set_ents(ents, missing=missing)
    return doc


def divided(rng: random.Random, words: list[str]) -> list[str]:
    """The same text in other tokens."""
    found = []
    for word in words:
        if len(word) > 2 and rng.random() < 0.2:
            found += [word[:2], word[2:]]
        elif found and not found[-1].isspace() and rng.random() < 0.1:
            found[-1] += word.strip()
        else:
            found.append(word)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_spacy_itself_says_the_same(seed: int) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    from spacy.scorer import Scorer as Original
    from spacy.training import Example

    rng = random.Random(seed)
    examples = []
    partial = seed % 3 == 0
    # Words without a relation hide words of later documents there.
    for _ in range(1 if partial else 6):
        words = [rng.choice(WORDS) for _ in range(rng.randint(1, 30))]
        other = divided(rng, words) if seed % 2 else words
        system = made(rng, other, partial=False)
        examples.append(Example(system, made(rng, words, partial=partial)))
    expected = Original(default_pipeline=PIPELINE).score(examples)
    expected = {k: v for k, v in expected.items() if k.partition("_")[0] not in SKIPPED}
    found = score(examples)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == approximately(value), name


PIPELINE = ("senter", "tagger", "morphologizer", "parser", "ner")


def approximately(value: Any) -> Any:
    if not isinstance(value, dict):
        return pytest.approx(value, abs=1e-12)
    return {name: pytest.approx(each, abs=1e-12) for name, each in value.items()}


def test_metrics_of_ours_stand_beside_those_of_spacy() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    rng = random.Random(7)
    words = ["Ada", "left", "New", "York", "the", "IBM"] * 3
    pairs = [tuple(made(rng, words, False) for _ in range(2)) for _ in range(3)]
    found = Scorer(["ner", "ser"]).score(pairs)
    assert found["ner"] == pytest.approx(found["ents_f"])
    assert found["ser"] > 0
