"""Formats of coreference."""

from graphscore.formats.base import Format, late
from graphscore.formats.coreference import sniffers

FORMATS = (
    Format(
        name="conll2012",
        title="CoNLL-2012, coreference in the last column, roles before",
        frameworks=("coref", "srl"),
        suffixes=(".conll", ".v4_gold_conll", ".v4_auto_conll", ".key", ".response"),
        decisive=(".v4_gold_conll", ".v4_auto_conll"),
        read=late("graphscore.formats.coreference.conll2012", "read"),
        sniff=sniffers.conll2012,
        write=late("graphscore.formats.coreference.conll2012.write", "write"),
        dependent=("srl",),
        restates=("documents",),
    ),
    Format(
        name="coref-jsonlines",
        title="clusters of coreference as JSON lines",
        frameworks=("coref",),
        suffixes=(".jsonlines", ".jsonl", ".json"),
        read=late("graphscore.formats.coreference.coref_jsonlines", "read"),
        sniff=sniffers.coref_jsonlines,
        write=late("graphscore.formats.coreference.coref_jsonlines", "write"),
        rereads=late("graphscore.formats.coreference.coref_jsonlines", "reader_of"),
        restates=("documents",),
    ),
    Format(
        name="coref-jsonlines-exclusive",
        title="clusters of coreference, ranges without their last number",
        frameworks=("coref",),
        suffixes=(".jsonlines", ".jsonl", ".json"),
        read=late("graphscore.formats.coreference.coref_jsonlines", "read_exclusive"),
    ),
    Format(
        name="preco",
        title="PreCo, clusters of coreference by sentence",
        frameworks=("coref",),
        suffixes=(".jsonl", ".json", ".jsonlines"),
        read=late("graphscore.formats.coreference.preco", "read"),
        sniff=sniffers.preco,
    ),
)
