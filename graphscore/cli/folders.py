"""Folders of files that pair by name: a score for each file, and their mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphscore.cli.operands import FileOperands, Operands
from graphscore.cli.output import Output

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric

MOST = 30
"""Files of a folder that have a row each; more of them are documents of one corpus."""


def paired_files(target: Operands, output: Output) -> tuple[str, ...]:
    """Return the names of the files that gold and all systems have, if folders.

    Args:
        target: files or collections.
        output: is told of files that only one side has.

    Returns:
        Names below the folders; none where everything is one corpus.
    """
    if not isinstance(target, FileOperands) or target.others:
        return ()
    folders = [target.gold, *target.systems]
    if not all(Path(folder).is_dir() for folder in folders):
        return ()
    from graphscore.formats.source import ANNOTATIONS

    gold, *systems = (_names(folder) for folder in folders)
    if any(name.endswith(ANNOTATIONS) for name in gold):
        return ()  # A file of annotations is a document.
    if not 1 < len(gold) <= MOST or not all(map(gold.__and__, systems)):
        return ()
    for folder, names in zip(target.systems, systems, strict=True):
        if missing := sorted(gold - names):
            output.say(
                f"{folder} has no {', '.join(missing)}; all files are scored as one "
                "corpus"
            )
            return ()
        if further := sorted(names - gold):
            output.say(f"{folder}: no gold file for {', '.join(further)}, not scored")
    return tuple(sorted(gold))


def _names(folder: str) -> set[str]:
    from graphscore.formats.discovery import gather

    return {str(Path(file).relative_to(folder)) for file in gather(folder).paths}


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
    from graphscore.evaluation.adding import add_up
    from graphscore.model.outcome import ExactCounts

    of: dict[Metric, list[Result]] = {}
    for name in names:
        for result in score(str(Path(gold) / name), str(Path(system) / name)):
            sums: dict[tuple[str, str, str, str], ExactCounts] = {}
            for (framework, language, _, layer), counts in result.raw_counts.items():
                key = framework, language, name, layer
                sums.setdefault(key, ExactCounts()).add(counts)
            result.raw_counts = {**sums}
            result.gold, result.system = gold, system
            of.setdefault(result.metric, []).append(result)
    return [add_up(results) for results in of.values()]
