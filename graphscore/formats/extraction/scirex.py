r"""SciREX: articles with typed mentions, entities and relations among these.

Jain et al. (2020), *SciREX: A Challenge Dataset for Document-Level Information
Extraction*; https://github.com/allenai/SciREX.  An article is one line; ranges of
words exclude the last one, entities have names, and relations name entities::

    {"doc_id": "a1", "words": ["BERT", "on", "SQuAD"], "ner": [[0, 1, "Method"],
      [2, 3, "Material"]], "coref": {"BERT": [[0, 1]], "SQuAD": [[2, 3]], "F1": []},
     "n_ary_relations": [{"Method": "BERT", "Material": "SQuAD", "Metric": "F1",
                          "Task": "QA", "score": "90"}],
     "method_subrelations": {"BERT": [[[0, 4], "BERT"]]}}

What its scripts predict is in several files: mentions with the words (``ner``),
entities (``clusters``), relations (``predicted_relations``).  Lines of one article
are put together, so that these files can be read one behind the other
(``cat ner.jsonl clusters.jsonl relations.jsonl > predicted.jsonl``).

>>> import io
>>> data = (b'{"doc_id": "a1", "words": ["BERT", "works"], "ner": [[0, 1, "Method"]]}'
...         b'\n{"doc_id": "a1", "clusters": {"0": [[0, 1]]}}\n')
>>> for record in read(io.BytesIO(data), "predicted.jsonl"):
...     print(record.graph.framework, [node.label for node in record.graph.nodes])
ner ['Method']
coref ['Method', None]
>>> [record] = read(io.BytesIO(data.splitlines()[1]), "clusters.jsonl")
>>> print(*record.problems)
clusters.jsonl:1: $.words: found nothing, expected the words (those of ner.jsonl)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from graphscore.formats.base import Record, Rejected
from graphscore.formats.extraction.scirex_record import ID, Article
from graphscore.formats.shared.json_lines import JsonLine, objects


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    articles: dict[str, Article] = {}
    for line, value in objects(stream, name):
        if value is not None:
            line.item = line.identity(value, ID, "the id of the article")
        if value is None or line.problems:
            yield line.rejected()
        elif line.item not in articles:
            articles[line.item] = Article(line, value)
        else:
            yield from _more(articles[line.item], line, value)
    # Only now is it known that no line with more of an article follows.
    for article in articles.values():
        yield from article.records()


def _more(
    article: Article, line: JsonLine, value: dict[str, Any]
) -> Iterator[Rejected]:
    """Add a further line of an article, unless it contradicts those before."""
    for key in sorted(value.keys() & article.fields.keys()):
        if value[key] != article.fields[key]:
            found = f"another {key} of {line.item!r}"
            line.add(f"$.{key}", found, f"that of line {article.line.line}")
    if line.problems:
        yield line.rejected()
    else:
        article.fields = {**article.fields, **value}
