"""Formats of named entities, flat and as trees."""

from graphscore.formats.base import Format, late
from graphscore.formats.recognition import Begins, Judged, Keys
from graphscore.formats.source import PARQUET

_SPANS = (
    "spans:[lo spans:o entities:[lo ents:[lo labels:[lo label:[lo tokens:[o "
    "_input_hash _task_hash"
)
_OTHER = "framework sent_id doc_key docid sentences nodes doctext entries annotation_id"
"""Keys of formats that have a text as well."""

_STRING = r'"(?>[^"\\]|\\.)*"'

FORMATS = (
    Format(
        name="aida",
        title="CoNLL-AIDA: tokens with entity links",
        frameworks=("ner",),
        suffixes=(".tsv", ".conll", ".aida"),
        decisive=(".aida",),
        read=late("graphscore.formats.entities.aida", "read"),
        signs=(Judged("mentions with an entity each", "entities.sniffers.aida"),),
        write=late("graphscore.formats.entities.aida", "write"),
        restates=("documents", "ids"),
    ),
    Format(
        name="genia",
        title="GENIA nested entities, three lines per sentence",
        frameworks=("ner",),
        suffixes=(".data",),
        read=late("graphscore.formats.entities.genia", "read"),
        signs=(
            Begins(
                0.9,
                "a line of ranges of tokens below one of tokens",
                holds=r"^(?<=\S\n)[ \t]*\d+,\d+ [^\s|]+(?:\|\d+,\d+ [^\s|]+)*$",
            ),
        ),
        write=late("graphscore.formats.entities.genia", "write"),
        restates=("ids",),
    ),
    Format(
        name="hipe",
        title=("HIPE-2020/2022 TSV, nested and linked entities"),
        frameworks=("ner", "etree"),
        suffixes=(".tsv", ".hipe"),
        decisive=(".hipe",),
        read=late("graphscore.formats.entities.hipe", "read"),
        write=late("graphscore.formats.entities.hipe_columns", "write"),
        dependent=("etree",),
        signs=(
            Begins(
                0.95,
                "a line that names columns, TOKEN first",
                r"(?:(?!# global\.columns|[^\t\n]*\tNEL?-)[^\n]*\n){0,19}"
                r"(?:# global\.columns[ =\t]*TOKEN(?!\S)|TOKEN *\tNEL?-)",
            ),
        ),
    ),
    Format(
        name="hipe-columns",
        title="HIPE TSV, one layer per column",
        frameworks=("ner",),
        suffixes=(".tsv", ".hipe"),
        read=late("graphscore.formats.entities.hipe", "read_columns"),
    ),
    Format(
        name="iob",
        title="Token tags in columns: IOB1, IOB2, IOE, IOBES, BILOU",
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
        decisive=(".iob", ".iob2", ".bio", ".iobes", ".bioes", ".bilou"),
        read=late("graphscore.formats.entities.iob", "read"),
        signs=(Judged("tags at the ends of lines", "entities.sniffers.iob"),),
        write=late("graphscore.formats.entities.iob", "write"),
        rereads=late("graphscore.formats.entities.iob", "reader_of"),
        restates=("documents", "ids"),
    ),
    Format(
        name="iob-gold",
        title="Token tags in columns, gold column only",
        frameworks=("ner",),
        suffixes=(".iob", ".iob2", ".conll"),
        read=late("graphscore.formats.entities.iob", "read_gold"),
    ),
    Format(
        name="neleval",
        title="neleval TSV, one linked mention per line",
        frameworks=("ner",),
        suffixes=(".neleval", ".tsv"),
        decisive=(".neleval",),
        read=late("graphscore.formats.entities.neleval", "read"),
        signs=(Judged("lines with entries", "entities.sniffers.neleval"),),
        write=late("graphscore.formats.entities.neleval", "write"),
        restates=("texts",),
    ),
    Format(
        name="quaero",
        title="QUAERO and ETAPE, inline nested entities",
        frameworks=("etree",),
        suffixes=(".ne", ".aref", ".ref", ".hyp"),
        read=late("graphscore.formats.entities.quaero", "read"),
        read_with=late("graphscore.formats.entities.quaero", "reader_with"),
        by_name=".ne",
        signs=(
            Judged("mostly tags of QUAERO", "entities.sniffers.quaero", holds=r"</"),
        ),
        write=late("graphscore.formats.entities.quaero", "write"),
        rereads=late("graphscore.formats.entities.quaero", "reader_of"),
        restates=("ids", "nodes"),
    ),
    Format(
        name="spans",
        title="Character spans, JSON Lines (spaCy, Prodigy, doccano)",
        frameworks=("ner",),
        suffixes=(".jsonl", ".json"),
        read=late("graphscore.formats.entities.spans_jsonl", "read"),
        signs=(
            Keys(0.9, "text:s", _SPANS, _OTHER),
            Keys(0.2, "text:s", none=_OTHER),
        ),
        write=late("graphscore.formats.entities.spans_jsonl", "write"),
    ),
    Format(
        name="spacy-json",
        title="Training data of spaCy 2: JSON with paragraphs and BILUO tags",
        frameworks=("ner",),
        suffixes=(".json", ".jsonl"),
        read=late("graphscore.formats.entities.spacy_training", "read"),
        signs=(Keys(0.95, "paragraphs:[o"),),
        write=late("graphscore.formats.entities.spacy_training", "write"),
        restates=("ids",),
    ),
    Format(
        name="spacy-pairs",
        title="Training data of spaCy (TRAIN_DATA): pairs of texts and spans",
        frameworks=("ner",),
        suffixes=(".json", ".jsonl"),
        read=late("graphscore.formats.entities.spacy_training", "read_pairs"),
        signs=(
            Begins(
                0.95,
                "a list of texts with entities",
                rf'\[\s*(?:\[\s*)?{_STRING},\s*\{{\s*"(?:entities|spans|cats)"',
            ),
            Keys(0.95, "classes annotations:[[s"),
        ),
        write=late("graphscore.formats.entities.spacy_training", "write_pairs"),
        restates=("ids",),
    ),
    Format(
        name="span-trees",
        title="Nested character spans, JSON Lines",
        frameworks=("etree",),
        suffixes=(".jsonl", ".json"),
        read=late("graphscore.formats.entities.span_trees", "read"),
        read_with=late("graphscore.formats.entities.span_trees", "reader_with"),
        write=late("graphscore.formats.entities.span_trees", "write"),
    ),
    Format(
        name="brat-trees",
        title="brat standoff, entities with components",
        frameworks=("etree",),
        suffixes=(".ann",),
        read=late("graphscore.formats.entities.span_trees", "read_brat"),
        read_with=late("graphscore.formats.entities.span_trees", "brat_reader_with"),
        empty=True,
        beside=late("graphscore.formats.extraction.brat.lines", "files_beside"),
        files=late("graphscore.formats.entities.span_trees", "write_brat"),
        lost=late("graphscore.formats.entities.span_trees", "brat_lost"),
    ),
    Format(
        name="token-rows",
        title="Rows of tokens and tags, JSON Lines or Parquet (Hugging Face)",
        frameworks=("ner",),
        suffixes=(".jsonl", ".json", ".parquet"),
        read=late("graphscore.formats.entities.token_rows", "read"),
        read_labelled=late("graphscore.formats.entities.token_rows", "reader_of"),
        signs=(
            Begins(0.99, "the mark of Parquet", PARQUET.decode()),
            Keys(0.95, "tokens:[s ner_tags:[si", none="framework"),
            Keys(
                0.85,
                "tokens:[s",
                "tags:[si labels:[si",
                "framework entities relations sent_id",
            ),
        ),
        write=late("graphscore.formats.entities.token_rows", "write"),
    ),
    Format(
        name="tac-kbp",
        title="TAC KBP entity discovery and linking tables",
        frameworks=("ner",),
        suffixes=(".tab",),
        read=late("graphscore.formats.entities.tac_kbp", "read"),
        beside=late("graphscore.formats.entities.tac_kbp", "queries_beside"),
        signs=(Judged("linked queries or mentions", "entities.sniffers.tac_kbp"),),
    ),
)
