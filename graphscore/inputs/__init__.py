"""Graphs from Python objects: tags, spans, clusters and others.

:mod:`~graphscore.inputs.type_checks` tells them apart, a module each makes graphs of
them, :mod:`~graphscore.inputs.alignment` lets both sides of an evaluation pair.
"""

REPAIRED, NOT_IN_TEXT = "repaired in", "not in the text:"
WITHOUT_TEXT = "compared by their words, without places"
NO_FIELD = "has no field for"
"""Parts of notes on items from language models."""
