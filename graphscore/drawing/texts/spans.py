"""Texts with spans under them, and tables of relations and events."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.drawing.styles import StyledGraph, standings
from graphscore.drawing.svg import SMALL, Panel, Picture, spoken, text_at
from graphscore.drawing.texts.brackets import MARGIN, WHOLE, Mark, glyphed, ranges
from graphscore.drawing.texts.cells import ROW, chip, table_of
from graphscore.drawing.texts.events import Names, frames_of, meaning
from graphscore.drawing.texts.panels import in_texts, picture_of, texts_of
from graphscore.model.graph import NodeId
from graphscore.structures.layout import OPINION, RELATION, TRIGGER

_NOUNS = {RELATION: "relation", TRIGGER: "event", OPINION: "opinion"}
"""Nouns for the rows of tables."""


def draw_spans(sides: Sequence[StyledGraph], keep: set[int] | None = None) -> Picture:
    """A text with what is marked in it, and what has roles in a table.

    Each line is a panel: the text, under it gold's spans, then the system's.  Nested
    ones stand next to the text; ranges of one that is not continuous are joined.

    Args:
        sides: one or two, in one text or each in its own.
        keep: pair numbers of what is drawn; all of it if nothing is said.  Lines, and
            rows of tables, that have none of them are counted.
    """
    sides = in_texts(sides)
    marks = [_marks(side, keep) for side in sides]
    panels = texts_of(sides, marks, "" if keep is None else "without errors")
    tables: list[Panel] = []
    node_ids: list[set[NodeId]] = [set() for _ in sides]
    for kind, noun in _NOUNS.items():
        rows = frames_of(sides, frozenset({kind}))
        frames = [each for row in rows for each in row if each]
        if not any(frame.edges for frame in frames) and kind in (TRIGGER, OPINION):
            continue
        tables += table_of(sides, rows, noun, keep)
        for frame in frames:
            ids = {frame.node.id, *(edge.target for edge, _ in frame.edges)}
            node_ids[sides.index(frame.side)] |= ids
    panels += unplaced(sides, node_ids, keep)
    return picture_of(sides, [*panels, *tables], standings(sides))


def _marks(side: StyledGraph, keep: set[int] | None) -> list[Mark]:
    names = Names(side)
    marks: list[Mark] = []
    for node, look in side.seen_nodes():
        pieces = ranges(side.graph.text, node.anchors)
        if pieces and (keep is None or look.pair in keep):
            title = f"{meaning(side, look)} {names.title(node.id)}"
            label = glyphed(look, spoken(node.label))
            marks.append(Mark(pieces, look, label, title))
    return marks


def unplaced(
    sides: Sequence[StyledGraph], told: Sequence[set[NodeId]], keep: set[int] | None
) -> list[Panel]:
    """Return a panel a side of the nodes that are neither in the text nor in a table.

    Args:
        sides: one or two.
        told: ids of what is in tables, by side.
        keep: pair numbers of what is drawn; all of it if nothing is said.
    """
    panels: list[Panel] = []
    for side, in_tables in zip(sides, told, strict=True):
        names = Names(side)
        parts: list[str] = []
        x, y, right = MARGIN, 22, True
        for node, look in side.seen_nodes():
            dropped = keep is not None and look.pair not in keep
            if dropped or node.id in in_tables or ranges(side.graph.text, node.anchors):
                continue
            text, kind = names.name(node.id)
            title = f"{meaning(side, look)} {names.title(node.id)}"
            text = f"{kind} {text}".strip()
            drawn, wide = chip(x, y, WHOLE - MARGIN, text, look, title)
            if x + wide > WHOLE and x > MARGIN:
                x, y = MARGIN, y + ROW
                drawn, wide = chip(x, y, WHOLE - MARGIN, text, look, title)
            parts.append(drawn)
            x += wide + 6
            right = right and look.right
        if parts:
            text = f"{side.name}, at no place of the text:".lstrip(", ")
            parts.append(text_at(4, 14, text, "q", size=SMALL))
            panels.append(Panel("".join(parts), WHOLE, y + ROW + 6, right))
    return panels
