"""Where the units of an evaluation come from: files, memory, a store."""
