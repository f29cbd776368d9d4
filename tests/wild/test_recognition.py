"""Every published file is told by its content: no format need be named."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

from graphscore.exceptions import InputError
from graphscore.formats import ReaderOptions
from graphscore.formats import format_of as told
from graphscore.formats.registry import formats
from tests.conftest import DATA, ROOT
from tests.wild import WILD, needs_wild

CONFORMANCE = ROOT.parent / "shared" / "conformance"

NOTHING = ""
"""Of files that are of no format: pages, texts, scores, settings."""

TABLE: dict[str, str] = {
    # A page about tags, full of them.
    "conformance/ner/ETER.md": "quaero",
    "*README*": NOTHING,
    "*LICENSE*": NOTHING,
    "*.md": NOTHING,
    "*.toml": NOTHING,
    "*.py": NOTHING,
    "*.conf": NOTHING,
    "*/expected.json": NOTHING,
    # Published files.
    "wild/graphs/amr/*": "amr",
    "wild/graphs/drs/*": "drg",
    "wild/graphs/eds/*.eds": "eds",
    "wild/graphs/sbn/pmb4/*.clf": "drg",
    "wild/graphs/sbn/pmb4/*.penman": "amr",
    "wild/graphs/sentiment/*": "sentiment",
    "wild/graphs/sbn/*": "sbn",
    "wild/graphs/umr/*": "umr",
    "wild/graphs/eds/*.simpledmrs": "simpledmrs",
    "wild/graphs/ucca/*.xml": "ucca",
    "wild/graphs/ucca/*.text.tsv": NOTHING,
    "wild/graphs/ud/*": "conllu",
    "wild/ie/brat/*.txt": NOTHING,
    "wild/ie/brat/*.ann": "brat",
    "wild/ie/brat/*.a[12]": "brat",
    "wild/ie/conll2012/*": "conll2012",
    "wild/ie/coref_edge/*": "conll2012",
    "wild/ie/dygie/*": "dygie",
    "wild/ie/fewnerd/*": "iob",
    "wild/ie/gap/*": NOTHING,
    "wild/ie/genia_nested/*": "genia",
    "wild/ie/germeval2014/*": "iob",
    "wild/ie/gum/*": "conllu",
    "wild/ie/hipe2022/*": "hipe",
    "wild/ie/litbank/*": "conll2012",
    "wild/ie/muc4/*": "muc",
    "wild/ie/nel/*.tab": "tac-kbp",
    "wild/ie/nel/*.tsv": "neleval",
    "wild/ie/preco/*": "preco",
    "wild/ie/scorch/*": NOTHING,
    "wild/ie/ontogum/*": "conll2012",
    "wild/ie/spans/doccano.relations.jsonl": "doccano",
    "wild/ie/spans/*": "spans",
    "wild/ie/tokentag/*": "iob",
    "wild/ie/up1/*": "conllu-srl",
    "wild/ie/wnut17/*": "iob",
    # Files with scores of the scorers of the field.
    "conformance/mrp/expected/*": NOTHING,
    "conformance/mrp/*.mrp": "mrp",
    "conformance/mrp/*.amr": "amr",
    "conformance/mrp/native/*.sdp": "sdp",
    "conformance/mrp/native/*.eds": "eds",
    "conformance/mrp/native/*.txt": NOTHING,
    "conformance/mrp/native/ucca/*": "ucca",
    "conformance/dependency/*.conllu": "conllu",
    "conformance/ner/*.iob2": "iob",
    "conformance/ner/*.json": NOTHING,
    "conformance/ie/muc4_grit_*": "grit",
    "conformance/ie/muc4_gtt_*": "gtt",
    "conformance/ie/muc4_iterx_*": "iterx",
    "conformance/ie/ceaf_*": NOTHING,
    "conformance/coref/tc/*": "conll2012",
    "conformance/srl/*.conllu": "conllu-srl",
    "conformance/srl/conll05/*": "conll2005",
    "conformance/srl/conll09/*": "conll2009",
    "conformance/srl/*.json": NOTHING,
    # Bundled files.
    "data/*.mrp": "mrp",
    "data/gold.txt": NOTHING,
    "data/ie/abstracts*": "dygie",
    "data/ie/incidents*.json*": "gtt",
    "data/ie/incidents.key": "muc",
    "data/ie/linked.tsv": "aida",
    "data/ie/news.iob2": "iob",
    "data/ie/news.jsonl": "spans",
    "data/ie/wire*": "oneie",
    "data/ie/brat/*.ann": "brat",
    "data/ie/brat/*.txt": NOTHING,
    "data/ie/bionlp/*.a[12]": "brat",
    "data/ie/bionlp/*.txt": NOTHING,
    "data/sentiment/*": "sentiment",
    "data/ner/gazette.tsv": "hipe",
    "data/ner/radio.ne": "quaero",
    "data/srl/market.conll09": "conll2009",
    "data/srl/market.conllu": "conllu-srl",
    "data/srl/market.conllup": "up",
    "data/srl/market.xml": "framenet-xml",
    "data/srl/props/*": "conll2005",
    "data/srl/words/*": NOTHING,
}
"""What files are, by the first pattern that fits their path."""


def format_of(path: Path, folder: Path) -> str | None:
    """What a file should be taken for; ``None`` where nothing is said."""
    name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
    for pattern, found in TABLE.items():
        if fnmatch(name, pattern):
            return found
    return None


def wrong(folder: Path) -> list[str]:
    """Files of a folder that are taken for something else."""
    found = []
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        expected = format_of(path, folder)
        if expected is None or "__pycache__" in path.parts:
            continue
        try:
            name = told(str(path), ReaderOptions()).name
        except InputError as error:
            name = NOTHING if "of no known format" in str(error) else str(error)
        if name != expected:
            found.append(f"{path}: {name}, expected {expected}")
    return found


@needs_wild
def test_published_files_are_told_by_their_content() -> None:
    assert wrong(WILD) == []


@pytest.mark.skipif(
    not CONFORMANCE.is_dir(),
    reason="the conformance files are not beside this checkout",
)
def test_conformance_files_are_told_by_their_content() -> None:
    assert wrong(CONFORMANCE) == []


def test_bundled_files_are_told_by_their_content() -> None:
    assert wrong(DATA) == []


def test_the_table_names_formats() -> None:
    assert {*TABLE.values()} - {NOTHING} <= formats().keys()
