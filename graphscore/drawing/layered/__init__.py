"""Directed graphs in layers: where boxes and links stand, and the picture."""
