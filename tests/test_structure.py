"""The plan of the house is kept: imports only go down, no circles, readable rooms."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "graphscore"

MOST_MODULES = 25
"""In one folder."""

LONGEST = 560
"""Lines of a module."""

LAYERS = [
    {"duplicates"},
    {"exceptions", "lazy", "removed", "tables"},
    {"files", "plugins", "rows"},
    {"model"},
    {"structures", "correspondence"},
    {"drawing"},
    {"formats", "similarity", "rules"},
    {"metrics", "validation", "inputs"},
    {"analysis", "store"},
    {"find"},
    {"evaluation"},
    {"statistics"},
    {"distributed"},
    {"report"},
    {"explorer"},
    {"cli", "adapters"},
]
"""From the bottom to the top: a part may import what lies below it."""

STRANGERS = {
    "correspondence": {"formats", "metrics", "store", "structures"},
    "drawing": {"correspondence"},
    "formats": {"correspondence", "metrics", "rules", "similarity", "store"},
    "metrics": {"analysis", "formats", "store", "validation"},
    "store": {"analysis", "correspondence", "metrics", "rules", "similarity"},
}
"""What a part must know nothing of, whatever the layers say."""


def named(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {named(path): path for path in sorted(PACKAGE.rglob("*.py"))}


class Imports(NamedTuple):
    """Modules of graphscore that a module imports, within functions too."""

    running: set[str]
    typing: set[str]
    """Only while types are checked."""


def imports(tree: ast.AST) -> Imports:
    """What a module imports; every node is seen once."""
    found = Imports(set(), set())
    waiting = [(tree, False)]
    while waiting:
        parent, guarded = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            names = found.typing if guarded else found.running
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    names.add(whole if whole in MODULES else node.module)
            elif isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.stmt):  # no expression holds a statement
                checks = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(
                    node.test
                )
                waiting.append((node, guarded or checks))
            elif isinstance(node, ast.excepthandler | ast.match_case):
                waiting.append((node, guarded))
    return found


@lru_cache(maxsize=1)
def found_imports() -> dict[str, Imports]:
    return {
        name: imports(ast.parse(path.read_text(encoding="utf-8")))
        for name, path in MODULES.items()
    }


def imported(typing: bool = False) -> dict[str, set[str]]:
    return {
        name: (found.running | found.typing if typing else found.running)
        & MODULES.keys() - {name}
        for name, found in found_imports().items()
    }


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


PARTS = sorted({part_of(name) for name in MODULES} - {"", "__main__"})


def test_every_part_has_its_layer() -> None:
    assert set(PARTS) == set().union(*LAYERS)
    assert sum(map(len, LAYERS)) == len(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_imports_only_go_down(part: str) -> None:
    [level] = [number for number, layer in enumerate(LAYERS) if part in layer]
    below = set().union(*LAYERS[:level], {part})
    for name, others in imported(typing=True).items():
        if part_of(name) == part:
            found = {part_of(other) for other in others} - {""}
            assert found <= below - STRANGERS.get(part, set()), name


def test_no_imports_run_in_a_circle() -> None:
    graph = nx.DiGraph(
        (name, other) for name, others in imported().items() for other in others
    )
    found = [each for each in nx.strongly_connected_components(graph) if len(each) > 1]
    assert not found


FAMILIES = {
    *("meaning", "dependencies", "coreference", "entities", "extraction"),
    *("templates", "roles", "sentiment"),
}


@pytest.mark.parametrize(
    "corridor", ["graphscore/formats", "graphscore/metrics", "tests/formats",
                 "tests/metrics", "docs/metrics"]
)  # fmt: skip
def test_every_corridor_has_a_door_for_each_family(corridor: str) -> None:
    folders = {path.name for path in (ROOT / corridor).iterdir() if path.is_dir()}
    assert folders - {"shared", "__pycache__"} == FAMILIES


def test_structures_have_a_room_for_each_family_but_that_of_the_model() -> None:
    rooms = {path.stem for path in (PACKAGE / "structures").iterdir()}
    assert rooms >= FAMILIES


def test_folders_and_modules_stay_readable() -> None:
    folders = {path for path in PACKAGE.rglob("*") if path.is_dir()}
    full = {path for path in folders if len([*path.glob("*.py")]) > MOST_MODULES}
    lengths = {
        name: len(path.read_text(encoding="utf-8").splitlines())
        for name, path in MODULES.items()
    }
    assert not full
    assert not {name for name, length in lengths.items() if length > LONGEST}


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import graphscore", ["numpy", "scipy", "sqlalchemy", "networkx", "rich"]),
        ("from graphscore import score", ["sqlalchemy", "networkx", "scipy.stats"]),
        ("import graphscore.adapters.pytest", ["numpy", "scipy", "sqlalchemy", "rich"]),
        ("import graphscore.cli.main", ["numpy", "scipy", "sqlalchemy", "rich"]),
        ("from graphscore import Store", ["alembic", "networkx"]),
        ("import graphscore.store.schema", ["sqlalchemy.dialects.postgresql"]),
        (
            "import graphscore.report.comparison_list",
            ["sqlalchemy", "graphscore.drawing", "graphscore.store.schema"],
        ),
        (
            "import graphscore.report.page.summaries",
            ["numpy", "graphscore.statistics", "graphscore.drawing.choice"],
        ),
        ("import graphscore as g; g.list_metrics()", ["numpy", "graphscore.metrics"]),
        ("import graphscore as g; g.list_formats()", ["numpy", "graphscore.metrics"]),
        ("import graphscore.similarity", ["scipy", "networkx", "sqlalchemy"]),
        (
            "from graphscore import score; score([['O']], [['B-PER']], 'ner')",
            ["numpy", "scipy", "sqlalchemy", "rich"],
        ),
        (
            "from graphscore import score; "
            "score(*['data/dependencies/gold.conllu'] * 2, 'las')",
            ["numpy", "scipy", "sqlalchemy", "rich"],
        ),
        (
            "from graphscore import score; score('data/gold.mrp', 'data/gold.mrp', "
            "['mrp', 'edm', 'smatch'])",
            ["numpy", "scipy", "sqlalchemy", "rich"],
        ),
    ],
)
def test_heavy_libraries_are_imported_late(statement: str, absent: list[str]) -> None:
    script = (
        f"{statement}; import sys; print([m for m in {absent!r} if m in sys.modules])"
    )
    assert run(script) == "[]"


SCORING = """
import sys
from graphscore import score
score({gold!r}, {system!r}, {metric!r})
print(len([m for m in sys.modules if m.startswith("graphscore")]))
"""


@pytest.mark.parametrize(
    ("metric", "most"), [("mrp", 76), ("b3", 94)], ids=["mrp", "b3"]
)
def test_only_what_is_needed_is_loaded(metric: str, most: int) -> None:
    gold = "data/gold.mrp" if metric == "mrp" else "data/ie/abstracts.jsonl"
    system = (
        "data/alder.mrp" if metric == "mrp" else "data/ie/abstracts.predicted.jsonl"
    )
    found = run(SCORING.format(gold=gold, system=system, metric=metric))
    assert int(found) <= most


def run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
