"""Coreference: chains as numbers and colours over a text, and which became which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphscore.drawing.styles import MEANINGS, Standing, Style, StyledGraph
from graphscore.drawing.svg import (
    SMALL,
    Panel,
    Picture,
    box,
    group,
    text_at,
    width_of,
    written,
)
from graphscore.drawing.texts.brackets import WHOLE, Mark, glyphed, ranges
from graphscore.drawing.texts.cells import fitted
from graphscore.drawing.texts.entity_alignment import Chain, chains_of, joined, shared
from graphscore.drawing.texts.events import Names, meaning
from graphscore.drawing.texts.panels import (
    Stack,
    in_texts,
    panels_of,
    picture_of,
    skipped,
)
from graphscore.drawing.texts.spans import unplaced
from graphscore.exceptions import amount
from graphscore.structures.layout import MENTION, kind_of

_CHIP = 310
"""Pixels of a chain in the picture of which became which."""

_STEP = 13
"""Pixels from one line at a chain to the next."""


def draw_chains(sides: Sequence[StyledGraph], keep: set[int] | None = None) -> Picture:
    """A text with its chains, and how gold's became the system's.

    Gold's brackets stand over each line, the system's under it.  Chains that share
    most mentions have one number and one colour; other chains of the system have
    letters.  A mention in another chain than its counterpart is one with another
    label.  Below are the chains, those that share mentions joined by lines as thick as
    they share many.

    Args:
        sides: one or two.
        keep: pair numbers of what is drawn; all of it if nothing is said.  Mentions in
            another chain are drawn too, and what is drawn only because nothing else is
            wrong is not if these are.
    """
    sides = in_texts(sides)
    chains = chains_of(sides)
    looks = _looks(sides, chains)
    if keep is not None:
        wrong = {
            look.pair for each in looks for look in each if look.standing == "label"
        }
        right = all(look.right for side in sides for look in (*side.nodes, *side.edges))
        keep = wrong if right and wrong else keep | wrong
    marks = [
        [*_marks(side, chain, seen, keep)]
        for side, chain, seen in zip(sides, chains, looks, strict=True)
    ]
    texts: dict[str, list[Stack]] = {}
    for number, (side, each) in enumerate(zip(sides, marks, strict=True)):
        above = not number and len(sides) > 1
        texts.setdefault(side.graph.text, []).append(Stack(side.name, each, above))
    panels = [
        panel
        for text, stacks in texts.items()
        if text
        for panel in panels_of(text, stacks, "" if keep is None else "without errors")
    ]
    labels = [
        {node.id for node in side.graph.nodes if kind_of(node) != MENTION}
        for side in sides
    ]
    panels += unplaced(sides, labels, keep)
    summary = _summary(sides, chains, keep)
    panels += summary
    present = {mark.look.standing for each in marks for mark in each}
    present |= {each for each in MEANINGS for panel in summary if _has(panel, each)}
    stands = [each for each in MEANINGS if each in present]
    most = max((each.look.pair for chain in chains for each in chain), default=-1)
    return picture_of(sides, panels, stands, most + 1)


def _has(panel: Panel, standing: Standing) -> bool:
    """Return whether an entity of a panel has that standing."""
    return f'class="n {standing} p' in panel.body


def _looks(
    sides: Sequence[StyledGraph], chains: Sequence[Sequence[Chain]]
) -> list[list[Style]]:
    """The looks of all nodes; mentions in different chains have different labels."""
    names: list[dict[int, set[str]]] = [{} for _ in sides]
    for side, found, known in zip(sides, chains, names, strict=True):
        for chain in found:
            for number in chain.mentions:
                known.setdefault(side.nodes[number].pair, set()).add(chain.name)
    looks: list[list[Style]] = []
    for number, side in enumerate(sides):
        pairs = {
            look.pair for other in sides if other is not side for look in other.nodes
        }
        others = names[1 - number] if len(sides) > 1 else {}
        looks.append(
            [
                look._replace(standing="label")
                if look.right
                and look.pair in pairs
                and names[number].get(look.pair) != others.get(look.pair)
                else look
                for look in side.nodes
            ]
        )
    return looks


def _marks(
    side: StyledGraph,
    chains: Sequence[Chain],
    looks: Sequence[Style],
    keep: set[int] | None,
) -> Iterator[Mark]:
    names = Names(side)
    within: dict[int, list[Chain]] = {}
    for chain in chains:
        for number in chain.mentions:
            within.setdefault(number, []).append(chain)
    for number, node in enumerate(side.graph.nodes):
        look = looks[number]
        pieces = ranges(side.graph.text, node.anchors)
        if kind_of(node) != MENTION or not pieces:
            continue
        if keep is not None and look.pair not in keep:
            continue
        own = within.get(number, [])
        label = glyphed(look, ", ".join(chain.name for chain in own))
        title = f"{meaning(side, look)} {names.title(node.id)} " + ", ".join(
            f"chain {each.name}" for each in own
        )
        also = "".join(f" p{chain.look.pair}" for chain in own)
        paint = own[0].paint if own else "faint"
        yield Mark(pieces, look, label, title, f"n{also}", paint)


def _summary(
    sides: Sequence[StyledGraph],
    chains: Sequence[Sequence[Chain]],
    keep: set[int] | None,
) -> list[Panel]:
    """Gold's chains beside the system's, a panel for each that share mentions."""
    if len(sides) == 1:
        return []
    golds, systems = chains
    names = [Names(side) for side in sides]
    parts = [text_at(4, 24, "chains", "side")]
    for number, side in enumerate(sides):
        alone = sum(len(each.mentions) < 2 for each in chains[number])
        text = f"{side.name}: {amount(len(chains[number]) - alone, 'chain')}"
        text += f" and {amount(alone, 'single mention')}" if alone else ""
        x = (WHOLE - _CHIP) * number + (60 if not number else 0)
        parts.append(text_at(x, 24, text, "q", size=SMALL))
    panels = [Panel("".join(parts), WHOLE, 34)]
    folded = 0
    single = [0, 0, 0]
    for ones, twos in joined(golds, systems):
        left, right = [golds[n] for n in ones], [systems[n] for n in twos]
        same = len(left) == len(right) == 1 and left[0].pairs == right[0].pairs
        same = same and left[0].matched == left[0].pairs == right[0].matched
        if all(len(each.mentions) < 2 for each in (*left, *right)):
            single[0 if same else 1 if left else 2] += 1
            continue
        if same and keep is not None:
            folded += 1
            continue
        panels.append(_joined(left, right, sides, names, same))
    if folded:
        panels.append(skipped(folded, "chain"))
    if any(single):
        text = (
            f"single mentions: {single[0]} on both sides, {single[1]} only gold,"
            f" {single[2]} only system"
        )
        body = text_at(4, 14, text, "q", size=SMALL)
        panels.append(Panel(body, WHOLE, 22, not any(single[1:])))
    return panels


def _joined(
    golds: Sequence[Chain],
    systems: Sequence[Chain],
    sides: Sequence[StyledGraph],
    names: Sequence[Names],
    same: bool,
) -> Panel:
    """Chains that share mentions: gold's, lines, the system's."""
    links = [
        (one, two, count)
        for one, gold in enumerate(golds)
        for two, system in enumerate(systems)
        if (count := shared(gold, system))
    ]
    parts: list[str] = []
    ends: list[dict[tuple[int, int], int]] = []
    bottom = 0
    for number, entities in enumerate((golds, systems)):
        y = 3
        index_of: dict[tuple[int, int], int] = {}
        for index, chain in enumerate(entities):
            own_links = [each[:2] for each in links if each[number] == index]
            tall = max(20, _STEP * len(own_links) + 5)
            x = 20 if not number else WHOLE - _CHIP
            matched = sum(count for *link, count in links if link[number] == index)
            stands = _stands(chain, number, len(own_links), same)
            look = chain.look._replace(standing=stands)
            parts.append(
                _chain(x, y, tall, chain, look, matched, sides[number], names[number])
            )
            top = y + (tall - _STEP * (len(own_links) - 1)) // 2
            for row, link in enumerate(own_links):
                index_of[link] = top + row * _STEP
            y += tall + 5
        ends.append(index_of)
        bottom = max(bottom, y)
    most = max((len(each.mentions) for each in (*golds, *systems)), default=1)
    lines = [
        _link(
            ends[0][one, two],
            ends[1][one, two],
            count,
            most,
            golds[one],
            systems[two],
        )
        for one, two, count in links
    ]
    return Panel("".join([*lines, *parts]), WHOLE, bottom + 3, same)


def _stands(chain: Chain, number: int, links: int, same: bool) -> Standing:
    if same:
        return "same"
    if not links:
        return "spurious" if number else "missing"
    return "part"


def _chain(
    x: int,
    y: int,
    tall: int,
    chain: Chain,
    look: Style,
    matched: int,
    side: StyledGraph,
    names: Names,
) -> str:
    """A chain: its name, its first words, how many mentions it has."""
    rest = len(chain.mentions) - matched
    counted = str(len(chain.mentions))
    if rest and matched:
        counted += f", {rest} only {side.name}"
    elif rest:
        counted += f" only {side.name}"
    words = names.headline(chain.mentions)
    label = glyphed(look, chain.name)
    at = x + 10 + max(24, width_of(label))
    room = x + _CHIP - 10 - width_of(counted, SMALL)
    base = y + tall // 2 + 4
    title = f"{meaning(side, look)} chain {chain.name}, {counted}: " + " | ".join(
        names.title(side.graph.nodes[n].id) for n in chain.mentions[:8]
    )
    parts = [
        box(x, y, _CHIP, tall, look.standing),
        text_at(x + 6, base, label, chain.paint),
        text_at(at, base, fitted(words, room - at - 6)),
        text_at(room + 4, base, counted, "z", size=SMALL),
    ]
    return group(parts, look, "n", title)


def _link(y1: int, y2: int, count: int, most: int, gold: Chain, system: Chain) -> str:
    """A line as thick as chains share many mentions, with their number."""
    left, right = 20 + _CHIP, WHOLE - _CHIP
    text = str(count)
    begin = left + 8 + width_of(text, SMALL)
    middle = (begin + right) // 2
    thick = 1 + round(9 * count / most)
    own = gold.name == system.name
    name = f' class="{gold.paint}"' if own else ""
    title = f"{amount(count, 'mention')} of chain {gold.name} in chain {system.name}"
    return (
        f'<g class="e {"plain" if own else "head"}"><title>{written(title)}</title>'
        f'<path d="M{begin} {y1}C{middle} {y1} {middle} {y2} {right} {y2}"'
        f'{name} stroke-width="{thick}"/>'
        f"{text_at(left + 4, y1 + 4, text, 'z', size=SMALL)}</g>"
    )
