"""Compile the compact notation of gold.txt into gold.mrp.

The notation is described at the head of gold.txt. What this script adds is what
nobody should do by hand: node identifiers, character positions and the MRP fields.
Run it as ``python data/make_gold.py``; the output is the same byte for byte.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent
TIME = "2026-11-01"
FLAVORS = {"dm": 0, "psd": 0, "eds": 1, "ucca": 1, "amr": 2}

TOKEN = re.compile(r"(?:[^\s\[]|\[[^\]]*\]\d*)+")
BRACKET = re.compile(r"\[([^\]]*)\](\d*)$")

Span = tuple[int, int]
Spans = tuple[Span, ...]


class NotationError(ValueError):
    """A line of gold.txt that cannot be compiled."""


@dataclass
class Block:
    """One annotation of one sentence, as lines of notation."""

    item: str
    text: str
    framework: str
    lines: list[str] = field(default_factory=list)


def read_blocks(path: Path) -> list[Block]:
    """Split the notation file *path* into its annotations, in file order."""
    blocks: list[Block] = []
    item, text = "", ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("=== "):
            item, text = line[4:].strip(), ""
        elif line.startswith("--- "):
            blocks.append(Block(item, text, line[4:].strip()))
        elif not line.strip() or line.startswith("#"):
            continue
        elif item and not text:
            text = line
        else:
            blocks[-1].lines.append(line)
    return blocks


def find(text: str, part: str, nth: str = "") -> Span:
    """Find *part* in *text*, as whole words if it occurs so.

    Args:
        text: The sentence.
        part: What to look for.
        nth: Which occurrence, counted from 1; empty if there is only one.

    Raises:
        NotationError: If there is no such occurrence, or *nth* is empty and there
            are several.
    """
    exact = re.escape(part)
    before = r"(?<!\w)" if part[0].isalnum() else ""
    after = r"(?!\w)" if part[-1].isalnum() else ""
    starts = [m.start() for m in re.finditer(before + exact + after, text)]
    if not starts:
        starts = [m.start() for m in re.finditer(exact, text)]
    if len(starts) > 1 and not nth:
        raise NotationError(f"{part!r} occurs {len(starts)} times in {text!r}")
    try:
        start = starts[int(nth or 1) - 1]
    except IndexError:
        raise NotationError(f"{part!r} is not in {text!r}") from None
    return start, start + len(part)


def spans(text: str, bracket: str, framework: str) -> Spans:
    """Return the anchors that *bracket*, such as ``[to sleep]``, stands for."""
    match = BRACKET.match(bracket)
    if match is None:
        raise NotationError(f"not an anchor: {bracket!r}")
    part, nth = match.groups()
    if framework == "ucca":
        return tuple(find(text, word, nth) for word in part.split())
    return (find(text, part, nth),)


def anchors(ranges: Spans) -> list[dict[str, int]]:
    """Return *ranges* in the form MRP has for anchors."""
    return [{"from": start, "to": end} for start, end in ranges]


def edge(source: int, target: int, label: str) -> dict[str, Any]:
    """Return an MRP edge; *label* may carry the mark of a remote edge."""
    result = {"source": source, "target": target, "label": label.removesuffix("*")}
    if label.endswith("-of"):
        result["normal"] = label.removesuffix("-of")
    elif label == "mod":
        result["normal"] = "domain"
    elif label.endswith("*"):
        result |= {"attributes": ["remote"], "values": [True]}
    return result


def node(number: int, fields: list[str], block: Block) -> dict[str, Any]:
    """Return the MRP node described by *fields*, whose edges are left aside."""
    label, names, values = "", [], []
    ranges: Spans = ()
    for text in fields:
        if text.startswith("["):
            ranges += spans(block.text, text, block.framework)
        elif not label:
            label = text
        else:
            name, _, value = text.partition("=")
            names.append(name)
            values.append(value)
    if block.framework in {"dm", "psd"}:
        label, *values = label.split("/")
        names = ["pos", "frame"][: len(values)]
    result: dict[str, Any] = {"id": number}
    if label:
        result["label"] = label
    if names:
        result |= {"properties": names, "values": values}
    if ranges:
        result["anchors"] = anchors(ranges)
    return result


def compile_block(block: Block) -> dict[str, Any]:
    """Compile one annotation into an MRP graph."""
    rows: list[tuple[str, list[str], list[tuple[str, str]]]] = []
    terminals: set[Spans] = set()
    tops: list[str] = []
    for line in block.lines:
        variable, *tokens = TOKEN.findall(line)
        if variable.startswith("*"):
            variable = variable[1:]
            tops.append(variable)
        pairs: list[tuple[str, str]] = []
        fields: list[str] = []
        for token in tokens:
            label, arrow, target = token.partition(">")
            if arrow:
                pairs.append((label, target))
            else:
                fields.append(token)
            if arrow and target.startswith("["):
                terminals.add(spans(block.text, target, block.framework))
        rows.append((variable, fields, pairs))

    leaves = {ranges: number for number, ranges in enumerate(sorted(terminals))}
    ids = {row[0]: number for number, row in enumerate(rows, len(leaves))}
    if len(ids) != len(rows):
        raise NotationError(f"{block.item} {block.framework}: a variable is used twice")
    nodes = [{"id": n, "anchors": anchors(ranges)} for ranges, n in leaves.items()]
    edges = []
    for variable, fields, pairs in rows:
        nodes.append(node(ids[variable], fields, block))
        for label, target in pairs:
            if target.startswith("["):
                number = leaves[spans(block.text, target, block.framework)]
            elif target in ids:
                number = ids[target]
            else:
                raise NotationError(f"{block.item}: no node {target!r}")
            edges.append(edge(ids[variable], number, label))
    return {
        "id": block.item,
        "flavor": FLAVORS[block.framework],
        "framework": block.framework,
        "version": 1.0,
        "time": TIME,
        "input": block.text,
        "tops": [ids[variable] for variable in tops],
        "nodes": nodes,
        "edges": edges,
    }


def write(path: Path, graphs: list[dict[str, Any]]) -> None:
    """Write *graphs* to *path*, one to a line."""
    lines = [json.dumps(graph, ensure_ascii=False) + "\n" for graph in graphs]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def main() -> None:
    """Write gold.mrp, framework by framework."""
    graphs = [compile_block(block) for block in read_blocks(DATA / "gold.txt")]
    order = list(FLAVORS)
    graphs.sort(key=lambda graph: (order.index(graph["framework"]), graph["id"]))
    write(DATA / "gold.mrp", graphs)


if __name__ == "__main__":
    main()
