"""Formats of coreference."""

from graphscore.formats.base import Format, late
from graphscore.formats.recognition import Begins, Keys

_MARKS = (
    "speakers:lo speaker:lo constituents:lo subtoken_map:lo sentence_map:lo "
    "cased_words:lo span_clusters:lo word_clusters:lo"
)
"""Keys of coreference systems that no line of DyGIE++ has."""

_WORDS = "sentences:ls cased_words:ls tokens:ls text:ls"
_CLUSTERS = "predicted_clusters:l span_clusters:l clusters:l"
_OTHER = (
    "framework relations predicted_relations events predicted_events dataset "
    "n_ary_relations coref sent_id:s ner:[[l predicted_ner:[[l"
)

FORMATS = (
    Format(
        name="conll2012",
        title="CoNLL-2012 coreference and SRL",
        frameworks=("coref", "srl"),
        suffixes=(".conll", ".v4_gold_conll", ".v4_auto_conll", ".key", ".response"),
        decisive=(".v4_gold_conll", ".v4_auto_conll"),
        read=late("graphscore.formats.coreference.conll2012", "read"),
        signs=(
            Begins(
                1.0,
                "'# begin document'",
                r"(?>(?:#(?![ \t]*(?:begin|end)[ \t]+document\b)[^\n]*\n\s*)*)"
                r"#[ \t]*begin[ \t]+document\b",
            ),
        ),
        write=late("graphscore.formats.coreference.conll2012_write", "write"),
        dependent=("srl",),
        restates=("documents",),
    ),
    Format(
        name="coref-jsonlines",
        title="Coreference clusters, JSON Lines",
        frameworks=("coref",),
        suffixes=(".jsonlines", ".jsonl", ".json"),
        read=late("graphscore.formats.coreference.coref_jsonlines", "read"),
        signs=(
            Keys(
                0.95, any=f"{_CLUSTERS}|{_MARKS}", none=_OTHER, also="sentences tokens"
            ),
            Keys(0.95, any=f"{_WORDS}|{_MARKS}", none=_OTHER),
            # Further layers may follow where the line goes on.
            Keys(0.85, any=f"{_WORDS}|{_CLUSTERS}", none=_OTHER, cut=0.5),
        ),
        write=late("graphscore.formats.coreference.coref_jsonlines", "write"),
        rereads=late("graphscore.formats.coreference.coref_jsonlines", "reader_of"),
        restates=("documents",),
    ),
    Format(
        name="coref-jsonlines-exclusive",
        title="Coreference clusters, exclusive span ends",
        frameworks=("coref",),
        suffixes=(".jsonlines", ".jsonl", ".json"),
        read=late("graphscore.formats.coreference.coref_jsonlines", "read_exclusive"),
    ),
    Format(
        name="preco",
        title="PreCo coreference, JSON Lines",
        frameworks=("coref",),
        suffixes=(".jsonl", ".json", ".jsonlines"),
        read=late("graphscore.formats.coreference.coref_jsonlines", "read_preco"),
        signs=(Keys(0.95, every="mention_clusters:[[[i", also="sentences"),),
    ),
)
