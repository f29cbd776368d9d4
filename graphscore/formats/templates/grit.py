r"""GRIT and GTT: the role fillers and templates of a document, gold and predicted.

Du, Rush and Cardie (2021), *GRIT: Generative Role-filler Transformers for
Document-level Event Entity Extraction*, and *Template Filling with Generative
Transformers*; the MUC-4 data of
https://github.com/xinyadu/grit_doc_event_entity and https://github.com/xinyadu/gtt.

Gold has a document to a line, predictions are one object with a document under
each number.  Both programs use the same shapes, GRIT for one template without a
type (``extracts``), even where nothing fills it, GTT for any number of them
(``templates``), whose ``incident_type`` is the type as written, ``attack / bombing``
among them::

    {"docid": "TST3-MUC4-0003", "doctext": "...", "extracts": {"Victim": []}}

    {"30003": {"doctext": "...", "pred_extracts": {...}, "gold_extracts": {...}}}

Predictions repeat gold in another spelling; that copy is never read.  Where the first
text is so long that no other key can be seen at the beginning of a file, it is found
out only here whether it is one of GRIT or of GTT.

>>> import io
>>> gold = b'{"docid": "d1", "doctext": "max left", "extracts": {"A": [[["max", 0]]]}}'
>>> [record] = read(io.BytesIO(gold), "a.json")
>>> record.graph.nodes[0].anchors
(Anchor(start=0, end=3),)
>>> data = (b'{"docid": "TST3-MUC4-0003", "doctext": "criminals shot him", '
...         b'"templates": [{"incident_type": "attack", '
...         b'"PerpInd": [[["criminals", 0]]], "Victim": []}]}')
>>> [record] = read(io.BytesIO(data), "test.json")
>>> record.graph.nodes[-1].label, record.graph.edges[-1].label
('attack', 'PerpInd')
>>> preds = b'{"1": {"doctext": "", "pred_extracts": {"A": 3}}, "2": {}}'
>>> for record in read(io.BytesIO(preds), "a.json"):
...     print(record.item, *record.problems)
1 a.json:1: $.1.pred_extracts.A: found 3, expected a list
2 a.json:1: $.2: found no predictions, expected pred_extracts or pred_templates
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from graphscore.folding import shown
from graphscore.formats.base import Record
from graphscore.formats.shared.json_files import members
from graphscore.formats.shared.json_lines import JsonLine, further, objects
from graphscore.formats.shared.json_values import begun
from graphscore.formats.templates.fillers import (
    DOCID,
    DOCTEXT,
    EXTRACTS,
    GOLD,
    OWN,
    PRED,
    PREDICTED,
    SEVERAL,
    TEMPLATES,
    Template,
    build,
    template,
    templates,
)

_BEGINS = re.compile(
    rb'"[^"\\\n]*+"\s*+:\s*+\{\s*+"(?:doctext|pred_\w++|gold_\w++)"\s*+:'
)
_PREDICTIONS = re.compile(
    rb'\s*+\{\s*+(?:(?!"(?:extracts|templates)")"[^"\\\n]*+"\s*+:\s*+\{|\}|$)'
)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of gold or of predictions; of these, what is predicted.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A graph for each document, or a rejected record.
    """
    first, whole = begun(stream)
    if not _PREDICTIONS.match(first):
        for line, value in objects(whole, name):
            line.framework = TEMPLATES
            yield line.rejected() if value is None else _gold(line, value)
        return
    for line, key, value in members(whole, name, _BEGINS):
        line.framework, line.item = TEMPLATES, key
        yield line.rejected() if value is None else _predicted(line, value)


def text_of(line: JsonLine, where: str, fields: dict[str, Any]) -> str:
    """The text of a document; empty where it has none."""
    return line.string(f"{where}.{DOCTEXT}", fields.get(DOCTEXT, ""))


def gold_record(
    line: JsonLine, fields: dict[str, Any], found: list[Template]
) -> Record:
    """A document whose templates have been read, with its further fields.

    Args:
        line: its line, with everything that is wrong so far.
        fields: its JSON object.
        found: its templates.
    """
    line.item = line.identity(fields, DOCID, "the name of the document")
    text = text_of(line, "$", fields)
    if line.problems:
        return line.rejected(TEMPLATES)
    extra = further(fields, {DOCID, DOCTEXT, EXTRACTS, SEVERAL}, OWN)
    return line.record(build(line, text, found, extra))


def _gold(line: JsonLine, fields: dict[str, Any]) -> Record:
    return gold_record(line, fields, _either(line, "$", fields, ""))


def _predicted(line: JsonLine, fields: Any) -> Record:
    where = f"$.{line.item}"
    if not isinstance(fields, dict):
        line.add(where, shown(fields), "an object with predictions")
        return line.rejected()
    if not line.item:
        line.add(where, "''", "the name of the document")
    found = _either(line, where, fields, PRED)
    text = text_of(line, where, fields)
    if line.problems:
        return line.rejected()
    used = {DOCTEXT, PRED + EXTRACTS, PRED + SEVERAL}
    used |= {GOLD + EXTRACTS, GOLD + SEVERAL}
    extra = {PREDICTED: True, **further(fields, used, OWN)}
    return line.record(build(line, text, found, extra))


def _either(
    line: JsonLine, where: str, fields: dict[str, Any], prefix: str
) -> list[Template]:
    """The templates of a document: GRIT's only one, or those of GTT."""
    one, several = prefix + EXTRACTS, prefix + SEVERAL
    if one in fields and several in fields:
        line.add(where, f"both {one} and {several}", "one of them")
    elif one in fields:
        return [template(line, f"{where}.{one}", fields[one], typed=False)]
    elif several in fields:
        return templates(line, f"{where}.{several}", fields[several])
    else:
        what = "predictions" if prefix else "templates"
        line.add(where, f"no {what}", f"{one} or {several}")
    return []
