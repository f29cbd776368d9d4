r"""GTT: the templates of a document, gold and predicted.

Du, Rush and Cardie (2021), *Template Filling with Generative Transformers*; the
MUC-4 data of https://github.com/xinyadu/gtt.  A document has any number of
templates; ``incident_type`` is the type as written, ``attack / bombing`` among
them (see :mod:`graphscore.formats.templates.filler_files`).

>>> import io
>>> data = (b'{"docid": "TST3-MUC4-0003", "doctext": "criminals shot him", '
...         b'"templates": [{"incident_type": "attack", '
...         b'"PerpInd": [[["criminals", 0]]], "Victim": []}]}')
>>> [record] = read(io.BytesIO(data), "test.json")
>>> record.graph.nodes[-1].label, record.graph.edges[-1].label
('attack', 'PerpInd')
"""

from __future__ import annotations
