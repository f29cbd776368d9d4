"""The compiled rounds themselves; imported only where numba is installed.

Every function mirrors one of ``candidates``, ``relaxation`` and ``tightening``;
the names are the same.  Ties are broken as there: the assignment is the shortest
augmenting path method of Crouse (2016) with the order of scanning that scipy
has, and of equal halves in a group the first counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from graphscore.correspondence.relaxation import SCALE
from graphscore.correspondence.tightening import PATIENCE, UNPROMISING

TIED = 64
"""Maps of equal worth that are remembered; with more, the plain search decides."""

FAR = np.int64(1) << 60


@njit(cache=True)
def assign(table: Any) -> Any:
    """For each row the column of a best assignment by *table*, or -1."""
    rows, columns = table.shape
    turned = columns < rows
    cost = -table.T.copy() if turned else -table
    nr, nc = cost.shape
    u = np.zeros(nr, np.int64)
    v = np.zeros(nc, np.int64)
    shortest = np.empty(nc, np.int64)
    path = np.full(nc, -1, np.int64)
    col4row = np.full(nr, -1, np.int64)
    row4col = np.full(nc, -1, np.int64)
    in_rows = np.zeros(nr, np.bool_)
    in_columns = np.zeros(nc, np.bool_)
    remaining = np.empty(nc, np.int64)
    for current in range(nr):
        smallest = np.int64(0)
        left = nc
        for k in range(nc):
            remaining[k] = nc - k - 1
            shortest[k] = FAR
            in_columns[k] = False
        in_rows[:] = False
        sink = -1
        i = current
        while sink == -1:
            index = -1
            lowest = FAR
            in_rows[i] = True
            for k in range(left):
                j = remaining[k]
                reduced = smallest + cost[i, j] - u[i] - v[j]
                if reduced < shortest[j]:
                    path[j] = i
                    shortest[j] = reduced
                if shortest[j] < lowest or (shortest[j] == lowest and row4col[j] == -1):
                    lowest = shortest[j]
                    index = k
            smallest = lowest
            j = remaining[index]
            if row4col[j] == -1:
                sink = j
            else:
                i = row4col[j]
            in_columns[j] = True
            left -= 1
            remaining[index] = remaining[left]
        u[current] += smallest
        for row in range(nr):
            if in_rows[row] and row != current:
                u[row] += smallest - shortest[col4row[row]]
        for j in range(nc):
            if in_columns[j]:
                v[j] -= smallest - shortest[j]
        j = sink
        while True:
            i = path[j]
            row4col[j] = i
            col4row[i], j = j, col4row[i]
            if i == current:
                break
    return row4col if turned else col4row


@njit(cache=True)
def assign_through(table: Any, target: Any, gold: Any, system: Any, total: Any) -> Any:
    """``Assignment.through``: a bound on totals through each candidate."""
    rows, columns = table.shape
    potential = np.zeros(columns, np.int64)
    changed = True
    while changed:
        changed = False
        for i in range(rows):
            j = target[i]
            base = np.int64(0)
            if j >= 0:
                base = potential[j] - table[i, j]
            for k in range(columns):
                reach = base + table[i, k]
                if reach > potential[k]:
                    potential[k] = reach
                    changed = True
    through = np.empty(len(gold), np.int64)
    for p in range(len(gold)):
        i, j = gold[p], target[gold[p]]
        own = table[i, j] - potential[j] if j >= 0 else np.int64(0)
        through[p] = total - (own + potential[system[p]] - table[i, system[p]])
    return through


@njit(cache=True)
def chain(table: Any) -> Any:
    """Best totals of leading parts, and for each row the column of a best chain."""
    rows, columns = table.shape
    before = np.zeros((rows + 1, columns + 1), np.int64)
    for i in range(rows):
        for j in range(columns):
            best = before[i, j] + table[i, j]
            if before[i, j + 1] > best:
                best = before[i, j + 1]
            if before[i + 1, j] > best:
                best = before[i + 1, j]
            before[i + 1, j + 1] = best
    target = np.full(rows, -1, np.int64)
    i, j = rows, columns
    while i > 0 and j > 0:
        here = before[i, j]
        if here == before[i - 1, j]:
            i -= 1
        elif here == before[i, j - 1]:
            j -= 1
        else:
            i -= 1
            j -= 1
            target[i] = j
    return before, target


@njit(cache=True)
def chain_through(table: Any, before: Any, gold: Any, system: Any) -> Any:
    """``Chain.through``: the best total of any chain through each candidate."""
    rows, columns = table.shape
    after = np.zeros((rows + 1, columns + 1), np.int64)
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            best = after[i + 1, j + 1] + table[i, j]
            if after[i + 1, j] > best:
                best = after[i + 1, j]
            if after[i, j + 1] > best:
                best = after[i, j + 1]
            after[i, j] = best
    through = np.empty(len(gold), np.int64)
    for p in range(len(gold)):
        i, j = gold[p], system[p]
        through[p] = before[i, j] + table[i, j] + after[i + 1, j + 1]
    return through


@njit(cache=True)
def find_couplings(
    gs: Any,
    gt: Any,
    ss: Any,
    st: Any,
    weight: Any,
    rows: Any,
    columns: Any,
    ordered: Any,
) -> Any:
    """``find_candidates``, its couplings: cells of both ends and merged weight."""
    count = len(weight)
    key = np.empty(count, np.int64)
    worth = np.empty(count, np.int64)
    area = rows * columns
    kept = 0
    for k in range(count):
        if gs[k] == gt[k] or ss[k] == st[k]:
            continue
        if ordered and (gs[k] < gt[k]) != (ss[k] < st[k]):
            continue
        one = gs[k] * columns + ss[k]
        two = gt[k] * columns + st[k]
        key[kept] = min(one, two) * area + max(one, two)
        worth[kept] = weight[k]
        kept += 1
    order = np.argsort(key[:kept], kind="mergesort")
    low = np.empty(kept, np.int64)
    high = np.empty(kept, np.int64)
    merged = np.empty(kept, np.int64)
    size = 0
    last = np.int64(-1)
    for k in order:
        if key[k] == last:
            merged[size - 1] += worth[k]
            continue
        last = key[k]
        low[size] = last // area
        high[size] = last % area
        merged[size] = worth[k]
        size += 1
    return low[:size], high[:size], merged[:size]


@njit(cache=True)
def lay_out(first: Any, second: Any, candidates: Any) -> Any:
    """Halves by owner, as offsets and half numbers, in order of half number."""
    count = len(first)
    offsets = np.zeros(candidates + 1, np.int64)
    for q in range(count):
        offsets[first[q] + 1] += 1
        offsets[second[q] + 1] += 1
    for p in range(candidates):
        offsets[p + 1] += offsets[p]
    fill = offsets[:candidates].copy()
    halves = np.empty(2 * count, np.int64)
    for q in range(count):
        halves[fill[first[q]]] = q
        fill[first[q]] += 1
    for q in range(count):
        halves[fill[second[q]]] = count + q
        fill[second[q]] += 1
    return offsets, halves


@njit(cache=True)
def credit(
    p: Any,
    offsets: Any,
    halves: Any,
    first: Any,
    second: Any,
    split: Any,
    full: Any,
    sides: Any,
    best: Any,
    chosen: Any,
) -> Any:
    """The sum over groups of candidate *p*'s largest halves, by one side.

    ``sides`` is that side's object of every candidate.  ``best`` and ``chosen``
    are scratch space; afterwards ``chosen`` holds the half that counts for each
    object met, and ``best`` is cleared again.
    """
    count = len(first)
    total = np.int64(0)
    for k in range(offsets[p], offsets[p + 1]):
        half = halves[k]
        if half < count:
            other, worth = second[half], split[half]
        else:
            other, worth = first[half - count], full[half - count] - split[half - count]
        group = sides[other]
        if worth > best[group]:
            total += worth - max(best[group], np.int64(0))
            best[group] = worth
            chosen[group] = half
    return total


@njit(cache=True)
def clear(
    p: Any, offsets: Any, halves: Any, first: Any, second: Any, sides: Any, best: Any
) -> None:
    """Reset the scratch space that :func:`credit` used for candidate *p*."""
    count = len(first)
    for k in range(offsets[p], offsets[p + 1]):
        half = halves[k]
        other = second[half] if half < count else first[half - count]
        best[sides[other]] = -1


@njit(cache=True)
def find_candidates(reward: Any, low: Any, high: Any) -> Any:
    """``find_candidates``: rows, columns and rewards, and each cell's position."""
    rows, columns = reward.shape
    place = np.full(rows * columns, -1, np.int64)
    for k in range(len(low)):
        place[low[k]] = 0
        place[high[k]] = 0
    gold = np.empty(rows * columns, np.int64)
    system = np.empty(rows * columns, np.int64)
    base = np.empty(rows * columns, np.int64)
    size = 0
    for i in range(rows):
        for j in range(columns):
            cell = i * columns + j
            if reward[i, j] > 0 or place[cell] == 0:
                gold[size], system[size], base[size] = i, j, reward[i, j]
                place[cell] = size
                size += 1
    return gold[:size], system[:size], base[:size], place


