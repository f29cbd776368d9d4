"""Searching a store by graph patterns, compiled to SQL.

``grammar`` reads a pattern into the dataclasses of ``pattern``; ``scope`` says which
names it has, and of which side they are; ``sql`` compiles it to one statement over the
tables of a store, of which ``conditions`` has the conditions; ``search`` runs that.
"""
