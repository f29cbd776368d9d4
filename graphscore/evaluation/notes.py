"""What is said of results, each thing in one line."""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.evaluation.result import Result


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
