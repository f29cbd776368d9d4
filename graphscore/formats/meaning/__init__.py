"""Formats of meaning representations."""

from graphscore.formats.base import Format, LineFormat, late
from graphscore.formats.recognition import PROLOG, Begins, Keys

_COMMENTS = r"(?:#[^\n]*+\n\s*+)*+"

_GRAPH = "nodes edges tops flavor input"
"""Keys of MRP beside the framework and the id."""

FORMATS = (
    Format(
        name="amr",
        title="AMR in PENMAN notation, with metadata and alignments",
        frameworks=("amr",),
        suffixes=(".amr", ".penman"),
        decisive=(".amr", ".penman"),
        read=late("graphscore.formats.meaning.amr", "read"),
        signs=(
            Begins(
                0.9,
                "a graph in brackets, as PENMAN has it",
                rf"{_COMMENTS}\(\s*+[^\s()/:~\"]*+\s*+(?:[/:)]|\Z)",
            ),
            Begins(
                0.6,
                "the metadata of AMR (# ::id, # ::snt, # ::tok)",
                r"(?:#[^\n]*\n\s*+)*#\s*+::(?:id|snt|tok)\s",
            ),
        ),
        write=late("graphscore.formats.meaning.amr", "write"),
        metric="smatch",
    ),
    Format(
        name="drg",
        title="PMB clause format (DRS)",
        frameworks=("drg",),
        suffixes=(".clf",),
        decisive=(".clf",),
        read=late("graphscore.formats.meaning.drg", "read"),
        signs=(
            Begins(
                0.9,
                "clauses of boxes (b1 REF x1)",
                r"%%%|b",
                r"^[ \t]*+[bk]\d++ \S++ \S",
            ),
        ),
        write=late("graphscore.formats.meaning.drg", "write"),
    ),
    Format(
        name="eds",
        title="EDS, native notation",
        frameworks=("eds",),
        suffixes=(".eds",),
        decisive=(".eds",),
        read=late("graphscore.formats.meaning.eds", "read"),
        signs=(
            Begins(
                0.9,
                "a graph in braces, as EDS has it",
                r"(?!\{[{}\s]*\Z)(?:#[^\n{]*\n\s*)*(?:#[^\s{]+\s*)?\{\s*"
                r"(?:\w[^\s:,<>(){}\[\]|#\"]*:|:|\((?:cyclic|fragmented)|\||\})",
            ),
            # An empty graph, or an empty object of JSON.
            Begins(0.2, "empty braces", r"\{[{}\s]*\Z"),
        ),
        write=late("graphscore.formats.meaning.eds", "write"),
        restates=("texts", "property carg"),
        metric="edm",
    ),
    Format(
        name="mrp",
        title="MRP JSON lines 0.9, 1.0, 1.1 (shared tasks 2019 and 2020)",
        frameworks=(),
        suffixes=(".mrp", ".jsonl"),
        decisive=(".mrp",),
        read=late("graphscore.formats.meaning.mrp", "read"),
        signs=(
            Keys(0.95, every="framework:s", any=f"id {_GRAPH}"),
            Keys(0.4, any=f"id|{_GRAPH}"),
            Keys(0.4, every="nodes:l"),
            # Any other object may be one whose framework was forgotten.
            Keys(0.1),
        ),
        write=late("graphscore.formats.meaning.mrp_write", "write"),
        lines=LineFormat(
            late("graphscore.formats.meaning.mrp", "read_lines"),
            late("graphscore.formats.meaning.mrp", "key"),
        ),
    ),
    Format(
        name="sbn",
        title="SBN: Simplified Box Notation (PMB)",
        frameworks=("sbn",),
        suffixes=(".sbn",),
        decisive=(".sbn",),
        read=late("graphscore.formats.meaning.sbn", "read"),
        signs=(
            Begins(
                0.9,
                "a word sense and its roles (dog.n.01)",
                # Atomic groups: possessive ones go wrong before Python 3.11.5.
                r"(?>(?:%%%[^\n]*\n\s*)*)(?>(?:[^\s,%]++(?:,|\t+)[ \t]*)?)"
                r"[^\s%\"]+\.[nvars]\.\d++"
                r"(?=\s*\Z|\s+(?:%|[A-Z][A-Za-z0-9-]*\s+\S|[^\s%\"]+\.[nvars]\.\d))",
            ),
        ),
        write=late("graphscore.formats.meaning.sbn", "write"),
        restates=("documents",),
    ),
    Format(
        name="sdp",
        title="SDP, bi-lexical dependencies (SemEval 2014 and 2015)",
        frameworks=("dm", "pas", "psd", "ccd", "sdp"),
        suffixes=(".sdp", ".dm", ".pas", ".psd", ".ccd"),
        decisive=(".sdp",),
        read=late("graphscore.formats.meaning.sdp", "read"),
        signs=(
            Begins(1.0, "the version of SDP (#SDP 2015)", r"#\s*SDP\s+\d{4}"),
            Begins(
                0.9,
                "a word in the columns of SDP (+ and - for top, pred)",
                rf"{_COMMENTS}1\t[^\t\n]+(?:\t[^\t\n]*){{2}}(?:\t[-+]){{2}}(?:\t|$)",
            ),
        ),
        write=late("graphscore.formats.meaning.sdp", "write"),
        unsaid=True,
        metric="sdp",
    ),
    Format(
        name="simpledmrs",
        title="SimpleDMRS",
        frameworks=("dmrs",),
        suffixes=(".simpledmrs", ".dmrs"),
        decisive=(".simpledmrs", ".dmrs"),
        read=late("graphscore.formats.meaning.simpledmrs", "read"),
        signs=(
            Begins(
                0.95,
                "dmrs and a graph in braces",
                rf"{_COMMENTS}dmrs(?:\s++[^\s{{]++)?\s*+(?:\{{|\Z)",
            ),
        ),
        write=late("graphscore.formats.meaning.simpledmrs", "write"),
    ),
    Format(
        name="ucca",
        title="UCCA XML, standard and site, one passage per file",
        frameworks=("ucca",),
        suffixes=(".xml",),
        read=late("graphscore.formats.meaning.ucca", "read"),
        signs=(
            Begins(
                1.0,
                "the root of a passage",
                rf"{PROLOG}<root\b",
                "passageID|layerID|schemeVersion|<unitGroups|<units",
            ),
        ),
        write=late("graphscore.formats.meaning.ucca.write", "write"),
        single=True,
        metric="ucca",
    ),
    Format(
        name="umr",
        title="UMR: sentence graphs, alignments, document triples",
        frameworks=("umr", "umrdoc"),
        suffixes=(".umr",),
        decisive=(".umr",),
        read=late("graphscore.formats.meaning.umr", "read"),
        signs=(
            Begins(0.95, "a sentence of UMR (# :: snt1)", "#", r"^#\s*::\s*snt\d"),
            Begins(
                0.95,
                "the parts of a sentence of UMR (# alignment:)",
                r"#(?=[\s\S]*?^#\s*alignment:)",
                r"^#\s*(?i:sentence[ -]level graph)",
            ),
        ),
        write=late("graphscore.formats.meaning.umr.write", "write"),
        restates=("ids",),
    ),
)
