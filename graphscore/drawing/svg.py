"""SVG by hand: texts of a known width, shapes, and the parts that pictures are made of.

No font is measured.  Widths are those of Helvetica, which every text is told to take
(``textLength``), so that nothing overlaps under whatever font there is, and the same
graph gives the same bytes everywhere.  Letters are stretched rather than set apart
(``lengthAdjust``): browsers draw letters that are set apart one after the other, so
that the ground around each would lie on the one before.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import NamedTuple

from graphscore.drawing.styles import GLYPHS, MEANINGS, Standing, Style
from graphscore.exceptions import truncate, visible

SIZE = 12
"""Pixels of a letter's height, in all texts but small ones."""

SMALL = 10
"""Pixels of what stands beside edges and under nodes."""

LINE = 15
"""Pixels from one line of text to the next."""

LONG = 32
"""Characters of a label that are shown; the rest is in its title."""

FEW = 3
"""Letters of a text that takes the width that its font gives it."""

_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278"
    " 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556"
    " 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778"
    " 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556"
    " 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556"
    " 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
"""Widths in thousandths of the size, from blank to tilde (Helvetica's metrics)."""

_SIGNS = {"‘’": 222, "“”": 333, "≠≈": 549, "−×": 584, "…↔": 1000}

_KNOWN = dict(zip(range(32, 127), map(int, _WIDTHS.split()), strict=True)) | {
    ord(char): width for chars, width in _SIGNS.items() for char in chars
}
"""Widths of ASCII, and of the signs that pictures write themselves."""


@lru_cache(maxsize=4096)
def _width(char: str) -> int:
    if (known := _KNOWN.get(ord(char))) is not None:
        return known
    if unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 1000
    # Signs are wider than letters.
    return 850 if unicodedata.category(char) in ("Sm", "So") else 600


def width_of(text: str, size: int = SIZE) -> int:
    """Pixels that a text takes.

    Args:
        text: on one line.
        size: pixels of a letter's height.

    Example:
        >>> width_of("word"), width_of("語")
        (28, 13)
    """
    # A little more than Helvetica takes: what stands in for it is often wider.
    return -(-sum(map(_width, text)) * size * 53 // 50_000)


def spoken(value: object) -> str:
    r"""A label as it is shown: on one line, no longer than :data:`LONG`.

    Characters that do something instead of being seen are spelled.

    >>> spoken("a\nb"), spoken(None), spoken(True)
    ('a\\nb', '', 'true')
    """
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return shortened(visible(text.replace("\n", "\\n").replace("\t", "\\t")))


def shortened(text: str, most: int = LONG) -> str:
    """A text without its middle if it is long.

    >>> shortened("abcdefghij", 5)
    'ab…ij'
    """
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return f"{text[:half]}…{text[-half:]}"


def written(text: str) -> str:
    """A text as XML has it: inert whatever it holds.

    >>> written("<script>&'")
    '&lt;script&gt;&amp;&#x27;'
    """
    return escape(visible(text.replace("\n", " ").replace("\t", " ")))


def text_at(
    x: float,
    y: float,
    text: str,
    name: str = "",
    *,
    size: int = SIZE,
    anchor: str = "",
    width: int | None = None,
    spaced: bool = False,
) -> str:
    """A text of known width.

    Args:
        x: where it stands, in pixels.
        y: its base line.
        text: on one line; nothing is drawn of an empty one.
        name: its class.
        size: pixels of a letter's height, which the class must have too.
        anchor: ``middle`` or ``end`` where *x* is not its beginning.
        width: pixels that it takes whatever its font, even if it is of a few letters,
            for others follow closely.
        spaced: whether letters are set apart, which is said in fewer bytes, where no
            line runs behind them.
    """
    if not text.strip():
        return ""
    if anchor:
        x -= width_of(text, size) / (2 if anchor == "middle" else 1)
    kind = f' class="{name}"' if name else ""
    few = FEW if width is None else 1
    # Of a few letters fonts differ by less than what is left around them.
    long = width_of(text, size) if width is None else width
    length = f' textLength="{long}"' if len(text) > few else ""
    if length and not spaced:
        length += ' lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{_n(x)}" y="{_n(y)}"{kind}{length}>{written(text)}</text>'


def rectangle(
    x: float, y: float, width: float, height: float, name: str = "", rx: int = 0
) -> str:
    """A rectangle; *rx* rounds its corners."""
    kind = f' class="{name}"' if name else ""
    round_ = f' rx="{rx}"' if rx else ""
    return (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        f"{round_}{kind}/>"
    )


def line(d: str, name: str = "") -> str:
    """A path; *d* as SVG has it."""
    kind = f' class="{name}"' if name else ""
    return f'<path d="{d}"{kind}/>'


def group(parts: Iterable[str], look: Style, name: str, title: str = "") -> str:
    """Return the group of one node or edge, with standing and pair number as classes.

    Args:
        parts: elements.
        look: how it stands.
        name: what it is, in a class of one letter.
        title: what browsers show when it is pointed at.
    """
    text = f"<title>{written(truncate(title, 400))}</title>" if title else ""
    hit = "" if look.bound is None else " hit"
    classes = f"{name} {look.standing} p{look.pair}{hit}"
    return f'<g class="{classes}">{text}{"".join(parts)}</g>'


def arrow(x: float, y: float, dx: float, dy: float, size: float = 5) -> str:
    """Path commands of an arrowhead.

    Args:
        x: where its tip is.
        y: likewise.
        dx: where it comes from, seen from the tip; any length.
        dy: likewise.
        size: pixels of its length.
    """
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    ux, uy = dx / length * size, dy / length * size
    left = f"{_n(x + ux - uy * 0.6)} {_n(y + uy + ux * 0.6)}"
    right = f"{_n(x + ux + uy * 0.6)} {_n(y + uy - ux * 0.6)}"
    return f"M{left}L{_n(x)} {_n(y)}L{right}"


class Panel(NamedTuple):
    """A part of a picture, with its own coordinates from (0, 0)."""

    body: str
    width: int
    height: int
    right: bool = False
    """It has no error, so that it can be folded."""


class Picture(NamedTuple):
    """Panels beside each other or below each other."""

    title: str
    """Description of the picture, for those who cannot see it."""
    panels: tuple[Panel, ...]
    standings: tuple[Standing, ...] = ()
    """Those that occur, which a legend explains."""
    beside: bool = False
    """Panels stand side by side where there is room."""
    pairs: int = 0
    """One more than the highest pair number."""

    def figure(self) -> str:
        """The picture within a page that has the style sheet; no styles, no script."""
        flow = "beside" if self.beside else "below"
        drawn = "".join(
            f'<svg class="gs{" right" if panel.right else ""}" '
            f'width="{panel.width}" height="{panel.height}" '
            f'viewBox="0 0 {panel.width} {panel.height}" role="img" '
            f'aria-label="{written(truncate(self.title, 200))}">{panel.body}</svg>'
            for panel in self.panels
        )
        return f'<figure class="picture {flow}">{drawn}</figure>'

    def svg(self) -> str:
        """A file of its own, with the style sheet and a legend inside."""
        return stacked([self])

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return self.svg()

    def joined(self) -> tuple[str, int, int]:
        """All panels in one, with its width and height."""
        wide = sum(panel.width for panel in self.panels) > 1600
        beside = self.beside and not wide
        parts, x, y, width, height = [], 0, 0, 0, 0
        for panel in self.panels:
            parts.append(f'<g transform="translate({x} {y})">{panel.body}</g>')
            width, height = max(width, x + panel.width), max(height, y + panel.height)
            if beside:
                x += panel.width + 24
            else:
                y += panel.height
        return "".join(parts), width, height


def stacked(pictures: Sequence[Picture]) -> str:
    """Pictures below each other in a file of its own, with style sheet and legend.

    Args:
        pictures: as many as there are; where there are several each has its title.

    Returns:
        SVG without a script: pointing at a part marks its counterpart all the same.
    """
    parts, width, height = [], 0, 0
    for picture in pictures:
        body, wide, high = picture.joined()
        if len(pictures) > 1:
            said = shortened(visible(picture.title), 80)
            head = text_at(8, height + 18, said, "heading")
            parts.append(f'<g class="gs">{head}</g>')
            height += 26
        parts.append(
            f'<svg class="gs" y="{height}" width="{wide}" height="{high}">{body}</svg>'
        )
        width, height = max(width, wide), height + high
    known = {standing for picture in pictures for standing in picture.standings}
    legend, wide = legend_at([each for each in MEANINGS if each in known], height + 14)
    if legend:
        parts.append(f'<g class="gs">{legend}</g>')
        width, height = max(width, wide), height + 24
    # Pointing at one marks the other; within pages a script does it.
    hover = "".join(
        f".gs:has(.p{n}:hover) .p{n}{{stroke-width:2.5}}"
        for n in range(max((each.pairs for each in pictures), default=0))
    )
    title = "; ".join(dict.fromkeys(each.title for each in pictures))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gs-file" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{written(truncate(title, 200))}</title>"
        f"<style>{style_sheet()}{hover}</style>"
        f'<rect class="ground" width="{width}" height="{height}"/>'
        f"{''.join(parts)}</svg>\n"
    )