@njit(cache=True)
def relax(
    gold: Any,
    system: Any,
    base: Any,
    first: Any,
    second: Any,
    full: Any,
    split: Any,
    offsets: Any,
    halves: Any,
    scratch: Any,
) -> Any:
    """``Relaxation.values``, and whether the gold side gave the credit."""
    size = len(gold)
    best, chosen = scratch
    values = np.empty(size, np.int64)
    by_gold = np.empty(size, np.bool_)
    for p in range(size):
        one = credit(p, offsets, halves, first, second, split, full, gold, best, chosen)
        clear(p, offsets, halves, first, second, gold, best)
        two = credit(
            p, offsets, halves, first, second, split, full, system, best, chosen
        )
        clear(p, offsets, halves, first, second, system, best)
        by_gold[p] = one <= two
        values[p] = base[p] * SCALE + min(one, two)
    return values, by_gold


@njit(cache=True)
def match(gold: Any, system: Any, values: Any, ordered: Any, table: Any) -> Any:
    """``best``: total, chain table, each row's column, and the same where it pays."""
    rows = len(table)
    table[:] = 0
    for p in range(len(gold)):
        table[gold[p], system[p]] = values[p]
    if ordered:
        before, target = chain(table)
    else:
        before, target = table, assign(table)
    chosen = target.copy()
    total = np.int64(0)
    for i in range(rows):
        if target[i] >= 0:
            total += table[i, target[i]]
            if table[i, target[i]] == 0:
                chosen[i] = -1
    return total, before, target, chosen


