r"""OneIE: sentences as JSON lines, with entities, relations and events.

A line is a sentence, whose id is the item; its tokens are counted from 0, ends are
exclusive (Lin et al. 2020).  Annotated data names entity mentions by ids, which
the arguments of relations and events repeat::

    {"doc_id": "d1", "sent_id": "d1-1", "tokens": ["He", "died"],
     "entity_mentions": [{"id": "d1-E1-1", "start": 0, "end": 1,
                          "entity_type": "PER", "mention_type": "PRO"}],
     "relation_mentions": [],
     "event_mentions": [{"id": "d1-EV1-1", "event_type": "Life:Die",
                         "trigger": {"start": 1, "end": 2},
                         "arguments": [{"entity_id": "d1-E1-1", "role": "Victim"}]}]}

What the system puts out has the same as lists, which name entities and triggers
by their positions::

    {"doc_id": "d1", "sent_id": "d1-1", "tokens": ["He", "died"],
     "graph": {"entities": [[0, 1, "PER", "PRO", 0.9]], "relations": [],
               "triggers": [[1, 2, "Life:Die", 1.0]], "roles": [[0, 0, "Victim", 0.8]]}}

Either gives one graph for each layer that has a key: ``ner``, ``relation`` and
``event``.

>>> import io
>>> data = (b'{"sent_id": "1", "tokens": ["He", "died"], "entity_mentions": ['
...         b'{"id": "E1", "start": 0, "end": 1, "entity_type": "PER"}]}')
>>> [record] = read(io.BytesIO(data), "a.json")
>>> record.graph.framework, record.graph.nodes[0].label, record.graph.text
('ner', 'PER', 'He died')
>>> [record] = read(io.BytesIO(data.replace(b'd": 1', b'd": 0')), "a.json")
>>> print(record.problems[0])
a.json:1: $.entity_mentions[0]: found tokens 0:0, expected a range within the 2 tokens
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.extraction.oneie_lists import Predicted
from graphscore.formats.extraction.oneie_record import Annotated
from graphscore.formats.shared.json_lines import objects


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    for line, value in objects(stream, name):
        if value is None:
            yield line.rejected()
        else:
            form = Predicted if "graph" in value else Annotated
            yield from form(line, value).records()
