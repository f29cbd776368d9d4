"""Folders of files that pair by name: a score for each file, and their mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, zip_longest
from os.path import isdir, relpath
from typing import TYPE_CHECKING

from graphscore.cli.operands import Operands
from graphscore.cli.output import Output
from graphscore.rows import by_number

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.evaluation.unit import ItemResult
    from graphscore.metrics.base import Metric
    from graphscore.model.outcome import ExactCounts

MOST = 100
"""Files of a folder that have a row each; more of them are documents of one corpus."""

_NUMBER = r"(?<= )\d+(?= )"
"""An amount in a note."""


def by_file(target: Operands, output: Output) -> Operands:
    """Return operands whose files are scored one by one, if all are folders of them.

    Args:
        target: files or collections.
        output: is told of files that only one side has.
    """
    if target.store or target.others:
        return target
    folders = [target.gold, *target.systems]
    if not all(isdir(folder) for folder in folders):
        return target
    from graphscore.formats.source import ANNOTATIONS

    gold, *systems = (_names(folder) for folder in folders)
    if any(name.endswith(ANNOTATIONS) for name in gold):
        return target  # A file of annotations is a document.
    if len(gold) < 2 or not all(map(gold.__and__, systems)):
        return target
    if len(gold) > MOST:
        output.say(f"{target.gold}: {len(gold)} files are scored as one corpus")
        return target
    for folder, names in zip(target.systems, systems, strict=True):
        if missing := sorted(gold - names):
            output.say(
                f"{folder} has no {', '.join(missing)}; all files are scored as one "
                "corpus"
            )
            return target
        if further := sorted(names - gold):
            output.say(f"{folder}: no gold file for {', '.join(further)}, not scored")
    return target._replace(files=tuple(sorted(gold, key=by_number)))


def _names(folder: str) -> set[str]:
    from graphscore.formats.discovery import gather

    return {relpath(file, folder) for file in gather(folder).paths}


def score_by_file(
    gold: str,
    system: str,
    names: Sequence[str],
    score: Callable[[str, str], list[Result]],
) -> list[Result]:
    """Score each file of a folder, and add up what they give.

    Args:
        gold: a folder.
        system: another.
        names: of files that both have.
        score: scores a file of the one and a file of the other.

    Returns:
        A result per metric, whose documents are the files.
    """
    from pathlib import Path

    from graphscore.evaluation.adding import add_up

    results: dict[Metric, list[Result]] = {}
    notes: dict[Metric, list[list[str]]] = {}
    for name in names:
        sides = str(Path(gold) / name), str(Path(system) / name)
        for result in score(*sides):
            remarks = {*result.remarks()}
            own = [note for note in result.notes if note not in remarks]
            for side, folder in zip(sides, (gold, system), strict=True):
                own = [note.replace(side, folder) for note in own]
            notes.setdefault(result.metric, []).append(own)
            result.notes.clear()
            _make_document(result, name)
            result.gold, result.system = gold, system
            results.setdefault(result.metric, []).append(result)
    added = []
    for metric, of_metric in results.items():
        _tell_apart(of_metric)
        total = add_up(of_metric)
        total.notes = [*_said_once(notes[metric]), *total.remarks()]
        added.append(total)
    return added


def _said_once(notes: Iterable[Iterable[str]]) -> list[str]:
    """The notes of files, each once, with how many files it is true of.

    Notes that differ in numbers alone are one, with the sum of each number.

    >>> _said_once([["a: 2 graphs left out"], ["a: 3 graphs left out"], ["b"]])
    ['a: 5 graphs left out, in 2 files', 'b']
    """
    numbers: dict[tuple[str, ...], list[list[int]]] = {}
    for of_file in notes:
        for note in of_file:
            texts = tuple(re.split(_NUMBER, note))
            values = [*map(int, re.findall(_NUMBER, note))]
            numbers.setdefault(texts, []).append(values)
    lines = []
    for texts, files in numbers.items():
        sums = [str(sum(values)) for values in zip(*files, strict=True)]
        line = "".join(chain(*zip_longest(texts, sums, fillvalue="")))
        lines.append(line + f", in {len(files)} files" * (len(files) > 1))
    return lines


def _make_document(result: Result, name: str) -> None:
    """Make a file the document of everything in a result."""
    from graphscore.model.outcome import ExactCounts

    sums: dict[tuple[str, str, str, str], ExactCounts] = {}
    for (framework, language, _, layer), counts in result.raw_counts.items():
        key = framework, language, name, layer
        sums.setdefault(key, ExactCounts()).add(counts)
    result.raw_counts = {**sums}
    result.items = [
        item._replace(
            document=name,
            parts=tuple(part._replace(document=name) for part in item.parts),
        )
        for item in result.items
    ]


def _tell_apart(results: Iterable[Result]) -> None:
    """Put the name of the file before the ids of items that several files have."""
    results = [*results]
    known = Counter(_identity(item) for result in results for item in result.items)
    for result in results:
        result.items = [
            item._replace(item=f"{item.document}:{item.item}")
            if known[_identity(item)] > 1
            else item
            for item in result.items
        ]


def _identity(item: ItemResult) -> tuple[str, str, str, str]:
    return item.framework, item.language, item.layer, item.item
