"""Formats of meaning representations."""
