"""Phenomena: saved patterns by which systems are scored one phenomenon at a time.

``reading`` reads a file of them, ``verdict`` says in SQL what became of a hit,
``counting`` counts that.  The files that are shipped stand beside these modules.
"""
