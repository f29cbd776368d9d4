"""What terminals of two sizes show, as text files that can be read.

The files are in ``screens``, one for each command and size: everything that scrolls by
on standard output.
"""

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import DATA, ROOT
from tests.cli.test_terminals import RUN

SCREENS = Path(__file__).parent / "screens"

FOLDER = "experiments/of/this/year/with/a/long/path/systems"

GOLD, ALDER, BIRCH = (f"{FOLDER}/{name}.mrp" for name in ("gold", "alder", "birch"))

COMMANDS = {
    "one-system": f"score {GOLD} {ALDER}",
    "ranking": f"score {GOLD} {ALDER} {BIRCH} -m mrp,smatch,edm",
    "kinds": f"score {GOLD} {ALDER} --framework ucca --by framework,kind",
    "entities": f"score {FOLDER}/gold.iob2 {FOLDER}/system.iob2",
    "errors": f"errors {GOLD} {BIRCH} --framework amr --top 5",
    "saved": f"score {GOLD} {ALDER} --save s.db --score-only -q",
    "query": "query s.db select/**/*/**/from/**/v_scores/**/limit/**/1",
}
"""By the name of the file; arguments have no blanks."""


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
    return shown.decode().replace("\r\n", "\n").split("=====\n")


def _read(descriptor):
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux says so when the other end is closed
        return b""
