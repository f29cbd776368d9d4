"""Messages about results, one line each, and the error if nothing is paired."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace

from graphscore.evaluation.result import Result
from graphscore.exceptions import LossWarning, PairingError, amount, listed
from graphscore.inputs import NO_FIELD, NOT_IN_TEXT, REPAIRED, WITHOUT_TEXT
from graphscore.metrics.base import (
    ANOTHER_ORDER,
    Metric,
    covers,
    own_frameworks,
)
from graphscore.model.frameworks import framework as framework_of
from graphscore.model.graph import Graph

_LOSSES = (
    "left out that cannot be read",
    ANOTHER_ORDER,
    REPAIRED,
    NOT_IN_TEXT,
    WITHOUT_TEXT,
    NO_FIELD,
)
"""Parts of notes that are warned of."""

LEFT_OUT = " does not score "
"""Text of the note on graphs that a metric leaves out."""

NAMED = 3
"""Ids of each side that are shown where nothing pairs."""

SHOWN = 24
"""Characters of a text that are shown where it differs from gold's."""


def merge_notes(results: Sequence[Result]) -> list[str]:
    """The notes of results: each once, and in one line what several metrics share.

    Args:
        results: those of one command.

    Returns:
        Lines, in the order in which they come up.

    >>> from graphscore.metrics import parse
    >>> results = [Result(parse(each), "a", "b") for each in ("ner", "trigger")]
    >>> for result in results:
    ...     result.notes += [f"{result.metric} does not score coref: 2 graphs left out",
    ...                      "a: left alone: LICENSE"]
    >>> for line in merge_notes(results):
    ...     print(line)
    ner, trigger do not score coref: 2 graphs left out
    a: left alone: LICENSE
    """
    metrics_by_note: dict[str, dict[str, None]] = {}
    for result in results:
        name = str(result.metric)
        for note in result.notes:
            shared = note.startswith(f"{name} ")
            rest = note.removeprefix(name) if shared else note
            metrics = metrics_by_note.setdefault(rest, {})
            if shared:
                metrics[name] = None
    return [
        ", ".join(names) + (rest.replace(" does ", " do ", 1) if names[1:] else rest)
        for rest, metrics in metrics_by_note.items()
        for names in [[*metrics]]
    ]


def bad_records(result: Result, became: str = "scored as missing") -> str:
    """Say how many records of a system could not be read; nothing where all were.

    Args:
        result: of one system and metric.
        became: what became of them.
    """
    if not result.rejected_records:
        return ""
    return f"{result.system}: {amount(result.rejected_records, 'bad record')}, {became}"


def with_first(sentence: str, result: Result) -> str:
    """A sentence about bad records, with the first thing that is wrong with them."""
    first = f"; first {result.rejected[0]}" if result.rejected else ""
    return f"{sentence}{first}"


def without_system(results: Iterable[Result]) -> list[str]:
    """Say of how many gold graphs a system has none.

    Args:
        results: those of one command.

    Returns:
        A sentence for each system and number, which names the metrics.

    Example:
        >>> from graphscore.metrics import parse
        >>> results = [Result(parse(each), "a", "b", missing_system=2)
        ...            for each in ("ner", "trigger")]
        >>> without_system(results)
        ['b (ner, trigger): 2 gold graphs without a system graph, scored as empty']
    """
    metrics: dict[tuple[str, int], dict[str, None]] = {}
    for result in results:
        if result.missing_system:
            lost = result.system, result.missing_system
            metrics.setdefault(lost, {})[str(result.metric)] = None
    return [
        f"{system} ({', '.join(names)}): {amount(missing, 'gold graph')} without a "
        "system graph, scored as empty"
        for (system, missing), names in metrics.items()
    ]


def losses(results: Sequence[Result]) -> list[str]:
    """Say what of systems could not be read, or is not there.

    Args:
        results: those of one call; several metrics lose the same once.

    Returns:
        A sentence each for bad records, with the first that is wrong with them, and
        for gold units without a system unit.
    """
    bad = [with_first(sentence, x) for x in results if (sentence := bad_records(x))]
    return [*dict.fromkeys(bad), *without_system(results)]


