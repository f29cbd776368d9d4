"""Formulas in a line of text: signs, the grammar, what names mean."""
