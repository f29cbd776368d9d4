"""What terminals of two sizes show, as text files that can be read.

The files are in ``screens``, one for each command and size: everything that scrolls by
on standard output.
"""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import DATA, ROOT
from tests.cli.test_show_documents import sentence
from tests.cli.test_terminals import RUN

SCREENS = Path(__file__).parent / "screens"

FOLDER = "experiments/of/this/year/with/a/long/path/systems"

GOLD, ALDER, BIRCH = (f"{FOLDER}/{name}.mrp" for name in ("gold", "alder", "birch"))

COMMANDS = {
    "one-system": f"score {GOLD} {ALDER}",
    "ranking": (f"score {GOLD} {ALDER} {BIRCH} -m mrp,smatch,edm --framework eds"),
    "tuple_types": f"score {GOLD} {ALDER} --framework ucca --by framework,tuple-type",
    "entities": f"score {FOLDER}/gold.iob2 {FOLDER}/system.iob2",
    "errors": f"errors {GOLD} {BIRCH} --framework amr --top 5",
    "items": f"items {FOLDER}/gold.conllu {FOLDER}/system.conllu -m las",
    "show-eds": f"show sample-09 {GOLD} {BIRCH} --framework eds",
    "show-amr": f"show sample-09 {GOLD} {BIRCH} --framework amr",
    "show-dependencies": f"show s2 {FOLDER}/gold.conllu {FOLDER}/system.conllu -m las",
    "show-document": f"show d1 {FOLDER}/gold.conllu {FOLDER}/system.conllu -m las",
    "show-entities": f"show 0 {FOLDER}/gold.iob2 {FOLDER}/system.iob2",
    "show-coreference": f"show acme {FOLDER}/gold {FOLDER}/system -m conll",
    "show-events": f"show acme {FOLDER}/gold {FOLDER}/system -m argument",
    "show-roles": f"show 0 {FOLDER}/gold.conll09 {FOLDER}/system.conll09",
    "show-templates": (
        f"show TST3-MUC4-0901 {DATA}/ie/incidents.jsonl "
        f"{DATA}/ie/incidents.predicted.json --ids muc4"
    ),
    "saved": f"score {GOLD} {ALDER} --save s.db --score-only -q",
    "query": "query s.db select/**/*/**/from/**/v_scores/**/limit/**/1",
}
"""By the name of the file; arguments have no blanks."""


SYSTEMS = {
    "srl/market.conll09": [("sell.01", "sell.02"), ("A1", "A2")],
    "ie/brat/acme.ann": [("Equiv T1 T4", "Equiv T2 T4"), ("Place:T3", "Org:T3")],
}
"""What is changed in a bundled file to make the other side."""

PLACES = {"srl/market.conll09": "{}.conll09", "ie/brat/acme.ann": "{}/acme.ann"}

PARSED = "# newdoc id = d1\n" + "".join(
    sentence(number, *words)
    for number, words in enumerate(
        [
            [("Dogs", 2, "nsubj"), ("bark", 0, "root"), (".", 2, "punct")],
            [
                *[("The", 3, "det"), ("grey", 3, "amod"), ("goose", 4, "nsubj")],
                *[("saw", 0, "root"), ("a", 6, "det"), ("fox", 4, "obj")],
                (".", 4, "punct"),
            ],
        ],
        1,
    )
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with systems far below it."""
    there = tmp_path_factory.mktemp("screens")
    (there / FOLDER).mkdir(parents=True)
    for name in ("gold", "alder", "birch"):
        shutil.copy(DATA / f"{name}.mrp", there / FOLDER)
    text = (DATA / "ie" / "news.iob2").read_text()
    (there / FOLDER / "gold.iob2").write_text(text)
    wrong = text.replace("B-ORG", "B-LOC").replace("B-PER", "O", 1)
    (there / FOLDER / "system.iob2").write_text(wrong)
    for name, changes in SYSTEMS.items():
        gold = system = (DATA / name).read_text()
        for old, new in changes:
            assert old in system
            system = system.replace(old, new)
        for side, text in (("gold", gold), ("system", system)):
            path = there / FOLDER / PLACES[name].format(side)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    for side in ("gold", "system"):
        shutil.copy(DATA / "ie" / "brat" / "acme.txt", there / FOLDER / side)
    (there / FOLDER / "gold.conllu").write_text(PARSED)
    wrong = PARSED.replace("4\tnsubj", "6\tobj").replace("amod", "det")
    (there / FOLDER / "system.conllu").write_text(wrong)
    return there


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (120, 40)])
def test_screens_are_those_of_the_files(folder, columns, lines):
    (folder / "s.db").unlink(missing_ok=True)
    shown = screens(folder, columns, lines)
    for name, text in zip(COMMANDS, shown, strict=True):
        path = SCREENS / f"{name}.{columns}x{lines}.txt"
        assert text == path.read_text(encoding="utf-8"), path.name
        assert all(cell_len(line) <= columns for line in text.splitlines()), path.name
        assert "\x1b" not in text


def screens(folder, columns, lines):
    """What a terminal shows of each command."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    settings = {"PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "1"}
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        [sys.executable, "-c", RUN, *" ; ".join(COMMANDS.values()).split()],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=kept | settings,
    ):
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    # What underlines spans may end a line, too.
    return re.split("(?m)^=====\n", shown.decode().replace("\r\n", "\n"))


def _read(descriptor):
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux says so when the other end is closed
        return b""
