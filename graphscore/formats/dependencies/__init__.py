"""Formats of dependency trees."""
