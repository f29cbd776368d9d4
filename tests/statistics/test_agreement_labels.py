"""Labels of given units: kappa, alpha and the F1 of each label, by definition."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import graphscore
from graphscore import Anchor, Graph, Node
from graphscore.evaluation.store import Store
from graphscore.statistics.coefficients import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from graphscore.statistics.sampling import resamples

WORDS = [
    "Ada Lovelace wrote to London Times",
    "IBM grows",
    "Rio calls Ada Lovelace in London",
    "nothing here",
]
TAGS = {
    "ann": [
        "B-PER I-PER O O B-LOC I-LOC",
        "B-ORG O",
        "B-LOC O B-PER I-PER O B-LOC",
        "O O",
    ],
    "ben": [
        "B-PER I-PER O O B-ORG I-ORG",
        "B-ORG O",
        "B-LOC O B-PER B-PER O B-LOC",
        "O O",
    ],
    "eve": ["B-PER I-PER O O B-LOC I-LOC", "O O", "B-PER O O B-PER O B-ORG", "O B-LOC"],
}
NAMES = tuple(TAGS)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    found = []
    for name, tags in TAGS.items():
        path = tmp_path / f"{name}.iob2"
        path.write_text(
            "\n".join(
                "".join(
                    f"{word} {tag}\n"
                    for word, tag in zip(words.split(), line.split(), strict=True)
                )
                for words, line in zip(WORDS, tags, strict=True)
            )
        )
        found.append(str(path))
    return found


def units(items=range(4), names=NAMES):
    """Every word, and what each annotator says of it."""
    return [
        labels
        for item in items
        for labels in zip(*(TAGS[n][item].split() for n in names), strict=True)
    ]


QUICK = {"samples": 30, "seed": 3, "chance": 0}


def agreed(files, names=NAMES, **asked):
    asked = QUICK | asked
    return graphscore.agree(*files, metric="ner", names=names, **asked)


def test_kappa_and_alpha_of_tags(files):
    found = agreed(files)
    assert found.coefficients["kappa"].value == pytest.approx(fleiss_kappa(units()))
    alpha = found.coefficients["label_alpha"].value
    assert alpha == pytest.approx(krippendorff_alpha(units()))
    [given] = found.label_units
    assert given[:6] == ("ner", "token", "tags", 16, 0, "fleiss")
    pairs = [
        cohen_kappa(*zip(*units(names=two), strict=True))
        for two in combinations(NAMES, 2)
    ]
    assert [each.value for each in given.pairs] == pytest.approx(pairs)
    assert given.mean_kappa.value == pytest.approx(sum(pairs) / 3)
    assert list(agreed(files, chance=9).coefficients) == ["alpha", *found.coefficients]
    said = found.to_dict()
    json.dumps(said)
    assert said["coefficients"]["kappa"] == said["label_units"][0]["kappa"]
    assert said["intervals"]["kappa"]["low"] == said["label_units"][0]["kappa_low"]


def test_two_annotators_have_cohens(files):
    found = agreed(files[:2], NAMES[:2])
    kappa = cohen_kappa(*zip(*units(names=NAMES[:2]), strict=True))
    assert found.coefficients["kappa"].value == pytest.approx(kappa)
    assert found.label_units[0].method == "cohen"


def test_intervals_draw_sentences_with_all_their_words(files):
    found = agreed(files)
    drawn = [units(row.tolist()) for block in resamples(4, 30, 3) for row in block]
    for name, coefficient in (
        ("kappa", fleiss_kappa),
        ("label_alpha", krippendorff_alpha),
    ):
        expected = np.nanpercentile([coefficient(each) for each in drawn], [2.5, 97.5])
        assert found.coefficients[name][1:] == pytest.approx(tuple(expected))


def test_each_label_has_the_f1_of_its_mentions(files):
    rows = {each.label: each for each in agreed(files).labels}
    # Mentions with the same words and type; both, then those of either.
    f1 = {
        "PER": (2 * 1 / (2 + 3), 2 * 1 / (2 + 3), 2 * 2 / (3 + 3)),
        "LOC": (2 * 2 / (3 + 2), 2 * 1 / (3 + 2), 0 / (2 + 2)),
        "ORG": (2 * 1 / (1 + 2), 0 / (1 + 1), 0 / (2 + 1)),
    }
    assert {label: each.times for label, each in rows.items()} == {
        "PER": 8,
        "LOC": 7,
        "ORG": 4,
    }
    for label, values in f1.items():
        assert [each.value for each in rows[label].pairs] == pytest.approx(values)
        assert rows[label].value == pytest.approx(sum(values) / 3)
        assert rows[label].low <= rows[label].value <= rows[label].high


def test_stores_say_what_files_say(files):
    whole = agreed(files).to_dict()
    with Store("sqlite://", mode="create") as store:
        for path, name in zip(files, NAMES, strict=True):
            store.ingest(path, name)
        for path in files:
            Path(path).unlink()
        found = graphscore.agree(store, *NAMES, metric="ner", **QUICK)
    assert found.to_dict() == whole


def test_sentences_of_other_words_are_left_out_and_counted(files):
    path = Path(files[2])
    path.write_text(path.read_text().replace("IBM O", "I B-ORG\nBM O"))
    found = agreed(files)
    assert found.label_units[0].left_out == 1
    assert found.label_units[0].units == 14
    rest = units([0, 2, 3])
    assert found.coefficients["kappa"].value == pytest.approx(fleiss_kappa(rest))
    assert any("1 item of different words or text" in note for note in found.notes)


def test_who_lacks_a_sentence_says_nothing_of_its_words(files):
    path = Path(files[2])
    path.write_text(path.read_text().rpartition("\n\n")[0] + "\n")
    found = agreed(files)
    some = units([0, 1, 2]) + [(*two, None) for two in units([3], NAMES[:2])]
    alpha = found.coefficients["label_alpha"].value
    assert alpha == pytest.approx(krippendorff_alpha(some))
    assert found.coefficients["kappa"].value == pytest.approx(fleiss_kappa(some))


CONLLU = """# sent_id = 1
1\tDogs\tdog\t{}\t_\t_\t2\t{}\t_\t_
2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_
3\tloudly\tloudly\tADV\t_\t_\t{}\tadvmod\t_\t_

