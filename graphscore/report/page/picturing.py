"""The pictures of items: within the page while they are small in sum, else packed.

A packed picture is deflated and written in base64 into a block of data, which a script
unpacks when its item is opened, or before the page is printed.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from graphscore.correspondence import Budget
from graphscore.drawing.choice import draw
from graphscore.drawing.looks import Standing
from graphscore.report.page.findings import Item
from graphscore.report.showing.looks import sides_of

FOLDED = (24, 0)
"""Nodes of both sides from which on what matched is folded: the second where pictures
take too much room else."""

INLINE = 600_000
"""Bytes of pictures that stand in a page as they are."""

PAGE = 980_000
"""Bytes of a page of a hundred items; of more items it may have more."""

ITEMS = 100

Form = Literal["inline", "packed", "left out"]


class Pictured(NamedTuple):
    """The pictures of an item."""

    figures: tuple[str, ...]
    """Of each unit, in their order; empty where there is none."""
    standings: frozenset[Standing]
    packed: str
    """All of them, as :func:`packed` has it."""


def pictured(item: Item, budget: Budget, folded: int = FOLDED[0]) -> Pictured:
    """Draw an item in every framework, for every system.

    Args:
        item: with its graphs.
        budget: how much work may be spent on the shares of sentences.
        folded: nodes of both sides from which on what matched is folded.
    """
    figures, standings = [], set[Standing]()
    for seen in item.seen:
        pair = seen.pair(budget)
        if pair is None:
            figures.append("")
            continue
        sides = sides_of(pair)
        large = sum(len(side.nodes) for side in sides) > folded
        picture = draw(sides, fold=large)
        standings.update(picture.standings)
        figures.append(picture.figure())
    return Pictured(tuple(figures), frozenset(standings), packed(figures))


def packed(figures: Sequence[str]) -> str:
    """Figures as data: a list in JSON, deflated, in base64.

    >>> data = base64.b64decode(packed(["<figure></figure>"]))
    >>> zlib.decompress(data).decode()
    '["<figure></figure>"]'
    """
    told = json.dumps(list(figures), ensure_ascii=False, separators=(",", ":"))
    deflating = zlib.compressobj(9, memLevel=9)
    small = deflating.compress(told.encode()) + deflating.flush()
    return base64.b64encode(small).decode()


def room_for(items: int, rest: int, limit: int | None = None) -> int:
    """Bytes that pictures may have.

    Args:
        items: how many are shown.
        rest: bytes of the page without pictures.
        limit: bytes that it may have; :data:`PAGE`, or more for more items, without.
    """
    return (limit or PAGE * max(ITEMS, items) // ITEMS) - rest


def fits(pictures: Sequence[Pictured], room: int) -> bool:
    """Whether all pictures can be in a page, packed.

    Args:
        pictures: of the items.
        room: bytes that they may have.
    """
    return sum(len(each.packed) for each in pictures) <= room


def forms_of(pictures: Sequence[Pictured], room: int) -> list[Form]:
    """How the pictures of each item stand in a page: the first ones as they are.

    Args:
        pictures: of the items, in their order.
        room: bytes that they may have.

    Returns:
        A form for each item; the pictures of the last ones are left out if there is no
        room even for packed ones.
    """
    plain = [_bytes(each) for each in pictures]
    small = [len(each.packed) for each in pictures]
    forms: list[Form] = ["packed"] * len(pictures)
    used = sum(small)
    for number in reversed(range(len(pictures))):
        if used <= room:
            break
        forms[number] = "left out"
        used -= small[number]
    inline = 0
    for number, form in enumerate(forms):
        more = plain[number] - small[number]
        if form != "packed" or used + more > room or inline + plain[number] > INLINE:
            break
        forms[number] = "inline"
        used, inline = used + more, inline + plain[number]
    return forms


def _bytes(pictures: Pictured) -> int:
    return sum(len(each.encode()) for each in pictures.figures)


Placed = Callable[[int], str]
"""Gives what stands where the picture of a unit is."""


def placed(pictures: Pictured, form: Form) -> tuple[Placed, str]:
    """What stands in the places of pictures, and the block of data behind them.

    Args:
        pictures: of an item.
        form: how they stand in the page.
    """
    if form == "inline":
        return pictures.figures.__getitem__, ""
    if form == "left out":
        said = '<p class="soft">no picture</p>'
        return lambda number: said if pictures.figures[number] else "", ""
    # The style sheet says what it is: there may be hundreds.
    stub = '<p class="packed soft"></p>'
    block = f'<script type="application/json" class="pack">"{pictures.packed}"</script>'
    return lambda number: stub if pictures.figures[number] else "", block
