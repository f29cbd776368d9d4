"""Documents of spaCy, or whatever looks like them: entities and dependencies.

Nothing of spaCy is imported: a document has a ``text``, ``ents`` with ``start_char``,
``end_char`` and ``label_``, and gives its tokens (``idx``, ``text``, ``lemma_``,
``pos_``, ``tag_``, ``dep_``, ``head``) when it is gone through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from graphscore.exceptions import UsageError
from graphscore.inputs.base import names_of, refusal
from graphscore.inputs.texts import from_conllu
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import NER, LayoutBuilder

TREES = "ud"

LAYERS = (NER, TREES)
"""Layers that a document can provide."""


def from_docs(
    docs: Iterable[Any],
    *,
    layers: Sequence[str] | None = None,
    spans: str | None = None,
    ids: Iterable[Any] | None = None,
    name: str = "docs",
) -> list[Graph]:
    """Named entities and dependency trees of spaCy's documents.

    Args:
        docs: one for each item.
        layers: ``ner``, ``ud`` or both; without, entities, and trees where any of the
            documents has heads.
        spans: the key of ``doc.spans`` whose spans are the entities, not ``doc.ents``.
        ids: the id of each item; without, items pair by their order.
        name: what messages call them.

    Returns:
        Graphs of the frameworks ``ner`` (one for each item) and ``ud`` (one for each
        sentence).

    Raises:
        InputError: if something is no document, or has no such spans.
        UsageError: if a layer is not known.
    """
    items = list(docs)
    for layer in layers or ():
        if layer not in LAYERS:
            raise UsageError(f"layers has {layer!r}, expected {' or '.join(LAYERS)}")
    for number, item in enumerate(items):
        if not hasattr(item, "ents") or not hasattr(item, "text"):
            expected = "a document: something with text, ents and tokens"
            raise refusal(name, f"[{number}]", repr(item), expected)
    chosen = layers or (NER, *([TREES] if any(map(_is_parsed, items)) else []))
    graphs: list[Graph] = []
    named = names_of(name, items, ids)
    for number, (item, id) in enumerate(zip(items, named, strict=True)):
        if NER in chosen:
            graphs.append(_entities(name, number, item, id, spans))
        if TREES in chosen:
            graphs += _trees(name, number, item, id)
    return graphs


def _is_parsed(doc: Any) -> bool:
    return any(getattr(token, "dep_", "") for token in doc)


def _entities(name: str, number: int, doc: Any, id: str, spans: str | None) -> Graph:
    if spans is None:
        marked = doc.ents
    elif spans in doc.spans:
        marked = doc.spans[spans]
    else:
        names = ", ".join(doc.spans) or "none"
        raise refusal(name, f"[{number}]", f"spans {names}", f"those of {spans!r}")
    build = LayoutBuilder()
    for span in marked:
        anchor = Anchor(int(span.start_char), int(span.end_char))
        build.mention(span.label_ or None, (anchor,))
    tokens = tuple(_places(doc))
    return build.graph(id, NER, text=doc.text, tokens=tokens)


def _places(doc: Any) -> Iterator[Anchor]:
    for token in doc:
        if token.text.strip():
            yield Anchor(token.idx, token.idx + len(token.text))


def _trees(name: str, number: int, doc: Any, id: str) -> list[Graph]:
    """The sentences of a document; blanks that are tokens of spaCy are left out."""
    sentences = getattr(doc, "sents", None)
    texts = [
        _conllu(sentence) for sentence in ([doc] if sentences is None else sentences)
    ]
    texts = [text for text in texts if text]
    graphs = from_conllu(texts, name=f"{name}[{number}]")
    # Sentences may be others on the other side: they pair by the document.
    document = id or str(number)
    return [msgspec.structs.replace(graph, document=document) for graph in graphs]


def _conllu(sentence: Iterable[Any]) -> str:
    """A sentence in ten columns."""
    words = [token for token in sentence if token.text.strip()]
    numbers = {token.i: number for number, token in enumerate(words, 1)}
    rows = []
    for number, token in enumerate(words, 1):
        root = token.head.i == token.i
        head = 0 if root else numbers.get(token.head.i, 0)
        relation = "root" if root else token.dep_ or "dep"
        glued = bool(words[number:]) and not getattr(token, "whitespace_", " ")
        rows.append(
            "\t".join(
                (
                    str(number),
                    token.text.replace("\n", " "),
                    getattr(token, "lemma_", "") or "_",
                    getattr(token, "pos_", "") or "_",
                    getattr(token, "tag_", "") or "_",
                    str(getattr(token, "morph", "")) or "_",
                    str(head),
                    relation,
                    "_",
                    "SpaceAfter=No" if glued else "_",
                )
            )
        )
    return "\n".join(rows) + "\n" if rows else ""
