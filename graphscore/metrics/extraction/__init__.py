"""Metrics of relations and events."""

METRICS = {
    "argument": "argument:EventArguments",
    "bionlp": "bionlp:BioNLP",
    "docred": "docred:Docred",
    "relation": "relation:Relation",
    "scirex": "scirex:Scirex",
    "trigger": "trigger:Trigger",
}
"""Metrics of this family by name: module and class."""
