"""Semantic roles: sentences with predicates and the pieces of their arguments."""
