"""Everything that figures depend on, in one line."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version

from graphscore.correspondence import REVISION as SEARCH
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result


def signature(result: Result, options: Options, gold: int, system: int) -> str:
    """Everything that the figures depend on, in one line.

    Args:
        result: with its metric and the numbers of its pairs.
        options: how was scored.
        gold: sum of the fingerprints of gold units.
        system: likewise of system units.
    """
    metric, budget = result.metric, options.budget
    parts = [
        f"metric:{metric}",
        f"revision:{metric.revision}",
        f"normalize:{metric.normalization}",
        f"proven:{result.proven}/{result.pairs}",
        f"pair:{options.pair}",
    ]
    if options.ids:
        parts.append(f"ids:{options.ids}")
    for name, values in (
        ("framework", options.selection.frameworks),
        ("language", options.selection.languages),
        ("items", options.selection.items),
        ("layer", options.selection.layers),
    ):
        if values:
            parts.append(selected(name, values))
    parts += [f"limit:{budget.steps}", f"search:{SEARCH}"]
    if budget.seconds is not None:
        parts.append(f"time:{budget.seconds:g}")
    for name, total in (("gold", gold), ("system", system)):
        parts.append(f"{name}:{total % (1 << 64):016x}")
    parts.append(f"version:{package_version()}")
    return "|".join(parts)


def signature_of_references(result: Result) -> str:
    """What figures over several references depend on, in one line.

    Args:
        result: made of those against each reference, which have the same metric,
            options and system.
    """
    fields = [each.signature.split("|") for each in result.references]
    golds = [
        field.removeprefix("gold:")
        for each in fields
        for field in each
        if field.startswith("gold:")
    ]
    found = []
    for field in fields[0]:
        if field.startswith("proven:"):
            field = f"proven:{result.proven}/{result.pairs}"
        elif field.startswith("gold:"):
            found += [f"references:{result.mode}", f"nrefs:{len(fields)}"]
            field = f"gold:{','.join(golds)}"
        found.append(field)
    return "|".join(found)


def proven_of(text: str, proven: str) -> str:
    """A signature that says something else of how many pairs are proven.

    Args:
        text: the signature of a result.
        proven: what it shall say.

    Example:
        >>> proven_of("metric:mrp|proven:3/7|pair:id", "7/7")
        'metric:mrp|proven:7/7|pair:id'
    """
    head, mark, rest = text.partition("|proven:")
    return f"{head}{mark}{proven}|{rest.partition('|')[2]}"


def selected(name: str, values: frozenset[str]) -> str:
    """What a signature says of a selection: the values, or how many.

    >>> selected("framework", frozenset({"eds", "dm"}))
    'framework:dm,eds'
    """
    shown = ",".join(sorted(values)) if len(values) < 6 else len(values)
    return f"{name}:{shown}"


@cache
def package_version() -> str:
    """The installed version of graphscore, looked up once."""
    try:
        return version("graphscore")
    except PackageNotFoundError:
        return "unknown"
