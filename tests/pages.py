"""What the pages show: their blocks, the commands in them, their first examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = sorted([*DOCS.rglob("*.md"), README, ROOT / "data" / "README.md"])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    """Of a page, in their order."""
    text = page.read_text(encoding="utf-8")
    return [match[2] for match in BLOCK.finditer(text) if match[1] == language]


def named(page: Path) -> str:
    """As people name it, from the root."""
    return page.relative_to(ROOT).as_posix()


def typed(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what is shown beneath it."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        line, _, shown = part.partition("\n")
        yield line, shown


@dataclass(frozen=True)
class Example:
    """What a page shows first: lines for a shell, or Python."""

    page: str
    python: str = ""
    lines: tuple[str, ...] = ()


SHOWN = re.compile(
    r"^```(?P<language>\w*)\n(?P<block>.*?)^```$|(?P<indented>(?:^ {4,}[^\n]+\n)+)",
    re.M | re.S,
)
"""Blocks with fences, and those that are indented."""

SYNTAX = re.compile(r"\.\.\.|(?<![=\w])[A-Z]{2,}\b(?!=)|<")
"""What a line has that says how commands are made up, rather than being one."""


def first_example(page: Path) -> Example | None:
    """The first block of a page that can be run, or nothing.

    Of a block that is not marked as any language only the first command counts, as
    those are ways to say one thing; lines of the syntax of a verb are none, and what
    stands behind three blanks is a remark.
    """
    for match in SHOWN.finditer(page.read_text(encoding="utf-8")):
        block, language = match["block"] or match["indented"], match["language"]
        if language == "python":
            return Example(named(page), python=block)
        if language == "console":
            return Example(named(page), lines=tuple(line for line, _ in typed(block)))
        lines = tuple(line.strip() for line in block.splitlines() if line.strip())
        if language == "bash":
            return Example(named(page), lines=lines)
        if not language:
            for line in lines:
                if line.startswith("graphscore ") and not SYNTAX.search(line):
                    return Example(named(page), lines=(re.split(r" {3,}", line)[0],))
    return None
