r"""GRIT: the role fillers of a document, gold and predicted.

Du, Rush and Cardie (2021), *GRIT: Generative Role-filler Transformers for
Document-level Event Entity Extraction*; the MUC-4 data of
https://github.com/xinyadu/grit_doc_event_entity.  A document has one template
without a type, even where nothing fills it (see
:mod:`graphscore.formats.templates.filler_files`).

>>> import io
>>> data = (b'{"docid": "TST3-MUC4-0003", "doctext": "criminals shot him", '
...         b'"extracts": {"PerpInd": [[["criminals", 0]]], "Victim": []}}')
>>> [record] = FORMAT.read(io.BytesIO(data), "test.json")
>>> record.graph.nodes[-1].label, record.graph.edges[-1].label
(None, 'PerpInd')
"""

from __future__ import annotations

import re

from graphscore.formats.base import Format
from graphscore.formats.source import BOM
from graphscore.formats.templates.filler_files import read
from graphscore.formats.templates.filler_write import write_extracts
from graphscore.formats.templates.fillers import TEMPLATES

_DOCUMENT = re.compile(rb'"docid"\s*+:|\A\{\s*+"[^"\\\n]*+"\s*+:\s*+\{')
_KEYS = re.compile(rb'"(?:pred_|gold_)?(extracts|templates|all-spans)"\s*+:')
_CUT = re.compile(rb'"doctext"\s*+:\s*+"(?:[^"\\]|\\.)*+\\?\Z')


def sniff(head: bytes) -> bool:
    """Whether a file begins like one of GRIT, or is cut off in its first text.

    Where the first text is so long that no other key can be seen, the reader finds
    out by itself whether it is a file of GRIT or of GTT.
    """
    start = head.removeprefix(BOM).lstrip()
    if not start.startswith(b"{") or not _DOCUMENT.search(start):
        return False
    seen = {key[1] for key in _KEYS.finditer(start)}
    return b"extracts" in seen or (not seen and _CUT.search(start) is not None)


FORMAT = Format(
    name="grit",
    title="GRIT role fillers, gold JSON lines or one object of predictions",
    frameworks=(TEMPLATES,),
    suffixes=(".grit", ".json", ".jsonl", ".out"),
    read=read,
    sniff=sniff,
    write=write_extracts,
)
