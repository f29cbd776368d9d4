"""Several references for the same items: the best for each, or the mean over all.

Where several people annotated the same items and nobody is wrong, a system is scored
against each reference by itself, and two things can be made of that:

``best``
    For every item (the unit that the metric compares: a sentence, a document) the
    reference with the best score of that item counts, as in grammatical error
    correction, where a sentence is scored against the annotator it agrees with most
    (Dahlmeier and Ng 2012, MaxMatch; Bryant et al. 2017, ERRANT).  Its raw counts are
    summed like those of a single reference.  Of equally good references the first
    counts, and where neither side has anything, nothing can be better.  The choice
    rests on the item alone; those two programs choose by the score of all sentences
    so far, which depends on their order.
``mean``
    Every score is worked out against each reference, and the mean of these is given,
    as for a corpus with several annotators whose agreement with a system is averaged.

An item is the same in two references under the rules by which gold is paired with the
system: by id, by order, as the only document, by its characters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NoReturn

from msgspec import structs

from graphscore.evaluation.options import Options, References, signature_of_several
from graphscore.evaluation.pairing import Pairing
from graphscore.evaluation.result import Result
from graphscore.evaluation.several.mean_metric import MeanMetric, raw_counts_of_scoring
from graphscore.evaluation.unit import ItemResult, SentenceCounts, SpuriousUnit, Unit
from graphscore.exceptions import PairingError, UsageError, amount
from graphscore.metrics.base import (
    Metric,
    main_score,
    unit_of,
)
from graphscore.metrics.traits import (
    sums_over,
)
from graphscore.model.ids import id_rule
from graphscore.model.outcome import Count, RawCounts, add_raw_counts
from graphscore.model.scope import list_names

Score = Callable[[Any, Sequence[Metric] | None, Options], list[Result]]
"""Scores the system against one reference."""

Row = list[ItemResult | None]
"""An item as each reference has it; ``None`` where one lacks it."""


def with_references(
    references: References,
    score: Score,
    metrics: Sequence[Metric] | None,
    options: Options,
) -> list[Result]:
    """Score a system against several references.

    Args:
        references: files, graphs or collections.
        score: scores the system against one of them.
        metrics: what to score with; ``None`` for the default metrics of what is there.
        options: how; ``options.references`` says what is made of them.

    Returns:
        One result per metric; with a single reference, as if it were named alone.

    Raises:
        UsageError: if the references do not have the same default metrics, or an
            unknown thing is to be made of them.
        PairingError: if their documents begin and end in different places, or one of
            them has nothing to score or that pairs.
    """
    if options.references not in ("best", "mean"):
        raise UsageError(
            f"references {options.references!r}: expected 'best' or 'mean'"
        )
    if len(references) == 1:
        return score(references.golds[0], metrics, options)
    traced = replace(options, per_item=True, traced=True)
    scored = [
        _against(name, gold, score, metrics, traced)
        for name, gold in zip(references.names, references.golds, strict=True)
    ]
    for name, results in zip(references.names, scored, strict=True):
        refuse_other_metrics(references.names[0], scored[0], name, results)
        for result in results:
            result.gold = name
    return [_made_of(results, options) for results in zip(*scored, strict=True)]


def _against(
    name: str,
    gold: Any,
    score: Score,
    metrics: Sequence[Metric] | None,
    options: Options,
) -> list[Result]:
    """Score against one reference.

    Raises:
        PairingError: naming the reference where nothing pairs.
    """
    try:
        return score(gold, metrics, options)
    except PairingError as error:
        raise PairingError(f"against {name}: {error}") from error


def refuse_other_metrics(
    first: str, expected: Sequence[Result], name: str, results: Sequence[Result]
) -> None:
    """Refuse results that were made by other metrics than those of a first side.

    Args:
        first: the name of the first side.
        expected: its results.
        name: of the other.
        results: its results.

    Raises:
        UsageError: naming the metrics of both.
    """
    names, others = (
        [str(result.metric) for result in side] for side in (expected, results)
    )
    if names != others:
        raise UsageError(
            f"the default metrics are {', '.join(names)} for {first}, and "
            f"{', '.join(others)} for {name}: name the metric with -m"
        )


def _made_of(results: Sequence[Result], options: Options) -> Result:
    """One result of those against each reference."""
    first = results[0]
    rows = rows_of(results, options)
    metric, number = first.metric, len(results)
    best = options.references == "best"
    made = Result(
        metric if best else MeanMetric(metric),
        gold=",".join(result.gold for result in results),
        system=first.system,
        pairs=len(rows),
        spurious_system=_spurious(results),
        rejected=first.rejected,
        rejected_records=first.rejected_records,
        left_out=first.left_out,
        because=first.because,
        references=tuple(results),
        mode=options.references,
        scope=structs.replace(
            first.scope,
            references=f"{options.references} of {list_names(x.gold for x in results)}",
        ),
    )
    chosen = [0] * number
    names = [result.gold for result in results]
    items: list[ItemResult] = []
    for row in rows:
        if best:
            index = best_of(metric, row)
            chosen[index] += 1
            item = _choose(row, index, names[index])
        else:
            item = combine_scorings(row)
        made.missing_system += item.missing
        made.unproven += not item.proven
        made.add(
            (item.framework, item.language, item.document, item.layer), item.raw_counts
        )
        items.append(item)
    made.items = items
    made.chosen = tuple(chosen) if best else ()
    # So many items at least have had nothing new compared.
    fresh = sum(result.pairs - result.reused for result in results)
    made.reused = max(0, len(rows) - fresh)
    made.notes = [*_notes(made, rows)]
    which = {"references": made.mode, "nrefs": number}
    made.signature = signature_of_several(made, results, "gold", which)
    for result in (made, *results):
        if not options.per_item:
            result.items = []
        elif not options.details:
            result.items = [item._replace(texts=()) for item in result.items]
    return made


def best_of(metric: Metric, row: Row) -> int:
    """Return the index of the reference with the best score of an item, first on ties.

    Args:
        metric: what scored.
        row: the item against every reference.

    Returns:
        The place of the reference.
    """
    scores = [-math.inf if item is None else _worth(metric, item) for item in row]
    best = max(
        score for score, item in zip(scores, row, strict=True) if item is not None
    )
    return next(
        index
        for index, item in enumerate(row)
        if item is not None and scores[index] == best
    )


def _worth(metric: Metric, item: ItemResult) -> float:
    """Return a rank of an item: higher is better, whatever the metric."""
    scores = metric.scores(item.raw_counts)
    value = main_score(metric, scores)
    count = scores.counts.get(metric.main, Count(1))
    undefined = math.isnan(value)
    if (undefined or not metric.leading) and not (count.gold or count.system):
        # Nothing is there and nothing was found: 0 by convention, and yet right.
        return math.inf
    if undefined:
        return -math.inf
    return -value if metric.less_is_better else value


def _first_named(row: Row) -> ItemResult:
    """The item as the first reference has it that has it at all."""
    return next(item for item in row if item is not None)


def _choose(row: Row, index: int, reference: str) -> ItemResult:
    """An item as one reference has it, under the name that it has in all."""
    item, named = row[index], _first_named(row)
    assert item is not None
    return item._replace(
        framework=named.framework,
        language=named.language,
        item=named.item,
        document=named.document,
        layer=named.layer,
        # Of what is not proven another reference might have been the best.
        proven=all(entry.proven for entry in row if entry is not None),
        reference=reference,
    )


def combine_scorings(row: Row) -> ItemResult:
    """Return an item as all scorings have it, their raw counts beside each other.

    Args:
        row: the item against each reference, or of each run.
    """
    present = [(index, item) for index, item in enumerate(row) if item is not None]
    raw_counts: RawCounts = {}
    for index, item in present:
        add_raw_counts(
            raw_counts,
            raw_counts_of_scoring(index, item.raw_counts, len(item.parts) or 1),
        )
    return _first_named(row)._replace(
        raw_counts=raw_counts,
        score=sum(item.score for _, item in present) / len(present),
        bound=sum(item.bound for _, item in present) / len(present),
        proven=all(item.proven for _, item in present),
        missing=all(item.missing for _, item in present),
        matches=(),
        errors=(),
        parts=_parts(present),
    )


def _parts(present: Sequence[tuple[int, ItemResult]]) -> tuple[SentenceCounts, ...]:
    """The parts of an item, where all references have the same ones."""
    first = [part.item for part in present[0][1].parts]
    if any([part.item for part in item.parts] != first for _, item in present):
        return ()
    parts = []
    for number, part in enumerate(present[0][1].parts):
        raw_counts: RawCounts = {}
        for index, item in present:
            add_raw_counts(
                raw_counts, raw_counts_of_scoring(index, item.parts[number].raw_counts)
            )
        parts.append(part._replace(raw_counts=raw_counts))
    return tuple(parts)


class _Item(Unit):
    """An item of a reference, for pairing.

    Args:
        item: the item as some reference has it.
        row: the item as each reference has it.
        text: its characters, where items are known by those.
    """

    __slots__ = ("characters", "row")

    def __init__(self, item: ItemResult, row: Row, text: str | None) -> None:
        self.framework, self.language, self.layer = item[0], item[1], item.layer
        self.item, self.document = item.item, item.document
        self.graphs, self.stored, self.source = (), (), None
        self.file, self.line, self.lost, self.unclear = "", None, (), ""
        self.row, self.characters = row, text

    def joined(self, others: Sequence[Unit]) -> NoReturn:
        """Refuse: what was compared is compared as it is."""
        raise PairingError(
            f"document {self.item} ({self.framework}) does not begin and end in the "
            "same place in all references, none can be chosen for it"
        )


def rows_of(results: Sequence[Result], options: Options) -> list[Row]:
    """The items of several references, those that are the same in one row.

    Args:
        results: against each reference, with items that are traced.
        options: by what ids or order they are the same.

    Returns:
        Items in order of the first reference; then those that it lacks.

    Raises:
        PairingError: if documents are cut in different places.
    """
    rows: list[Row] = []
    for result in results:
        width = len(rows[0]) if rows else 0
        rows = list(_with(rows, width, result, options))
    return rows


def _with(
    rows: list[Row], width: int, result: Result, options: Options
) -> Iterator[Row]:
    """Rows with the items of one more reference."""
    joins = sums_over(result.metric) == "sentence"
    pairing = Pairing(
        options.pair,
        id_rule(options.ids),
        lone=unit_of(result.metric) != "item",
        characters=attrgetter("characters") if joins else None,
    )
    known = [_item(row, joins) for row in rows]
    more = [_item([item], joins) for item in result.items]
    apart: list[Unit] = []
    pairs = sorted(pairing.pairs(known, more), key=lambda pair: pair.position)
    if pairing.duplicates:
        twice = pairing.duplicates[0][1]
        raise PairingError(
            f"item {twice.item} ({twice.framework}) is there twice in a reference"
        )
    for pair in pairs:
        if pair.gold is not None and pair.system is not None:
            if _same_partner(pair.gold, pair.system):
                yield [*_row(pair.gold), *_row(pair.system)]
                continue
            apart.append(pair.system)
        if pair.gold is not None:
            yield [*_row(pair.gold), None]
    apart += [pair.system for pair in pairs if pair.gold is None and pair.system]
    for item in apart:
        yield [*[None] * width, *_row(item)]


def _item(row: Row, joins: bool) -> _Item:
    item = _first_named(row)
    text = None
    if joins and item.texts and all(item.texts):
        text = "".join("".join(item.texts).split())
    return _Item(item, row, text)


def _row(unit: Unit) -> Row:
    assert isinstance(unit, _Item)
    return unit.row


def _same_partner(left: Unit, right: Unit) -> bool:
    """Return whether two items have the same partner in the system, or none.

    The only documents of two references may be two documents of the system.
    """
    partners = {
        result.partner
        for item in (left, right)
        for result in _row(item)
        if result is not None and not result.missing
    }
    return len(partners) < 2


def _spurious(results: Sequence[Result]) -> list[SpuriousUnit]:
    """System units that no reference has."""
    left = Counter(results[0].spurious_system)
    for result in results[1:]:
        left &= Counter(result.spurious_system)
    spurious = []
    for unit in results[0].spurious_system:
        if left[unit] > 0:
            left[unit] -= 1
            spurious.append(unit)
    return spurious


def _notes(made: Result, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the notes of a result and of the results that it combines."""
    own: dict[str, None] = {}
    for reference in made.references:
        # What is said of sums is said of those that were made.
        summed = {*reference.remarks()}
        own |= {note: None for note in reference.notes if note not in summed}
    yield from own
    yield from made.remarks()
    lacking = [
        sum(row[column] is None for row in rows) for column in range(len(rows[0]))
    ]
    if any(lacking):
        message = ", ".join(
            f"{reference.gold} lacks {number}"
            for reference, number in zip(made.references, lacking, strict=True)
            if number
        )
        some = sum(None in row for row in rows)
        yield (
            f"{made.system}: {amount(some, 'item')} of {len(rows)} not in every "
            f"reference, scored with those that have them: {message}"
        )
