"""Formats of any graph."""

from graphscore.formats.base import Format, late

FORMATS = (
    Format(
        name="dot",
        title="Graphviz DOT, one picture per graph",
        frameworks=(),
        suffixes=(".dot", ".gv"),
        write=late("graphscore.formats.dot", "write"),
    ),
    Format(
        name="ids",
        title="Ids of the items, one to a line",
        frameworks=(),
        suffixes=(".ids",),
        write=late("graphscore.formats.txt", "write_ids"),
    ),
    Format(
        name="svg",
        title="SVG, a picture of each graph",
        frameworks=(),
        suffixes=(".svg",),
        write=late("graphscore.formats.svg", "write"),
        # In a folder; a file that is named has all of them below each other.
        single=True,
    ),
    Format(
        name="txt",
        title="Ids and texts, separated by a tab",
        frameworks=(),
        suffixes=(".txt",),
        write=late("graphscore.formats.txt", "write"),
    ),
)
