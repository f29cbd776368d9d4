"""What is said of results, each thing in one line."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.evaluation.result import Result
from graphscore.model.graph import Graph

SHOWN = 24
"""Characters of a text that are shown where it differs from gold's."""


def told(results: Sequence[Result]) -> list[str]:
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
    >>> for line in told(results):
    ...     print(line)
    ner, trigger do not score coref: 2 graphs left out
    a: left alone: LICENSE
    """
    found: dict[str, dict[str, None]] = {}
    for result in results:
        name = str(result.metric)
        for note in result.notes:
            shared = note.startswith(f"{name} ")
            rest = note.removeprefix(name) if shared else note
            metrics = found.setdefault(rest, {})
            if shared:
                metrics[name] = None
    return [
        ", ".join(names) + (rest.replace(" does ", " do ", 1) if names[1:] else rest)
        for rest, metrics in found.items()
        for names in [[*metrics]]
    ]


def remarks(result: Result) -> list[str]:
    """What a metric says of the sums of a result, and of those of each framework.

    Args:
        result: with all of its sums.
    """
    metric = result.metric
    found = [*metric.remarks(result.total)]
    for framework, masses in sorted(result.by_framework.items()):
        if said := metric.remark_on(framework, masses):
            found.append(f"{result.system}: {said}")
    return found


def unlike(item: str, gold: Graph, system: Graph) -> str:
    """Where the texts of an item differ: the first such word.

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
