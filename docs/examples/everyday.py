"""Metrics that people ask for every day, each a formula of a line or two."""

import re

from graphscore.similarity import (
    anchors,
    computed,
    edge_label,
    edges,
    exact,
    f1,
    label,
    match,
    nodes,
    only,
    source,
    span_jaccard,
    target,
    via,
)


def without_sense(concept):
    """A concept without its sense: ``want-01`` is ``want``, ``_bark_v_1`` ``_bark``."""
    return re.sub(r"-\d+$|_[a-z]_[\w-]+$", "", concept or "")


lemma = computed(without_sense, label)
senseless_edges = f1(
    match(edges(), exact(edge_label, via(source, lemma), via(target, lemma)))
)

unlabeled = f1(match(edges(), exact(via(source, anchors), via(target, anchors))))

core_edges = only(edges(), edge_label, "ARG0", "ARG1", "ARG2", "ARG3", "ARG4", "ARG5")
core_roles = f1(
    match(core_edges, exact(edge_label, via(source, lemma), via(target, lemma)))
)

soft_spans = f1(match(nodes("mention"), exact(label) * span_jaccard()))
