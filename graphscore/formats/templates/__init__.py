"""Formats of role fillers and templates."""

from graphscore.formats.base import Format, late
from graphscore.formats.templates import sniffers

FORMATS = (
    Format(
        name="better",
        title="BETTER bp-json, basic events and granular templates",
        frameworks=("event", "template"),
        suffixes=(".bp", ".json"),
        read=late("graphscore.formats.templates.better", "read"),
        sniff=sniffers.better,
        write=late("graphscore.formats.templates.better_write", "write"),
        restates=("nodes",),
    ),
    Format(
        name="grit",
        title="GRIT role fillers, gold JSON lines or one object of predictions",
        frameworks=("template",),
        suffixes=(".grit", ".json", ".jsonl", ".out"),
        read=late("graphscore.formats.templates.grit", "read"),
        sniff=sniffers.grit,
        write=late("graphscore.formats.templates.fillers", "write_extracts"),
        restates=("nodes",),
    ),
    Format(
        name="gtt",
        title="GTT templates, gold JSON lines or one object of predictions",
        frameworks=("template",),
        suffixes=(".gtt", ".json", ".jsonl", ".out"),
        read=late("graphscore.formats.templates.grit", "read"),
        sniff=sniffers.gtt,
        write=late("graphscore.formats.templates.fillers", "write_templates"),
        restates=("nodes",),
    ),
    Format(
        name="iterx",
        title="IterX templates, gold or predicted JSON lines",
        frameworks=("template",),
        suffixes=(".iterx", ".jsonl", ".jsonlines", ".json"),
        read=late("graphscore.formats.templates.iterx", "read"),
        sniff=sniffers.iterx,
        write=late("graphscore.formats.templates.fillers", "write_lines"),
        restates=("nodes",),
    ),
    Format(
        name="muc",
        title="MUC-3 and MUC-4 answer keys and responses",
        frameworks=("template",),
        suffixes=(".muc", ".key", ".v2", ".v4", ".v7"),
        read=late("graphscore.formats.templates.muc", "read"),
        sniff=sniffers.muc,
        write=late("graphscore.formats.templates.muc.write", "write"),
        restates=("nodes", "texts"),
    ),
)
