"""Annotators held against one another, where nobody is gold.

:mod:`~graphscore.statistics.agreement.annotators` scores every two of them,
:mod:`~graphscore.statistics.agreement.pooling` draws samples for all at once,
:mod:`~graphscore.statistics.agreement.chance` says how far they agree beyond chance,
:mod:`~graphscore.statistics.agreement.result` is what comes out.
"""
