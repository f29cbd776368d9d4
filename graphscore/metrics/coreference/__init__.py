"""Metrics of coreference."""
