"""Formats of relations and events."""
