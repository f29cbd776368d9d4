"""Formats of dependency trees."""

from graphscore.formats.base import DocumentFormat, Format, late
from graphscore.formats.recognition import Judged

FORMATS = (
    Format(
        name="conllu",
        title="CoNLL-U: basic and enhanced UD, CorefUD",
        frameworks=("ud", "eud", "coref"),
        suffixes=(".conllu", ".conll"),
        decisive=(".conllu",),
        read=late("graphscore.formats.dependencies.conllu", "read"),
        signs=(
            Judged("words in the columns of CoNLL-U", "dependencies.sniffers.conllu"),
        ),
        write=late("graphscore.formats.dependencies.conllu_write", "write"),
        restates=("documents", "forms"),
        dependent=("coref",),
        documents=DocumentFormat(
            late("graphscore.formats.dependencies.conllu", "read"),
            late("graphscore.formats.dependencies.conllu", "begins"),
            sign=b"newdoc",
            shared=b"global.Entity",
        ),
    ),
)
