r"""GRIT: the role fillers of a document, gold and predicted.

Du, Rush and Cardie (2021), *GRIT: Generative Role-filler Transformers for
Document-level Event Entity Extraction*; the MUC-4 data of
https://github.com/xinyadu/grit_doc_event_entity.  A document has one template
without a type, even where nothing fills it (see
:mod:`graphscore.formats.templates.filler_files`).

>>> import io
>>> data = (b'{"docid": "TST3-MUC4-0003", "doctext": "criminals shot him", '
...         b'"extracts": {"PerpInd": [[["criminals", 0]]], "Victim": []}}')
>>> [record] = read(io.BytesIO(data), "test.json")
>>> record.graph.nodes[-1].label, record.graph.edges[-1].label
(None, 'PerpInd')
"""

from __future__ import annotations
