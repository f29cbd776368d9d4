"""Sources of the units of an evaluation: files, memory, a store."""
