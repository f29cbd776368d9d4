"""Rules with their settings, and what follows from both together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphscore.rules.facts import COLUMNS
from graphscore.rules.model import (
    CREDITED,
    NOT_COUNTED,
    OTHER,
    SIDES,
    Rule,
    Settings,
    Side,
    Treatment,
)
from graphscore.rules.sandbox import MENTION_COLUMNS, SPAN_COLUMNS, read_by
from graphscore.rules.type_checking import Names


@dataclass(frozen=True)
class RuleSet:
    """Rules with their settings, as they stand after all that they extend.

    Args:
        title: what it is for.
        phases: names of phases, in order.
        rules: the rules, in the order of the files.
        settings: everything else.
        treatments: how each class counts.
        files: the files that it was read from.
        digest: a number that changes with their contents.
    """

    title: str
    phases: tuple[str, ...]
    rules: tuple[Rule, ...]
    settings: Settings
    treatments: Mapping[str, Treatment]
    files: tuple[str, ...] = ()
    digest: int = 1

    @cached_property
    def span_columns(self) -> tuple[str, ...]:
        """The columns of spans that some rule reads, and those of their places."""
        return self._columns(False, ("start", "end", "pieces"))

    @cached_property
    def entry_columns(self) -> tuple[str, ...]:
        """The columns of entities that some rule reads, and their key."""
        return self._columns(True, ("key",), frozenset(MENTION_COLUMNS))

    @cached_property
    def properties(self) -> tuple[str, ...]:
        """The columns of spans that are properties of their nodes."""
        known = {*SPAN_COLUMNS, *COLUMNS}
        return tuple(name for name in self.span_columns if name not in known)

    @property
    def names(self) -> Names:
        """Names allowed in conditions beside columns."""
        settings = self.settings
        return Names(
            settings.properties, frozenset(settings.lists), frozenset(settings.aliases)
        )

    def _columns(
        self,
        document: bool,
        needed: tuple[str, ...],
        without: frozenset[str] = frozenset(),
    ) -> tuple[str, ...]:
        columns = {
            column
            for rule in self.in_order()
            if (rule.level == "document") == document
            for table, _, column in (name.partition(".") for name in read_by(rule))
            if table in (*SIDES, OTHER)
        }
        return (*needed, *sorted(columns - {*needed, "class", "resolution"} - without))

    def in_order(self) -> list[Rule]:
        """The rules that take part, in the order in which they fire."""
        phases = {name: k for k, name in enumerate(self.phases)}
        kept = [rule for rule in self.rules if self.takes(rule)]
        return sorted(kept, key=lambda r: (phases[r.phase], -r.priority, r.name))

    def takes(self, rule: Rule) -> bool:
        """Return true if a rule takes part: span rules always, others by level."""
        levels = self.settings.levels
        always = rule.level == "span"
        return rule.enabled and (always or rule.level in levels)

    def credit(
        self, name: str, side: Side, chosen: float | None = None
    ) -> float | None:
        """Return what a class earns on a side.

        Args:
            name: the class.
            side: gold, for recall, or system, for precision.
            chosen: what fuzzy, conditional and partial classes are worth, instead of
                what the settings say.

        Returns:
            0 to 1; ``None`` if it is no part of the denominator.
        """
        treated, low, own = self.treatments[name]
        ignored = low and self.settings.low_confidence == "ignore"
        if ignored or treated in NOT_COUNTED[side]:
            return None
        if treated == "true":
            return 1.0
        if treated in CREDITED:
            if chosen is not None:
                return chosen
            credits: Mapping[Any, float] = self.settings.credit
            return credits[treated] if own is None else own
        return 0.0

    def is_plain(self, name: str) -> bool:
        """Return true if a class needs no explanation: correct, and nothing else."""
        treated, low, _ = self.treatments[name]
        return treated in ("true", "negative") and not low
