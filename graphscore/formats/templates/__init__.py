"""Formats of role fillers and templates."""

from graphscore.formats.base import Format, late
from graphscore.formats.recognition import Begins, Judged, Keys

_BETTER = "corpus-id annotation-sets segment-text"
_EXTRACTS = "extracts:o pred_extracts:o gold_extracts:o"
_TEMPLATES = "templates:l pred_templates:l gold_templates:l"
_NO_GTT = f"{_EXTRACTS} all-spans doctext-tok"


def _inside(keys: str, outer: str = "", path: str = "*") -> str:
    """Some keys, and others of the first document, in a file that is one object."""
    return " ".join([outer, *(f"{path}/{key}" for key in keys.split())])


FORMATS = (
    Format(
        name="better",
        title="BETTER bp-json, basic events and granular templates",
        frameworks=("event", "template"),
        suffixes=(".bp", ".json"),
        read=late("graphscore.formats.templates.better", "read"),
        signs=(
            Keys(0.95, "", _BETTER),
            Keys(0.95, "format-type=bp-"),
            Keys(0.9, "", _inside(_BETTER, path="entries/*")),
        ),
        write=late("graphscore.formats.templates.better", "write"),
        restates=("nodes",),
    ),
    Format(
        name="grit",
        title="GRIT role fillers (GTT templates), JSON or JSON Lines",
        frameworks=("template",),
        suffixes=(".grit", ".json", ".jsonl", ".out"),
        read=late("graphscore.formats.templates.fillers", "read"),
        # Where a document has a text and nothing else that can be seen, the reader
        # finds out by itself whether it is a file of GRIT or of GTT.
        signs=(
            Keys(0.95, "docid", _EXTRACTS),
            Keys(0.95, "", _inside(_EXTRACTS), "docid", "*/doctext"),
            Keys(0.3, "docid", none=_TEMPLATES),
            Keys(0.3, "*/doctext", none=_inside(_TEMPLATES, "docid")),
        ),
        write=late("graphscore.formats.templates.fillers", "write_extracts"),
        restates=("nodes",),
    ),
    Format(
        name="gtt",
        title="GRIT role fillers (GTT templates), JSON or JSON Lines",
        frameworks=("template",),
        suffixes=(".gtt", ".json", ".jsonl", ".out"),
        read=late("graphscore.formats.templates.fillers", "read"),
        signs=(
            Keys(0.9, "docid", _TEMPLATES, _NO_GTT, cut=0.6),
            Keys(0.9, "", _inside(_TEMPLATES), _inside(_NO_GTT, "docid"), cut=0.6),
        ),
        write=late("graphscore.formats.templates.fillers", "write_templates"),
        restates=("nodes",),
    ),
    Format(
        name="iterx",
        title="IterX templates, gold or predicted JSON lines",
        frameworks=("template",),
        suffixes=(".iterx", ".jsonl", ".jsonlines", ".json"),
        read=late("graphscore.formats.templates.fillers", "read_lines"),
        signs=(
            Keys(0.95, "docid", "all-spans doctext-tok"),
            Judged("templates by document", "templates.fillers.has_lines", True),
        ),
        write=late("graphscore.formats.templates.fillers", "write_lines"),
        restates=("nodes",),
    ),
    Format(
        name="muc",
        title="MUC-3 and MUC-4 answer keys and responses",
        frameworks=("template",),
        suffixes=(".muc", ".key", ".v2", ".v4", ".v7"),
        read=late("graphscore.formats.templates.muc", "read"),
        signs=(
            Begins(
                1.0,
                "a line of slot 0 (MESSAGE: ID)",
                holds=r"^[ \t]*+0\.\s+MESSAGE:? ID\b",
            ),
        ),
        write=late("graphscore.formats.templates.muc", "write"),
        restates=("nodes", "texts"),
    ),
)
