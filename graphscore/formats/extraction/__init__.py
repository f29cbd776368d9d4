"""Formats of relations and events."""

from graphscore.formats.base import Format, late
from graphscore.formats.extraction import sniffers

FORMATS = (
    Format(
        name="brat",
        title="brat and BioNLP standoff annotations, with the text beside them",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".ann", ".a1", ".a2"),
        read=late("graphscore.formats.extraction.brat", "read"),
        sniff=sniffers.brat,
        empty=True,
        beside=late("graphscore.formats.extraction.brat.text", "beside"),
        by_name=".ann",
        files=late("graphscore.formats.extraction.brat.write", "write"),
        lost=late("graphscore.formats.extraction.brat.write", "lost"),
    ),
    Format(
        name="docred",
        title="DocRED JSON, documents or predicted relations",
        frameworks=("relation", "coref"),
        suffixes=(".docred", ".json"),
        read=late("graphscore.formats.extraction.docred", "read"),
        sniff=sniffers.docred,
        write=late("graphscore.formats.extraction.docred_write", "write"),
    ),
    Format(
        name="dygie",
        title="DyGIE++ and SciERC JSON lines, gold or predicted",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".dygie", ".json", ".jsonl"),
        read=late("graphscore.formats.extraction.dygie", "read"),
        sniff=sniffers.dygie,
        write=late("graphscore.formats.extraction.dygie_write", "write"),
    ),
    Format(
        name="dygie-gold",
        title="DyGIE++ JSON lines, what is gold beside predictions",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".dygie", ".json", ".jsonl"),
        read=late("graphscore.formats.extraction.dygie", "read_gold"),
    ),
    Format(
        name="oneie",
        title="OneIE JSON lines, annotated or predicted",
        frameworks=("ner", "relation", "event"),
        suffixes=(".oneie", ".json", ".jsonl"),
        read=late("graphscore.formats.extraction.oneie", "read"),
        sniff=sniffers.oneie,
        write=late("graphscore.formats.extraction.oneie_write", "write"),
    ),
    Format(
        name="scirex",
        title="SciREX JSON lines, gold or predicted",
        frameworks=("ner", "relation", "coref"),
        suffixes=(".scirex", ".jsonl", ".json"),
        read=late("graphscore.formats.extraction.scirex", "read"),
        sniff=sniffers.scirex,
        write=late("graphscore.formats.extraction.scirex_write", "write"),
    ),
)
