"""Metrics of structured sentiment."""

METRICS = {
    "sentiment": "sentiment:Sentiment",
}
"""Metrics of this family by name: module and class."""
