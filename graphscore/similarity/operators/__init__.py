"""Similarities made of features and of other similarities."""
