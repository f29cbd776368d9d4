r"""The gold tags of column files that hold predicted ones as well.

The CoNLL scorer reads one file whose last two columns are gold and predicted tags.
The format ``iob`` reads the last column of it; this one, which is never recognised by
itself but named, reads the one before, so that one file can serve as both sides.

>>> import io
>>> from graphscore.formats.entities.iob import FORMAT as IOB
>>> data = b"Rome\tB-LOC\tB-PER\nfell\tO\tO\n"
>>> [[gold], [system]] = [each.read(io.BytesIO(data), "a") for each in (FORMAT, IOB)]
>>> gold.graph.nodes[0].label, system.graph.nodes[0].label
('LOC', 'PER')
>>> gold.graph.extra["predicted"], system.graph.extra["columns"]
(['B-PER', 'O'], [['B-LOC'], ['O']])
"""

from __future__ import annotations

from graphscore.formats.base import Format
from graphscore.formats.entities.iob import read_gold
from graphscore.structures.layout import NER


def _sniff(head: bytes) -> bool:
    """Never: that a file is to be read as gold must be said."""
    return False


FORMAT = Format(
    name="iob-gold",
    title="columns with a tag for each token, what is gold beside predictions",
    frameworks=(NER,),
    suffixes=(".iob", ".iob2", ".conll"),
    read=read_gold,
    sniff=_sniff,
)
