"""Make the two system outputs of the corpus, alder.mrp and birch.mrp, from gold.mrp.

No parser is behind them. Each graph is a copy of its gold graph with mistakes of the
kinds parsers make: drawn at random at the rates of a profile, or, for a few graphs,
written down one by one in HAND_EDITS. Every graph has a random generator of its own,
seeded with its names, so a changed gold graph changes no other graph's mistakes.
Run it as ``python data/make_systems.py``; the output is the same byte for byte.
"""

from __future__ import annotations

import copy
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent
SENSE = re.compile(r"(.*[-_])(\d+)$")

Graph = dict[str, Any]
Node = dict[str, Any]
Edge = dict[str, Any]
Pools = dict[tuple[str, str], list[str]]


@dataclass(frozen=True)
class Profile:
    """How often a system makes which mistake, per place where it can be made."""

    system: str
    node_label: float
    """A node is given another label."""
    property_value: float
    """A property is given another value."""
    anchor: float
    """A node loses part of its anchors, or has one character too many."""
    node_dropped: float
    """A node is missing, with its edges."""
    node_added: float
    """A graph has a node too many, once or twice."""
    edge_dropped: float
    """An edge is missing."""
    edge_label: float
    """An edge is given another label."""
    edge_target: float
    """An edge leads to another node."""
    top_dropped: float
    """A graph has no top."""
    remote_dropped: float
    """A remote edge is not marked as such."""


PROFILES = (
    Profile(
        system="alder",
        node_label=0.05,
        property_value=0.04,
        anchor=0.04,
        node_dropped=0.03,
        node_added=0.12,
        edge_dropped=0.05,
        edge_label=0.06,
        edge_target=0.05,
        top_dropped=0.05,
        remote_dropped=0.1,
    ),
    Profile(
        system="birch",
        node_label=0.12,
        property_value=0.11,
        anchor=0.1,
        node_dropped=0.11,
        node_added=0.3,
        edge_dropped=0.12,
        edge_label=0.14,
        edge_target=0.12,
        top_dropped=0.15,
        remote_dropped=0.5,
    ),
)


@dataclass(frozen=True)
class HandEdit:
    """One deliberate difference from gold, in a graph that has no random ones.

    Nodes are named by their label or, without one, by the text at their anchors.
    """

    system: str
    framework: str
    item: str
    action: str
    """One of ``anchor``, ``value``, ``invert``, ``collapse`` and ``missing``."""
    operands: tuple[str | int, ...] = ()


HAND_EDITS = (
    # Punctuation at the edge of an anchor: left out, or taken in.
    HandEdit("alder", "eds", "sample-01", "anchor", ("_brûlée_n_unknown", "brûlée")),
    HandEdit("alder", "eds", "sample-10", "anchor", ("_wait_v_1", "Wait")),
    HandEdit("alder", "dm", "sample-02", "anchor", ("sleep", "sleep.")),
    HandEdit("birch", "psd", "sample-08", "anchor", ("door", "door?")),
    # The same edge, written in the other direction: this should cost nothing.
    HandEdit("alder", "amr", "sample-04", "invert", ("boy", "ARG0-of", "admire-01")),
    HandEdit("alder", "amr", "sample-02", "invert", ("cat", "mod", "old")),
    HandEdit("birch", "amr", "sample-06", "invert", ("bite-01", "ARG0", "dog")),
    # A number where gold has a string.
    HandEdit("birch", "amr", "sample-05", "value", ("book", "quant", 2)),
    HandEdit("birch", "eds", "sample-16", "value", ("card", "CARG", 2)),
    # The four nodes on "today" made into the one that is left standing.
    HandEdit(
        "birch",
        "eds",
        "sample-09",
        "collapse",
        ("_today_a_1", "loc_nonsp", "time_n", "def_implicit_q"),
    ),
    # A graph that the system failed to give.
    HandEdit("birch", "ucca", "sample-11", "missing"),
)

SURPLUS: dict[str, Graph] = {
    "birch": {
        "id": "sample-99",
        "flavor": 2,
        "framework": "amr",
        "version": 1.0,
        "time": "2026-11-01",
        "input": "The lamp went out.",
        "tops": [0],
        "nodes": [{"id": 0, "label": "go-out-17"}, {"id": 1, "label": "lamp"}],
        "edges": [{"source": 0, "target": 1, "label": "ARG1"}],
    }
}

# --- Looking things up ---------------------------------------------------------------


def make_pools(graphs: list[Graph]) -> Pools:
    """Collect what each framework uses as labels, edge labels and property values."""
    found: dict[tuple[str, str], set[str]] = {}
    for graph in graphs:
        framework = graph["framework"]
        for node in graph["nodes"]:
            if "label" in node:
                found.setdefault((framework, "label"), set()).add(node["label"])
            for name, value in zip(
                node.get("properties", ()), node.get("values", ()), strict=True
            ):
                found.setdefault((framework, name), set()).add(value)
        for edge in graph["edges"]:
            if "normal" not in edge:
                found.setdefault((framework, "edge"), set()).add(edge["label"])
    return {key: sorted(values) for key, values in found.items()}


