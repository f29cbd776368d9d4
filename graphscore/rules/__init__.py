"""Classification of every span by ordered, declarative rules.

The poster on rule-based evaluation of named entities (see ``docs/rules.md``) has named
rules with a phase (agenda group), a priority (salience), a condition and an effect
instead of nested conditionals.  Here a rule is a table of a TOML file; its condition is
a SQL expression over facts, and all its matches are found by one statement.

:mod:`~graphscore.rules.model` and :mod:`~graphscore.rules.ruleset` say what rules and
rule sets are,
:mod:`~graphscore.rules.loader` reads them from files,
:mod:`~graphscore.rules.sandbox` keeps their conditions from doing anything but
comparing, :mod:`~graphscore.rules.facts` lays graphs out,
:mod:`~graphscore.rules.tables` puts them into a database, and
:mod:`~graphscore.rules.engine` runs rules over facts to a fixpoint.

>>> from graphscore.rules.loader import rules_of
>>> [rule.name for rule in rules_of("").in_order()][:3]
['true positive', 'false positive', 'false negative']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.rules.engine import Engine
    from graphscore.rules.facts import Unit
    from graphscore.rules.loader import rules_of
    from graphscore.rules.model import Rule, Settings
    from graphscore.rules.outcome import Classified, batch_of, outcomes, trace
    from graphscore.rules.rule_diff import changes
    from graphscore.rules.ruleset import RuleSet

__all__ = [
    "Classified",
    "Engine",
    "Rule",
    "RuleSet",
    "Settings",
    "Unit",
    "batch_of",
    "changes",
    "outcomes",
    "rules_of",
    "trace",
]

__getattr__ = lazily(
    __name__,
    {
        "engine": "Engine",
        "facts": "Unit",
        "loader": "rules_of",
        "model": "Rule Settings",
        "outcome": "Classified batch_of outcomes trace",
        "rule_diff": "changes",
        "ruleset": "RuleSet",
    },
)
