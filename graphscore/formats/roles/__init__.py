"""Formats of semantic roles."""

from graphscore.formats.base import Format, late
from graphscore.formats.recognition import PROLOG, Begins, Judged, Keys

FORMATS = (
    Format(
        name="conll2005",
        title="CoNLL-2005 SRL, bracketed spans",
        frameworks=("srl",),
        suffixes=(".props", ".conll05", ".conll"),
        decisive=(".conll05",),
        read=late("graphscore.formats.roles.conll2005", "read"),
        signs=(
            Judged(
                "brackets of roles in its last columns",
                "roles.sniffers.conll2005",
                holds=r"\(\S+\*",
            ),
        ),
        write=late("graphscore.formats.roles.conll2005", "write"),
        lost=late("graphscore.formats.roles.lossy_fields", "in_conll2005"),
        beside=late("graphscore.formats.roles.conll2005", "words_beside"),
        restates=("ids", "senses", "texts"),
    ),
    Format(
        name="conll2009",
        title="CoNLL-2009 dependencies and SRL",
        frameworks=("srl",),
        suffixes=(".conll09", ".conll2009", ".conll"),
        decisive=(".conll09", ".conll2009"),
        read=late("graphscore.formats.roles.conll2009", "read"),
        signs=(
            Judged(
                "heads and predicates where CoNLL-2009 has them",
                "roles.sniffers.conll2009",
                holds=r"^\s*1\s",
            ),
        ),
        write=late("graphscore.formats.roles.conll2009", "write"),
        lost=late("graphscore.formats.roles.lossy_fields", "in_conll2009"),
        restates=("ids", "texts"),
    ),
    Format(
        name="conllu-srl",
        title="CoNLL-U with SRL columns (Universal PropBank)",
        frameworks=("srl",),
        suffixes=(".conllu", ".conllup", ".conll"),
        read=late("graphscore.formats.roles.conllu_srl", "read"),
        signs=(
            Judged(
                "senses and roles behind columns of CoNLL-U",
                "roles.sniffers.conllu_srl",
                holds=r"^\d\S*(?:\t[^\t\n]*){9}",
            ),
        ),
        write=late("graphscore.formats.roles.conllu_srl", "write"),
        lost=late("graphscore.formats.roles.lossy_fields", "in_conllu_srl"),
        restates=("documents",),
    ),
    Format(
        name="framenet-xml",
        title="FrameNet XML, frames and elements of full texts",
        frameworks=("srl",),
        suffixes=(".xml",),
        read=late("graphscore.formats.roles.framenet_xml", "read"),
        signs=(
            Begins(
                1.0,
                "a root of FrameNet",
                rf"{PROLOG}<(?:fullTextAnnotation|lexUnit|corpus)\b",
                r"<(?:document|fullTextAnnotation|lexUnit|annotationSet)\b",
            ),
        ),
    ),
    Format(
        name="srl-rows",
        title="Rows of words and BIO tags, a predicate per line; AllenNLP",
        frameworks=("srl",),
        suffixes=(".jsonl", ".json"),
        read=late("graphscore.formats.roles.srl_rows", "read"),
        signs=(
            Keys(0.95, "BIO:[s", "words:[s seq_words:[s"),
            Keys(0.95, "words:[s verbs:[o"),
        ),
        write=late("graphscore.formats.roles.srl_rows", "write"),
        restates=("ids", "documents"),
    ),
    Format(
        name="srl-ud",
        title="Dependency trees of SRL files",
        frameworks=("ud", "eud"),
        suffixes=(".conll09", ".conll2009", ".conllu", ".conllup", ".conll"),
        read=late("graphscore.formats.roles.srl_ud", "read"),
    ),
    Format(
        name="up",
        title="Universal PropBank 2 (CoNLL-U Plus)",
        frameworks=("srl",),
        suffixes=(".conllup", ".conllu", ".conll"),
        read=late("graphscore.formats.roles.up", "read"),
        signs=(
            Begins(
                1.0,
                "a declaration of columns with roles",
                r"(?:(?!# *global\.columns *=)[^\n]*\n){0,4}# *global\.columns *="
                r"(?i:(?=[^\n]*\bID\b)(?=[^\n]*\bPREDS?\b)[^\n]*\bARG(?:HEADS|SPANS)\b)",
            ),
        ),
        write=late("graphscore.formats.roles.up", "write"),
        lost=late("graphscore.formats.roles.lossy_fields", "in_up"),
        restates=("documents", "words"),
    ),
)
