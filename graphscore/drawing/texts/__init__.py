"""Annotated text: brackets under its lines, chains, tables of events and templates."""
