"""Scores of those items alone in which a pattern is found.

Everything is scored as without the pattern, and kept as that.  What counts is taken of
the results of the pairs; nothing of it is kept, so that no score of a part stands
where one of the whole is expected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from graphscore.evaluation.filters.description import Restriction, restricted_signature
from graphscore.evaluation.filters.tuple_filter import Ends, restrict_to_bound
from graphscore.evaluation.options import Options, References
from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult, SpuriousUnit
from graphscore.exceptions import UsageError, amount
from graphscore.find.binding import Bindings, bound_in, bound_in_pairs
from graphscore.find.grammar import parse
from graphscore.find.scope import scope_of
from graphscore.find.search import Sides, only_side
from graphscore.metrics.base import Metric, unit_of
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.traits import (
    FrameworkRemarks,
    sums_over,
    trait,
)
from graphscore.model.outcome import RawCounts, add_raw_counts
from graphscore.store.database import Database
from graphscore.store.evaluations import StoredPair, find_evaluations, pairs_of

Key = tuple[str, str, str, str]
"""Framework, language, item or document, and layer."""


class Chosen(NamedTuple):
    """Units of a result that count.

    Args:
        items: those units, with what of them counts.
        units: how many items, sentences or documents that is.
        of: how many there are.
        spurious: units of the system alone.
    """

    items: list[ItemResult]
    units: int
    of: int
    spurious: Sequence[SpuriousUnit] = ()


class PatternFilter:
    """Restrict results to the items or tuples of a pattern.

    Args:
        options: options with a pattern.

    Raises:
        UsageError: if the pattern is wrong, or there is none.
    """

    def __init__(self, options: Options) -> None:
        if options.where is None:
            raise UsageError("--within goes with --where, which has the pattern")
        self.options = options
        self.scope = scope_of(parse(options.where))
        self.pattern = str(self.scope.pattern)
        if options.within and self.scope.compares:
            raise UsageError(
                "--within counts the tuples that a pattern binds on either side; this "
                "one compares both sides, and would choose what counts by whether it "
                "is right"
            )

    def check(self, metrics: Sequence[Metric], gold: object) -> None:
        """Refuse what cannot be counted exactly.

        Args:
            metrics: what scores.
            gold: what it is scored against.

        Raises:
            UsageError: saying what cannot.
        """
        if isinstance(gold, References):
            raise UsageError(
                "--where goes with one reference: in each of several the pattern is "
                "found in other items"
            )
        for metric in metrics:
            unit = unit_of(metric)
            if self.options.within and not trait(metric, Correctable).local:
                raise UsageError(
                    "--within counts tuples of single nodes and edges, and not all "
                    f"that {metric} counts is such; expected one of mrp, smatch, sdp, "
                    "edm, ucca, or --where alone"
                )
            if unit == "collection" and not sums_over(metric):
                raise UsageError(
                    f"--where: {metric} compares whole collections, of which no part "
                    "has a score of its own"
                )
            if unit == "item":
                continue
            if self.scope.compares:
                raise UsageError(
                    f"--where: {metric} compares whole {unit}s, and says of no item "
                    "what is right in it; expected a pattern about gold alone"
                )
            if only_side(self.scope) == "system":
                raise UsageError(
                    f"--where: {metric} compares whole {unit}s, whose parts are "
                    "gold's; expected a pattern about gold"
                )

    @property
    def whole(self) -> Options:
        """Options of the unrestricted evaluation."""
        details = self.options.details or self.options.within
        return replace(
            self.options,
            where=None,
            within=False,
            per_item=True,
            details=details,
            parts=True,
        )

    def part(self, database: Database, full: Result) -> Result:
        """The part of a result that counts.

        Args:
            database: where the evaluation of everything is kept.
            full: everything, scored under :attr:`whole`.
        """
        self.check([full.metric], None)
        if full.nothing:
            return self._result(full, Chosen([], 0, 0), [])
        unit = unit_of(full.metric)
        with database.reading() as connection:
            pairs: list[StoredPair] = []
            if unit == "item":
                names = {"gold": full.gold, "system": full.system}
                names |= {"metric": str(full.metric), "scope": str(full.scope)}
                made = find_evaluations(connection, **names)
                pairs = list(pairs_of(connection, made[-1].id))
            if self.scope.compares:
                sides = Sides(full.gold, full.system, str(full.metric), str(full.scope))
                bound = bound_in_pairs(connection, self.scope, sides)
                chosen = _in_pairs(full, pairs, _found_in(bound))
            elif self.options.within:
                both = [
                    bound_in(connection, self.scope, name, whole=True)
                    for name in (full.gold, full.system)
                ]
                bound = both[0] if both[0].units else both[1]
                budget = self.options.budget
                ends = Ends(connection, full.metric, budget, both[0], both[1])
                items = restrict_to_bound(ends, full.items, pairs)
                chosen = _in_pairs(full, pairs, ends.found_in)
                chosen = chosen._replace(items=items)
            else:
                side = only_side(self.scope)
                name = full.gold if side == "gold" else full.system
                bound = bound_in(connection, self.scope, name, whole=False)
                if unit != "item":
                    chosen = _in_documents(full, bound)
                else:
                    chosen = _in_pairs(full, pairs, _graph_in(bound, side == "gold"))
        return self._result(full, chosen, bound.remarks)

    def _result(self, full: Result, chosen: Chosen, remarks: Sequence[str]) -> Result:
        metric, options = full.metric, self.options
        restriction = Restriction(self.pattern, options.within, chosen.units, chosen.of)
        about_sums = set(_about_sums(full))
        items = chosen.items
        kept = items if options.details else [_without_details(item) for item in items]
        if not options.parts:
            kept = [item._replace(parts=()) for item in kept]
        proven = sum(item.proven for item in items)
        result = replace(
            full,
            raw_counts={},
            pairs=len(items),
            missing_system=sum(item.missing for item in items),
            spurious_system=list(chosen.spurious),
            unproven=len(items) - proven,
            notes=[_note(full, restriction), *remarks],
            items=kept if options.per_item else [],
            signature=restricted_signature(
                full.signature, restriction, f"{proven}/{len(items)}"
            ),
            restriction=restriction,
            scope=structs.replace(
                full.scope, filter=restriction.filter(full.scope.filter)
            ),
            fetch=None,
        )
        for item in items:
            group = item.framework, item.language, item.document, item.layer
            result.add(group, item.raw_counts)
        result.notes += [note for note in full.notes if note not in about_sums]
        result.notes += _about_sums(result)
        if full.fetch is not None and not sums_over(metric):
            result.fetch = _fetch_filtered(full.fetch, items, options)
        return result


def _without_details(item: ItemResult) -> ItemResult:
    """An item without what only details have."""
    return item._replace(matches=(), errors=(), texts=())


def _fetch_filtered(
    fetch: Callable[[], Sequence[ItemResult]], items: list[ItemResult], options: Options
) -> Callable[[], Sequence[ItemResult]]:
    """Return a function that fetches the items that count with their errors."""
    if options.within or options.details:
        return lambda: items
    keys = {_key(item) for item in items}
    return lambda: [item for item in fetch() if _key(item) in keys]


def _about_sums(result: Result) -> list[str]:
    """Return the metric's remarks on the raw counts of a result."""
    metric = result.metric
    if result.nothing:
        return []
    return [
        *metric.remarks(result.total),
        *(
            f"{result.system}: {note}"
            for framework, raw_counts in sorted(result.by_framework.items())
            if (
                note := trait(metric, FrameworkRemarks).remark_on(framework, raw_counts)
            )
        ),
    ]


