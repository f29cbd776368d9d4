"""The command line: one file per command; only ``main`` catches errors."""