def legend_at(standings: Sequence[Standing], y: float) -> tuple[str, int]:
    """Return the legend of the marks of a picture, on one line.

    Args:
        standings: those that occur.
        y: the base line.

    Returns:
        Elements, and the width that they take; nothing where all is plain.
    """
    parts, x = [], 8
    for standing in standings:
        text = f"{GLYPHS[standing]} {MEANINGS[standing]}".strip()
        wide = width_of(text, SMALL) + 14
        parts.append(
            f'<g class="n {standing}">{box(x, y - 11, wide, 15, standing)}'
            f"{text_at(x + 7, y, text, 'z', size=SMALL)}</g>"
        )
        x += wide + 10
    return "".join(parts), x


def box(x: float, y: float, width: float, height: float, standing: Standing) -> str:
    """The outline of a node, whose shape says how it stands.

    Args:
        x: left.
        y: top.
        width: pixels.
        height: pixels.
        standing: how it stands.
    """
    if standing in ("plain", "same"):
        return rectangle(x, y, width, height, "o", 4)
    if standing in ("missing", "spurious"):
        return rectangle(x, y, width, height, "o")
    if standing == "boundary":
        right, bottom = x + width, y + height
        body = f"M{_n(x + 5)} {_n(y)}H{_n(x)}V{_n(bottom)}h5"
        return line(f"{body}M{_n(right - 5)} {_n(y)}H{_n(right)}V{_n(bottom)}h-5", "o")
    # Corners that are cut off.
    c = 5
    return line(
        f"M{_n(x + c)} {_n(y)}H{_n(x + width - c)}l{c} {c}V{_n(y + height - c)}"
        f"l-{c} {c}H{_n(x + c)}l-{c} -{c}V{_n(y + c)}z",
        "o",
    )


@lru_cache(maxsize=1)
def style_sheet() -> str:
    """The style sheet of all pictures."""
    return files(__package__).joinpath("picture.css").read_text("utf-8").strip()


def _n(value: float) -> str:
    """A number in as few characters as will do: half pixels at most."""
    rounded = round(value * 2) / 2
    return str(int(rounded)) if rounded == int(rounded) else f"{rounded:.1f}"
