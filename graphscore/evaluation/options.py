"""What an evaluation is asked: which units take part, and how they are scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.formats import Reading


@dataclass(frozen=True)
class Selection:
    """Which graphs of both sides take part; empty means all."""

    frameworks: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    layers: frozenset[str] = frozenset()

    def takes(self, framework: str, language: str, item: str, layer: str = "") -> bool:
        """Whether a graph takes part; one without a layer is in every layer."""
        return (
            (not self.frameworks or framework in self.frameworks)
            and (not self.languages or language in self.languages)
            and (not self.items or item in self.items)
            and (not self.layers or not layer or layer in self.layers)
        )


@dataclass(frozen=True)
class Options:
    """How an evaluation runs.

    Args:
        selection: which units take part.
        pair: by equal ids or by order.
        ids: rule that rewrites ids for pairing, see ``model.ids.id_rule``.
        budget: work per pair.
        jobs: worker processes; 1 stays in this one.
        per_item: whether results per item are kept.
        details: whether matches, errors and texts (with ``per_item``) are kept too.
        parts: whether the masses of sentences or documents are kept too, where a
            metric sums over them (``Metric.sums_over``).
        reading: formats and documents of the files.
        system_reading: those of the system's, where they are others.
    """

    selection: Selection = field(default_factory=Selection)
    pair: Literal["id", "order"] = "id"
    ids: str | None = None
    budget: Budget = field(default_factory=Budget)
    jobs: int = 1
    per_item: bool = False
    details: bool = False
    parts: bool = False
    reading: Reading = field(default_factory=Reading)
    system_reading: Reading | None = None
