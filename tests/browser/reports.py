"""Reports of every kind of structure, each made once in a run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphscore import Graph, Node, report_html
from graphscore.cli.main import cli
from graphscore.model.graph import Anchor, Edge
from graphscore.report.page import pictures
from tests.conftest import DATA

SAMPLES = ["--samples", "50", "-q"]

FEW = ["--item", "sample-09", "--item", "sample-03"]

OPERANDS = {
    "graphs": ["gold.mrp", "alder.mrp", *FEW],
    "compared": ["gold.mrp", "birch.mrp", "alder.mrp", "--compare", *FEW],
    "packed": ["gold.mrp", "birch.mrp", "--framework", "amr"],
    "dependencies": ["dependencies/gold.conllu", "dependencies/parser.conllu"],
    "coreference": ["coreference/key.conll", "coreference/response.conll"],
    "entities": ["ner/gold.iob2", "ner/tagger.iob2"],
    "trees": ["ner/radio.ne", "{folder}/radio.ne"],
    "abstracts": ["ie/abstracts.jsonl", "ie/abstracts.predicted.jsonl"],
    "events": ["ie/wire.json", "ie/wire.predicted.json"],
    "templates": [
        *("ie/incidents.jsonl", "ie/incidents.predicted.json", "--ids", "muc4"),
    ],
    "roles": ["srl/market.conll09", "srl/labeller.conll09"],
}
"""What each report is of, from the folder of the bundled data."""

HOSTILE = (
    "</title></style></script><script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "\"'><svg onload=window.hit=1>",
    "</text></svg></table></details><iframe src=javascript:window.hit=1>",
    "--><!--<![CDATA[",
    "javascript:window.hit=1",
    "\u202egpj.exe\u2066\u200b",
    "nul\x00esc\x1b[2J\x07",
    "{{constructor}}${1}%s&lt;&#60;",
    "x" * 10_000,
    "\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627 \u8a9e",
)
"""Labels that would do something if they were taken for anything but text."""


def hostile(turn: int) -> list[Graph]:
    """Graphs in which all that can be text is hostile.

    Args:
        turn: how far the labels are turned, so that two sides differ.
    """

    def said(number: int) -> str:
        return HOSTILE[(number + turn) % len(HOSTILE)]

    found = []
    for number, name in enumerate(HOSTILE):
        text = " ".join(HOSTILE[number : number + 2])
        places = (Anchor(0, 5),), (Anchor(6, 9),)
        nodes = tuple(
            Node(
                f"{place}{HOSTILE[number]}",
                said(number + place),
                ((said(place), said(number)),),
                places[place],
            )
            for place in range(2)
        )
        ends = nodes[0].id, nodes[1].id
        edges = (Edge(*ends, said(number), attributes=((said(1), said(2)),)),)
        for framework, flavor in (("amr", 2), ("eds", 1), ("dm", 0)):
            found.append(
                Graph(name, framework, flavor, text=text, nodes=nodes, edges=edges)
            )
        kind = (("kind", "mention"),)
        mentions = tuple(
            Node(place, said(number + place), kind, places[place]) for place in range(2)
        )
        found.append(Graph(name, "ner", 1, text=text, nodes=mentions))
    return found


def made(name: str, folder: Path) -> Path:
    """The report of that name.

    Args:
        name: of :data:`OPERANDS`, or ``hostile``.
        folder: where files may be written.
    """
    path = folder / f"{name}.html"
    if name == "hostile":
        page = report_html(
            *(hostile(0), hostile(0)[:-5] + hostile(1)[-5:], hostile(1)),
            names=HOSTILE[:2],
            compare=True,
            samples=20,
        )
        path.write_text(page, encoding="utf-8")
        return path
    tagged = (DATA / "ner" / "radio.ne").read_text(encoding="utf-8")
    damaged = re.sub(r"(func|pers)\.ind(?=>)", r"\1.coll", tagged)
    (folder / "radio.ne").write_text(damaged, encoding="utf-8")
    operands = [
        each.format(folder=folder) if "{" in each else _placed(each)
        for each in OPERANDS[name]
    ]
    with pytest.MonkeyPatch.context() as patched:
        if name == "packed":
            patched.setattr(pictures, "INLINE", 20_000)
        arguments = ["report", *operands, *SAMPLES, "--html", str(path)]
        result: Any = CliRunner().invoke(cli, arguments)
    assert result.exit_code in (0, 4), result.output
    return path


def _placed(operand: str) -> str:
    path = DATA / operand
    return str(path) if path.is_file() else operand
