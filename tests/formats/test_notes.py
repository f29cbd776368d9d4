"""What a file says that nothing needs: it costs no record, and is noted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore import score
from graphscore.cli.main import cli
from graphscore.evaluation.store import Store
from graphscore.formats import ReadGraph
from graphscore.formats.registry import format_named

WORDS = (
    "# sent_id = u2\n# text = {text}\n1\tÜbung\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tschadet\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
    "3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
)
COREFUD = (
    "# global.Entity = eid\n# newdoc id = d\n# sent_id = 1\n{text}"
    "1\tAda\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1)|Bridge={bridge}\n"
    "2\tleft\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e2)\n\n"
)
ROLES = (
    "# sent_id = u2\n# text = {text}\n"
    "1\tDogs\t_\t_\t_\t_\t2\tnsubj\t_\t_\tA0\n"
    "2\tbark\t_\t_\t_\t_\t0\troot\tY\tbark.01\t_\n\n"
)
UP = (
    "# global.columns = ID FORM HEAD DEPREL UP:PRED UP:ARGHEADS\n# text = {text}\n"
    "1\tDogs\t2\tnsubj\t_\t_\n2\tbark\t0\troot\tbark.01\tA0:1\n\n"
)
PHEAD = (
    "1\tDogs\t_\t_\t_\t_\t_\t_\t2\t{head}\tSBJ\t_\t_\t_\n"
    "2\tbark\t_\t_\t_\t_\t_\t_\t0\t0\tROOT\t_\t_\t_\n\n"
)
DRG = 'b1 REF x1 % Dogs {range}\nb1 dog "n.01" x1 % Dogs [0...4]\n\n'
CLUSTERS = (
    '{"tokens": ["a", "b"], "sent_id": [1, 1, 2], "clusters": [[[0, 0], [1, 1]]]}'
)


def read(format: str, data: str) -> list[ReadGraph]:
    reader = format_named(format).read
    assert reader is not None
    records = list(reader(io.BytesIO(data.encode()), "a"))
    good = [each for each in records if isinstance(each, ReadGraph)]
    assert len(good) == len(records), records
    return good


@pytest.mark.parametrize(
    ("format", "good", "bad", "problem"),
    [
        ("conllu", WORDS.format(text="Übung schadet."),
         WORDS.format(text="Ubung schadet."),
         "a:3:3: FORM: found 'Übung', expected 'Ubung schadet.' at character 0"),
        ("conllu", WORDS.format(text="Übung schadet."),
         WORDS.format(text="\ufeffÜbung schadet."), "FORM: found 'Übung'"),
        ("conllu", WORDS.format(text="Übung schadet."),
         WORDS.format(text="Übung schadet. Nie."), "found no more words"),
        ("conllu", WORDS.format(text="Übung schadet."),
         WORDS.format(text=""), "expected no more words, as the text ends"),
        ("conllu", COREFUD.format(text="", bridge="e2<e1"),
         COREFUD.format(text="# text = Eve left\n", bridge="e2<e1"),
         "FORM: found 'Ada', expected 'Eve left'"),
        ("conllu-srl", ROLES.format(text="Dogs bark"), ROLES.format(text="Cats bark"),
         "FORM: found 'Dogs', expected 'Cats bark'"),
        ("up", UP.format(text="Dogs bark"), UP.format(text="Cats bark"),
         "FORM: found 'Dogs', expected 'Cats bark'"),
    ],
)  # fmt: skip
def test_a_text_that_is_not_of_the_words_costs_nothing(
    format: str, good: str, bad: str, problem: str
) -> None:
    *plain, last = read(format, good)
    *odd, other = read(format, bad)
    notes = [note for record in (*odd, other) for note in record.notes]
    assert [note.what for note in notes] == [
        "a comment # text that does not have the words"
    ]
    assert problem in str(notes[0].problem)
    assert not any(record.notes for record in (*plain, last))
    assert other.graph.text == last.graph.text
    assert other.graph.nodes == last.graph.nodes
    chosen = format_named(format)
    assert chosen.write is not None
    written = chosen.write([record.graph for record in (*odd, other)])
    assert b"".join(written).decode() == bad


@pytest.mark.parametrize(
    ("format", "data", "what", "problem"),
    [
        ("conllu", COREFUD.format(text="", bridge="e2>e1"), "a Bridge in MISC that is",
         "Bridge: found 'e2>e1', expected a link, as e1<e2:TYPE"),
        ("conllu", COREFUD.format(text="", bridge="e8<e1"), "a Bridge in MISC that is",
         "Bridge: found 'e8', expected an entity with a mention"),
        ("conll2009", PHEAD.format(head="x"), "a predicted head that is none",
         "a:1:22: PHEAD: found 'x', expected 0 or the id of a word"),
        ("drg", DRG.format(range="[3...1]"), "a comment % that has no offsets",
         "a:1: % Dogs: found [3...1], expected a range"),
        ("drg", DRG.format(range="[0...9999999]"), "a comment %", "expected a range"),
        ("drg", DRG.format(range="[0..3]"), "a comment %", "TOKEN [START...END]"),
        ("sbn", "dog.n.01 % dog [9-1]\n", "a comment % that has no offsets",
         "a:1: %: found [9-1], expected a range"),
        ("coref-jsonlines", CLUSTERS, "numbers of sentences that are not those",
         "$.sent_id: found 3 sentences, expected the numbers of those of 2 words"),
    ],
)  # fmt: skip
def test_what_nothing_needs_is_noted(
    format: str, data: str, what: str, problem: str
) -> None:
    records = read(format, data)
    [note] = [note for record in records for note in record.notes]
    assert note.what.startswith(what)
    assert problem in str(note.problem)
    assert records[-1].graph.nodes


NOTE = "a comment # text that does not have the words, passed over in 2 records, first "


def test_notes_are_counted_in_one_line(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    sentences = [WORDS.replace("u2", f"u{number}") for number in range(3)]
    gold.write_text("".join(each.format(text="Übung schadet.") for each in sentences))
    texts = ("Übung schadet.", "Ubung schadet.", "Schadet es?")
    system.write_text(
        "".join(s.format(text=t) for s, t in zip(sentences, texts, strict=True))
    )
    result = score(gold, system, "las")
    assert (result.f1, result.rejected_records) == (1, 0)
    expected = f"{system}: {NOTE}{system}:9:3: FORM: found 'Übung', expected"
    assert next(note for note in result.notes if NOTE in note).startswith(expected)
    assert any(NOTE in note for note in score(system, gold, "las").notes)

    checked = CliRunner().invoke(cli, ["validate", str(system), "--csv"])
    assert checked.exit_code == 0
    assert checked.output.count("passed-over") == 2

    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        [report] = store.ingest([str(system)], "system")
    assert (report.rejected, len(report.notes)) == (0, 1)
    assert report.notes[0].startswith(expected)


@pytest.mark.parametrize("deps", ["_", "0:root"])
def test_absent_heads_are_not_said_to_be_passed_over(deps: str, tmp_path: Path) -> None:
    """Nothing is there that could be; the sentence is true with DEPS and without."""
    path = tmp_path / "a.conllu"
    sentence = f"1\tDogs\tdog\tNOUN\t_\t_\t_\t_\t{deps}\t_\n\n"
    path.write_text(sentence * 2)
    result = score(path, path, "tagging")
    assert result.f1 == 1
    # Both sides are this file.
    assert {note for note in result.notes if "head" in note} == {
        f"{path}: no word has a head, and so there is no basic tree, in 2 records, "
        f"first {path}:1:21: HEAD: found '_' of all words, expected heads"
    }
