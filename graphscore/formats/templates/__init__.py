"""Formats of role fillers and templates."""
