"""Files that are read where their graphs are compared, by several processes at once.

Whoever pairs and sums up knows of each record what :class:`~.units.FarUnit` says, and
of each pair its outcome; the graphs themselves stay with the processes that read them.
"""
