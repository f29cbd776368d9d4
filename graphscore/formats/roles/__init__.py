"""Formats of semantic roles."""
