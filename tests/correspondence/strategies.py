"""Random correspondence problems."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from graphscore.correspondence import LinkPairs, Preference, Problem

PARTS = 3


def from_links(
    rows: int,
    columns: int,
    parts: list[np.ndarray],
    gold: list[tuple[int, int, int]],
    system: list[tuple[int, int, int]],
    ordered: bool,
) -> Problem:
    """A problem from labelled links of both sides; equal labels pair up."""
    reward = sum(parts, np.zeros((rows, columns), dtype=np.int64))
    pairs = [
        (s, t, c, d)
        for s, t, one in gold
        for c, d, two in system
        if one == two and s != t and c != d
    ]
    arrays = np.array(pairs, dtype=np.int64).reshape(len(pairs), 4).T.copy()
    weight = np.ones(len(pairs), dtype=np.int64)
    links = LinkPairs(*arrays, weight)
    nothing = np.zeros_like(reward)
    preferences = [Preference(part, 0 * weight) for part in parts]
    preferences.append(Preference(nothing, weight))
    return Problem(reward, links, ordered, preferences)


@st.composite
def problems(draw: st.DrawFn, largest: int = 5, ordered: bool | None = None) -> Problem:
    """Problems with up to *largest* objects a side, few labels, many ties."""
    rows = draw(st.integers(1, largest))
    columns = draw(st.integers(1, largest))

    def table() -> np.ndarray:
        entries = draw(
            st.lists(
                st.integers(0, 1), min_size=rows * columns, max_size=rows * columns
            )
        )
        return np.array(entries, dtype=np.int64).reshape(rows, columns)

    def links(size: int) -> list[tuple[int, int, int]]:
        node = st.integers(0, size - 1)
        found = draw(
            st.lists(st.tuples(node, node, st.integers(0, 2)), max_size=2 * largest)
        )
        return sorted(set(found))

    if ordered is None:
        ordered = draw(st.booleans())
    parts = [table() for _ in range(draw(st.integers(1, PARTS)))]
    return from_links(rows, columns, parts, links(rows), links(columns), ordered)


def random_problem(
    seed: int, rows: int, columns: int, labels: int, ordered: bool = False
) -> Problem:
    """A larger problem: a tree-like graph and a disturbed copy of it."""
    rng = np.random.default_rng(seed)
    gold_labels = rng.integers(0, labels, rows)
    order = np.arange(rows) if ordered else rng.permutation(rows)
    kept = order[: min(rows, columns)]
    place = {int(node): position for position, node in enumerate(kept)}
    system_labels = rng.integers(0, labels, columns)
    for node, position in place.items():
        if rng.random() < 0.8:
            system_labels[position] = gold_labels[node]
    part = (gold_labels[:, None] == system_labels[None, :]).astype(np.int64)
    gold = [
        (int(rng.integers(0, node)), node, int(rng.integers(0, 3)))
        for node in range(1, rows)
    ]
    gold += [
        (int(a), int(b), int(rng.integers(0, 3)))
        for a, b in rng.integers(0, rows, (rows // 4, 2))
        if a != b
    ]
    system = [
        (place[a], place[b], label)
        for a, b, label in gold
        if a in place and b in place and rng.random() < 0.85
    ]
    system += [
        (int(a), int(b), int(rng.integers(0, 3)))
        for a, b in rng.integers(0, columns, (columns // 6, 2))
        if a != b
    ]
    return from_links(
        rows, columns, [part], sorted(set(gold)), sorted(set(system)), ordered
    )
