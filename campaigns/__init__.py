"""Attacks on everything that reads: inputs, arguments and calls made up at random.

Each campaign is a module that runs by itself, such as ``python -m campaigns.inputs``;
what it finds is grouped by where it happened and written with a small reproducer.
"""