@njit(cache=True)
def offer(
    now: Any, gold: Any, system: Any, base: Any, first: Any, second: Any, full: Any
) -> Any:
    """``Tightening.offer``: what a map earns, and each candidate beside it."""
    beside = base.copy()
    earned = np.int64(0)
    for p in range(len(gold)):
        if now[gold[p]] == system[p]:
            earned += base[p]
    for q in range(len(full)):
        a, b = first[q], second[q]
        mine = now[gold[a]] == system[a]
        theirs = now[gold[b]] == system[b]
        amount = full[q] // SCALE
        if theirs:
            beside[a] += amount
        if mine:
            beside[b] += amount
        if mine and theirs:
            earned += amount
    return earned, beside


@njit(cache=True)
def climb(
    now: Any,
    gold: Any,
    system: Any,
    base: Any,
    first: Any,
    second: Any,
    full: Any,
    ordered: Any,
    bound: Any,
    score: Any,
    tied: Any,
    maps: Any,
    table: Any,
) -> Any:
    """``Tightening.climb``: score, number of tied maps (-1: too many), steps."""
    steps = 0
    worth = np.int64(-1)
    while True:
        again, beside = offer(now, gold, system, base, first, second, full)
        if again > score:
            score, tied = again, 1
            maps[0] = now
        elif again == score and score > 0:
            if tied == TIED:
                return score, -1, steps
            maps[tied] = now
            tied += 1
        if again <= worth:
            return score, tied, steps
        worth = again
        if worth >= bound or worth < score - UNPROMISING:
            return score, tied, steps
        _, _, _, now = match(gold, system, beside * SCALE, ordered, table)
        steps += 1


