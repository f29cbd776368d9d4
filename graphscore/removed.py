"""Names of metrics and formats that were removed, to be deleted at 1.0.

>>> removal("metric", "gap")
'the metric gap was removed: gap_scorer.py scores answers to GAP'
>>> removal("metric", "mrp") is None
True
"""

from __future__ import annotations

from typing import Literal

REMOVED = {
    "metric": {
        "ace_value": "ace08-eval weighs entities by type and level; conll and ner "
        "count them alike",
        "boundaries": "segeval and nltk score texts cut into segments, and "
        "segmentation the sentences of CoNLL-U",
        "gap": "gap_scorer.py scores answers to GAP",
        "ngrams": "use predications, or smatch and mrp for labels and edges",
        "sembleu": "use smatch; the program sembleu gives its own score",
        "senseval3": "use framenet",
    },
    "format": {
        "choi": "segeval and nltk score texts cut into segments",
        "gap": "gap_scorer.py scores answers to GAP",
        "scorch": "write the clusters as coref-jsonlines",
        "segeval": "segeval and nltk score texts cut into segments",
    },
}
"""Replacements of removed things, by type and name."""


def removal(kind: Literal["metric", "format"], name: str) -> str | None:
    """Return the message about a removed name, or nothing about any other.

    Args:
        kind: what the name is of.
        name: a name without parameters.
    """
    instead = REMOVED[kind].get(name)
    return None if instead is None else f"the {kind} {name} was removed: {instead}"
