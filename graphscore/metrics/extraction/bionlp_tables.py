"""The table of ``a2-evaluate.pl``: classes of events, and the totals between them.

>>> from graphscore.model.outcome import Count
>>> found = with_totals({"Binding": Count(2, 1, 1), "Regulation": Count(3, 3, 0)})
>>> [(name, count.gold) for name, count in found.items()]
... # doctest: +NORMALIZE_WHITESPACE
[('Binding', 2), ('EVT-TOTAL', 2), ('Regulation', 3), ('REG-TOTAL', 3),
 ('ALL-TOTAL', 5)]
"""

from __future__ import annotations

from collections.abc import Mapping

from graphscore.metrics.extraction.bionlp_events import BINDING, MODIFICATIONS
from graphscore.model.outcome import Count, FigureTable, total_count

SIMPLE = (
    *("Gene_expression", "Transcription", "Protein_catabolism", "Localization"),
    *("Protein_modification", "Phosphorylation", "Ubiquitination", "Acetylation"),
    "Deacetylation",
)
"""Events with one theme that is a protein."""

REGULATION = ("Regulation", "Positive_regulation", "Negative_regulation")
"""Events whose themes and causes may be events."""

TOTALS = ("SVT-TOTAL", "EVT-TOTAL", "REG-TOTAL", "ALL-TOTAL", "MOD-TOTAL")
"""Simple events; those and bindings; regulations; all events; modifications."""


def with_totals(counts: Mapping[str, Count]) -> dict[str, Count]:
    """Counts by class in the order of the program, each group with its total.

    A class that the task does not know stands by itself, and is in the total of all.

    Args:
        counts: by class.
    """
    found: dict[str, Count] = {}

    def add(classes: tuple[str, ...], total: str, *with_them: str) -> None:
        there = [each for each in classes if each in counts]
        found.update((each, counts[each]) for each in there)
        every = [counts[each] for each in (*there, *with_them) if each in counts]
        if every:
            found[total] = total_count(every)

    svt, evt, reg, whole, mod = TOTALS
    add(SIMPLE, svt)
    if BINDING in counts or svt in found:
        add((BINDING,), evt, *SIMPLE)
    add(REGULATION, reg)
    known = {*SIMPLE, BINDING, *REGULATION, *MODIFICATIONS}
    found.update((each, counts[each]) for each in sorted({*counts} - known))
    events = [count for each, count in counts.items() if each not in MODIFICATIONS]
    if events:
        found[whole] = total_count(events)
    add(MODIFICATIONS, mod)
    return found


def table(kind: str, numbers: Mapping[str, float]) -> FigureTable:
    """The table of one kind.

    Args:
        kind: a kind.
        numbers: all further figures.
    """
    start, end = f"{kind}.", ".recall"
    rows: dict[str, tuple[int | float | None, ...]] = {}
    for name in numbers:
        if not (name.startswith(start) and name.endswith(end)):
            continue
        label = name[len(start) : -len(end)]
        amounts = (
            int(numbers[f"{start}{label}.{each}"])
            for each in ("gold", "matched", "system", "matched_system")
        )
        ratios = (numbers[f"{start}{label}.{each}"] for each in ("recall", "precision"))
        rows[label] = (*amounts, *ratios, numbers[f"{start}{label}.f1"])
    columns = ("class", "gold", "(match)", "answer", "(match)", "R", "P", "F1")
    return FigureTable(kind, columns, rows)
