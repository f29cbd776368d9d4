"""Metrics: one small declaration a file, found through a registry."""
