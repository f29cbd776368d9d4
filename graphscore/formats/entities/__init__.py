"""Formats of named entities, flat and as trees."""
