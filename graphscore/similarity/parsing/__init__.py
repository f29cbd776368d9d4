"""Formulas in a line of text: their syntax, what names mean, what is built."""
