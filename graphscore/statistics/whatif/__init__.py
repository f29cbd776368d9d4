"""Error impact: the main score without the errors of one class.

:mod:`~graphscore.statistics.whatif.corrections` puts classes of errors right,
:mod:`~graphscore.statistics.whatif.api` is the way in from Python.
"""
