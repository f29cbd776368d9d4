"""The pictures of items: within the page while they are small in sum, else packed.

Packed pictures are deflated and written in base64 into one block of data, which a
script unpacks, to put each in when its item is opened, or before the page is printed.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from graphscore.correspondence import Budget
from graphscore.drawing.choice import draw
from graphscore.drawing.styles import MEANINGS, Standing
from graphscore.drawing.svg import Picture, legend_at
from graphscore.model.graph import Graph
from graphscore.report.item_view.comparison_styles import sides_of
from graphscore.report.page.report_data import Item

FOLDED = 24
"""Nodes of both sides from which on what matched is folded."""

WIDE = 560
"""Pixels from which on a picture has the whole width of a page."""

INLINE = 600_000
"""Bytes of pictures that stand in a page as they are."""

PAGE = 980_000
"""Bytes of a page of a hundred items; of more items it may have more."""

ITEMS = 100

Form = Literal["inline", "packed", "left out"]

_MATCHED = re.compile(r'(<g class="\w+ (?:same|plain) p\d+">)<title>[^<]*</title>')
"""Pattern of the tooltip of a matched part."""


class Drawn(NamedTuple):
    """A unit's picture, and the graphs that it is of."""

    figure: str = ""
    """Empty where there is none."""
    wide: bool = False
    """The picture takes the whole width of a page."""
    gold: Graph | None = None
    """Gold graph; that of a document is made of all its graphs."""
    system: Graph | None = None


class Pictured(NamedTuple):
    """The pictures of an item: one for each unit, in their order."""

    drawn: tuple[Drawn, ...]
    standings: frozenset[Standing]

    @property
    def figures(self) -> list[str]:
        """Those that there are."""
        return [drawn.figure for drawn in self.drawn if drawn.figure]


def pictured(item: Item, budget: Budget, small: bool = False) -> Pictured:
    """Draw an item in every framework, for every system.

    Args:
        item: with its graphs.
        budget: how much work may be spent on the shares of sentences.
        small: whether pictures shall take little room: what matched is folded in all
            of them, and says no more than is seen; what is right has none.
    """
    drawns: list[Drawn] = []
    standings = set[Standing]()
    for seen in item.seen:
        pair = seen.pair(budget)
        if pair is None:
            drawns.append(Drawn())
            continue
        sides = sides_of(pair)
        gold, system = (side.graph for side in sides)
        if small and not seen.result.errors and seen.is_right:
            drawns.append(Drawn("", False, gold, system))
            continue
        large = small or sum(len(side.nodes) for side in sides) > FOLDED
        picture = draw(sides, fold=large)
        standings.update(picture.standings)
        figure = picture.figure()
        if small:
            figure = _MATCHED.sub(r"\1", figure)
        drawns.append(Drawn(figure, is_wide(picture), gold, system))
    return Pictured(tuple(drawns), frozenset(standings))


def is_wide(picture: Picture) -> bool:
    """Return whether a picture takes the whole width of a page.

    Args:
        picture: of a unit.
    """
    widths = [panel.width for panel in picture.panels]
    return (sum(widths) if picture.beside else max(widths, default=0)) > WIDE


def packed(figures: Iterable[str]) -> str:
    """Figures as data: a list in JSON, deflated, in base64.

    >>> data = base64.b64decode(packed(["<figure></figure>"]))
    >>> zlib.decompress(data).decode()
    '["<figure></figure>"]'
    """
    encoded = json.dumps(list(figures), ensure_ascii=False, separators=(",", ":"))
    deflating = zlib.compressobj(9, memLevel=9)
    small = deflating.compress(encoded.encode()) + deflating.flush()
    return base64.b64encode(small).decode()


def _sizes(pictures: Sequence[Pictured]) -> list[int]:
    """Bytes that each item adds to those before it, packed."""
    deflating = zlib.compressobj(9, memLevel=9)
    sizes = []
    for picture in pictures:
        encoded = json.dumps(picture.figures, ensure_ascii=False).encode()
        small = deflating.compress(encoded) + deflating.flush(zlib.Z_SYNC_FLUSH)
        sizes.append(len(small) * 4 // 3 + 1)
    return sizes


def room_for(items: int, rest: int, limit: int | None = None) -> int:
    """Bytes that pictures may have.

    Args:
        items: how many are shown.
        rest: bytes of the page without pictures.
        limit: bytes that it may have; :data:`PAGE`, or more for more items, without.
    """
    return (limit or PAGE * max(ITEMS, items) // ITEMS) - rest


def forms_of(pictures: Sequence[Pictured], room: int) -> list[Form]:
    """Return the forms of the items' pictures in a page: the first ones as they are.

    Args:
        pictures: of the items, in their order.
        room: bytes that they may have.

    Returns:
        A form for each item; the pictures of the last ones are left out if there is no
        room even for packed ones.
    """
    small = _sizes(pictures)
    forms: list[Form] = ["packed"] * len(pictures)
    used = sum(small)
    for number in reversed(range(len(pictures))):
        if used <= room:
            break
        forms[number] = "left out"
        used -= small[number]
    inline = 0
    for number, form in enumerate(forms):
        plain = sum(len(figure.encode()) for figure in pictures[number].figures)
        used += plain - small[number]
        inline += plain
        if form != "packed" or used > room or inline > INLINE:
            break
        forms[number] = "inline"
    return forms


def pack_block(pictures: Sequence[Pictured], forms: Sequence[Form]) -> str:
    """All packed pictures as data, in their order; nothing where there are none.

    Args:
        pictures: of the items.
        forms: how they stand in the page.
    """
    figures = [
        figure
        for picture, form in zip(pictures, forms, strict=True)
        if form == "packed"
        for figure in picture.figures
    ]
    return packed(figures) if figures else ""


class Mark(NamedTuple):
    """A mark of pictures in the legend."""

    meaning: str
    drawn: str
    width: int


def legend_of(standings: Collection[Standing]) -> list[Mark]:
    """Return the marks that a legend explains.

    Args:
        standings: those that occur.
    """
    names = (name for name in MEANINGS if name in standings)
    return [Mark(MEANINGS[name], *legend_at([name], 13)) for name in names]
