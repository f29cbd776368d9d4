"""Metrics of meaning representations."""
