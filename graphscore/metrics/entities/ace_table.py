r"""What entities, mentions and mistakes are worth: the user's table of ``ace_value``.

>>> from tempfile import NamedTemporaryFile
>>> with NamedTemporaryFile("w", suffix=".toml") as file:
...     _ = file.write(
...         "[type]\nPER = 1.0\n'*' = 0.5\n"
...         "[mention]\nNAM = 1.0\n"
...         "[error]\ntype = 0.5\n"
...         "[false_alarm]\nentity = 0.75\n")
...     _ = file.seek(0)
...     values = values_of(file.name)
>>> values.of("type", "PER"), values.of("type", "ORG"), values.of("class", "SPC")
(1.0, 0.5, 1.0)
>>> values.entity_errors, values.false_alarm, values.coreference
((('type', 0.5),), 0.75, 1.0)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from graphscore.errors import UsageError, meant
from graphscore.metrics.parameters import tables_of

OTHERS = "*"
"""The name of all that a section does not name."""

TYPE, CLASS, MENTION = "type", "class", "mention"
"""The sections that say what something is worth."""

ERROR, MENTION_ERROR, FALSE_ALARM = "error", "mention_error", "false_alarm"
"""The sections about mistakes."""

ENTITY, COREFERENCE = "entity", "coreference"
"""The keys of the section of false alarms."""

SECTIONS = (TYPE, CLASS, MENTION, ERROR, MENTION_ERROR, FALSE_ALARM)

NEEDED = (TYPE, MENTION, FALSE_ALARM)
"""The sections that every table has."""

Factors = tuple[tuple[str, float], ...]
"""Properties, and what is left of a value where they are wrong."""


class Values(NamedTuple):
    """A table of values."""

    file: str
    worth: Mapping[str, Mapping[str, float]]
    """Values by section and name."""
    entity_errors: Factors
    mention_errors: Factors
    false_alarm: float
    """The share of its value that a spurious entity or mention costs."""
    coreference: float
    """Factor of that for a mention that gold has in another entity."""

    @property
    def scale(self) -> float:
        """The greatest value that one mention can have."""
        most = [
            max(self.worth[section].values(), default=1.0) or 1.0
            for section in (TYPE, CLASS, MENTION)
            if section in self.worth
        ]
        return math.prod(most)

    def of(self, section: str, name: str) -> float:
        """What a type, a class or a kind of mention is worth.

        Args:
            section: one of those.
            name: the type, the class or the kind of mention.

        Returns:
            Its value, or that of all others; 1 where the file has no such section.

        Raises:
            UsageError: if the section names neither.
        """
        mine = self.worth.get(section)
        if mine is None:
            return 1.0
        found = mine.get(name, mine.get(OTHERS))
        if found is None:
            raise UsageError(
                f"{self.file}: [{section}] has no value for {name!r}; add it, or "
                f'"{OTHERS}" for all others'
            )
        return found


def values_of(file: str) -> Values:
    """The table in a file.

    Args:
        file: TOML with the sections of :data:`SECTIONS`.

    Raises:
        UsageError: if it cannot be read, with everything that is wrong with it.
    """
    tables = tables_of(file)
    problems: list[str] = []
    for name in tables:
        if name not in SECTIONS:
            near = meant(name, SECTIONS)
            problems.append(f"found {name!r}{near}, expected {', '.join(SECTIONS)}")
    found: dict[str, dict[str, float]] = {}
    for name in SECTIONS:
        section = tables.get(name)
        if section is None:
            if name in NEEDED:
                problems.append(f"found no [{name}], expected one")
        elif not isinstance(section, dict):
            problems.append(f"{name}: found {section!r}, expected a section [{name}]")
        else:
            found[name] = _numbers(name, section, problems)
    alarms = found.get(FALSE_ALARM, {})
    for key in alarms:
        if key not in (ENTITY, COREFERENCE):
            problems.append(
                f"{FALSE_ALARM}.{key}: found a name, expected {ENTITY} or {COREFERENCE}"
            )
    if FALSE_ALARM in found and ENTITY not in alarms:
        problems.append(f"{FALSE_ALARM}: found no {ENTITY}, expected one")
    if problems:
        raise UsageError("\n".join(f"{file}: {problem}" for problem in problems))
    return Values(
        file,
        {name: found[name] for name in (TYPE, CLASS, MENTION) if name in found},
        tuple(found.get(ERROR, {}).items()),
        tuple(found.get(MENTION_ERROR, {}).items()),
        alarms[ENTITY],
        alarms.get(COREFERENCE, 1.0),
    )


def _numbers(
    name: str, section: Mapping[str, Any], problems: list[str]
) -> dict[str, float]:
    """The numbers of a section; what is none is a problem, and 0."""
    most = 1.0 if name in (ERROR, MENTION_ERROR) else math.inf
    expected = "a number from 0 to 1" if most == 1 else "a number, 0 or more"
    found = {}
    for key, value in section.items():
        right = type(value) in (int, float) and 0 <= value <= most
        if not right or not math.isfinite(value):
            problems.append(f"{name}.{key}: found {value!r}, expected {expected}")
            value = 0
        found[key] = float(value)
    return found
