"""Formats of relations and events."""

from graphscore.formats.base import Format, late
from graphscore.formats.recognition import PROLOG, Begins, Judged, Keys

_LAYERS = (
    "ner:[[li predicted_ner:[[li relations:[[li predicted_relations:[[li "
    "events:[[[li predicted_events:[[[li"
)
"""Layers of DyGIE++, which have a list for each sentence."""

_CLUSTERS = "clusters predicted_clusters"
_NO_DYGIE = "framework:s sent_id:s"
_MENTIONS = "entity_mentions event_mentions relation_mentions"
_ARTICLES = "n_ary_relations method_subrelations coref_non_salient"
_NO_SCIREX = "doc_key framework sent_id docid corpus-id nodes"

FORMATS = (
    Format(
        name="brat",
        title="brat standoff (.ann and .txt)",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".ann", ".a1", ".a2"),
        read=late("graphscore.formats.extraction.brat", "read"),
        signs=(
            Judged(
                "annotations of brat",
                "extraction.brat.lines.annotation_fit",
                holds="^[TERAMN*#]",
            ),
        ),
        empty=True,
        beside=late("graphscore.formats.extraction.brat.lines", "files_beside"),
        by_name=".ann",
        files=late("graphscore.formats.extraction.brat.write", "write"),
        lost=late("graphscore.formats.extraction.brat.write", "lost_in_one"),
        read_beside=late("graphscore.formats.extraction.brat", "read_beside"),
    ),
    Format(
        name="bionlp",
        title="BioNLP standoff (.a1 and .a2)",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".a2", ".a1"),
        read=late("graphscore.formats.extraction.brat", "read"),
        empty=True,
        beside=late("graphscore.formats.extraction.brat.lines", "files_beside"),
        files=late("graphscore.formats.extraction.brat.write", "write_halves"),
        lost=late("graphscore.formats.extraction.brat.write", "lost"),
        read_beside=late("graphscore.formats.extraction.brat", "read_beside"),
    ),
    Format(
        name="bioc",
        title="BioC XML: passages with annotations and relations",
        frameworks=("ner", "relation"),
        suffixes=(".xml", ".bioc"),
        read=late("graphscore.formats.extraction.bioc", "read_xml"),
        signs=(
            Begins(
                0.95,
                "the root of a collection",
                rf"{PROLOG}<collection\b",
                "<(?:document|passage|source)\\b",
            ),
        ),
        write=late("graphscore.formats.extraction.bioc", "write_xml"),
    ),
    Format(
        name="bioc-json",
        title="BioC JSON: passages with annotations and relations",
        frameworks=("ner", "relation"),
        suffixes=(".json", ".jsonl"),
        read=late("graphscore.formats.extraction.bioc", "read_json"),
        signs=(
            Keys(0.95, "documents:[o", "source infons key"),
            Keys(0.95, "PubTator3:[o"),
            Keys(0.95, "passages:[o", none="framework"),
        ),
        write=late("graphscore.formats.extraction.bioc", "write_json"),
    ),
    Format(
        name="doccano",
        title="doccano JSON Lines: entities and relations",
        frameworks=("ner", "relation"),
        suffixes=(".jsonl", ".json"),
        read=late("graphscore.formats.extraction.doccano", "read"),
        signs=(
            Judged(
                "entities and relations of doccano",
                "extraction.sniffers.doccano",
                of_object=True,
                holds='"relations"',
            ),
        ),
        write=late("graphscore.formats.extraction.doccano", "write"),
    ),
    Format(
        name="docred",
        title="DocRED JSON, documents or predicted relations",
        frameworks=("relation", "coref"),
        suffixes=(".docred", ".json"),
        read=late("graphscore.formats.extraction.docred", "read"),
        signs=(Keys(0.95, any="h_idx sents t_idx vertexSet"),),
        write=late("graphscore.formats.extraction.docred", "write"),
    ),
    Format(
        name="dygie",
        title="DyGIE++ and SciERC JSON Lines",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".dygie", ".json", ".jsonl"),
        read=late("graphscore.formats.extraction.dygie", "read"),
        signs=(
            Keys(0.9, "sentences:[[s", _LAYERS, _NO_DYGIE, "doc_key"),
            Keys(0.6, "doc_key", _LAYERS, _NO_DYGIE),
            Keys(0.0, "", _LAYERS, _NO_DYGIE, cut=0.6),
            Keys(0.6, "doc_key sentences:[[s", "", _NO_DYGIE, _CLUSTERS),
            # Clusters alone are what files of coreference have, too.
            Keys(0.6, "sentences:[[s", _CLUSTERS, _NO_DYGIE),
            Keys(0.3, "", "doc_key sentences:[[s", _NO_DYGIE),
        ),
        write=late("graphscore.formats.extraction.dygie", "write"),
    ),
    Format(
        name="dygie-gold",
        title="DyGIE++ JSON Lines, gold fields only",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".dygie", ".json", ".jsonl"),
        read=late("graphscore.formats.extraction.dygie", "read_gold"),
    ),
    Format(
        name="label-studio",
        title="Label Studio JSON and JSON-MIN",
        frameworks=("ner", "relation"),
        suffixes=(".json", ".jsonl"),
        read=late("graphscore.formats.extraction.label_studio", "read"),
        signs=(
            Keys(0.95, "data:{s annotations:[o", none="framework"),
            Keys(0.95, "annotation_id", "annotator lead_time created_at", "data"),
        ),
        write=late("graphscore.formats.extraction.label_studio", "write"),
    ),
    Format(
        name="label-studio-predictions",
        title="Label Studio JSON, predictions only",
        frameworks=("ner", "relation"),
        suffixes=(".json", ".jsonl"),
        read=late("graphscore.formats.extraction.label_studio", "read_predictions"),
    ),
    Format(
        name="maven",
        title="MAVEN: documents with triggers of events, JSON Lines",
        frameworks=("event",),
        suffixes=(".jsonl", ".json"),
        read=late("graphscore.formats.extraction.maven", "read"),
        signs=(
            Keys(0.95, "content:[o", "events negative_triggers candidates"),
            Keys(0.95, "tokens:[[s events:[o"),
        ),
        write=late("graphscore.formats.extraction.maven", "write"),
    ),
    Format(
        name="oneie",
        title="OneIE JSON lines, annotated or predicted",
        frameworks=("ner", "relation", "event"),
        suffixes=(".oneie", ".json", ".jsonl"),
        read=late("graphscore.formats.extraction.oneie", "read"),
        signs=(
            Keys(0.9, "tokens:[s", f"sent_id {_MENTIONS} graph", none="framework:s"),
        ),
        write=late("graphscore.formats.extraction.oneie", "write"),
    ),
    Format(
        name="pubtator",
        title="PubTator, texts with identified mentions and relations",
        frameworks=("ner", "relation"),
        suffixes=(".pubtator",),
        decisive=(".pubtator",),
        read=late("graphscore.formats.extraction.pubtator", "read"),
        signs=(Begins(0.95, "a title behind NUMBER|t|", r"[^\s|]+\|t\|"),),
        write=late("graphscore.formats.extraction.pubtator", "write"),
    ),
    Format(
        name="rams",
        title="RAMS: events with arguments in other sentences, JSON Lines",
        frameworks=("event",),
        suffixes=(".jsonlines", ".jsonl", ".json"),
        read=late("graphscore.formats.extraction.rams", "read"),
        signs=(
            Keys(0.95, any="ent_spans evt_triggers gold_evt_links"),
            Keys(0.95, "doc_key predictions:[l"),
        ),
        write=late("graphscore.formats.extraction.rams", "write"),
    ),
    Format(
        name="spert",
        title="SpERT and CoNLL-04 JSON: entities and relations",
        frameworks=("ner", "relation"),
        suffixes=(".json", ".jsonl"),
        read=late("graphscore.formats.extraction.spert", "read"),
        signs=(
            Keys(0.95, "tokens:[s entities:[o", none="framework sent_id"),
            Keys(0.95, "tokens:[s tags:[s relations:[o", none="framework sent_id"),
        ),
        write=late("graphscore.formats.extraction.spert", "write"),
    ),
    Format(
        name="scirex",
        title="SciREX JSON lines, gold or predicted",
        frameworks=("ner", "relation", "coref"),
        suffixes=(".scirex", ".jsonl", ".json"),
        read=late("graphscore.formats.extraction.scirex", "read"),
        signs=(
            Keys(0.95, "", _ARTICLES, _NO_SCIREX),
            Keys(0.95, "predicted_relations", none=f"{_NO_SCIREX} sentences"),
            Keys(0.85, "words:[s", none=_NO_SCIREX, also="ner"),
            Keys(0.7, any="coref:{[[i clusters:{[[i", none=_NO_SCIREX),
        ),
        write=late("graphscore.formats.extraction.scirex", "write"),
    ),
    Format(
        name="tacred",
        title="TACRED JSON: a relation of two mentions in each sentence",
        frameworks=("relation",),
        suffixes=(".json", ".jsonl"),
        read=late("graphscore.formats.extraction.tacred", "read"),
        signs=(Keys(0.95, "token:[s subj_start obj_start"),),
        write=late("graphscore.formats.extraction.tacred", "write"),
    ),
    Format(
        name="tacred-labels",
        title="Relation labels, one per line, as the scorer of TACRED takes them",
        frameworks=("relation",),
        suffixes=(".key", ".txt"),
        read=late("graphscore.formats.extraction.tacred", "read_labels"),
    ),
    Format(
        name="webanno",
        title="WebAnno TSV 3 (INCEpTION): spans, slots, relations, chains",
        frameworks=("ner", "relation", "event", "coref"),
        suffixes=(".tsv",),
        read=late("graphscore.formats.extraction.webanno", "read"),
        signs=(Begins(0.98, "#FORMAT=WebAnno TSV 3", r"#FORMAT=WebAnno TSV 3\b"),),
    ),
    Format(
        name="wikievents",
        title="WikiEvents JSON Lines: documents in the manner of OneIE",
        frameworks=("ner", "relation", "event"),
        suffixes=(".jsonl", ".json"),
        read=late("graphscore.formats.extraction.oneie", "read_wikievents"),
        signs=(
            Keys(
                0.95,
                "doc_id tokens:[s",
                "event_mentions entity_mentions",
                none="sent_id",
            ),
        ),
        write=late("graphscore.formats.extraction.oneie", "write_wikievents"),
    ),
)

_SKELETON = "its words, which the script of the release fills in from its treebank"

UNREAD = {
    "spaCy training data in Python (TRAIN_DATA)": (
        Begins(
            0.9,
            "a list of texts with entities",
            holds=r"^(?:[A-Za-z_]\w*[ \t]*=[ \t]*)?\[\s*\(\s*"
            r"(?:\"(?>[^\"\\]|\\.)*\"|'(?>[^'\\]|\\.)*'),\s*\{",
        ),
        "it as JSON, as json.dump writes it",
    ),
    "a skeleton of PropBank or CoNLL-2012": (
        Begins(
            0.9, "[WORD] in place of words", holds=r"^\S+[ \t]+\d+[^\n]*[ \t]\[WORD\]"
        ),
        _SKELETON,
    ),
}
"""Signs of what is named as what it is, as it looks like formats that are read; and
what is expected instead, if it can be said."""
