"""Vectors of words in files that are not held in memory."""
