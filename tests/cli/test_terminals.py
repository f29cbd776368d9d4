"""What stands in a file never acts on a terminal; in a pipe it is exact."""

import csv
import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from rich.cells import cell_len

from tests.cli.conftest import ROOT

HOSTILE = (
    "a\x1b[31mb\x00\x07\x7f\x9b31m\u202e\u200b\ufeff\u061c\u200e\u200f"
    "\u2066\u2028\x85\r\xad\U000e0001\U000e0041\u2060!\u200d!"
)
"""A sequence that colours, a bell, controls of both tuple types, marks of direction,
ends of lines, and what has no width."""

WIDE = "\u6771\u4eac go\u0301es \ud55c\uad6d\uc5b4"
"""Wide and combining characters."""

_ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\xad\u2060\U000e0000-\U000e007f]|(?<=[!-~])\u200d"
)

_COLOUR = re.compile("\x1b\\[[0-9;]*m")


def graph(item, label):
    """A graph in which everything is hostile."""
    return {
        "id": item,
        "flavor": 2,
        "framework": "amr",
        "version": 1.1,
        "input": WIDE + HOSTILE,
        "tops": [0],
        "nodes": [
            {"id": 0, "label": label, "properties": [WIDE], "values": [HOSTILE]},
            {"id": 1, "label": WIDE},
        ],
        "edges": [{"source": 1, "target": 1, "label": HOSTILE}],
    }


@pytest.fixture
def there(tmp_path):
    """A folder with both sides, and a store of gold."""
    for name, label in (("gold", WIDE + HOSTILE), ("system", HOSTILE)):
        lines = (json.dumps(graph(i, label)) + "\n" for i in (HOSTILE, "two"))
        (tmp_path / f"{name}.mrp").write_text("".join(lines))
    return tmp_path


@pytest.fixture
def terminal(there):
    """Runs the command line on a terminal of 80 columns; gives what it shows."""

    def call(*args):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        environment.pop("COLUMNS", None)
        with subprocess.Popen(
            [sys.executable, "-c", RUN, *args],
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            cwd=there,
            env=environment,
        ):
            os.close(theirs)
            shown = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        return shown.decode().replace("\r\n", "\n")

    return call


def _read(descriptor):
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux says so when the other end is closed
        return b""


RUN = """
import sys
from graphscore.cli.main import cli
for number, one in enumerate(" ".join(sys.argv[1:]).split(" ; ")):
    print(end="=====\\n" if number else "", flush=True)
    cli(one.split(), standalone_mode=False)
"""
"""Several commands in one process, which starts but once."""

SIDES = "gold.mrp system.mrp -q"


def parts(terminal, *commands):
    """What each command shows."""
    return terminal(" ; ".join(commands)).split("=====\n")


def test_no_shape_of_output_acts_on_a_terminal(terminal):
    commands = [
        *(f"score {SIDES} --per-item {shape}" for shape in ("--csv", "--json")),
        *(f"errors {SIDES} {shape}" for shape in ("--csv", "--jsonl")),
        *(f"show two {SIDES} {shape}" for shape in ("--csv", "--json")),
        "convert gold.mrp - --to mrp -q",
        "convert gold.mrp - --to dot -q",
        "validate gold.mrp --jsonl",
        "ingest s.db gold.mrp --as gold --csv -q",
    ]
    found = parts(terminal, *commands)
    assert len(found) == len(commands)
    for command, shown in zip(commands, found, strict=True):
        assert not _ACTS.search(shown), command
        assert shown, command
    item = json.loads(found[1])["items"][0]["item"]
    assert HOSTILE in (item, json.loads(found[1])["items"][1]["item"])
    assert json.loads(found[6].splitlines()[0]) == {
        **json.loads(found[6].splitlines()[0]),
        **graph(HOSTILE, WIDE + HOSTILE),
    }
    widths = {len(row) for row in csv.reader(io.StringIO(found[2]))}
    assert len(widths) == 1, "it has its structure still"
    assert "\\x1b[31m" in found[2]


def test_tables_are_aligned_and_show_what_they_hold(terminal):
    commands = [f"{verb} {SIDES}" for verb in ("errors", "show two", "items")]
    for command, shown in zip(commands, parts(terminal, *commands), strict=True):
        lines = _COLOUR.sub("", shown).splitlines()
        # What the progress bar rubs out again is not what is shown.
        lines = [line for line in lines if "reading" not in line]
        assert not any(_ACTS.search(line) for line in lines), command
        assert max(map(cell_len, lines)) <= 80, command
        assert "\\x1b[31m" in shown, command


def test_talk_and_errors_do_not_act_on_a_terminal(terminal):
    shown, _, *_ = parts(terminal, "validate gold.mrp", "formats")
    assert "self-loop" in shown
    assert "\\u202e" in shown
    assert not _ACTS.search(_COLOUR.sub("", shown))


def test_a_pipe_gets_what_is_there(run, there):
    found = run("errors", there / "gold.mrp", there / "system.mrp", "-q", "--csv")
    rows = csv.DictReader(io.StringIO(found.out, newline=""))
    assert HOSTILE in {row["value"] for row in rows}
    out = run("convert", there / "gold.mrp", "-", "--to", "mrp").out
    assert "\u202e" in out
