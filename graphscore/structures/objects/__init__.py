"""Dataclasses of one's own as graphs and back."""
