"""Metrics of coreference."""

METRICS = {
    "b3": "b3:B3",
    "blanc": "blanc:Blanc",
    "ceaf": "ceaf:Ceaf",
    "ceafe": "ceaf:Ceafe",
    "ceafm": "ceaf:Ceafm",
    "conll": "conll:Conll",
    "lea": "lea:Lea",
    "mentions": "mentions:MentionDetection",
    "muc": "muc:Muc",
}
"""Metrics of this family by name: module and class."""
