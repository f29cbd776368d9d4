"""The parts of pictures: texts that are inert, widths that are known, one file."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.drawing.choice import draw
from graphscore.drawing.styles import GLYPHS, MEANINGS, Style, alone
from graphscore.drawing.svg import (
    LONG,
    Panel,
    Picture,
    box,
    group,
    legend_at,
    spoken,
    style_sheet,
    text_at,
    width_of,
)
from graphscore.formats import read_file
from tests.conftest import DATA

HOSTILE = "</text><script>alert(1)</script>\"'&\x1b[31m\u202eb\ud800\x00"


@given(st.text())
def test_texts_are_inert_whatever_they_hold(text: str) -> None:
    said = text_at(0, 0, text + HOSTILE, "z")
    found = ElementTree.fromstring(said)
    assert (found.tag, len(found)) == ("text", 0)
    assert "\u202e" not in said
    assert "\x1b" not in said
    assert len(spoken(text)) <= LONG


@given(st.text(), st.text())
def test_two_texts_are_as_wide_as_both_together(one: str, two: str) -> None:
    both = width_of(one + two, 1000)
    # Pixels are whole, and none is cut off.
    assert 0 <= width_of(one, 1000) + width_of(two, 1000) - both <= 1


def test_a_file_stands_alone_and_marks_counterparts() -> None:
    looks = [Style(0, "missing"), Style(1, "same")]
    parts = [group([box(0, 0, 20, 10, each.standing)], each, "n", HOSTILE)
             for each in looks]  # fmt: skip
    panels = Panel("".join(parts), 40, 20), Panel(parts[0], 40, 20)
    picture = Picture(HOSTILE, panels, ("same", "missing"), beside=True, pairs=2)
    root = ElementTree.fromstring(picture.svg())
    names = {element.tag.split("}")[1] for element in root.iter()}
    assert names == {"svg", "title", "style", "rect", "g", "text"}
    assert all(
        not name.startswith("on") for each in root.iter() for name in each.attrib
    )
    assert ".gs:has(.p1:hover) .p1" in picture.svg()
    assert picture.svg() == picture.svg()
    figure = ElementTree.fromstring(picture.figure())
    assert {each.tag for each in figure.iter()} == {
        *("figure", "svg", "g", "title", "rect")
    }
    assert not any("style" in each.attrib for each in figure.iter())


def contrast(one: str, two: str) -> float:
    """WCAG 2.1's contrast ratio of two colours."""

    def luminance(colour: str) -> float:
        whole = colour.lstrip("#")
        whole = "".join(c * 2 for c in whole) if len(whole) == 3 else whole
        parts = [int(whole[n : n + 2], 16) / 255 for n in (0, 2, 4)]
        linear = [
            each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4
            for each in parts
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])
def test_colours_of_texts_are_told_from_the_ground(place: int) -> None:
    blocks = style_sheet().split("--ink:")[1:]
    assert len(blocks) == 2
    block = "--ink:" + blocks[place].split("}")[0]
    colours = dict(
        each.split(":") for each in block.split(";") if each.startswith("--")
    )
    for name in ("ink", "soft", "missing", "spurious", "label", "boundary", "part"):
        for ground in ("ground", "fill"):
            found = contrast(colours[f"--{name}"], colours[f"--{ground}"])
            assert found >= 4.5, (name, ground)


def test_standings_differ_without_their_colours() -> None:
    told = {standing: GLYPHS[standing] for standing in MEANINGS}
    assert len(set(told.values())) == len(told)
    legend, width = legend_at([*MEANINGS], 10)
    assert all(each in legend for each in MEANINGS.values())
    assert width > 100


def test_letters_that_a_line_runs_behind_are_stretched_not_set_apart() -> None:
    """Of letters that are set apart each one's ground would cover the one before."""
    drawn = 0
    for record in read_file(str(DATA / "gold.mrp")):
        picture = draw([alone(record.graph)])
        for panel in picture.panels:
            for part in ElementTree.fromstring(f"<svg>{panel.body}</svg>").iter("g"):
                if part.get("class", "").startswith("e "):
                    texts = [each for each in part if each.get("textLength")]
                    drawn += len(texts)
                    assert all(
                        each.get("lengthAdjust") == "spacingAndGlyphs" for each in texts
                    )
    assert drawn > 100


def test_signs_of_pictures_are_as_wide_as_fonts_have_them() -> None:
    assert width_of("“of”", 1000) == width_of("of", 1000) + width_of("rr", 1000) - 1
    assert width_of("−", 1000) == width_of("+", 1000)
    assert width_of("≠", 1000) < width_of("+", 1000) < width_of("↔", 1000)
