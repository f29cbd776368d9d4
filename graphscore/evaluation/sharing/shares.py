"""Evaluations of which workers read, pair and compare a share each.

Where both sides have an index, a worker reads its own records of both, which pair by
their ids.  Elsewhere every worker reads and pairs all, and compares its share of it:
reading a graph takes less than sending it.  Only streams are read by one process that
sends the graphs.  What workers find is added up as one process would have added it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple
from zlib import crc32

from graphscore.evaluation.default_metrics import SideContent
from graphscore.evaluation.options import Options
from graphscore.evaluation.pairing import Pair
from graphscore.evaluation.run import Addition, EvaluationRun, Listener
from graphscore.evaluation.sharing.index import (
    Index,
    RecordSource,
    Run,
    UnfitError,
    index_of,
)
from graphscore.evaluation.sharing.workers import Readers
from graphscore.evaluation.sources.base import Losses
from graphscore.evaluation.sources.files import FileSource
from graphscore.evaluation.tally import Tally
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import UsageError
from graphscore.formats.streams import read_once
from graphscore.metrics.base import Metric
from graphscore.metrics.base import Unit as UnitKind
from graphscore.model.ids import id_rule

if TYPE_CHECKING:
    from concurrent.futures import Future


class Job(NamedTuple):
    """Settings of an evaluation, the same for every worker."""

    gold: str
    """Files."""
    system: str
    metrics: tuple[Metric, ...]
    options: Options
    kind: UnitKind
    watched: bool
    """Record the content of the files, as default metrics need."""


class Share(NamedTuple):
    """A part of an evaluation."""

    number: int
    """From 0."""
    of: int
    runs: tuple[list[Run], list[Run]] | None = None
    """The records of gold and of the system that belong to it; without, all are read,
    and those pairs belong to it whose names say so."""


@dataclass
class Portion:
    """Result of a worker for its share.

    Attributes:
        additions: a sum for each metric.
        tally: what was noticed of both sides.
        numbers: of units of both sides that were gone through.
        unscored: of both sides, graphs that nothing scores, by framework.
        losses: of both sides.
        held: of both sides, what there is, where that is asked for.
        paired: what there is to say of how units were paired.
    """

    additions: list[Addition]
    tally: Tally
    numbers: tuple[int, int]
    unscored: tuple[Counter[str], Counter[str]]
    losses: tuple[Losses, Losses]
    held: tuple[SideContent, SideContent] | None
    paired: Paired


class Paired(NamedTuple):
    """Messages about the pairing of units."""

    duplicates: list[tuple[Literal["gold", "system"], Unit]]
    firsts: list[str]
    joined: list[tuple[str, int, int, bool]]
    unnamed: list[tuple[str, list[str]]]
    rules: list[str]


def score_share(
    job: Job, share: Share, listener: Listener | None = None
) -> Portion | None:
    """Score a share of an evaluation; runs in a worker.

    Args:
        job: the evaluation.
        share: the share.
        listener: is told of every gold unit of it.

    Returns:
        What was found; ``None`` if records are not what their index says, and must be
        read as a whole.

    Raises:
        GraphscoreError: as scoring everything in one process.
    """
    gold, system, chosen = _sides(job, share)
    held = None
    if job.watched:
        held = SideContent(), SideContent()
        for source, content in zip((gold, system), held, strict=True):
            source.watch(content)
    evaluation_run = EvaluationRun(gold, system, job.metrics, job.options, job.kind)
    try:
        evaluation_run.run(listener=listener, chosen=chosen)
    except UnfitError:
        return None
    assert evaluation_run.losses is not None
    alone = any(
        result.pairs == result.missing_system for result in evaluation_run.results
    )
    pairing = evaluation_run.pairing
    return Portion(
        evaluation_run.additions,
        evaluation_run.tally,
        pairing.numbers,
        (gold.unscored, system.unscored),
        evaluation_run.losses,
        held,
        Paired(
            pairing.duplicates,
            pairing.firsts,
            pairing.joined,
            pairing.unnamed,
            # They are only asked for where nothing pairs.
            pairing.rules() if alone and share.runs is None else [],
        ),
    )


def _sides(
    job: Job, share: Share
) -> tuple[FileSource, FileSource, Callable[[Pair], Pair | None]]:
    """Both sides of a share, and which pairs of them belong to it."""
    options = job.options
    readings = [options.reading, options.system_reading or options.reading]
    readings[1] = readings[1].lent(job.gold)
    operands = job.gold, job.system
    if share.runs is None:
        whole = [
            FileSource(operand, options.selection, reading)
            for operand, reading in zip(operands, readings, strict=True)
        ]
        return whole[0], whole[1], lambda pair: pair if _is_of(pair, share) else None
    gold, system = (
        RecordSource(operand, options.selection, reading, runs)
        for operand, reading, runs in zip(operands, readings, share.runs, strict=True)
    )

    def placed(pair: Pair) -> Pair:
        if job.kind == "document" and not _are_one_text(pair):
            raise UnfitError
        if pair.gold is not None:
            return pair._replace(position=gold.place(pair.gold))
        assert pair.system is not None
        return pair._replace(position=system.place(pair.system))

    return gold, system, placed


def _are_one_text(pair: Pair) -> bool:
    """Return whether a document of one name has one text on both sides.

    Others are joined, or pair with documents that may be in another share.
    """
    gold, system = pair.gold, pair.system
    if gold is None or system is None or gold.item != system.item:
        return False
    texts = gold.texts, system.texts
    if not (all(texts[0]) and all(texts[1])):
        return False
    if texts[0] == texts[1]:
        return True
    first, second = ("".join("".join(side).split()) for side in texts)
    return first == second


def _is_of(pair: Pair, share: Share) -> bool:
    """Return whether a pair belongs to a share, by its names, alike in all workers."""
    unit = pair.gold or pair.system
    assert unit is not None
    names = unit.framework, unit.language, unit.layer, unit.item
    name = "\0".join(names).encode("utf-8", "surrogatepass")
    return crc32(name) % share.of == share.number


def shared_out(evaluation: EvaluationRun, executor: Readers) -> bool:
    """Have workers read and compare everything, each its share.

    Args:
        evaluation: of two sides, of which nothing was read yet; it is filled as if it
            had been run.
        executor: the workers.

    Returns:
        Whether that was done; if not, the evaluation is as it was.

    Raises:
        GraphscoreError: as running it here.
    """
    gold, system, options = evaluation.gold, evaluation.system, evaluation.options
    if not (isinstance(gold, FileSource) and isinstance(system, FileSource)):
        return False
    job = Job(
        gold.operand,
        system.operand,
        tuple(evaluation.metrics),
        replace(options, jobs=1),
        evaluation.kind,
        gold.held is not None,
    )
    sides = None
    if evaluation.kind in ("item", "document") and options.pair == "id":
        sides = _indexes(gold, system, executor, evaluation.kind)
    if sides is not None:
        runs = _runs(*sides, options, executor.shares)
        shares = [Share(n, len(runs), both) for n, both in enumerate(runs)]
        portions = _portions(job, shares, executor) if shares else None
        if portions is not None:
            losses = sides[0].losses(), sides[1].losses()
            _fill(evaluation, portions, losses)
            for portion in portions:
                gold.unscored.update(portion.unscored[0])
                system.unscored.update(portion.unscored[1])
            return True
    operands = gold.operand, system.operand
    if any(map(read_once, operands)):
        return False
    shares = [Share(n, executor.readings) for n in range(executor.readings)]
    portions = _portions(job, shares, executor)
    assert portions is not None
    _refuse_others(portions)
    first = portions[0]
    _fill(evaluation, portions, first.losses)
    for source, unscored in zip((gold, system), first.unscored, strict=True):
        source.unscored = unscored
    pairing, paired = evaluation.pairing, first.paired
    pairing.duplicates, pairing.firsts = paired.duplicates, paired.firsts
    pairing.joined, pairing.unnamed = paired.joined, paired.unnamed
    evaluation.rules = lambda: paired.rules
    return True


def _indexes(
    gold: FileSource, system: FileSource, executor: Readers, kind: UnitKind
) -> tuple[Index, Index] | None:
    """The indexes of both sides, if they have any; that of gold is kept."""
    known, own = executor.indexed
    key = gold.operand, gold.reading, kind
    if known != key:
        own = index_of(*key)
        executor.indexed = key, own
    system_index = index_of(system.operand, system.reading, kind) if own else None
    return (own, system_index) if own and system_index else None


def _runs(
    gold: Index, system: Index, options: Options, number: int
) -> list[tuple[list[Run], list[Run]]]:
    """The records of every share: some of gold, and those that pair with these.

    Returns:
        Runs of both sides for each share; none if units may pair otherwise than by
        their ids, or a framework not at all.
    """
    rule = id_rule(options.ids)
    sides = [
        {(framework, rule(item)): n for n, (framework, item) in enumerate(index.keys)}
        for index in (gold, system)
    ]
    if any(
        len(side) < len(index.keys)
        for side, index in zip(sides, (gold, system), strict=True)
    ):
        return []
    # Documents of other names, or in another order, may pair by their texts.
    if gold.kind == "document" and [*sides[0]] != [*sides[1]]:
        return []
    frameworks = [{framework for framework, _ in side} for side in sides]
    paired = {framework for framework, _ in sides[0].keys() & sides[1].keys()}
    if frameworks[0] & frameworks[1] > paired:
        return []
    total = len(gold.keys), len(system.keys)
    records: list[list[int]] = [[] for _ in range(number)]
    for key, record in sides[1].items():
        partner = sides[0].get(key)
        # What is spurious is anybody's.
        share = record * number // total[1]
        records[share if partner is None else partner * number // total[0]].append(
            record
        )
    bounds = [-(-total[0] * n // number) for n in range(number + 1)]
    return [
        (gold.runs(range(bounds[n], bounds[n + 1])), system.runs(records[n]))
        for n in range(number)
    ]


def _portions(
    job: Job, shares: Sequence[Share], executor: Readers
) -> list[Portion] | None:
    """Return the results of workers in order, or none if any failed."""
    executor.tell(0, len(shares))
    futures: list[Future[Portion | None]] = []
    portions: list[Portion] = []
    try:
        futures += (executor.share(score_share, job, share) for share in shares)
        for future in futures:
            portion = future.result()
            if portion is None:
                executor.leave(futures)
                return None
            portions.append(portion)
            executor.tell(len(portions), len(shares))
    except BaseException as error:
        executor.leave(futures, isinstance(error, KeyboardInterrupt))
        raise
    return portions


def _fill(
    evaluation: EvaluationRun,
    portions: Sequence[Portion],
    losses: tuple[Losses, Losses],
) -> None:
    """Add what workers found to an evaluation that was not run."""
    sides = evaluation.gold, evaluation.system
    evaluation.losses = losses
    for portion in portions:
        for addition, portion_addition in zip(
            evaluation.additions, portion.additions, strict=True
        ):
            addition.merge(portion_addition)
        evaluation.tally.merge(portion.tally)
        for number, source in enumerate(sides):
            if source.held is not None and portion.held is not None:
                source.held.merge(portion.held[number])


def _refuse_others(portions: Sequence[Portion]) -> None:
    """Raise if workers did not read the same.

    Raises:
        UsageError: naming the numbers.
    """
    numbers = sorted({portion.numbers for portion in portions})
    if len(numbers) > 1:
        shown = ", ".join(f"{gold} and {system}" for gold, system in numbers)
        raise UsageError(
            f"workers do not see the same files: {shown} graphs or documents of gold "
            "and the system"
        )
