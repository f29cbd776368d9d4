"""Rows of results: scores, items, errors, confusions, and self scores."""
