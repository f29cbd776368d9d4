"""Metrics of named entities, flat and as trees."""

METRICS = {
    "err": "err:Err",
    "eter": "eter:Eter",
    "hipe": "linking.hipe:Hipe",
    "neleval": "linking.neleval:Neleval",
    "ner": "ner:Ner",
    "rules": "rules:Rules",
    "ser": "ser:Ser",
    "surface": "surface:Surface",
}
"""Metrics of this family by name: module and class."""
