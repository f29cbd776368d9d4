"""Metrics of relations and events."""