def pick_other(pool: list[str], current: str, rng: random.Random) -> str:
    """Pick something other than *current* from *pool*, or make something up."""
    others = [value for value in pool if value != current]
    return rng.choice(others) if others else f"{current}-x"


def text_of(graph: Graph, node: Node) -> str:
    """Return the text that the anchors of *node* span."""
    ranges = node.get("anchors", ())
    if not ranges:
        return ""
    start, end = ranges[0]["from"], ranges[-1]["to"]
    text: str = graph["input"][start:end]
    return text


def node_named(graph: Graph, name: object) -> Node:
    """Find the first node called *name*."""
    nodes: list[Node] = graph["nodes"]
    for node in nodes:
        if node.get("label", text_of(graph, node)) == name:
            return node
    raise LookupError(f"{graph['id']} {graph['framework']}: no node {name!r}")


def unused_id(graph: Graph) -> int:
    """Return an identifier that no node of *graph* has."""
    ids: list[int] = [node["id"] for node in graph["nodes"]]
    return 1 + max(ids)


def remove_nodes(graph: Graph, ids: set[int]) -> None:
    """Remove the nodes *ids* from *graph*, with their edges and top marks."""
    graph["tops"] = [top for top in graph["tops"] if top not in ids]
    graph["nodes"] = [node for node in graph["nodes"] if node["id"] not in ids]
    graph["edges"] = [
        edge
        for edge in graph["edges"]
        if edge["source"] not in ids and edge["target"] not in ids
    ]


# --- Hand edits ----------------------------------------------------------------------


def invert(edge: Edge) -> None:
    """Write *edge* in the other direction, with the same meaning."""
    label = edge["label"]
    edge["source"], edge["target"] = edge["target"], edge["source"]
    if "normal" in edge:
        edge["label"] = edge.pop("normal")
    elif label == "domain":
        edge |= {"label": "mod", "normal": "domain"}
    else:
        edge |= {"label": f"{label}-of", "normal": label}


def collapse(graph: Graph, kept: Node, gone: set[int]) -> None:
    """Let the node *kept* take over the edges of the nodes *gone*."""
    group = gone | {kept["id"]}
    for edge in graph["edges"]:
        inside = edge["source"] in group and edge["target"] in group
        for end in ("source", "target"):
            if edge[end] in gone and not inside:
                edge[end] = kept["id"]
    remove_nodes(graph, gone)


def edit(graph: Graph, action: str, operands: tuple[str | int, ...]) -> None:
    """Carry out one hand edit, other than ``missing``, on *graph*."""
    node = node_named(graph, operands[0])
    if action == "anchor":
        text = str(operands[1])
        start = graph["input"].index(text)
        node["anchors"] = [{"from": start, "to": start + len(text)}]
    elif action == "value":
        node["values"][node["properties"].index(operands[1])] = operands[2]
    elif action == "invert":
        target = node_named(graph, operands[2])["id"]
        for one in graph["edges"]:
            if (one["source"], one["label"]) == (node["id"], operands[1]) and (
                one["target"] == target
            ):
                invert(one)
                break
        else:
            raise LookupError(f"{graph['id']}: no edge {operands}")
    elif action == "collapse":
        collapse(graph, node, {node_named(graph, name)["id"] for name in operands[1:]})
    else:
        raise ValueError(f"no such action: {action}")


# --- Random mistakes -----------------------------------------------------------------


def disturb_labels(graph: Graph, rate: float, pools: Pools, rng: random.Random) -> None:
    """Give some nodes another label: another sense, or something quite different."""
    for node in graph["nodes"]:
        if "label" in node and rng.random() < rate:
            label = node["label"]
            sense = SENSE.match(label)
            if sense and rng.random() < 0.6:
                digits = sense[2]
                node["label"] = f"{sense[1]}{int(digits) + 1:0{len(digits)}}"
            else:
                pool = pools[graph["framework"], "label"]
                node["label"] = pick_other(pool, label, rng)


def disturb_values(graph: Graph, rate: float, pools: Pools, rng: random.Random) -> None:
    """Give some properties another value."""
    for node in graph["nodes"]:
        for index, name in enumerate(node.get("properties", ())):
            if rng.random() < rate:
                pool = pools[graph["framework"], name]
                values = node["values"]
                values[index] = pick_other(pool, values[index], rng)


def disturb_anchors(graph: Graph, rate: float, rng: random.Random) -> None:
    """Shorten or move the anchors of some nodes."""
    for node in graph["nodes"]:
        if "anchors" not in node or rng.random() >= rate:
            continue
        ranges = node["anchors"]
        start, end = ranges[-1]["from"], ranges[-1]["to"]
        if len(ranges) > 1:
            ranges.pop()
        elif end - start > 2:
            by = rng.choice((1, 2))
            ranges[-1] = rng.choice(
                ({"from": start, "to": end - by}, {"from": start + by, "to": end})
            )
        else:
            ranges[-1] = {"from": max(0, start - 2), "to": end}


