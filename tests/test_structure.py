"""Imports only go down, and modules stay readable."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "graphscore"

LAYERS = [
    {"errors", "lazy", "tables"},
    {"model"},
    {"structures"},
    {"correspondence", "formats"},
    {"similarity", "rules"},
    {"metrics", "validation", "analysis"},
    {"store"},
    {
        "evaluation",
        "statistics",
    },
    {"report"},
    {"cli"},
]
"""From the bottom to the top; a module may import its own layer's package and
what lies below."""

FORBIDDEN = {
    "formats": {"metrics", "store", "correspondence", "evaluation"},
    "metrics": {"store", "formats", "evaluation"},
    "store": {"metrics", "correspondence", "evaluation"},
    "correspondence": {"model", "metrics", "store", "formats"},
}
"""What a part must know nothing of, whatever the layers say."""


def part_of(module: str) -> str | None:
    pieces = module.split(".")
    return pieces[1] if pieces[0] == "graphscore" and len(pieces) > 1 else None


def imports(path: Path) -> set[str]:
    """Parts of graphscore that a module imports, for typing included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "graphscore":
                names = [f"graphscore.{alias.name}" for alias in node.names]
            found.update(filter(None, map(part_of, names)))
        elif isinstance(node, ast.Import):
            found.update(filter(None, (part_of(alias.name) for alias in node.names)))
    return found


MODULES = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.parent != PACKAGE or path.stem not in {"__init__", "__main__"}
]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_only_go_down(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    part = relative.parts[0].removesuffix(".py")
    [level] = [number for number, layer in enumerate(LAYERS) if part in layer]
    allowed = set().union(*LAYERS[:level], {part})
    # scores show themselves in notebooks; the page is only imported then.
    lazily = {"report"} if part == "evaluation" else set()
    peers = LAYERS[level] - FORBIDDEN.get(part, set())
    found = imports(path)
    unknown = found - set().union(*LAYERS)
    assert not unknown - {"Graph", "Node", "Edge", "store"}, unknown
    assert found - unknown <= allowed | peers | lazily
    assert not found & FORBIDDEN.get(part, set())


def test_modules_stay_readable() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in MODULES
    }
    long = {name: length for name, length in lengths.items() if length > 560}
    assert not long


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import graphscore", ["numpy", "scipy", "sqlalchemy", "networkx", "rich"]),
        (
            "import graphscore.evaluation.files",
            ["sqlalchemy", "networkx", "scipy.stats"],
        ),
        ("import graphscore.cli.main", ["numpy", "scipy", "sqlalchemy", "rich"]),
        ("import graphscore.evaluation.stored", ["alembic", "networkx"]),
        (
            "import graphscore.store.maintenance, graphscore.store.reading.queries",
            ["alembic", "numpy", "scipy", "graphscore.formats", "graphscore.metrics"],
        ),
    ],
)
def test_heavy_libraries_are_imported_late(statement: str, absent: list[str]) -> None:
    script = (
        f"{statement}; import sys; print([m for m in {absent!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
