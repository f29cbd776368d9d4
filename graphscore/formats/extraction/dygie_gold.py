"""The gold side of DyGIE++ files that hold predictions as well.

Files of predictions repeat the gold annotation.  The format ``dygie`` reads what
is predicted in them; this one, which is never recognised by itself but named,
reads what is gold, so that one file can serve as both sides.

>>> import io
>>> from graphscore.formats.extraction.dygie import FORMAT as DYGIE
>>> data = (b'{"doc_key": "d1", "sentences": [["Jenny"]], "ner": [[[0, 0, "PER"]]], '
...         b'"predicted_ner": [[[0, 0, "ORG", 7.5, 0.9]]]}')
>>> [[gold], [system]] = [each.read(io.BytesIO(data), "a") for each in (FORMAT, DYGIE)]
>>> gold.graph.nodes[0].label, system.graph.nodes[0].label
('PER', 'ORG')
>>> system.graph.nodes[0].properties
(('kind', 'mention'), ('score', 7.5), ('probability', 0.9))
"""

from __future__ import annotations

from graphscore.formats.base import Format
from graphscore.formats.extraction.dygie import read_gold
from graphscore.structures.layout import LAYERS


def _sniff(head: bytes) -> bool:
    """Never: that a file is to be read as gold must be said."""
    return False


FORMAT = Format(
    name="dygie-gold",
    title="DyGIE++ JSON lines, what is gold beside predictions",
    frameworks=LAYERS,
    suffixes=(".dygie", ".json", ".jsonl"),
    read=read_gold,
    sniff=_sniff,
)
