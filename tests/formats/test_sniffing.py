"""How well beginnings fit, ties, long first records, and what errors say of a guess."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from graphscore.exceptions import InputError
from graphscore.formats import ReadGraph, Rejected, read_file
from graphscore.formats.base import CLAIM, Format
from graphscore.formats.recognition import Begins, first_object, fit_of
from graphscore.formats.registry import format_named, formats, guess
from tests.formats.samples import SAMPLES


def told(data: bytes, path: str = "a") -> str:
    stream: Any = io.BufferedReader(io.BytesIO(data), 1 << 16)
    return guess(stream, path).format.name


LONG = "word " * 40_000
ACE = '[[], [[[22, "conflict_attack"]]]]'


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ({"text": LONG, "id": 1, "label": [[0, 4, "PER"]]}, "spans"),
        ({"input": LONG, "framework": "eds", "id": "1", "nodes": []}, "mrp"),
        (
            {"events": [[[[22, "attack"]]]], "sentences": [[LONG]], "doc_key": 1},
            "dygie",
        ),
        (
            {"clusters": [], "sentences": [[LONG]], "speakers": [[""]]},
            "coref-jsonlines",
        ),
        ({"doctext": LONG, "docid": "d", "templates": []}, "gtt"),
        ({"doctext": LONG, "extracts": {}, "docid": "d"}, "grit"),
        ({"n_ary_relations": [], "words": [LONG], "doc_id": "1"}, "scirex"),
        ({"graph": {"entities": []}, "tokens": [LONG], "sent_id": "1"}, "oneie"),
        ([{"labels": [], "title": LONG, "sents": [["a"]], "vertexSet": []}], "docred"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_keys_count_wherever_they_stand(line: Any, name: str) -> None:
    for indent in (None, 2):
        assert told(json.dumps(line, indent=indent).encode()) == name


def test_blank_lines_are_passed_over() -> None:
    assert told(b" \n\r\n" * 30_000 + SAMPLES["conllu"][0].data) == "conllu"


def test_a_damaged_first_line_of_json_leaves_the_others() -> None:
    good = SAMPLES["spans"][0].data
    assert told(b'{"text": "a\n' + good) == told(b"{]]}}\n" + good) == "spans"


def test_a_framework_forgotten_is_told_by_the_name_only() -> None:
    line = b'{"a": 1}\n'
    assert told(line, "x.mrp") == "mrp"
    with pytest.raises(InputError, match=r"no known format.*\(JSON with the keys a\)"):
        told(line, "x.json")


def pretender(name: str, score: float, *suffixes: str) -> Format:
    return Format(
        name,
        "",
        (),
        suffixes,
        read=lambda stream, name: iter(()),
        signs=(Begins(score, "a question mark", r"\?"),),
    )


def test_a_tie_is_decided_by_the_ending_or_by_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = pretender("one", 0.7, ".one", ".x"), pretender("two", 0.71, ".two", ".x")
    weak = pretender("weak", CLAIM - 0.01, ".weak")
    monkeypatch.setattr(
        "graphscore.formats.registry.formats",
        lambda: {"one": one, "two": two, "weak": weak},
    )
    assert told(b"?", "a.one") == "one"
    assert told(b"?", "a.two") == "two"
    for path in ("a.x", "a.y", "-"):
        with pytest.raises(InputError, match="could be two or one, expected --format"):
            told(b"?", path)
    stream: Any = io.BufferedReader(io.BytesIO(b"?"))
    found = guess(stream, "a.one")
    assert str(found) == (
        "taken for one because it begins with a question mark; next two; "
        "--format names another"
    )


WORD = b"1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        # Nothing else claims it.
        ("a.conllu", b"1\tDogs\n", "a.conllu:1: found 2 columns, expected ten"),
        ("a.mrp", b"nothing\n", "a.mrp:1"),
        ("a.eds", b"nothing\n", "a.eds:1:1: found 'nothing'"),
        ("a.amr", b"nothing\n", "a.amr:1:1: found 'nothing'"),
        ("a.clf", b"nothing\n", "a.clf:1: nothing: found 'nothing'"),
        ("a.iob2", b"a\tNOUN\nb\tVERB\n", "a.iob2:1:3: found 'NOUN', expected a tag"),
        ("a.sdp", b"nothing\n", "a.sdp:1"),
        # A first line that no other format has.
        ("a", b"# sent_id = 1\n" + WORD + b"2\t\n\t\n", "a:3: found 2 columns"),
        ("a", b"-DOCSTART- -X- O\n\na NN\nb VB\n", "a:3:3: found 'NN', expected a tag"),
    ],
)
def test_an_ending_or_a_first_line_suffices(
    name: str, data: bytes, expected: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    first = records(Path(name), data)[0]
    assert str(first.problems[0]).startswith(expected)


@pytest.mark.parametrize("ending", ["txt", "data", "tab", "json", "tsv", "conll"])
def test_other_endings_decide_nothing(ending: str) -> None:
    assert not any(f".{ending}" in each.decisive for each in formats().values())
    with pytest.raises(InputError, match="no known format"):
        told(b"nothing\n", f"a.{ending}")


def test_no_two_formats_have_a_decisive_ending() -> None:
    endings = [ending for each in formats().values() for ending in each.decisive]
    assert len(endings) == len({*endings})
    assert all({*x.decisive} <= {*x.suffixes} for x in formats().values())


def test_content_is_asked_where_the_first_record_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tags = b"Ada\tB-PER\nleft\tO\n"
    assert told(tags, "a.conllu") == "iob"
    [first, _] = records(Path("a.conllu"), b"Ada\tB-PER\nleft\tO\nb\n\n" + tags)
    assert str(first.problems[0]).endswith(
        "(taken for iob because 4 of its first 5 lines end in a tag, and not for "
        "conllu, as its name says, because found 2 columns, expected ten columns with "
        "tabs between; --format names another)"
    )
    # A good record bears the ending out, whatever the content looks like.
    glosses = b"1\tal\t_\t_\t_\t_\t_\t_\tto.the\tB-X\n"
    assert (told(glosses, "a.conllu"), told(glosses, "a.txt")) == ("conllu", "iob")


def test_mrs_is_named_with_the_way_to_what_is_read() -> None:
    for data in (
        b"[ TOP: h0 INDEX: e2 [ e SF: prop ] RELS: < > ]\n",
        b"SENT: Dogs bark.\n[ LTOP: h0 RELS: < > ]\n",
        b"<?xml version='1.0'?>\n<mrs-list><mrs></mrs></mrs-list>\n",
        b'{"top": "h0", "relations": [], "constraints": []}\n',
    ):
        with pytest.raises(InputError, match=r"\(MRS\), expected .*'delphin convert"):
            told(data, "a.simplemrs")


def records(path: Path, data: bytes) -> list[Any]:
    path.write_bytes(data)
    return list(read_file(str(path)))


def test_an_error_says_why_a_format_was_guessed(tmp_path: Path) -> None:
    data = b'{"id": "1", "framework": "eds", "nodes": 3}\n' * 2
    first, second = records(tmp_path / "a.json", data)
    assert str(first.problems[0]).endswith(
        "(taken for mrp because its first object has the keys 'framework', 'id', "
        "'nodes'; --format names another)"
    )
    assert "taken for" not in str(second.problems[0])


def test_a_guess_that_was_borne_out_is_not_mentioned(tmp_path: Path) -> None:
    data = b'{"id": "1", "framework": "eds", "nodes": []}\n{"id": 1, "framework": 2}\n'
    _, second = records(tmp_path / "a.mrp", data)
    assert isinstance(second, Rejected)
    assert "taken for" not in str(second.problems[0])
    _, second = records(tmp_path / "a.json", data)
    assert "taken for mrp" in str(second.problems[0])


def test_an_error_of_the_whole_file_says_so_too(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"without graphs.*\(taken for sdp"):
        records(tmp_path / "a.x", b"#SDP 2015\n")


def test_a_pipe_is_looked_into_as_far_as_need_be(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    line = json.dumps({"text": LONG, "label": [[0, 4, "PER"]]}).encode() + b"\n"

    def fill() -> None:
        with pipe.open("wb", buffering=0) as stream:
            for start in range(0, len(line) * 3, 1000):
                stream.write((line * 3)[start : start + 1000])

    writer = threading.Thread(target=fill)
    writer.start()
    found = list(read_file(str(pipe)))
    writer.join()
    assert [type(each) for each in found] == [ReadGraph] * 3


@pytest.mark.parametrize(
    "data",
    [b"[" * 99_999, b'{"a":' * 99_999, b'{"a"' * 99, b"[1, 2]", b"{", b'{"\\', b"]"],
)
def test_anything_may_look_like_json(data: bytes) -> None:
    first = first_object(data)
    assert first is None or first.cut


def test_every_format_gives_its_reasons() -> None:
    for name, samples in SAMPLES.items():
        chosen = format_named(name)
        for each in samples if chosen.signs else ():
            fit = fit_of(chosen, each.data)
            assert 0 < fit.score <= 1
            assert fit.why


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (
            b"import spacy\n\nTRAIN_DATA = [\n  (\"He's in\", {'entities': []}),\n]\n",
            "spaCy training data in Python .*, expected it as JSON",
        ),
        (
            b"#begin document (a); part 000\na  0  0  [WORD]  PRP  *  -\n",
            "a skeleton of .*, expected its words, which the script of the release",
        ),
    ],
)
def test_texts_that_are_not_read_are_named(data: bytes, title: str) -> None:
    with pytest.raises(InputError, match=f"found {title}"):
        told(data, "a")
