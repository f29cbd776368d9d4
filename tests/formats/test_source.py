"""Files, compressed files, directories; and files that are none."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from graphscore.exceptions import GraphscoreError, InputError
from graphscore.formats import ReaderOptions, ReadGraph, Rejected, expand, read_file
from graphscore.formats.decompression import FREE_BYTES
from graphscore.formats.document_rules import read_table, rule_from
from graphscore.formats.source import open_bytes

LINE = b'{"id":"1","framework":"eds","nodes":[{"id":0,"label":"x"}]}\n'
SECOND = LINE.replace(b'"1"', b'"2"')


def zipped(**members: bytes) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.mrp", data)
    return found.getvalue()


def changed(data: bytes, at: int, piece: bytes) -> bytes:
    return data[:at] + piece + data[at + len(piece) :]


def with_method(data: bytes, method: bytes) -> bytes:
    central = data.index(b"PK\x01\x02")
    return changed(changed(data, 8, method), central + 10, method)


def write(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def ids(operand: str) -> list[str]:
    found = []
    for path in expand(operand):
        for record in read_file(path):
            assert not isinstance(record, Rejected), record
            found.append(record.graph.id)
    return found


def refusal(operand: str) -> str:
    with pytest.raises(InputError) as caught:
        ids(operand)
    return str(caught.value)


@pytest.mark.parametrize(
    ("ending", "pack"),
    [
        ("", bytes),
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zip", lambda data: zipped(a=data)),
    ],
)
def test_compressed_files_read_like_plain_ones(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    path = write(tmp_path / f"wsj.mrp{ending}", pack(LINE + SECOND))
    assert ids(path) == ["1", "2"]
    assert {record.graph.document for record in read_file(path)} == {"wsj"}


def test_a_gzip_file_of_several_members_is_read_whole(tmp_path: Path) -> None:
    data = gzip.compress(LINE) + gzip.compress(SECOND)
    assert ids(write(tmp_path / "a.mrp.gz", data)) == ["1", "2"]


# The header holds the time, whose bytes a message would show.
WHOLE = gzip.compress(LINE * 200, mtime=0)

UNREADABLE: dict[str, tuple[str, bytes, str]] = {
    "empty": ("a.mrp", b"", "found an empty file, expected at least one graph"),
    "blank": ("a.mrp", b" \n\t\n\r\n", "found an empty file"),
    "mark only": ("a.mrp", b"\xef\xbb\xbf", "found an empty file"),
    "mark and blanks": ("a.mrp", b"\xef\xbb\xbf\n \n", "found an empty file"),
    "prose": ("a.txt", b"Dogs bark.\n\nThey do.\n", "beginning 'Dogs bark.'"),
    "table": ("a.tsv", b"1\tDogs\tdog\n2\tbark\tbark\n", "beginning '1\\tDogs"),
    "brackets": ("a.mrg", b"(S (NP Dogs) (VP bark))\n", "beginning '(S (NP Dogs)"),
    "xml": ("a.xml", b'<?xml version="1.0"?><a/>', "no known format, beginning '<?xml"),
    "utf-16": ("a.mrp", LINE.decode().encode("utf-16"), "content of no known format"),
    "binary": ("a.mrp", bytes(range(256)) * 9, "content of no known format"),
    "gzip as plain": ("a.mrp", WHOLE, "content of no known format, beginning '\\x1f"),
    "plain as gzip": ("a.gz", LINE, "Not a gzipped file"),
    "gzip empty": ("a.gz", b"", "found an empty file"),
    "gzip cut": ("a.gz", WHOLE[: len(WHOLE) // 2], "truncated or damaged"),
    "gzip header cut": ("a.gz", WHOLE[:5], "truncated or damaged"),
    "gzip damaged": ("a.gz", changed(WHOLE, 40, b"\0\0\0"), "truncated or damaged"),
    "gzip and more": (
        "a.gz",
        gzip.compress(LINE) + b"more",
        "truncated or damaged",
    ),
    "bzip2 cut": ("a.bz2", bz2.compress(LINE * 99)[:30], "truncated or damaged"),
    "bzip2 none": ("a.bz2", LINE, "truncated or damaged"),
    "xz cut": ("a.xz", lzma.compress(LINE * 99)[:40], "truncated or damaged"),
    "xz none": ("a.xz", LINE, "truncated or damaged"),
    "zip none": ("a.zip", LINE, "found a damaged zip file"),
    "zip cut": ("a.zip", zipped(a=LINE)[:-30], "found a damaged zip file"),
    "zip header": ("a.zip", changed(zipped(a=LINE), 0, b"?"), "damaged or unusual zip"),
    "zip check sum": ("a.zip", changed(zipped(a=LINE), 38, b"!!"), "damaged"),
    "zip method": (
        "a.zip",
        with_method(zipped(a=LINE), b"c\0"),
        "damaged or unusual zip",
    ),
    "zip of none": (
        "a.zip",
        zipped(),
        "a zip file holding nothing, expected exactly one",
    ),
    "zip of two": (
        "a.zip",
        zipped(a=LINE, b=LINE),
        "holding a.mrp, b.mrp, expected exac",
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_is_refused_by_name(
    tmp_path: Path, name: str
) -> None:
    file, data, words = UNREADABLE[name]
    message = refusal(write(tmp_path / file, data))
    assert message.startswith(str(tmp_path / file))
    assert words in message


def test_an_encrypted_zip_file_is_refused(tmp_path: Path) -> None:
    data = zipped(a=LINE)
    central = data.index(b"PK\x01\x02")
    data = changed(changed(data, 6, b"\1"), central + 8, b"\1")
    assert "an encrypted zip file" in refusal(write(tmp_path / "a.zip", data))


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zip"])
def test_a_bomb_is_refused_in_bounded_memory(tmp_path: Path, ending: str) -> None:
    zeros = b"{" + b"0" * (FREE_BYTES + (1 << 20))
    pack: dict[str, Callable[[], bytes]] = {
        ".gz": lambda: gzip.compress(zeros, 6),
        ".bz2": lambda: bz2.compress(zeros),
        ".xz": lambda: lzma.compress(zeros, preset=0),
        ".zip": lambda: zipped(a=zeros),
    }
    path = write(tmp_path / f"bomb.mrp{ending}", pack[ending]())
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="bytes when decompressed"):
            list(read_file(path))
        assert tracemalloc.get_traced_memory()[1] < 3 * FREE_BYTES
    finally:
        tracemalloc.stop()


def test_a_plausible_ratio_is_no_bomb(tmp_path: Path) -> None:
    lines = b"".join(LINE.replace(b'"1"', b'"%d"' % k) for k in range(20_000))
    with open_bytes(write(tmp_path / "a.gz", gzip.compress(lines))) as stream:
        assert sum(map(len, stream)) == len(lines)


def test_a_directory_is_its_files_in_order_without_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".git").mkdir()
    write(tmp_path / "sub" / "b.mrp", SECOND)
    write(tmp_path / "a.mrp", LINE)
    write(tmp_path / ".hidden", b"?")
    write(tmp_path / ".git" / "x", b"?")
    assert ids(str(tmp_path)) == ["1", "2"]


def test_a_pattern_is_its_files_in_order(tmp_path: Path) -> None:
    write(tmp_path / "b.mrp", SECOND)
    write(tmp_path / "a.mrp", LINE)
    assert ids(str(tmp_path / "*.mrp")) == ["1", "2"]


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("apart", [True, False])
def test_companions_of_props_are_no_inputs(
    tmp_path: Path, apart: bool, ending: str
) -> None:
    kinds = {
        "props": ".props", "words": ".words", "synt.cha": ".synt.cha",
        "synt.col2": ".synt.col2", "senses": ".senses", "ne": ".ne",
        "targets": ".targets",
    }  # fmt: skip
    for folder, kind in kinds.items():
        for name in ("test.wsj", "test.brown"):
            path = tmp_path / (folder if apart else "") / f"{name}{kind}{ending}"
            path.parent.mkdir(exist_ok=True)
            text = {"props": "- (A0*)\nbark (V*)\n\n", "words": "Dogs\nbark\n\n"}
            data = text.get(folder, "x y\n\n").encode()
            path.write_bytes(gzip.compress(data) if ending else data)
    folder = tmp_path / ("props" if apart else "")
    expected = [
        str(folder / f"{name}.props{ending}") for name in ("test.brown", "test.wsj")
    ]
    patterns = [str(tmp_path), str(tmp_path / "**"), str(tmp_path / "*" / "test*")]
    for operand in patterns if apart else patterns[:2]:
        assert expand(operand) == expected
    for path_ in expected:
        [record] = read_file(path_)
        assert isinstance(record, ReadGraph)
        assert record.graph.text == "Dogs bark"


def test_companions_without_their_file_are_inputs(tmp_path: Path) -> None:
    for name in ("a.words", "b.props", "c.synt.cha", "synt", ".words"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    found = [Path(each).name for each in expand(str(tmp_path))]
    assert found == ["a.words", "b.props", "c.synt.cha", "synt"]
    # Named by itself, a file is what was asked for.
    (tmp_path / "b.words").write_text("x\n", encoding="utf-8")
    assert expand(str(tmp_path / "b.words")) == [str(tmp_path / "b.words")]
    assert str(tmp_path / "b.words") not in expand(str(tmp_path))


def test_a_directory_with_one_bad_file_names_that_file(tmp_path: Path) -> None:
    write(tmp_path / "a.mrp", LINE)
    bad = write(tmp_path / "b.x", b"# no graphs")
    expected = f"{bad}: found content of no known format"
    assert refusal(str(bad)).startswith(expected)
    named = write(tmp_path / "b.mrp", b"# no graphs")
    [record] = read_file(named)
    assert isinstance(record, Rejected)
    assert str(record.problems[0]).startswith(f"{named}:1:1: ")


def test_nothing_to_read_is_refused(tmp_path: Path) -> None:
    assert "a directory without files" in refusal(str(tmp_path))
    assert "no match for this pattern" in refusal(str(tmp_path / "*.mrp"))
    assert "no such file or directory" in refusal(str(tmp_path / "missing.mrp"))


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "a.mrp/b"])
def test_a_name_that_cannot_be_a_file_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path / "a.mrp", LINE)
    assert "found" in refusal(f"{tmp_path}/{name}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.mrp", LINE)
    Path(path).chmod(0)
    assert "cannot be read (Permission denied)" in refusal(path)


def test_a_directory_as_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(read_file(str(tmp_path)))


def test_a_forced_format_reports_every_line_of_another_one(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conllu", b"# sent_id = 1\n1\tDogs\tdog\n\n")
    found = list(read_file(path, ReaderOptions(format="mrp")))
    assert [record.line for record in found] == [1, 2]
    assert all(isinstance(record, Rejected) for record in found)


def test_standard_input_is_read_like_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LINE + b"{")))
    one, two = read_file("-")
    assert one.line == 1
    assert isinstance(two, Rejected)
    assert str(two.problems[0]).startswith("<stdin>:2")


@pytest.mark.parametrize(
    ("item", "document"),
    [
        ("20003008", "wsj_0003"),
        ("wsj_0003.8", "wsj_0003"),
        ("nw.wsj_0003.12", "wsj_0003"),
        ("lpp_1943.12", "lpp_1943"),
        ("102990", "lpp_1943"),
        ("sample-01", "corpus"),
    ],
)
def test_the_document_is_told_by_the_id_or_the_file(
    tmp_path: Path, item: str, document: str
) -> None:
    data = LINE.replace(b'"1"', f'"{item}"'.encode())
    [record] = read_file(write(tmp_path / "corpus.mrp", data))
    assert not isinstance(record, Rejected)
    assert record.graph.document == document


def test_the_users_rule_for_documents_comes_first(tmp_path: Path) -> None:
    path = write(tmp_path / "a.mrp", LINE.replace(b'"1"', b'"20003008"'))
    reading = ReaderOptions(document=rule_from(r"(\d{3})"))
    assert [record.graph.document for record in read_file(path, reading)] == ["200"]
    table = write(tmp_path / "table.tsv", b"20003008\tmine\n\nx,y\n")
    reading = ReaderOptions(document=rule_from(table=read_table(table)))
    assert [record.graph.document for record in read_file(path, reading)] == ["mine"]


def test_a_wrong_table_or_rule_for_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="3 columns"):
        read_table(write(tmp_path / "t", b"a\tb\nc\td\te\n"))
    with pytest.raises(InputError, match="a table that cannot be read"):
        read_table(write(tmp_path / "t", b"\xff\t\xff"))
    with pytest.raises(GraphscoreError, match="not a regular expression"):
        rule_from("(")