# sent_id = 2
1\tCats\tcat\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_words_of_trees_are_labelled_as_the_metric_says(tmp_path):
    sides = ("NOUN", "nsubj", 2), ("PROPN", "obj", 1)
    paths = []
    for number, said in enumerate(sides):
        path = tmp_path / f"{number}.conllu"
        path.write_text(CONLLU.format(*said))
        paths.append(str(path))
    columns = {
        "las": (
            "relations",
            "nsubj root advmod nsubj root",
            "obj root advmod nsubj root",
        ),
        "uas": ("heads", "+1 root -1 +1 root", "+1 root -2 +1 root"),
        "tagging": ("upos", "NOUN VERB ADV NOUN VERB", "PROPN VERB ADV NOUN VERB"),
    }
    for metric, (what, first, second) in columns.items():
        found = graphscore.agree(*paths, metric=metric, samples=20, chance=0)
        assert found.label_units[0][:5] == ("ud", "word", what, 5, 0)
        kappa = cohen_kappa(first.split(), second.split())
        assert found.coefficients["kappa"].value == pytest.approx(kappa)
    rows = {
        each.label: each.value for each in graphscore.agree(*paths, metric="las").labels
    }
    # Relations with the same head; that of the adverb differs.
    assert rows == pytest.approx({"nsubj": 2 / 3, "root": 1, "advmod": 0, "obj": 0})


def test_spans_that_somebody_marks_are_units():
    def event(item, *triggers):
        nodes = tuple(
            Node(n, label, (("kind", "trigger"),), (Anchor(start, start + 2),))
            for n, (start, label) in enumerate(triggers)
        )
        return Graph(item, "event", 1, text="x" * 9, nodes=nodes)

    ann = [event("1", (0, "A"), (3, "B")), event("2", (0, "B"), (6, "A"))]
    ben = [event("1", (0, "A"), (3, "A")), event("2", (0, "B"))]
    found = graphscore.agree(ann, ben, metric="trigger", samples=20, chance=0)
    assert found.label_units[0][:4] == ("event", "span", "types", 3)
    assert found.coefficients["kappa"].value == cohen_kappa("ABB", "AAB")
    assert found.coefficients["label_alpha"].value == pytest.approx(
        krippendorff_alpha(["AA", "BA", "BB"])
    )
