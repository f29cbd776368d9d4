"""Classification of every span by ordered, declarative rules.

The poster on rule-based evaluation of named entities (see ``docs/rules.md``) has named
rules with a phase (agenda group), a priority (salience), a condition and an effect
instead of nested conditionals.  Here a rule is a table of a TOML file; its condition is
a SQL expression over facts, and all its matches are found by one statement.

:mod:`~graphscore.rules.model` says what rules and rule sets are,
:mod:`~graphscore.rules.reading` reads them from files,
:mod:`~graphscore.rules.safety` keeps their conditions from doing anything but
comparing, :mod:`~graphscore.rules.facts` lays graphs out,
:mod:`~graphscore.rules.tables` puts them into a database, and
:mod:`~graphscore.rules.engine` runs rules over facts to a fixpoint.

>>> from graphscore.rules.reading import rules_of
>>> [rule.name for rule in rules_of("").in_order()][:3]
['true positive', 'false positive', 'false negative']
"""
