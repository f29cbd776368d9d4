"""Formats of dependency trees."""

from graphscore.formats.base import Format, late
from graphscore.formats.dependencies import sniffers

FORMATS = (
    Format(
        name="conllu",
        title="CoNLL-U, basic and enhanced Universal Dependencies, coreference",
        frameworks=("ud", "eud", "coref"),
        suffixes=(".conllu", ".conll"),
        decisive=(".conllu",),
        read=late("graphscore.formats.dependencies.conllu", "read"),
        sniff=sniffers.conllu,
        write=late("graphscore.formats.dependencies.conllu.lines", "write"),
        restates=("documents", "forms"),
        dependent=("coref",),
    ),
)
