"""Attributes of XML, few and very many; documents that mean harm."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from lxml import etree

from graphscore.formats.base import Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.shared.xml_root import LONGEST_DOCUMENT, MANY, attributes_of


@pytest.mark.parametrize("number", [0, MANY - 1, MANY, 3 * MANY])
def test_attributes_are_the_same_however_many(number: int) -> None:
    said = b" ".join(b'a%d="%d &lt;&#10;\xc3\xa9"' % (n, n) for n in range(number))
    start = b'<r xmlns:q="u:v"><a q:z="1" ' + said
    root = etree.fromstring(start + b'>some<b c="d"/>text</a>tail</r>')
    expected = {"{u:v}z": "1"} | {f"a{n}": f"{n} <\né" for n in range(number)}
    for found in (attributes_of(root, "a"), attributes_of(root[0])):
        assert [*found.items()] == [*expected.items()]


def problem(name: str, data: bytes) -> str:
    reader = format_named(name).read
    assert reader is not None
    [record] = reader(io.BytesIO(data), "a.xml")
    assert isinstance(record, Rejected)
    [found] = record.problems
    return str(found)


formats = pytest.mark.parametrize("name", ["framenet-xml", "ucca"])


@formats
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_declaration_is_refused(
    tmp_path: Path, name: str, encoding: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    for entity in ('"aaaaaaaaaa"', f'SYSTEM "file://{secret}"'):
        data = (
            f'<?xml version="1.0" encoding="{encoding}"?>\n'
            f"<!DOCTYPE root [<!ENTITY a {entity}>]><root passageID='1'>&a;</root>"
        )
        assert problem(name, data.encode(encoding)) == (
            f"a.xml:{2 if encoding == 'utf-8' else 1}: "
            "found a document type declaration, expected XML without one"
        )


@formats
def test_deep_and_enormous_documents_are_refused(name: str) -> None:
    assert "malformed XML" in problem(name, b"<root>" * 100_000)
    blank = b" " * (LONGEST_DOCUMENT + 1)

    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return blank[:size]

    reader = format_named(name).read
    assert reader is not None
    [record] = reader(Endless(), "a.xml")  # type: ignore[arg-type]
    assert isinstance(record, Rejected)
    assert f"more than {LONGEST_DOCUMENT:,} bytes" in str(record.problems[0])
    assert len(record.raw) == 200
