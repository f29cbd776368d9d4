"""Rows by which formats are told: keys and their shapes, patterns, functions."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest
from msgspec.structs import replace

from graphscore.exceptions import InputError
from graphscore.formats.base import NO_FIT, Fit, Format
from graphscore.formats.recognition import (
    PROLOG,
    Beginning,
    Begins,
    Judged,
    Keys,
    fit_of,
)
from graphscore.formats.registry import FAMILIES, format_named, formats
from tests.conftest import DATA
from tests.formats.test_sniffing import told


def fit(row: Begins | Keys | Judged, data: bytes | dict[str, Any]) -> Fit:
    head = data if isinstance(data, bytes) else json.dumps(data).encode()
    return row.fit(Beginning(head, explained=True))


@pytest.mark.parametrize(
    ("key", "value", "is_there"),
    [
        ("a", None, True),
        ("b", 1, False),
        ("a:s", "x", True),
        ("a:s", 1, False),
        ("a:ln", None, True),
        ("a:ln", [], True),
        ("a:ln", {}, False),
        ("a:[s", ["x"], True),
        ("a:[s", [], True),
        ("a:[s", "x", False),
        ("a:[[[i", [[], [[], [3]]], True),
        ("a:[[[i", [[3]], False),
        ("a:{[[i", {"x": [[1, 2]]}, True),
        ("a:{[[i", {}, True),
        ("a:{[[i", {"x": [["1"]]}, False),
        ("a=bp-", "bp-corpus", True),
        ("a=bp-", "corpus", False),
        ("a=bp-", 3, False),
        ("a/b", {"b": 0}, True),
        ("a/b", ["b"], False),
        ("a/*/b", {"x": {"b": 0}, "y": {}}, True),
        ("a/*/b", {"x": {}, "y": {"b": 0}}, False),
        ("a/*/b", {}, False),
        ("*/b:s", {"b": "x"}, True),
    ],
)
def test_a_key_is_there_with_its_shape(key: str, value: Any, is_there: bool) -> None:
    assert bool(fit(Keys(0.5, key), {"a": value})) is is_there
    assert bool(fit(Keys(0.5, none=key), {"a": value})) is not is_there


def test_groups_of_keys_and_what_is_said_of_them() -> None:
    row = Keys(0.9, "a:s", "b c:[i|d", "e", also="f", cut=0.4)
    good = {"a": "x", "c": [1], "d": 0, "f": 0}
    assert fit(row, good) == Fit(
        0.9, "its first object has the keys 'a', 'c', 'd', 'f'"
    )
    assert fit(row, json.dumps(good)[:-1].encode()).score == 0.4
    assert fit(Keys(0.9, "a"), good).why == "its first object has the key 'a'"
    assert fit(row, {**good, "e": 1}).why == "its first object has the key 'e'"
    assert fit(row, {"c": [1], "d": 0}).why == "its first object lacks 'a' (text)"
    lacking = fit(row, {"a": 3, "d": 0})
    assert lacking.why == "its first object lacks 'a' (text), 'b' or the like"
    assert 0 < lacking.near < fit(row, {"c": [1], "d": 0}).near < 1
    assert fit(row, b"text").why == "it does not begin with a JSON object"
    # What counts only in objects that go on.
    assert fit(Keys(0.0, "a", cut=0.6), b'{"a": 1').score == 0.6
    assert fit(Keys(0.0, "a", cut=0.6), {"a": 1}).why.endswith("lacks further keys")


def test_a_pattern_is_of_the_text_behind_blanks() -> None:
    row = Begins(0.7, "an a", "a", r"^b$")
    assert fit(row, b"\xef\xbb\xbf \r\n a\r\nb \t\r\n") == Fit(
        0.7, "it begins with an a"
    )
    assert fit(row, b"a\nbc\n") == Fit(0.0, "it does not begin with an a", 0.5)
    assert fit(row, b"b\n") == Fit(0.0, "it does not begin with an a")
    assert fit(replace(row, pattern=""), b"c\n").why == "it does not hold an a"
    # What can only be JSON is not asked.
    assert not fit(replace(row, pattern=""), b'{"a":\nb\n}')


@pytest.mark.parametrize(
    ("data", "is_root"),
    [
        (b"<a>", True),
        (b"<a:b/>", True),
        (b"<?xml version='1.0'?>\n<!-- <b> -->\n<!DOCTYPE a>\n<a x='1'>", True),
        (b"<!-- <a> -->\n<b><a/></b>", False),
        (b"<ab>", False),
        (b"<!-- <a>", False),
    ],
)
def test_the_root_is_the_first_element(data: bytes, is_root: bool) -> None:
    assert bool(fit(Begins(1.0, "a root", rf"{PROLOG}<a\b"), data)) is is_root


def test_a_function_is_asked_where_no_row_does() -> None:
    lines = Judged("two lines", lambda lines: 0.5 * (len(lines) > 2))
    assert fit(lines, b"a\nb\n") == Fit(0.5, "it has two lines")
    assert fit(lines, b"a\n").why == "it lacks two lines"
    assert fit(lines, b'{"a":\n1\n}\n').why == "it begins with a JSON object"
    of_object = Judged("an a", lambda first: "a" in first.fields, of_object=True)
    assert fit(of_object, {"a": 1}) == Fit(1.0, "it has an a")
    assert fit(of_object, b"a\nb\n").why == "it does not begin with a JSON object"
    own = Judged("x", lambda lines: Fit(0.3, "it says so"))
    both = Format("x", "", (), (".x",), signs=(own, lines))
    assert fit_of(both, b"a\nb\n").why == "it has two lines"
    assert fit_of(both, b"a\n").why == "it says so"
    assert fit_of(both, b'{"a": 1}') == NO_FIT


def test_the_families_are_listed_with_the_endings_that_decide() -> None:
    tables = {
        family: import_module(f"graphscore.formats.{family}").FORMATS
        for family in FAMILIES
    }
    assert {x.name for table in tables.values() for x in table} == formats().keys()
    decisive = {e for table in tables.values() for x in table for e in x.decisive}
    for family, table in tables.items():
        # A family is asked as well that has the ending beside the one that decides.
        having = {e for known in table if known.signs for e in known.suffixes}
        assert having & decisive == {*FAMILIES[family].split()}


CODE = """
import sys
from graphscore.formats import ReaderOptions, format_of
print(format_of(sys.argv[1], ReaderOptions()).name)
print(*(m for m in sys.modules if m.startswith("graphscore.formats.")))
"""


@pytest.mark.parametrize(
    ("path", "name", "families"),
    [
        ("gold.mrp", "mrp", {"meaning"}),
        ("dependencies/gold.conllu", "conllu", {"meaning", "dependencies", "roles"}),
        ("ie/news.iob2", "iob", {"entities"}),
    ],
)
def test_only_families_that_may_be_meant_are_imported(
    path: str, name: str, families: set[str]
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", CODE, str(DATA / path)],
        capture_output=True,
        text=True,
        check=True,
    )
    found, modules = run.stdout.splitlines()
    assert found == name
    imported = {module.split(".")[2] for module in modules.split()}
    assert imported & FAMILIES.keys() <= families


def test_content_is_not_asked_where_the_first_record_bears_an_ending_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("graphscore.formats.registry._rank", asked)
    line = b'{"id": "1", "framework": "eds", "input": "%s", "nodes": []}\n'
    for length in (10, 10_000):
        assert told(line % (b"a" * length) + b"]", "a.mrp") == "mrp"
    with pytest.raises(AssertionError):
        told(line % b"a", "a.json")


@pytest.mark.parametrize(
    ("data", "path", "nearest"),
    [
        (
            b'{"framework": "eds", "graph_id": 1}\n',
            "a.jsonl",
            "mrp: its first object lacks 'id' or the like",
        ),
        (
            b'{"text": "Rome", "spam": []}\n',
            "a",
            "spans: its first object lacks 'spans' (list of a list or an object) "
            "or the like",
        ),
        (
            b"<corpus><text/></corpus>",
            "a.xml",
            "framenet-xml: it does not begin with a root of FrameNet",
        ),
        (
            b"Ada B-PER\nleft\nfor\ngood\n.\n",
            "a.conll",
            "iob: only 1 of its first 5 lines end in a tag",
        ),
    ],
)
def test_an_unknown_file_is_told_what_it_is_nearest_to(
    data: bytes, path: str, nearest: str
) -> None:
    with pytest.raises(InputError) as caught:
        told(data, path)
    first, *three = str(caught.value).splitlines()
    assert first.startswith(f"{path}: found content of no known format, beginning ")
    assert first.endswith(", expected one that graphscore formats lists; nearest are")
    assert len(three) <= 3
    assert f"  {nearest}" in three
    [problem] = caught.value.problems
    assert problem.expected == "one that graphscore formats lists"
    assert [f"  {line}" for line in problem.nearest] == three


@pytest.mark.parametrize(
    ("data", "path", "kind", "nearest"),
    [
        (b"name,age\nAnn,3\n", "a.csv", "2 columns with commas between", ""),
        (b"import sys\n\nprint(sys.path)\n", "a.py", "plain text", ""),
        (b"[1, 2]", "a.txt", "brackets without keys of JSON", ""),
        (b'{"a": 1}', "a.bp", "JSON with the keys a", "better mrp"),
        (
            b"{\\rtf1\\ansi {\\fonttbl {\\f0 Times;}}\nHello\n}\n",
            "a.rtf",
            "brackets without keys of JSON",
            "mrp",
        ),
        (
            b"1\tAn\tan\tDET\t2\n2\tox\tox\tNOUN\t0\n",
            "a.conll",
            "5 columns with tabs between",
            "conll2012 aida conll2005",
        ),
        (
            b"id\ttext\tlabel\n1\tHello world\tpos\n",
            "a.tsv",
            "3 columns with tabs between",
            "aida hipe webanno",
        ),
        (
            b"<?xml version='1.0'?>\n<feed/>\n",
            "a.xml",
            "markup, of which <feed> is the root",
            "bioc framenet-xml ucca",
        ),
    ],
)
def test_the_kind_of_text_is_said_and_what_is_near_in_lines_that_fit_a_terminal(
    data: bytes, path: str, kind: str, nearest: str
) -> None:
    with pytest.raises(InputError) as caught:
        told(data, path)
    first, *lines = [*str(caught.value).splitlines(), ""][:-1]
    assert f" ({kind}), expected " in first
    assert [line.split(":")[0].strip() for line in lines] == nearest.split()
    assert max(map(len, lines), default=0) <= 80


@pytest.mark.parametrize(
    ("data", "path"), [(bytes(range(256)), "a.bin"), (b"", "a.txt"), (b"  \n", "a.txt")]
)
def test_what_is_no_text_is_near_to_nothing(data: bytes, path: str) -> None:
    with pytest.raises(InputError) as caught:
        told(data, path)
    assert "\n" not in str(caught.value)
    assert caught.value.problems[0].nearest == ()


def test_every_format_says_why_not() -> None:
    for known in formats().values():
        if known.signs:
            for head in (b"\x01\n", b'{"?": 1}', b"<x/>"):
                found = fit_of(known, Beginning(head, explained=True))
                assert found.why
                assert 0 <= found.near < 1
    assert fit_of(format_named("mrp"), b'{"?": 1}').score == 0.1
