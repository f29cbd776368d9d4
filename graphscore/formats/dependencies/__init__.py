"""Formats of dependency trees."""

from graphscore.formats.base import Format, late
from graphscore.formats.dependencies import sniffers

FORMATS = (
    Format(
        name="conllu",
        title="CoNLL-U, basic and enhanced Universal Dependencies, coreference",
        frameworks=("ud", "eud", "coref"),
        suffixes=(".conllu", ".conll"),
        read=late("graphscore.formats.dependencies.conllu", "read"),
        sniff=sniffers.conllu,
        write=late("graphscore.formats.dependencies.conllu.lines", "write"),
        restates=("documents", "forms"),
        dependent=("coref",),
    ),
    Format(
        name="segeval",
        title="numbers of units of segments as JSON, as segeval has them",
        frameworks=("segments",),
        suffixes=(".json",),
        read=late("graphscore.formats.dependencies.segmentations", "read_masses"),
        sniff=sniffers.segeval,
        write=late("graphscore.formats.dependencies.segmentations", "write_masses"),
    ),
    Format(
        name="choi",
        title="a unit to a line and bars between segments, as in Choi's data",
        frameworks=("segments",),
        suffixes=(".ref", ".hyp"),
        read=late("graphscore.formats.dependencies.segmentations", "read_bars"),
        sniff=sniffers.choi,
        write=late("graphscore.formats.dependencies.segmentations", "write_bars"),
    ),
)
