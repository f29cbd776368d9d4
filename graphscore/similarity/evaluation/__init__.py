"""Functions of expressions: each has a rule for every part of formulas.

Expressions are plain data.  What they amount to on graphs is said by the functions of
:mod:`.functions`; :mod:`.rules` loads the modules that hold their rules.
"""
