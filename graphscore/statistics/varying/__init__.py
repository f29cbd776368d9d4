"""Which choices of a formula change the ranking of systems."""
