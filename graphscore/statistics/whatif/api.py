"""Python interface to the error impact."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Unpack

from graphscore.evaluation.api import into_class
from graphscore.evaluation.messages import warn_of_losses
from graphscore.evaluation.options import (
    WORD_TYPES,
    Options,
    OptionWords,
    References,
    options_of,
)
from graphscore.evaluation.scoring import score_files, score_references
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError, expecting
from graphscore.inputs.alignment import sides
from graphscore.metrics.registry import frameworks_of, parse
from graphscore.statistics.whatif.corrections import WhatIf, refuse_dependent, what_if
from graphscore.store.detect import best_mode, is_store


@expecting(options=Options | None, **WORD_TYPES)
def whatif(
    *operands: Any,
    gold: Any = None,
    system: Any = None,
    metric: Any = None,
    options: Options | None = None,
    **words: Unpack[OptionWords],
) -> WhatIf | list[WhatIf]:
    """Say for each class of errors what the main score would be without it.

    Args:
        operands: gold and a system, each whatever :func:`~graphscore.score` takes; or
            a :class:`~graphscore.Store`, or its file.
        gold: gold, if it is not the first of the operands; its collection in a store.
        system: likewise the system.
        metric: a metric or its string; without, the default metrics of the frameworks
            that are there.
        options: selection, pairing, budget.
        words: the same by keywords, as for :func:`~graphscore.score`.

    Returns:
        What every class of errors costs; a list with one per metric where no metric
        was given and there are several defaults.

    Warns:
        LossWarning: if records of the system cannot be read and count as missing; the
            notes say it too.

    Raises:
        InputError: if gold cannot be used; every problem is named.
        PairingError: if nothing pairs.
        UsageError: if a side is not given, a metric is unknown, or errors of the
            metric cannot be put right one by one.

    Example:
        >>> from graphscore import Graph, Node
        >>> def corpus(label):
        ...     return [Graph(str(n), "amr", 2, nodes=(Node(0, label),), tops=(0,))
        ...             for n in range(3)]
        >>> dogs, cats = corpus("dog"), corpus("cat")
        >>> found = whatif(dogs, cats, metric="mrp")
        >>> found.value, found.classes[0].label, found.classes[0].value
        (0.5, 'cat', 1.0)
    """
    metrics = None if metric is None else [parse(metric)]
    for parsed in metrics or ():
        refuse_dependent(parsed)
    options = options_of("whatif", options, words, ("gold", "system", "metric"))
    chosen = replace(options, per_item=True, details=True)
    left = list(operands)
    held = bool(left) and (
        isinstance(left[0], Store) or (isinstance(left[0], str) and is_store(left[0]))
    )
    source = left.pop(0) if held else None
    if gold is None and left:
        gold = left.pop(0)
    if system is None and left:
        system = left.pop(0)
    if left or gold is None or system is None:
        raise UsageError("expected gold and one system")
    if source is None:
        chosen = into_class(chosen, metric, gold, system)
        readings = chosen.reading, chosen.system_reading or chosen.reading
        frameworks = frameworks_of(metrics)

        def as_sides(first: Any, second: Any) -> tuple[Any, Any]:
            return sides(first, second, readings=readings, frameworks=frameworks)[:2]

        if isinstance(gold, References):
            results = score_references(gold, system, metrics, chosen, sides=as_sides)
        else:
            gold, system, cls = sides(
                gold, system, readings=readings, frameworks=frameworks
            )
            if metrics is None and cls is not None:
                metrics = [parse(cls)]
            results = score_files(gold, system, metrics, chosen)
    else:
        own = isinstance(source, str)
        with (
            Store(source, mode=best_mode(source)) if own else nullcontext(source)
        ) as store:
            results = store.evaluate(gold, system, metrics, chosen, stored=True)
    found = [what_if(result) for result in results]
    warn_of_losses(results, stacklevel=3)
    return found[0] if len(found) == 1 else list(found)
