"""Adapters to other programs: pytest and spaCy.

Each is a module named as its program, which is imported by nobody else.
"""