def note_losses(results: Sequence[Result], stacklevel: int = 2) -> None:
    """Add to results what was lost, and warn of what could not be read.

    Args:
        results: of one call.
        stacklevel: frames up to the caller's own line.
    """
    if any(x.rejected_records or x.missing_system or x.notes for x in results):
        warn_of_losses(results, stacklevel + 1)
        for result in results:
            result.notes += losses([result])


def warn_of_losses(results: Sequence[Result], stacklevel: int = 2) -> None:
    """Warn of what of systems could not be read, and of lists in another order.

    Each thing is said once.

    Args:
        results: of one call, to whose notes nothing was added.
        stacklevel: frames up to the caller's own line.
    """
    lossy = [result for result in results if result.rejected_records or result.left_out]
    # What was left out of records that were read is among the notes.
    parts = [
        note for note in merge_notes(results) if any(loss in note for loss in _LOSSES)
    ]
    warn([*losses(lossy), *parts], stacklevel + 1)


def warn(sentences: Iterable[str], stacklevel: int = 2) -> None:
    """Warn of losses.

    Args:
        sentences: what was lost.
        stacklevel: frames up to the caller's own line.
    """
    for sentence in dict.fromkeys(sentences):
        warnings.warn(sentence, LossWarning, stacklevel=stacklevel + 1)


def said_of(results: Sequence[Result]) -> tuple[str, ...]:
    """All that there is to say of results, losses included.

    Args:
        results: those of one call, to whose notes no losses were added.
    """
    return (*merge_notes(results), *losses(results))


def said_by_metric(
    scored: Iterable[Iterable[Result]], names: Iterable[str]
) -> dict[Metric, tuple[str, ...]]:
    """All that there is to say of the results of each metric.

    Args:
        scored: the results of each system.
        names: what the systems are called.
    """
    by_metric: dict[Metric, list[Result]] = {}
    for result in as_called(scored, names):
        by_metric.setdefault(result.metric, []).append(result)
    return {metric: said_of(results) for metric, results in by_metric.items()}


def as_called(scored: Iterable[Iterable[Result]], names: Iterable[str]) -> list[Result]:
    """Results in whose notes systems go by the names that they have elsewhere.

    Args:
        scored: the results of each system.
        names: what the systems are called.
    """
    return [
        _with_system(result, name)
        for name, results in zip(names, scored, strict=True)
        for result in results
    ]


def _with_system(result: Result, name: str) -> Result:
    before = f"{result.system}: "
    notes = [
        f"{name}: {note.removeprefix(before)}" if note.startswith(before) else note
        for note in result.notes
    ]
    return replace(result, system=name, notes=notes)


def unlike(item: str, gold: Graph, system: Graph) -> str:
    """Describe the first word in which the texts of an item differ.

    Args:
        item: of gold.
        gold: the gold graph.
        system: the system's.
    """
    texts = gold.text, system.text
    # One may be the beginning of the other.
    letters = enumerate(zip(*texts, strict=False))
    same = next((k for k, (a, b) in letters if a != b), min(map(len, texts)))
    start = max(text.rfind(" ", 0, same) for text in texts) + 1
    gold_words, system_words = (f"{text[start:][:SHOWN]!r}" for text in texts)
    return f"item {item}: {system_words}, gold has {gold_words}"


def refuse_unpaired(
    result: Result,
    has_system: bool,
    as_many: bool,
    rules: Callable[[], Sequence[str]],
    gold_ids: Sequence[str],
) -> None:
    """Raise if both sides have units, of which none is paired: that is a mistake.

    A side that has nothing of what a metric scores is none: without gold there is no
    score, and without a system graph all of gold is missing.

    Args:
        result: what was found: gold units, and none of them with a system unit.
        has_system: whether any graph of the system could be read.
        as_many: whether both sides have as many units of everything.
        rules: gives the rules under which any ids of both sides are the same.
        gold_ids: the first ids of gold.

    Raises:
        PairingError: naming the numbers and the first ids of each side.
    """
    gone = result.rejected_records and not has_system
    if result.spurious_system or gone:
        raise PairingError(_describe_unpaired(result, as_many, rules(), gold_ids))


