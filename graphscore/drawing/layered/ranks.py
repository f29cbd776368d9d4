"""In which layer each vertex stands, so that all links point down and are short."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Pairs = Sequence[tuple[int, int]]


def turned(count: int, pairs: Pairs) -> list[bool]:
    """Return the links to reverse so that no cycle is left.

    They are those that lead back in a walk in depth.  It begins where nothing leads
    to, then where most links go out; links outside cycles are never turned.

    Args:
        count: of vertices.
        pairs: source and target of each link, no loops.
    """
    leaving: list[list[int]] = [[] for _ in range(count)]
    arriving = [0] * count
    for number, (source, target) in enumerate(pairs):
        leaving[source].append(number)
        arriving[target] += 1
    starts = sorted(
        range(count),
        key=lambda v: (arriving[v] > 0, arriving[v] - len(leaving[v]), v),
    )
    result = [False] * len(pairs)
    open_, done = [False] * count, [False] * count
    for start in starts:
        path = [] if done[start] else [(start, iter(leaving[start]))]
        while path:
            vertex, links = path[-1]
            open_[vertex] = True
            for number in links:
                target = pairs[number][1]
                result[number] = open_[target]
                if not open_[target] and not done[target]:
                    path.append((target, iter(leaving[target])))
                    break
            else:
                open_[vertex], done[vertex] = False, True
                path.pop()
    return result


def ranks(count: int, pairs: Pairs, step: int) -> list[int]:
    """The layer of each vertex, with links of the least total length.

    Longest paths come first.  Then the set of vertices whose step down shortens links
    most goes down, until there is none: such a set is a closure of greatest gain, and
    the sum of lengths has no other optima (Picard 1976; Murota 2003, theorem 7.14).

    Args:
        count: of vertices.
        pairs: source and target of each link, without cycles.
        step: how many layers a link goes down at least.
    """
    leaving: list[list[int]] = [[] for _ in range(count)]
    arriving = [0] * count
    for source, target in pairs:
        leaving[source].append(target)
        arriving[target] += 1
    gain = [len(leaving[v]) - arriving[v] for v in range(count)]
    rank = [0] * count
    ready = deque(v for v in range(count) if not arriving[v])
    while ready:
        vertex = ready.popleft()
        for target in leaving[vertex]:
            rank[target] = max(rank[target], rank[vertex] + step)
            arriving[target] -= 1
            if not arriving[target]:
                ready.append(target)
    flow = dict.fromkeys(pairs, 0)
    while moving := _closure(gain, flow, rank, step):
        by = min(
            rank[target] - rank[source] - step
            for source, target in flow
            if source in moving and target not in moving
        )
        for vertex in moving:
            rank[vertex] += by
    least = min(rank)
    return [each - least for each in rank]


def _closure(
    left: list[int], flow: dict[tuple[int, int], int], rank: list[int], step: int
) -> set[int]:
    """The set of most gain that has the target of every tight link whose source it has.

    It is what can still be reached when as much gain as possible has flowed along
    tight links to where it is loss.  No flow leads into the set, so that what has
    flowed stays right when the set goes down.

    Args:
        left: gain by vertex that has not flowed; changed.
        flow: by link; changed.
        rank: the layer of each vertex.
        step: how many layers a tight link goes down.
    """
    forward: list[list[int]] = [[] for _ in left]
    backward: list[list[int]] = [[] for _ in left]
    for source, target in flow:
        if rank[target] - rank[source] == step:
            forward[source].append(target)
            backward[target].append(source)
    # What no flow can leave; no later path leads out of it.
    closed: set[int] = set()
    for start in range(len(left)):
        while left[start] > 0 and start not in closed:
            came, end = _path(start, left, flow, forward, backward, closed)
            if end is None:
                closed |= came.keys()
                break
            steps = []
            while end != start:
                steps.append((came[end], end))
                end = came[end]
            last = steps[0][1]
            back = [flow[to, at] for at, to in steps if (at, to) not in flow]
            amount = min(left[start], -left[last], *back)
            for at, to in steps:
                if (at, to) in flow:
                    flow[at, to] += amount
                else:
                    flow[to, at] -= amount
            left[start] -= amount
            left[last] += amount
    return closed


def _path(
    start: int,
    left: list[int],
    flow: dict[tuple[int, int], int],
    forward: list[list[int]],
    backward: list[list[int]],
    closed: set[int],
) -> tuple[dict[int, int], int | None]:
    """Return the predecessor of each reached vertex, and the first with a deficit."""
    came = {start: start}
    ready = deque([start])
    while ready:
        vertex = ready.popleft()
        if left[vertex] < 0:
            return came, vertex
        ahead = [v for v in backward[vertex] if flow[v, vertex] > 0]
        for other in forward[vertex] + ahead:
            if other not in came and other not in closed:
                came[other] = vertex
                ready.append(other)
    return came, None
