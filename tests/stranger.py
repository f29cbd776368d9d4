"""What a stranger does: the first example of every page, from the wheel, elsewhere.

Run as ``python -m tests.stranger ENVIRONMENT [PAGE...]``, where the virtual environment
has the wheel, what it needs, and pytest, and nothing else. Each page has a folder of
its own outside the checkout, with the data of the wheel, ``docs/examples`` and the
files that its commands name; there is no network. Of the README and the tutorial every
command is run. A page whose example begins with the installation of an extra is run if
it is named, when the extra is there. `.ci/run` does so once; what the commands print is
for ``tests/test_docs.py``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.formats.samples import SAMPLES
from tests.metrics.roles.test_framenet import FRAMES, XML
from tests.pages import (
    DOCS,
    PAGES,
    README,
    Example,
    blocks,
    first_example,
    named,
    typed,
)
from tests.test_packaging import cut_off

NOT_RUN = {
    "docs/developing.md": "of the checkout; the README's test command is the same",
    "docs/postgres.md": "of a server; tests/postgresql has one",
}
"""Pages whose first example is none of a stranger's, and why."""

DONE = re.compile(r"pip install |python3 -m venv ")
"""Commands that made the environment."""

EXTRA = re.compile(r"pip install '?graphscore\[")

SIDES = ("gold", "system")
KEY = ("key", "response")

FILES: dict[str, dict[str, str | tuple[str, int] | bytes]] = {
    "": {
        **{"gold.mrp": "data/gold.mrp", "system.mrp": "data/alder.mrp"},
        **{"peking.mrp": "data/alder.mrp", "gold.amr": "docs/examples/gold.amr"},
        **dict.fromkeys(("system.amr", "parsed.amr"), "docs/examples/parser.amr"),
        "gold.conllu": "data/dependencies/gold.conllu",
        **dict.fromkeys(
            ("system.conllu", "parser.conllu"), "data/dependencies/parser.conllu"
        ),
        "gold.jsonl": "data/annotators/a.jsonl",
        "system.jsonl": "data/annotators/b.jsonl",
        "predicted.jsonl": "data/ie/abstracts.predicted.jsonl",
    },
    "coreference": {
        **{f"{side}.conll": f"data/coreference/{side}.conll" for side in KEY},
    },
    "entities": {
        **{"gold.iob2": "data/ner/gold.iob2", "system.iob2": "data/ner/tagger.iob2"},
        **{"gold.conll": "data/ner/gold.iob2", "system.conll": "data/ner/tagger.iob2"},
        **{f"{side}.tsv": "data/ie/linked.tsv" for side in SIDES},
        **{f"{side}.ne": "data/ner/radio.ne" for side in SIDES},
    },
    **{
        metric: {f"{side}.conllu": ("conllu", 0) for side in SIDES}
        for metric in ("elas", "eulas")
    },
    "ceaf_rme": {
        **{"gold.jsonl": ("iterx", 1), "predictions.jsonl": ("iterx", 1)},
    },
    "extraction": {
        "gold.jsonl": "data/ie/abstracts.jsonl",
        "system.jsonl": "data/ie/abstracts.predicted.jsonl",
        **{"dev.json": ("docred", 0), "result.json": ("docred", 1)},
        "test.jsonl": ("scirex", 0),
        "predictions/test.jsonl": ("scirex", 0),
    },
    "meaning": {
        **{f"{side}.eds": ("eds", 0) for side in SIDES},
        **{f"{side}.xml": ("ucca", 0) for side in SIDES},
    },
    "roles": {
        **{f"{side}.props": "data/srl/props/market.props" for side in SIDES},
        **{f"{side}.conllu": "data/srl/market.conllu" for side in SIDES},
        "gold.conll09": "data/srl/market.conll09",
        "system.conll09": "data/srl/labeller.conll09",
        **{"frRelation.xml": XML.encode(), "frames.xml": FRAMES.encode()},
    },
    "templates": {
        "gold.jsonl": "data/ie/incidents.jsonl",
        "predictions.json": "data/ie/incidents.predicted.json",
        **{f"{side}.muc": "data/ie/incidents.key" for side in KEY},
        **{f"{side}.json": ("better", 0) for side in SIDES},
    },
}
"""What stands for files of users: a file, a sample of the contract test, or text.

By the family of the page, or by the page; a name that neither has is that of all.
"""

