"""Scoring one part of all pairs.

Both sides are read and paired as a whole, so that ids, languages, documents and
whatever pairs by its place mean in a part what they mean in one run; only what belongs
to the part is compared.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from os import PathLike
from typing import Any

from graphscore.errors import UsageError
from graphscore.evaluation.files import Each, Files, score_files
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.pairing import Pair, Pairing
from graphscore.evaluation.parting.sums import Findings, First, Group, MetricSums, Sums
from graphscore.evaluation.result import GroupKey, Result
from graphscore.evaluation.signature import proven_of
from graphscore.evaluation.tasks import Timed
from graphscore.evaluation.units import Unit
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse_all
from graphscore.model.graph import Graph
from graphscore.model.outcome import MassKey
from graphscore.model.sums import ExactMasses

Operand = str | PathLike[str] | Sequence[Graph]


def score_part(
    gold: Operand,
    system: Operand,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    options: Options | None = None,
    *,
    part: tuple[int, int],
    units: bool = False,
    each: Each | None = None,
) -> Sums:
    """Score one part of the pairs of gold and a system.

    Args:
        gold: a file, directory, glob, ``-``, or graphs.
        system: one of these.
        metrics: what to score with, perhaps one, perhaps by its name; ``None`` for
            the default metrics of what is there.
        options: how.
        part: its number from 1, and how many parts there are.
        units: whether the results of items are kept, which intervals and tables of
            items need.
        each: called for every gold unit that is compared.

    Returns:
        What the part found; :func:`graphscore.evaluation.parting.sums.merge` adds
        those of all parts.

    Raises:
        InputError: if gold has a bad record or a duplicate.
        PairingError: if nothing pairs.
        UsageError: for a part that there is not, or what has no parts.
    """
    number, of = checked(part)
    passes: list[PartFiles] = []
    chosen = with_units(options or Options(), units)
    refuse_undivided(gold, chosen)
    asked, _ = parse_all(metrics)
    results = score_files(
        operand(gold),
        operand(system),
        asked,
        chosen,
        each=each,
        made=partial(PartFiles, part=(number, of), passes=passes),
    )
    found = tuple(sums_of(result, passes) for result in results)
    return Sums(of, {number: f"part {number}/{of}"}, units, (found,))


def operand(side: Operand) -> str | Sequence[Graph]:
    """A side as it is read: a path as text."""
    return os.fspath(side) if isinstance(side, PathLike) else side


def with_units(options: Options, units: bool) -> Options:
    """Options under which a part keeps what is asked of it."""
    if not units:
        return options
    return replace(options, per_item=True, parts=True)


def checked(part: tuple[int, int]) -> tuple[int, int]:
    """The number of a part, and how many there are.

    Raises:
        UsageError: if there is no such part.
    """
    number, of = part
    if not 1 <= number <= of:
        raise UsageError(f"part {number}/{of}: expected K/N with K from 1 to N")
    return number, of


def refuse_undivided(gold: Any, options: Options) -> None:
    """Refuse what looks at more than a pair at a time.

    Raises:
        UsageError: if it does, saying why.
    """
    if isinstance(gold, References):
        raise UsageError(
            "several references have no parts: what is the best of an item is chosen "
            "among the results of all; score against each reference by itself"
        )
    if options.where is not None or options.within:
        raise UsageError(
            "a pattern has no parts: it is searched in a store of everything"
        )


def part_of(pair: Pair[Any], pairing: Pairing[Any], of: int) -> int:
    """The part that a pair belongs to, from 1.

    It follows from framework and id, never from the language, which one side may not
    say.  What was not paired by its id (by order, by its text, as the only one) goes
    by the place of its gold unit.

    Args:
        pair: a pair with a gold unit.
        pairing: what paired it.
        of: how many parts there are.

    Example:
        >>> from graphscore.model.graph import Graph
        >>> from graphscore.evaluation.units import Unit
        >>> unit = Unit((Graph("a", "dm"),), "a", "", None)
        >>> [part_of(Pair(n, unit, unit), Pairing(), 4) for n in (5, 6)]
        [2, 2]
        >>> [part_of(Pair(n, unit, unit), Pairing("order"), 4) for n in (5, 6)]
        [2, 3]
    """
    gold, system = pair.gold, pair.system
    assert gold is not None
    name = pairing.rule(gold.item)
    named = pairing.by == "id" and (system is None or name == pairing.rule(system.item))
    if not named or any(gold.framework == one for one, _ in pairing.unnamed):
        return pair.position % of + 1
    head = f"{gold.framework}\0{name}".encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(head, digest_size=8).digest()
    return int.from_bytes(digest, "big") % of + 1


class CountedFiles(Files):
    """Two sides of which some pairs are compared, which remembers their order.

    Attributes:
        compared: by metric, how many pairs.
        firsts: by metric and group, the first pair of the group and of each mass.
    """

    sums_all = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        if self.whole:
            raise UsageError(
                f"{self.results[0].metric} has no parts: it compares all there is as "
                "one"
            )
        self.number = -1
        self.compared = [0 for _ in self.results]
        self.firsts: list[dict[GroupKey, tuple[int, dict[MassKey, First]]]] = [
            {} for _ in self.results
        ]
        self._sent: list[deque[int]] = [deque() for _ in self.results]

    def pairs(self) -> Iterator[Pair[Unit]]:
        """All pairs, which are counted."""
        for number, pair in enumerate(super().pairs()):
            self.number = number
            yield pair

    def sent(self, family: tuple[int, ...]) -> tuple[int, ...]:
        """Note that the pair at hand is compared by some metrics."""
        for number in family:
            self._sent[number].append(self.number)
        return family

    def take(self, number: int, pair: Pair[Unit], timed: Timed) -> None:
        """Add to the sums, and note what came up for the first time."""
        super().take(number, pair, timed)
        gold, place = pair.gold, self._sent[number].popleft()
        assert gold is not None
        self.compared[number] += 1
        key = gold.framework, gold.language, gold.document, gold.layer
        masses = self.results[number].masses[key]
        _, firsts = self.firsts[number].setdefault(key, (place, {}))
        if len(firsts) < len(masses):
            for mass in islice(masses, len(firsts), None):
                firsts[mass] = place, len(firsts)

    def conclude(self, number: int) -> None:
        """Leave items as they came: they are ordered when all are there."""


class PartFiles(CountedFiles):
    """Two sides of which one part is compared.

    Args:
        args: what the sides, metrics and options are.
        part: the number of the part, and how many there are.
        passes: takes this, so that what was counted can be asked.
    """

    def __init__(
        self, *args: Any, part: tuple[int, int], passes: list[PartFiles]
    ) -> None:
        super().__init__(*args)
        self.part = part
        passes.append(self)

    def wanted(self, pair: Pair[Unit], family: tuple[int, ...]) -> tuple[int, ...]:
        """All metrics, if the pair belongs to the part."""
        number, of = self.part
        if part_of(pair, self.pairing, of) != number:
            return ()
        return self.sent(family)


def sums_of(result: Result, passes: Sequence[CountedFiles]) -> MetricSums:
    """What one pass found with a metric.

    Args:
        result: the result of the metric.
        passes: the passes, of which one made it.
    """
    ends, number = next(
        (ends, number)
        for ends in passes
        for number, each in enumerate(ends.results)
        if each is result
    )
    return counted(ends, number, findings_of(result))


def findings_of(result: Result) -> Findings:
    """What is found out of everything."""
    return Findings(
        result.gold,
        result.system,
        result.because,
        result.pairs,
        result.missing_system,
        tuple(result.surplus_system),
        tuple(result.rejected),
        result.rejected_records,
        result.left_out,
        tuple(result.notes),
        proven_of(result.signature, ""),
        result.scope,
    )


def counted(ends: CountedFiles, number: int, findings: Findings) -> MetricSums:
    """What a metric counted in one pass.

    Args:
        ends: of the pass.
        number: the metric's.
        findings: what is found out of everything.
    """
    result, firsts = ends.results[number], ends.firsts[number]
    groups = {}
    for key, masses in result.masses.items():
        assert isinstance(masses, ExactMasses)
        groups[key] = Group(firsts[key][0], masses, firsts[key][1])
    items = tuple(zip(ends.positions[number], result.items, strict=False))
    return MetricSums(
        result.metric,
        findings,
        ends.compared[number],
        result.unproven,
        groups,
        items,
    )
