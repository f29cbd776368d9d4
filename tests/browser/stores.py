"""One store of all that is bundled, and of labels that would like to act."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from graphscore import Options, Store
from tests.browser.reports import HOSTILE, hostile
from tests.conftest import DATA


class Scored(NamedTuple):
    """A system of the bundled data, and what it is scored against."""

    gold: str
    gold_file: str
    system: str
    file: str
    metric: str
    ids: str | None = None


SCORED = {
    "alder": Scored("gold", "gold.mrp", "alder", "alder.mrp", "mrp"),
    "birch": Scored("gold", "gold.mrp", "birch", "birch.mrp", "mrp"),
    "dependencies": Scored(
        *("treebank", "dependencies/gold.conllu"),
        *("parser", "dependencies/parser.conllu", "las"),
    ),
    "coreference": Scored(
        *("chains", "coreference/key.conll"),
        *("resolver", "coreference/response.conll", "conll"),
    ),
    "entities": Scored(
        *("entities", "ner/gold.iob2", "tagger", "ner/tagger.iob2", "ner"),
    ),
    "events": Scored(
        "wire", "ie/wire.json", "extractor", "ie/wire.predicted.json", "argument"
    ),
    "templates": Scored(
        *("incidents", "ie/incidents.jsonl"),
        *("filler", "ie/incidents.predicted.json", "muc4", "muc4"),
    ),
    "roles": Scored(
        "roles", "srl/market.conll09", "labeller", "srl/labeller.conll09", "primesrl"
    ),
}
"""What is scored of each structure."""


def stored(path: Path) -> Path:
    """The store, made.

    Args:
        path: of a file that is not there yet.
    """
    with Store(str(path), mode="create") as store:
        for each in SCORED.values():
            for name, file in ((each.gold, each.gold_file), (each.system, each.file)):
                store.ingest(str(DATA / file), name)
            store.score(each.gold, each.system, each.metric, Options(ids=each.ids))
        sides = hostile(0), hostile(1)
        for name, graphs in zip(HOSTILE, sides, strict=False):
            store.add(graphs, name)
        store.score(*HOSTILE[:2], "mrp")
    return path
