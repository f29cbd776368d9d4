"""Metrics of semantic roles."""

METRICS = {
    "conll05": "conll05:Conll05",
    "conll09": "conll09:Conll09",
    "framenet": "framenet:FrameNet",
    "primesrl": "primesrl:Primesrl",
}
"""Metrics of this family by name: module and class."""
