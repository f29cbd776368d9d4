"""Attacks on everything that reads: files, arguments, stores and SQL made up at random.

Each campaign is a module that runs by itself, such as ``python -m campaigns.fuzz``;
what it finds is grouped by where it happened and written with a small reproducer.
"""
