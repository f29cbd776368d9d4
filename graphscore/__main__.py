"""The command ``graphscore``, also as ``python -m graphscore``."""

import gc

from graphscore.lazy import OBJECTS

COLLECTED = (OBJECTS, 20, 20)
"""Thresholds of the garbage collector, in numbers of new objects."""


def main() -> None:
    """Run the command line."""
    # Graphs stream through and leave few cycles; the collector would go again and again
    # through what is imported, of which click is the first.
    gc.set_threshold(*COLLECTED)
    from graphscore.cli.main import main

    main()


if __name__ == "__main__":
    main()
