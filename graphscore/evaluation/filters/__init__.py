"""Scores of those items, or of those tuples, in which a pattern is found."""
