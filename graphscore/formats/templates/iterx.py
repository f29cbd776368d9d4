r"""IterX: the templates of a document as JSON lines, predicted and gold.

Chen et al. (2023), *Iterative Document-level Information Extraction via Imitation
Learning*; https://github.com/wanmok/iterx.  A line of predictions has the
templates of one type under the document's name, so that a document takes several
lines, which are put together here in their order; a line without templates says
nothing but that the document is there::

    {"TST3-MUC4-0002": [{"PerpInd": [["military"]], "incident_type": "attack"}]}
    {"TST3-MUC4-0002": []}

Gold has a document to a line, as GTT has, but its mentions also say where they end
(the last character) and which tokens they are
(:mod:`graphscore.formats.templates.fillers`)::

    {"docid": "d1", "doctext": "he left", "templates":
     [{"incident_type": "Leaving", "Agent": [[["he", 0, 1, 0, 0, "Agent"]]]}]}

>>> import io
>>> data = (b'{"d1": [{"Weapon": [["bomb"]], "incident_type": "bombing"}]}\n'
...         b'{"d1": [{"incident_type": "attack"}]}\n{"d1": [], "d2": [3]}\n')
>>> good, bad = read(io.BytesIO(data), "preds.jsonl")
>>> good.graph.id, [node.label for node in good.graph.nodes if not node.anchors][2:]
('d1', ['bombing', 'attack'])
>>> print(bad.item, *bad.problems)
d2 preds.jsonl:3: $.d2[0]: found 3, expected an object of slots
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import JsonLine, objects
from graphscore.formats.shared.records import Draft
from graphscore.formats.templates.fillers import (
    DOCID,
    PREDICTED,
    SEVERAL,
    TEMPLATES,
    Template,
    build,
    templates,
)
from graphscore.formats.templates.grit import gold_record


class _Document(Draft):
    """The lines of one document."""

    def __init__(self, first: JsonLine, item: str) -> None:
        super().__init__(first.name, first.line, framework=TEMPLATES, item=item)
        self.found: list[Template] = []


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    documents: dict[str, _Document] = {}
    for line, value in objects(stream, name):
        if value is None:
            yield line.rejected(TEMPLATES)
        elif DOCID in value:
            found = templates(line, f"$.{SEVERAL}", value.get(SEVERAL))
            yield gold_record(line, value, found)
        elif not value:
            line.add("$", "an empty object", "templates under a document's name")
            yield line.rejected(TEMPLATES)
        else:
            _add(documents, line, value)
    # Only now is it known that no line with more of a document follows.
    for document in documents.values():
        graph = build(document, "", document.found, {PREDICTED: True})
        yield document.record(graph)


def _add(
    documents: dict[str, _Document], line: JsonLine, value: dict[str, Any]
) -> None:
    """Note the templates of a line with their documents."""
    for item, found in value.items():
        line.problems = []
        document = documents.setdefault(item, _Document(line, item))
        document.found += templates(line, f"$.{item}", found)
        if not item:
            line.add("$", "a document without a name", "its name")
        if line.problems:
            document.absorb(line)