@njit(cache=True)
def keep(
    alive: Any,
    gold: Any,
    system: Any,
    base: Any,
    first: Any,
    second: Any,
    full: Any,
    split: Any,
) -> Any:
    """``Candidates.keep``, with the split of the couplings that stay."""
    fresh = np.cumsum(alive) - 1
    live = alive[first] & alive[second]
    return (
        gold[alive],
        system[alive],
        base[alive],
        fresh[first[live]],
        fresh[second[live]],
        full[live],
        split[live],
    )


@njit(cache=True)
def imbalance(
    target: Any,
    by_gold: Any,
    gold: Any,
    system: Any,
    first: Any,
    second: Any,
    full: Any,
    split: Any,
    offsets: Any,
    halves: Any,
    scratch: Any,
) -> Any:
    """``Relaxation.imbalance``: which ends of the couplings a map credits."""
    count = len(full)
    best, chosen = scratch
    used = np.zeros(count, np.int64)
    for p in range(len(gold)):
        if target[gold[p]] != system[p]:
            continue
        sides = gold if by_gold[p] else system
        credit(p, offsets, halves, first, second, split, full, sides, best, chosen)
        for k in range(offsets[p], offsets[p + 1]):
            half = halves[k]
            other = second[half] if half < count else first[half - count]
            group = sides[other]
            if chosen[group] == half and best[group] > 0:
                if half < count:
                    used[half] += 1
                else:
                    used[half - count] -= 1
        clear(p, offsets, halves, first, second, sides, best)
    return used


@njit(cache=True)
def shift(split: Any, full: Any, used: Any, gap: Any) -> None:
    """``Tightening._shift``: a step of Polyak's rule, in place."""
    norm = np.int64(0)
    for q in range(len(used)):
        norm += used[q] * used[q]
    if norm:
        step = max(np.int64(1), min(np.int64(SCALE // 2), gap // norm))
        for q in range(len(used)):
            split[q] = max(np.int64(0), min(full[q], split[q] - step * used[q]))


@njit(cache=True)
def close(
    reward: Any,
    gs: Any,
    gt: Any,
    ss: Any,
    st: Any,
    weight: Any,
    ordered: Any,
    limit: Any,
    rounds: Any,
) -> Any:
    """``Tightening.run`` over all candidates.

    Returns:
        Whether it closed, score, rounds, steps, number of tied maps, the maps.
    """
    rows, columns = reward.shape
    maps = np.full((TIED, rows), -1, np.int64)
    low, high, full = find_couplings(gs, gt, ss, st, weight, rows, columns, ordered)
    gold, system, base, place = find_candidates(reward, low, high)
    bound = base.sum() + full.sum()
    first, second = place[low], place[high]
    full = full * SCALE
    split = full >> 1
    offsets, halves = lay_out(first, second, len(gold))
    longest = max(rows, columns)
    scratch = (np.full(longest, -1, np.int64), np.empty(longest, np.int64))
    table = np.zeros((rows, columns), np.int64)
    score = np.int64(0)
    tied, steps, done, since = 1, 0, 0, 0
    while done < rounds and steps < limit and len(gold):
        done += 1
        steps += 1
        values, by_gold = relax(
            gold, system, base, first, second, full, split, offsets, halves, scratch
        )
        total, before, target, chosen = match(gold, system, values, ordered, table)
        bound = min(bound, total // SCALE)
        pruning = score < bound and since % PATIENCE == 0
        through = values
        if pruning and ordered:
            through = chain_through(table, before, gold, system)
        elif pruning:
            through = assign_through(table, target, gold, system, total)
        score, tied, climbed = climb(
            chosen, gold, system, base, first, second, full, ordered, bound, score,
            tied, maps, table,
        )  # fmt: skip
        steps += climbed
        if tied < 0:
            break
        if score >= bound:
            return True, score, done, steps, tied, maps
        alive = through >= (score + 1) * SCALE
        if pruning and not alive.all():
            gold, system, base, first, second, full, split = keep(
                alive, gold, system, base, first, second, full, split
            )
            if not len(gold):
                return True, score, done, steps, tied, maps
            offsets, halves = lay_out(first, second, len(gold))
            since = 0
            continue
        since += 1
        used = imbalance(
            chosen, by_gold, gold, system, first, second, full, split, offsets,
            halves, scratch,
        )  # fmt: skip
        shift(split, full, used, total - score * SCALE - SCALE // 2)
    return False, score, done, steps, 0, maps
