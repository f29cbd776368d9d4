"""Metrics of role fillers and templates."""
