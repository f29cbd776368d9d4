"""The command line: one file per verb; only ``main`` catches errors."""
