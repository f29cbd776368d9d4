"""What is lost between formats of semantic roles is said, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

CONLLU = """\
# newdoc id = d
# sent_id = a
# text = Dogs bark.
# note = x
1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\tA0
2-3\tbark.\t_\t_\t_\t_\t_\t_\t_\t_\t_
2\tbark\tbark\tVERB\tVB\t_\t0\troot\tY\tbark.01\t_
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\t_

"""
BARE = """\
# text = Dogs bark
1\tDogs\t_\t_\t_\t_\t2\tnsubj\t_\t_\tA0
2\tbark\t_\t_\t_\t_\t0\troot\tY\tbark.01\t_

"""
UP = """\
# global.columns = ID FORM LEMMA HEAD DEPREL UP:PRED UP:ARGHEADS UP:ARGSPANS
# sent_id = a
# text = Dogs bark
1\tDogs\tdog\t2\tnsubj\t_\t_\t_
2\tbark\tbark\t0\troot\tbark.01\tA0:1\tA0:1-1

"""
NINE = """\
1\tDogs\tdog\tdog\tN\tN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0
2\tbark\tbark\tbark\tV\tV\t_\t_\t0\t0\tROOT\tROOT\tY\tbark.01\t_

"""
FIVE = "Dogs\t-\t(A0*)\nbark\tbark\t(V*)\n\n"
TAGGED = "Dogs\tNNS\t-\t(A0*)\nbark\tVB\tbark\t(V*)\n\n"


@pytest.mark.parametrize(
    ("text", "ending", "to", "lost"),
    [
        (CONLLU, ".conllu", "conllu-srl", ()),
        (BARE, ".conllu", "up", ()),
        (BARE, ".conllu", "conll2009", ()),
        (
            *(CONLLU, ".conllu", "up"),
            ("documents", "comments", "multiword tokens", "other columns"),
        ),
        (
            *(CONLLU, ".conllu", "conll2009"),
            (
                *("ids", "texts", "documents"),
                *("comments", "multiword tokens", "other columns"),
            ),
        ),
        (UP, ".conllup", "up", ()),
        (
            *(UP, ".conllup", "conll2005"),
            ("ids", "senses", "trees", "heads of arguments", "other columns"),
        ),
        (NINE, ".conll09", "conll2009", ()),
        (NINE, ".conll09", "conllu-srl", ("other columns",)),
        (FIVE, ".props", "conll2005", ()),
        (FIVE, ".props", "up", ()),
        (TAGGED, ".props", "up", ("other columns",)),
    ],
)
def test_what_is_lost_is_said(run, tmp_path: Path, text, ending, to, lost) -> None:
    source, target = tmp_path / f"in{ending}", tmp_path / "out"
    source.write_text(text)
    found = run("convert", source, target, "--to", to)
    assert found.code == 0
    said = f"not in {to}, with the number of graphs: "
    shown = ", ".join(f"{what} (1)" for what in lost)
    assert [line for line in found.err.splitlines() if line.startswith("not in")] == (
        [said + shown] if lost else []
    )
    quiet = run("convert", source, target, "--to", to, "--force", "--quiet")
    assert quiet.err == ""


def test_graphs_are_counted(run, tmp_path: Path) -> None:
    source = tmp_path / "in.conllu"
    source.write_text(CONLLU + BARE + CONLLU.replace("= a", "= b"))
    found = run("convert", source, tmp_path / "out.conllup", "--to", "up")
    assert "comments (2), multiword tokens (2), other columns (2)" in found.err
