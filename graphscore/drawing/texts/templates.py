"""Templates as tables, gold beside system, with their fillers in the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphscore.drawing.styles import Style, StyledGraph, standings
from graphscore.drawing.svg import Picture, shortened, spoken
from graphscore.drawing.texts.brackets import Mark, glyphed, ranges
from graphscore.drawing.texts.cells import table_of
from graphscore.drawing.texts.events import Names, frames_of, meaning
from graphscore.drawing.texts.panels import in_texts, picture_of, texts_of
from graphscore.drawing.texts.spans import unplaced
from graphscore.model.graph import NodeId
from graphscore.structures.layout import TEMPLATE, kind_of


def draw_forms(sides: Sequence[StyledGraph], keep: set[int] | None = None) -> Picture:
    """Templates as tables, and the lines of the text that their fillers stand in.

    Each template is a panel, beside its counterpart, or beside what shares most
    fillers with it.  Spans in the text have the slots that they fill as labels, and
    stand as these do; lines without any are counted.

    Args:
        sides: one or two, in one text or each in its own.
        keep: pair numbers of what is drawn; all of it if nothing is said.  Templates
            that have none of them are counted.
    """
    sides = in_texts(sides)
    rows = frames_of(sides, frozenset({TEMPLATE}))
    tables = table_of(sides, rows, "template", keep)
    marks: list[list[Mark]] = []
    node_ids: list[set[NodeId]] = []
    for side in sides:
        found, ids = _marks(side, keep)
        marks.append(found)
        node_ids.append(ids)
    panels = texts_of(sides, marks, "without fillers")
    panels += unplaced(sides, node_ids, keep)
    return picture_of(sides, [*panels, *tables], standings(sides))


class _Filler(NamedTuple):
    """A mention that fills slots."""

    look: Style
    slots: list[str]
    pairs: dict[int, None]
    """Pair numbers of the entities that it mentions."""


def _marks(side: StyledGraph, keep: set[int] | None) -> tuple[list[Mark], set[NodeId]]:
    """Return the marks in the text, and the ids of the nodes in tables."""
    names = Names(side)
    fillers: dict[NodeId, _Filler] = {}
    node_ids: set[NodeId] = set()
    for edge, look in side.seen_edges():
        template, its = names.nodes[edge.source]
        if kind_of(template) != TEMPLATE:
            continue
        _, filler = names.nodes[edge.target]
        node_ids |= {edge.source, edge.target}
        for each in names.mentions(edge.target):
            _, mention = names.nodes[each]
            node_ids.add(each)
            if keep is not None and not keep & {
                *(its.pair, look.pair, filler.pair, mention.pair)
            }:
                continue
            # Where metrics count slots, mentions stand as these do; errors first.
            known = fillers.setdefault(each, _Filler(mention, [], {}))
            stands = known.look.standing
            if stands == "plain" or (stands == "same" and not look.right):
                seen = known.look._replace(standing=look.standing)
                fillers[each] = known._replace(look=seen)
            known.slots.append(spoken(edge.label))
            known.pairs[filler.pair] = None
    marks: list[Mark] = []
    for node in side.graph.nodes:
        if node.id not in fillers:
            continue
        look, slots, pairs = fillers[node.id]
        if pieces := ranges(side.graph.text, node.anchors):
            label = glyphed(look, ", ".join(dict.fromkeys(slots)))
            title = f"{meaning(side, look)} {names.title(node.id)}"
            also = "".join(f" p{pair}" for pair in pairs if pair != look.pair)
            marks.append(Mark(pieces, look, shortened(label), title, f"n{also}"))
    node_ids |= {node.id for node in side.graph.nodes if kind_of(node) == TEMPLATE}
    return _united(marks), node_ids


def _united(marks: Sequence[Mark]) -> list[Mark]:
    """Marks, of which those that say one thing of the same words are one.

    Several templates may have the same filler, each with mentions of its own.
    """
    alike: dict[tuple[object, ...], list[Mark]] = {}
    for mark in marks:
        key = mark.pieces, mark.label, mark.look.standing, mark.look.bound
        alike.setdefault(key, []).append(mark)
    result = []
    for first, *others in alike.values():
        pairs = [each.name.replace("n", f"p{each.look.pair}", 1) for each in others]
        label = f"{first.label} ×{1 + len(others)}" if others else first.label
        name = " ".join(dict.fromkeys([first.name, *pairs]))
        result.append(first._replace(label=label, name=name))
    return result
