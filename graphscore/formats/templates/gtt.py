r"""GTT: the templates of a document, gold and predicted.

Du, Rush and Cardie (2021), *Template Filling with Generative Transformers*; the
MUC-4 data of https://github.com/xinyadu/gtt.  A document has any number of
templates; ``incident_type`` is the type as written, ``attack / bombing`` among
them (see :mod:`graphscore.formats.templates.filler_files`).

>>> import io
>>> data = (b'{"docid": "TST3-MUC4-0003", "doctext": "criminals shot him", '
...         b'"templates": [{"incident_type": "attack", '
...         b'"PerpInd": [[["criminals", 0]]], "Victim": []}]}')
>>> [record] = FORMAT.read(io.BytesIO(data), "test.json")
>>> record.graph.nodes[-1].label, record.graph.edges[-1].label
('attack', 'PerpInd')
"""

from __future__ import annotations

import re

from graphscore.formats.base import Format
from graphscore.formats.source import BOM
from graphscore.formats.templates.filler_files import read
from graphscore.formats.templates.filler_write import write_templates
from graphscore.formats.templates.fillers import TEMPLATES

_DOCUMENT = re.compile(rb'"docid"\s*+:|\A\{\s*+"[^"\\\n]*+"\s*+:\s*+\{')
_KEYS = re.compile(rb'"(?:pred_|gold_)?templates"\s*+:\s*+\[')
_OTHER = re.compile(rb'"(?:(?:pred_|gold_)?extracts|all-spans|doctext-tok)"\s*+:')


def sniff(head: bytes) -> bool:
    """Whether a file begins like one of GTT."""
    start = head.removeprefix(BOM).lstrip()
    return (
        start.startswith(b"{")
        and _DOCUMENT.search(start) is not None
        and _KEYS.search(start) is not None
        and _OTHER.search(start) is None
    )


FORMAT = Format(
    name="gtt",
    title="GTT templates, gold JSON lines or one object of predictions",
    frameworks=(TEMPLATES,),
    suffixes=(".gtt", ".json", ".jsonl", ".out"),
    read=read,
    sniff=sniff,
    write=write_templates,
)
