"""Attributes of XML, few and very many."""

from __future__ import annotations

import pytest
from lxml import etree

from graphscore.formats.shared.xml_root import MANY, attributes_of


@pytest.mark.parametrize("number", [0, MANY - 1, MANY, 3 * MANY])
def test_attributes_are_the_same_however_many(number: int) -> None:
    said = b" ".join(b'a%d="%d &lt;&#10;\xc3\xa9"' % (n, n) for n in range(number))
    start = b'<r xmlns:q="u:v"><a q:z="1" ' + said
    root = etree.fromstring(start + b'>some<b c="d"/>text</a>tail</r>')
    expected = {"{u:v}z": "1"} | {f"a{n}": f"{n} <\né" for n in range(number)}
    for found in (attributes_of(root, "a"), attributes_of(root[0])):
        assert [*found.items()] == [*expected.items()]