BEFORE = {
    **dict.fromkeys(
        ("docs/store.md", "docs/views.md"),
        ("graphscore ingest runs.db data/gold.mrp --as gold",),
    ),
    "docs/testing.md": (
        "graphscore ingest runs.db gold.amr --as gold",
        "graphscore ingest runs.db parsed.amr --as parsed",
        "graphscore score runs.db --gold gold --system parsed -m smatch",
    ),
    "docs/metrics/roles/framenet.md": tuple(
        f"graphscore convert data/srl/market.xml {side}.mrp --force" for side in SIDES
    ),
}
"""What users have done before they come to a page."""


def whole_pages() -> Iterator[Example]:
    """The commands of the README and of the tutorial, in their order."""
    for page in (README, DOCS / "tutorial.md"):
        shown = [each for block in blocks(page, "console") for each in typed(block)]
        lines = tuple(line for line, _ in shown)
        yield Example(named(page), lines=lines)


def examples(pages: list[str]) -> Iterator[Example]:
    """What is run of some pages, or of all that need no extra."""
    for page in PAGES:
        found = first_example(page)
        if found is None or found.page in NOT_RUN:
            continue
        extra = any(EXTRA.match(line) for line in found.lines)
        if found.page in pages if pages else not extra:
            yield found
    if not pages:
        yield from whole_pages()


class ExampleError(Exception):
    """An example does not run."""


class Stranger:
    """An environment that holds the wheel, and folders to work in."""

    def __init__(self, environment: Path, folder: Path) -> None:
        self.scripts = environment.resolve() / "bin"
        self.folder = folder
        [packages] = environment.resolve().glob("lib/python*/site-packages")
        cut_off(packages)
        self.data = packages / "graphscore" / "_data"
        assert self.data.is_dir(), "the wheel is not installed there"

    def shell(self, folder: Path, *lines: str) -> str:
        """What lines print; an error with what they said if one of them fails."""
        home = {"HOME": str(self.folder), "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
            capture_output=True,
            text=True,
            cwd=folder,
            env={**home, "PATH": f"{self.scripts}:{os.defpath}"},
        )
        if done.returncode:
            raise ExampleError(
                f"exit code {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}"
            )
        return done.stdout

    def lay(self, folder: Path, example: Example) -> None:
        """Put there what a reader of the page has."""
        folder.mkdir()
        (folder / "data").symlink_to(self.data)
        (folder / "docs").mkdir()
        shutil.copytree(DOCS / "examples", folder / "docs" / "examples")
        page, given = Path(example.page), FILES[""]
        for name in (page.parent.name, page.stem):
            given = given | FILES.get(name, {})
        for name, source in given.items():
            where = folder / name
            where.parent.mkdir(exist_ok=True)
            if isinstance(source, tuple):
                source = SAMPLES[source[0]][source[1]].data
            elif isinstance(source, str):
                source = (folder / source).read_bytes()
            where.write_bytes(source)

    def run(self, example: Example, folder: Path) -> None:
        """Run an example, where it is not already done."""
        self.lay(folder, example)
        self.shell(folder, *BEFORE.get(example.page, ()))
        if example.python.startswith(">>>"):
            (folder / "page.txt").write_text(example.python, encoding="utf-8")
            self.shell(folder, "python -m doctest page.txt")
        elif example.python:
            (folder / "test_page.py").write_text(example.python, encoding="utf-8")
            self.shell(folder, "pytest -q -p no:cacheprovider test_page.py")
        else:
            before = {*folder.iterdir()}
            lines = [line for line in example.lines if not DONE.match(line)]
            shown = self.shell(folder, *lines)
            if lines and not shown and before == {*folder.iterdir()}:
                raise ExampleError("nothing was printed, and nothing written")


def main(environment: str, *pages: str) -> int:
    """How many examples fail; each is shown."""
    failed = 0
    found = list(examples([*pages]))
    assert found, pages
    with tempfile.TemporaryDirectory() as folder:
        stranger = Stranger(Path(environment), Path(folder))
        place = "import graphscore; print(graphscore.__file__)"
        where = stranger.shell(Path(folder), f"python -c '{place}'")
        assert where.startswith(str(stranger.data.parent)), where
        for number, example in enumerate(found):
            try:
                stranger.run(example, Path(folder) / str(number))
            except ExampleError as error:
                failed += 1
                print(f"{example.page}: {example.lines or example.python}\n{error}")
    commands = sum(len(each.lines) for each in found)
    pages = len({each.page for each in found})
    print(f"{pages} pages, {commands} commands: {failed} examples failed")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
