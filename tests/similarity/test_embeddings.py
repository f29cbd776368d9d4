"""Vectors of words in files: cosines as defined, nothing loaded, bad files named."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from graphscore import score
from graphscore.errors import InputError, UsageError
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    Embeddings,
    FormulaError,
    at,
    derive,
    embedding_cosine,
    f1,
    label,
    match,
    nodes,
    top,
)
from graphscore.similarity.explaining.words import in_words
from graphscore.structures import AMR, Prop, Var, by
from tests.structures.outputs import amrs

VECTORS = {
    "boy": (1.0, 0.0, 0.5),
    "lad": (0.9, 0.1, 0.4),
    "girl": (0.5, 1.0, 0.0),
    "not": (-1.0, 0.0, -0.5),
    "nil": (0.0, 0.0, 0.0),
    "a": (3.0, 1.0, 0.0),
    "b": (1.0, 3.0, 0.0),
    "x": (1e-300, 1e-300, 0.0),
    "é": (1e300, 0.0, 1e300),
}


@dataclass(frozen=True)
class Word:
    text: str


@dataclass(frozen=True)
class Sentence:
    words: frozenset[Word]


def slow(one: str, two: str) -> float:
    """The cosine of two words by its definition, or whether they are equal."""
    if one == two:
        return 1.0
    if not any(VECTORS.get(one, ())) or not any(VECTORS.get(two, ())):
        return 0.0
    mine, theirs = (
        [x / max(map(abs, v)) for x in v] for v in map(VECTORS.get, (one, two))
    )
    dot = math.fsum(a * b for a, b in zip(mine, theirs, strict=True))
    return max(0.0, dot / (math.hypot(*mine) * math.hypot(*theirs)))


def lines(vectors: dict[str, tuple[float, ...]] = VECTORS) -> str:
    rows = (" ".join([word, *map(repr, row)]) for word, row in vectors.items())
    return "".join(f"{row}\n" for row in rows)


def saved(folder: Path, kind: str) -> Embeddings:
    """The same vectors in a file of a kind."""
    file, words = folder / "vectors", folder / "words"
    text = lines()
    if kind == "array":
        np.save(folder / "vectors.npy", np.array([*VECTORS.values()]))
        words.write_text("\n".join(VECTORS), encoding="utf-8")
        return Embeddings(f"{file}.npy", str(words))
    if kind == "word2vec":
        text = f"{len(VECTORS)} 3\n" + text.replace("\n", " \n")
    if kind == "windows":
        text = "\ufeff" + text.replace("\n", "\r\n")
    file.write_text(text, encoding="utf-8", newline="")
    return Embeddings(str(file))


KINDS = ["glove", "word2vec", "windows", "array"]


@pytest.mark.parametrize("kind", KINDS)
def test_cosines_are_as_defined(tmp_path: Path, kind: str) -> None:
    alike = saved(tmp_path, kind)
    for one in (*VECTORS, "cow"):
        for two in (*VECTORS, "cow", ""):
            assert alike(one, two) == pytest.approx(slow(one, two), abs=1e-12)
            assert alike(one, two) == alike(two, one)
    assert len(alike.opened()) == len(VECTORS)


def test_a_word_may_have_blanks_and_the_first_of_two_lines_counts(
    tmp_path: Path,
) -> None:
    file = tmp_path / "v"
    file.write_text("a 1 0\n. . 0 1\na 0 1\nat x@y 1 1")
    alike = Embeddings(str(file))
    assert alike("a", ". .") == 0
    assert alike(". .", "at x@y") == pytest.approx(math.sqrt(0.5))
    assert alike("a", "at x@y") == pytest.approx(math.sqrt(0.5))


def graph(*labels: Any) -> Graph:
    made = tuple(Node(k, each) for k, each in enumerate(labels))
    return Graph("1", "x", nodes=made, tops=(0,))


def test_unknown_words_are_equal_count_nothing_or_are_refused(tmp_path: Path) -> None:
    file = saved(tmp_path, "glove").file
    gold, system = graph("boy", "cow", None), graph("lad", "cow", None)

    def scored(unknown: Any) -> tuple[float, float]:
        report = f1(
            match(nodes(), embedding_cosine(label, file, unknown=unknown))
        ).score(gold, system)
        assert report.gold == report.system
        return report.matched, report.gold

    alike = slow("boy", "lad")
    assert scored("equal") == (pytest.approx(alike + 2), 3)
    assert scored("zero") == (pytest.approx(alike + 1), 2)
    with pytest.raises(
        InputError, match="no vector of 'cow', expected one, as unknown"
    ):
        scored("refused")


def test_cosines_below_the_cutoff_are_nothing(tmp_path: Path) -> None:
    file = saved(tmp_path, "glove").file
    assert Embeddings(file, cutoff=0.5)("boy", "girl") == 0
    assert Embeddings(file, cutoff=0.5)("boy", "lad") == Embeddings(file)("boy", "lad")
    assert Embeddings(file, cutoff=1)("boy", "boy") == 1
    assert Embeddings(file)("boy", "not") == 0


def test_what_is_absent_is_like_what_is_absent_alone(tmp_path: Path) -> None:
    formula = at(top, embedding_cosine(label, saved(tmp_path, "glove").file))
    assert formula.score(graph(None), graph(None)).value == 1
    assert formula.score(graph("boy"), graph(None)).value == 0


@settings(max_examples=25)
@given(amrs(), amrs())
def test_soft_concepts_are_those_of_the_cosine(
    tmp_path_factory: pytest.TempPathFactory, gold: AMR, system: AMR
) -> None:
    folder = tmp_path_factory.getbasetemp() / "soft"
    folder.mkdir(exist_ok=True)
    made = derive(AMR, {Prop: {"obj": by(saved(folder, "array"))}})
    told = derive(AMR, {Prop: {"obj": by(slow)}})
    found, expected = (each.formula.score(gold, system) for each in (made, told))
    assert found.proven
    assert expected.proven
    assert found.matched == pytest.approx(expected.matched)
    assert (found.gold, found.system) == (expected.gold, expected.system)


def test_soft_concepts_say_where_their_vectors_are() -> None:
    soft = derive(AMR, {Prop: {"obj": by(Embeddings("glove.txt", cutoff=0.5))}})
    assert "φ_cos(obj) × φ̃_obj" in str(soft)
    assert "embedding_cosine(property_value('obj'), 'glove.txt'" in repr(soft.formula)
    assert "in glove.txt, 0 below 0.5; words without a vector are equal or not" in (
        in_words(soft.formula)
    )
    with pytest.raises(FormulaError, match=r"by\(embeddings\) for Word, expected"):
        derive(Sentence, {Word: by(Embeddings("glove.txt"))})


def test_objects_are_compared_by_it(tmp_path: Path) -> None:
    soft = derive(AMR, {Prop: {"obj": by(saved(tmp_path, "glove"))}}).formula
    boy, lad = (
        AMR(frozenset({Prop("instance", Var("v"), name)})) for name in ("boy", "lad")
    )
    assert soft.score(boy, lad).matched == pytest.approx(slow("boy", "lad"))


S2MATCH = (
    "f1(latent(nodes(), match(nodes(), embedding_cosine(label, {!r}, cutoff=0.5) * "
    "variable()) + match(edges(), exact(edge_label) * variable(source) * "
    "variable(target))))"
)


def test_a_formula_in_a_line_names_the_file(tmp_path: Path) -> None:
    text = S2MATCH.format(saved(tmp_path, "glove").file)
    gold, system = graph("boy", "girl"), graph("lad", "girl")
    gold, system = (
        Graph("1", "x", nodes=each.nodes, edges=(Edge(0, 1, "likes"),), tops=(0,))
        for each in (gold, system)
    )
    metric = parse(text)
    assert str(metric) == str(parse(str(metric)))
    result = score([gold], [system], metric)
    assert result.f1 == pytest.approx((slow("boy", "lad") + 2) / 3)
    assert result.proven


def test_what_a_file_says_is_part_of_the_revision(tmp_path: Path) -> None:
    file = Path(saved(tmp_path, "glove").file)
    text = f"f1(match(nodes(), embedding_cosine(label, {str(file)!r})))"
    sides = [graph("boy")], [graph("lad")]
    before = parse(text).revision
    assert score(*sides, text).f1 == pytest.approx(slow("boy", "lad"))
    assert parse(text).revision == before > 1
    file.write_text("boy 1 0\nlad 0 1\n")
    assert parse(text).revision != before
    assert score(*sides, text).f1 == 0


def npy(rows: Any, **more: Any) -> bytes:
    from io import BytesIO

    out = BytesIO()
    np.save(out, np.array(rows, **more), allow_pickle=True)
    return out.getvalue()


TEXT = "a word and 2 numbers with blanks between"

HOSTILE = [
    ("a 1 0\nb 1\n", None, ":2: found 1 number after a word, expected " + TEXT),
    ("a 1 0\n\nb 1 0\n", None, ":2: found an empty line, expected " + TEXT),
    ("a 1 0\nb\t1\t0\n", None, ":2: found 0 numbers after a word, expected " + TEXT),
    ("a 1 0\nb 1 0 1\n", None, ":2: found 3 numbers after a word, expected 2"),
    ("a 1 0\n 1 0\n", None, ":2: found numbers without a word, expected a word before"),
    ("a 1 0\nb 1 x\n", None, ":2: number 2: found 'x', expected a finite number"),
    ("a 1 0\nb 1 nan\n", None, ":2: number 2: found 'nan', expected a finite number"),
    ("a 1 0\nb 1_0 1\n", None, ":2: number 1: found '1_0', expected a finite number"),
    ("2 2\na 1 0\nb 1e999 0", None, ":3: number 1: found '1e999', expected a finite"),
    ("3 2\na 1 0\nb 1 0\n", None, ":1: found 3 words announced, 2 there, expected as"),
    ("word\n", None, ":1: found 0 numbers after a word, expected a word and its"),
    ("", None, ": found no vectors, expected a word and its numbers a line"),
    ("2 2\n", None, ": found no vectors, expected a word and its numbers a line"),
    (b"\x1f\x8b\x08\0", None, ": found compressed data, expected text or .npy, not"),
    (b"2 2\na \x00\x01\x80?\x00\nb \xff", None, ":2: found 1 number after a word"),
    (npy([[1.0], [2]]), "a\n", "words: found 1 words, expected 2, as many as"),
    (npy([[1.0], [2]]), "a\n\nb", "words:2: found an empty line, expected the word of"),
    (npy([[1.0], [math.nan]]), "a\nb", ": row 2: found a number that is not finite"),
    (npy([1.0, 2]), "a\nb", ": found float64 2, expected floating numbers, words ×"),
    (npy([[1], [2]]), "a\nb", ": found int64 2 × 1, expected floating numbers, words"),
    (npy([["x"]], dtype=object), "a", "expected a .npy of two dimensions"),
    (npy([[1.0], [2]])[:-5], "a\nb", "expected a .npy of two dimensions"),
    (b"\x93NUMPY\x01\x00\x10\x00{'descr': ((((", "a", "expected a .npy of two"),
    (b"\x93NUMPY\x09\x00", "a", ": found no array that numpy reads"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "words", "said"), HOSTILE)
def test_one_error_says_what_is_wrong_with_a_file(
    tmp_path: Path, content: str | bytes, words: str | None, said: str
) -> None:
    data = content.encode() if isinstance(content, str) else content
    (tmp_path / "v").write_bytes(data)
    names = [str(tmp_path / "v")]
    if words is not None:
        (tmp_path / "words").write_text(words)
        names.append(str(tmp_path / "words"))
    alike = embedding_cosine(label, *names)
    with pytest.raises(InputError) as caught:
        f1(match(nodes(), alike)).score(graph("a"), graph("b"))
    assert said in str(caught.value)
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].file in names


def test_files_that_cannot_be_read_and_values_that_are_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    text, array = saved(tmp_path, "glove").file, saved(tmp_path, "array").file
    for names, said in (
        ((str(tmp_path / "none"),), "none: No such file or directory, expected a file"),
        ((str(tmp_path),), "no regular file, expected one that words are found in"),
        ((str(tmp_path / "pipe"),), "no regular file, expected one that words are"),
        (("a\0b",), "expected a file to read"),
        ((array,), "an array without a vocabulary, expected words='FILE'"),
        ((text, text), "text with a vocabulary, expected an array"),
    ):
        with pytest.raises(UsageError, match=said):
            Embeddings(*names)("a", "b")
    for arguments, said in (
        ({"unknown": "x"}, "unknown='x', expected one of: equal, zero, refused"),
        ({"cutoff": 2}, "cutoff=2, expected 0 to 1"),
        ({"cutoff": math.nan}, "cutoff=nan, expected 0 to 1"),
        ({"words": ""}, "a file without a name"),
    ):
        with pytest.raises(UsageError, match=said):
            Embeddings("v", **arguments)


def test_a_line_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphscore.similarity.embedding import index

    monkeypatch.setattr(index, "LONGEST", 100)
    (tmp_path / "v").write_text("a 1 0\n" + "x" * 500)
    with pytest.raises(InputError, match=r"v:2: found a line of more than 100 bytes"):
        Embeddings(str(tmp_path / "v"))("a", "b")


PROGRAM = """
import sys
from graphscore.similarity import Embeddings
def own():
    with open("/proc/self/status") as status:
        [found] = (line.split()[1] for line in status if line.startswith("RssAnon"))
    return int(found)
alike = Embeddings(*sys.argv[1:])
Embeddings.__call__  # imported
import numpy
before = own()
assert 0 <= alike("w7", "w19999") <= 1
print(own() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("kind", ["text", "array"])
def test_a_large_file_is_not_loaded(tmp_path: Path, kind: str) -> None:
    size, length = 20_000, 300
    words = [f"w{k}" for k in range(size)]
    names = [str(tmp_path / "v")]
    if kind == "array":
        names = [str(tmp_path / "v.npy"), str(tmp_path / "words")]
        row = np.linspace(-1, 1, size * length, dtype=np.float32)
        np.save(names[0], row.reshape(size, length))
        Path(names[1]).write_text("\n".join(words))
    else:
        numbers = " ".join(f"{k / 7:.5f}" for k in range(length))
        Path(names[0]).write_text("".join(f"{word} {numbers}\n" for word in words))
    assert Path(names[0]).stat().st_size > 20e6
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *names],
        capture_output=True,
        text=True,
        check=True,
    )
    # Of 24 bytes a word, 480 kB; the rest is what Python takes besides.
    assert int(ran.stdout) * 1024 < 4e6
