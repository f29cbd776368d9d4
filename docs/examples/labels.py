"""A metric in a file: labels of nodes with the labels of what they lead to."""

from graphscore.similarity import (
    at,
    edge_label,
    edges_out,
    exact,
    f1,
    folded,
    label,
    match,
    nodes,
    target,
)

below = exact(edge_label) * at(target, exact(folded(label)))

metric = {
    "frames": f1(match(nodes(), exact(folded(label)) * f1(match(edges_out(), below)))),
    "labels": f1(match(nodes(), exact(folded(label)))),
}
