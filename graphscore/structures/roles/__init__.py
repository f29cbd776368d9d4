"""Semantic roles: sentences with predicates and the pieces of their arguments.

:mod:`~graphscore.structures.roles.reading` says how they stand in a graph and reads
them back, :mod:`~graphscore.structures.roles.sentence` is what metrics compare.
"""
