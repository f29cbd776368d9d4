"""From dataclasses to formulas."""