def refuse_other_frameworks(
    result: Result, gold: Collection[str], system: Collection[str]
) -> None:
    """Raise if both sides hold graphs, but none of the same framework.

    Args:
        result: what was found.
        gold: the frameworks that gold holds, scored or not.
        system: those that the system holds.

    Raises:
        PairingError: naming what each side holds.
    """
    over_words = all(framework_of(name).family != "meaning" for name in gold)
    words = all(framework_of(name).family == "dependencies" for name in system)
    # Words without the layer that gold has over them say that there is nothing.
    silent = over_words and words
    if gold and system and set(gold).isdisjoint(system) and not silent:
        raise PairingError(
            f"nothing paired for {result.metric} in {result.system}: gold holds "
            f"{', '.join(sorted(gold))}, system {', '.join(sorted(system))}; expected "
            "graphs of the same framework"
        )


def with_gold(results: list[Result]) -> list[Result]:
    """Results, if gold has something to score for any of their metrics.

    Raises:
        PairingError: if it has nothing for any of them.
    """
    if not results or any(result.pairs for result in results):
        for result in results:
            if not result.pairs:
                scored = (
                    " and ".join(sorted(own_frameworks(result.metric))) or "anything"
                )
                result.notes.append(
                    f"{result.gold}: nothing that {result.metric} scores, which is "
                    f"graphs of {scored}"
                )
        return results
    result = results[0]
    frameworks = sorted(
        {name for result in results for name in own_frameworks(result.metric)}
    )
    if not frameworks or result.spurious_system or result.rejected:
        raise PairingError(_describe_unpaired(result))
    metrics = ", ".join(str(result.metric) for result in results)
    notes = dict.fromkeys(note for result in results for note in result.notes)
    raise PairingError(
        f"nothing to score with {metrics} in {result.system}: "
        f"{'they score' if len(results) > 1 else 'it scores'} graphs of "
        f"{' and '.join(frameworks)}" + "".join(f"\n{note}" for note in notes)
    )


def _describe_unpaired(
    result: Result,
    as_many: bool = False,
    rules: Sequence[str] = (),
    gold_ids: Sequence[str] = (),
) -> str:
    """Describe both sides, of which nothing pairs."""
    spurious = result.spurious_system
    firsts = {"gold": gold_ids, "system": [unit.item for unit in spurious[:NAMED]]}
    example = "".join(
        f", first of {side} {', '.join(map(repr, ids))}"
        for side, ids in firsts.items()
        if ids
    )
    numbers = f"{result.pairs} gold and {len(spurious)} system graphs"
    bad = "".join(f"\n{problem}" for problem in listed(result.rejected, 20))
    if not spurious:
        # Graphs of another framework may be there.
        bad += "".join(f"\n{note}" for note in result.notes)
    advice = "compare ids, frameworks and --ids"
    if rules:
        advice = f"give --ids {rules[0]}, under which ids are the same"
    elif as_many:
        advice += ", or pair all of them with --pair order"
    return (
        f"nothing paired for {result.metric} in {result.system}: {numbers}{example}; "
        f"{advice}{bad}"
    )


def add_notes(
    result: Result, gold: Set[str], system: Set[str], unscored: Mapping[str, int]
) -> None:
    """Say which frameworks were left out or are absent.

    Args:
        result: is told.
        gold: the frameworks that gold has of what is scored.
        system: those that the system has.
        unscored: how many graphs there are of frameworks that nothing scores.
    """
    metric = result.metric
    parts = {framework_of(whole).composed_of for whole in metric.frameworks}
    for framework in sorted(gold - system):
        result.notes.append(
            f"{result.system}: no {framework} graphs at all; all gold "
            f"{framework} tuples count as missing"
        )
    for able, how in ((False, ""), (True, " unless --framework names it")):
        left_out = {
            framework: number
            for framework, number in unscored.items()
            if framework not in parts and covers(metric, framework) == able
        }
        if left_out:
            result.notes.append(
                f"{metric}{LEFT_OUT}{', '.join(sorted(left_out))}{how}: "
                f"{amount(sum(left_out.values()), 'graph')} left out"
            )
    if len(gold) > 1 and not metric.made_for:
        result.notes.append(
            f"{metric} is made for no framework in particular and scored "
            f"{', '.join(sorted(gold))} together"
        )