def drop_nodes(graph: Graph, rate: float, rng: random.Random) -> None:
    """Drop some nodes, but never the last one."""
    ids = {node["id"] for node in graph["nodes"] if rng.random() < rate}
    if len(ids) < len(graph["nodes"]):
        remove_nodes(graph, ids)


def add_nodes(graph: Graph, rate: float, pools: Pools, rng: random.Random) -> None:
    """Add up to two nodes, each with an edge to a node that was there before."""
    for _ in range(2):
        if rng.random() >= rate or not graph["edges"]:
            continue
        number = unused_id(graph)
        if graph["framework"] == "ucca":
            # One more unit between a unit and its child.
            edge = rng.choice(graph["edges"])
            child, edge["target"] = edge["target"], number
            graph["nodes"].append({"id": number})
            graph["edges"].append({"source": number, "target": child, "label": "C"})
            continue
        place = rng.randrange(len(graph["nodes"]))
        neighbour = graph["nodes"][place]
        node = copy.deepcopy(neighbour) | {"id": number}
        node["label"] = pick_other(
            pools[graph["framework"], "label"], neighbour["label"], rng
        )
        if graph["flavor"] > 0:
            node.pop("properties", None)
            node.pop("values", None)
        graph["nodes"].insert(place + 1, node)
        label = rng.choice(pools[graph["framework"], "edge"])
        graph["edges"].append(
            {"source": number, "target": neighbour["id"], "label": label}
        )


def disturb_edges(
    graph: Graph, profile: Profile, pools: Pools, rng: random.Random
) -> None:
    """Drop some edges, give some another label, and some another target."""
    ids = [node["id"] for node in graph["nodes"]]
    edges: dict[tuple[int, int, str], Edge] = {}
    for edge in graph["edges"]:
        if rng.random() < profile.edge_dropped:
            continue
        if rng.random() < profile.edge_label:
            pool = pools[graph["framework"], "edge"]
            edge.pop("normal", None)
            edge["label"] = pick_other(pool, edge["label"], rng)
        if rng.random() < profile.edge_target:
            here = (edge["source"], edge["target"])
            others = [number for number in ids if number not in here]
            edge["target"] = rng.choice(others) if others else edge["target"]
        edges.setdefault((edge["source"], edge["target"], edge["label"]), edge)
    graph["edges"] = list(edges.values())


def drop_remotes(graph: Graph, rate: float, rng: random.Random) -> None:
    """Take the mark off some remote edges."""
    for edge in graph["edges"]:
        if "attributes" in edge and rng.random() < rate:
            del edge["attributes"], edge["values"]


def disturb(graph: Graph, profile: Profile, pools: Pools, rng: random.Random) -> None:
    """Make mistakes in *graph* at the rates of *profile*."""
    disturb_labels(graph, profile.node_label, pools, rng)
    disturb_values(graph, profile.property_value, pools, rng)
    disturb_anchors(graph, profile.anchor, rng)
    drop_nodes(graph, profile.node_dropped, rng)
    add_nodes(graph, profile.node_added, pools, rng)
    disturb_edges(graph, profile, pools, rng)
    drop_remotes(graph, profile.remote_dropped, rng)
    if rng.random() < profile.top_dropped:
        graph["tops"] = []


def renumber(graph: Graph, rng: random.Random) -> None:
    """Give the nodes new identifiers, and a new order where order means nothing.

    The nodes of flavor 0 stay in the order of the sentence.
    """
    nodes = graph["nodes"]
    fresh = rng.sample(range(2 * len(nodes)), len(nodes))
    ids = {node["id"]: number for node, number in zip(nodes, fresh, strict=True)}
    for node in nodes:
        node["id"] = ids[node["id"]]
    for edge in graph["edges"]:
        edge["source"], edge["target"] = ids[edge["source"]], ids[edge["target"]]
    graph["tops"] = [ids[top] for top in graph["tops"]]
    if graph["flavor"] > 0:
        rng.shuffle(nodes)
    rng.shuffle(graph["edges"])


# --- Whole systems -------------------------------------------------------------------


def make_system(profile: Profile, gold: list[Graph]) -> list[Graph]:
    """Return what the system of *profile* answers to the items of *gold*."""
    pools = make_pools(gold)
    system = profile.system
    graphs = []
    for original in gold:
        graph = copy.deepcopy(original)
        key = (system, graph["framework"], graph["id"])
        rng = random.Random("/".join(key))
        edits = [e for e in HAND_EDITS if (e.system, e.framework, e.item) == key]
        if any(one.action == "missing" for one in edits):
            continue
        for one in edits:
            edit(graph, one.action, one.operands)
        if not edits:
            disturb(graph, profile, pools, rng)
        renumber(graph, rng)
        graphs.append(graph)
    if system in SURPLUS:
        graphs.append(SURPLUS[system])
    return graphs


def main() -> None:
    """Write the outputs of both systems."""
    with (DATA / "gold.mrp").open(encoding="utf-8") as stream:
        gold = [json.loads(line) for line in stream]
    for profile in PROFILES:
        graphs = make_system(profile, gold)
        lines = [json.dumps(graph, ensure_ascii=False) + "\n" for graph in graphs]
        path = DATA / f"{profile.system}.mrp"
        path.write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
