"""Formats of meaning representations."""

from graphscore.formats.base import Format, LineFormat, late
from graphscore.formats.meaning import sniffers

FORMATS = (
    Format(
        name="amr",
        title="AMR in PENMAN notation, with metadata and alignments",
        frameworks=("amr",),
        suffixes=(".amr", ".penman"),
        read=late("graphscore.formats.meaning.amr", "read"),
        sniff=sniffers.amr,
        write=late("graphscore.formats.meaning.amr", "write"),
    ),
    Format(
        name="drg",
        title="Clauses of the Parallel Meaning Bank, laid out as in MRP 2020",
        frameworks=("drg",),
        suffixes=(".clf",),
        read=late("graphscore.formats.meaning.drg", "read"),
        sniff=sniffers.drg,
        write=late("graphscore.formats.meaning.drg_write", "write"),
    ),
    Format(
        name="eds",
        title="EDS, elementary dependency structures in native notation",
        frameworks=("eds",),
        suffixes=(".eds",),
        read=late("graphscore.formats.meaning.eds", "read"),
        sniff=sniffers.eds,
        write=late("graphscore.formats.meaning.eds", "write"),
        restates=("texts", "property carg"),
    ),
    Format(
        name="mrp",
        title="MRP JSON lines 0.9, 1.0, 1.1 (shared tasks 2019 and 2020)",
        frameworks=(),
        suffixes=(".mrp", ".jsonl"),
        read=late("graphscore.formats.meaning.mrp", "read"),
        sniff=sniffers.mrp,
        write=late("graphscore.formats.meaning.mrp", "write"),
        lines=LineFormat(
            late("graphscore.formats.meaning.mrp_lines", "read"),
            late("graphscore.formats.meaning.mrp_lines", "key"),
        ),
    ),
    Format(
        name="sbn",
        title="SBN, box notation of the Parallel Meaning Bank, by lines or a line each",
        frameworks=("sbn",),
        suffixes=(".sbn",),
        read=late("graphscore.formats.meaning.sbn", "read"),
        sniff=sniffers.sbn,
        write=late("graphscore.formats.meaning.sbn_write", "write"),
        restates=("documents",),
    ),
    Format(
        name="sdp",
        title="SDP, bi-lexical dependencies (SemEval 2014 and 2015)",
        frameworks=("dm", "pas", "psd", "ccd"),
        suffixes=(".sdp", ".dm", ".pas", ".psd", ".ccd"),
        read=late("graphscore.formats.meaning.sdp", "read"),
        sniff=sniffers.sdp,
        write=late("graphscore.formats.meaning.sdp", "write"),
        unsaid=True,
    ),
    Format(
        name="ucca",
        title="UCCA XML, standard and site, one passage per file",
        frameworks=("ucca",),
        suffixes=(".xml",),
        read=late("graphscore.formats.meaning.ucca", "read"),
        sniff=sniffers.ucca,
        write=late("graphscore.formats.meaning.ucca.write", "write"),
        single=True,
    ),
)