def _note(full: Result, restriction: Restriction) -> str:
    unit = unit_of(full.metric)
    what = sums_over(full.metric) or (unit if unit == "document" else "item")
    whole = amount(restriction.of, what)
    text = f"{full.system} ({full.metric}): the pattern is in"
    if not restriction.units:
        return f"{text} none of {whole}"
    rest = "the others are left out"
    if restriction.within:
        rest = "only tuples of the nodes and edges that it binds count"
    return f"{text} {restriction.units} of {whole}; {rest}"


def _key(item: ItemResult | StoredPair) -> Key:
    return item.framework, item.language, item.item, item.layer


def _found_in(bound: Bindings) -> Callable[[StoredPair], bool]:
    """Return a predicate: a pattern that compares both sides has a hit in a pair."""
    keys = {(unit[0], unit[1], unit[3], unit[4]) for unit in bound.units}
    return lambda pair: _key(pair) in keys


def _graph_in(bound: Bindings, gold: bool) -> Callable[[StoredPair], bool]:
    """Return a predicate: a pattern about one side has a hit in the pair's graph."""
    return lambda pair: (pair.gold if gold else pair.system) in bound.graphs


def _in_pairs(
    full: Result, pairs: Sequence[StoredPair], taken: Callable[[StoredPair], bool]
) -> Chosen:
    """The items that are taken, whole."""
    keys = {_key(pair) for pair in pairs if pair.result is not None and taken(pair)}
    items = [item for item in full.items if _key(item) in keys]
    spurious = [
        SpuriousUnit(*_key(pair))
        for pair in pairs
        if pair.result is None and taken(pair)
    ]
    return Chosen(items, len(items), full.pairs, spurious)


def _in_documents(full: Result, bound: Bindings) -> Chosen:
    """The documents that are taken, or of metrics that sum over parts these."""
    if not sums_over(full.metric):
        keys = {(unit[0], unit[1], unit[2], unit[4]) for unit in bound.units}
        items = [item for item in full.items if _key(item) in keys]
        return Chosen(items, len(items), full.pairs)
    graphs = {(unit[0], unit[1], unit[3], unit[4]) for unit in bound.units}
    in_documents, units, of = [], 0, 0
    for item in full.items:
        parts = tuple(
            part
            for part in item.parts
            if (item.framework, item.language, part.item, item.layer) in graphs
        )
        of, units = of + len(item.parts), units + len(parts)
        if parts:
            raw_counts: RawCounts = {}
            for part in parts:
                add_raw_counts(raw_counts, part.raw_counts)
            errors = tuple(error for part in parts for error in part.errors)
            in_documents.append(
                item._replace(raw_counts=raw_counts, parts=parts, errors=errors)
            )
    return Chosen(in_documents, units, of)
