"""Formats of named entities, flat and as trees."""

from graphscore.formats.base import Format, late
from graphscore.formats.entities import sniffers

FORMATS = (
    Format(
        name="aida",
        title="tokens with the entities of their mentions (CoNLL-AIDA)",
        frameworks=("ner",),
        suffixes=(".tsv", ".conll", ".aida"),
        read=late("graphscore.formats.entities.aida", "read"),
        sniff=sniffers.aida,
        write=late("graphscore.formats.entities.aida", "write"),
    ),
    Format(
        name="genia",
        title="tokens and nested entities, three lines a sentence (GENIA)",
        frameworks=("ner",),
        suffixes=(".data",),
        read=late("graphscore.formats.entities.genia", "read"),
        sniff=sniffers.genia,
        write=late("graphscore.formats.entities.genia", "write"),
    ),
    Format(
        name="hipe",
        title=(
            "columns with nested, metonymic and linked entities: HIPE-2020, HIPE-2022"
        ),
        frameworks=("ner", "etree"),
        suffixes=(".tsv", ".hipe"),
        read=late("graphscore.formats.entities.hipe", "read"),
        sniff=sniffers.hipe,
    ),
    Format(
        name="iob",
        title="columns with a tag for each token: IOB1, IOB2, IOE, IOBES, BILOU",
        frameworks=("ner",),
        suffixes=(
            ".iob",
            ".iob2",
            ".bio",
            ".iobes",
            ".bioes",
            ".bilou",
            ".conll",
            ".tsv",
        ),
        read=late("graphscore.formats.entities.iob", "read"),
        sniff=sniffers.iob,
        write=late("graphscore.formats.entities.iob_write", "write"),
    ),
    Format(
        name="iob-gold",
        title="columns with a tag for each token, what is gold beside predictions",
        frameworks=("ner",),
        suffixes=(".iob", ".iob2", ".conll"),
        read=late("graphscore.formats.entities.iob", "read_gold"),
    ),
    Format(
        name="neleval",
        title="linked mentions, one to a line (neleval)",
        frameworks=("ner",),
        suffixes=(".neleval", ".tsv"),
        read=late("graphscore.formats.entities.neleval", "read"),
        sniff=sniffers.neleval,
        write=late("graphscore.formats.entities.neleval", "write"),
    ),
    Format(
        name="quaero",
        title="text with inline tags for nested entities and components: QUAERO, ETAPE",
        frameworks=("etree",),
        suffixes=(".ne", ".aref", ".ref", ".hyp"),
        read=late("graphscore.formats.entities.quaero", "read"),
        read_with=late("graphscore.formats.entities.quaero", "reader_with"),
        by_name=".ne",
        sniff=sniffers.quaero,
        write=late("graphscore.formats.entities.quaero_write", "write"),
    ),
    Format(
        name="spans",
        title="texts with ranges of characters as JSON lines (spaCy, Prodigy, doccano)",
        frameworks=("ner",),
        suffixes=(".jsonl", ".json"),
        read=late("graphscore.formats.entities.spans_jsonl", "read"),
        sniff=sniffers.spans,
        write=late("graphscore.formats.entities.spans_jsonl", "write"),
    ),
    Format(
        name="tac-kbp",
        title="tables of entity discovery and linking, queries beside them (TAC KBP)",
        frameworks=("ner",),
        suffixes=(".tab",),
        read=late("graphscore.formats.entities.tac_kbp", "read"),
        beside=late("graphscore.formats.entities.tac_kbp", "beside"),
        sniff=sniffers.tac_kbp,
    ),
)
