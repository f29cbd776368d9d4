"""Metrics of semantic roles."""

METRICS = {
    "conll05": "conll05:Conll05",
    "conll09": "conll09:Conll09",
    "framenet": "framenet:FrameNet",
    "primesrl": "primesrl:Primesrl",
    "senseval3": "senseval3:Senseval3",
}
"""Metrics of this family by name: module and class."""
