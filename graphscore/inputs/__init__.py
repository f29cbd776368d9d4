"""Graphs from Python objects: tags, spans, clusters and others.

:mod:`~graphscore.inputs.type_checks` tells them apart, a module each makes graphs of
them, :mod:`~graphscore.inputs.alignment` lets both sides of an evaluation pair.
"""
