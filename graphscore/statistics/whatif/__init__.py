"""What the figure would be if certain errors were right.

:mod:`~graphscore.statistics.whatif.repairs` puts classes of errors right,
:mod:`~graphscore.statistics.whatif.api` is the way in from Python.
"""
