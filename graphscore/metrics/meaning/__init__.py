"""Metrics of meaning representations."""

METRICS = {
    "ancast": "ancast.metric:Ancast",
    "counter": "counter:Counter",
    "edm": "edm:Edm",
    "finegrained": "finegrained:Finegrained",
    "mrp": "mrp:Mrp",
    "predications": "predications:Predications",
    "sdp": "sdp:Sdp",
    "smatch": "smatch:Smatch",
    "ucca": "ucca:Ucca",
}
"""Metrics of this family by name: module and class."""
