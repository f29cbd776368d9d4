"""Verbs that look at a store, or look after it."""
