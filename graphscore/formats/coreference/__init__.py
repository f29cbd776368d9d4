"""Formats of coreference."""
