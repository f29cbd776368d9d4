"""Metrics of semantic roles."""
