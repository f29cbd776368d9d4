"""Leaderboards: systems by frameworks with ranks, and rankings by rules of a task."""
