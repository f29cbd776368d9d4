"""Tables that stand for nodes and edges in ``show``."""

import pytest

from tests.cli.conftest import DATA
from tests.cli.test_show_documents import sentence, sides

__all__ = ["sides"]

TEMPLATES = [
    *(DATA / "ie" / name for name in ("incidents.jsonl", "incidents.predicted.json")),
    *("--ids", "muc4", "-m", "gtt"),
]


def rows(out, title):
    """Rows of the table of that title, with single blanks, without its notes."""
    lines = out.split(f"\n{title}\n")[1].split("\n\n")[0].splitlines()
    return [
        " ".join(line.split()) for line in lines[2:] if not line.startswith("= matched")
    ]


def test_words_have_heads_and_what_differs_is_marked(run, sides):
    out = run("show", "s2", *sides, "-m", "las", "--table").out
    assert rows(out, "Words") == [
        "= 1 Cats 2:sleep nsubj 2:sleep nsubj",
        "= 2 sleep root root",
        "~ 3 here -2:sleep -advmod +1:Cats +obl",
    ]
    assert "Nodes" not in out
    # What a metric does not count is there without a sign.
    gold, system = sides
    system.write_text(gold.read_text().replace("advmod", "obl"))
    out = run("show", "s2", *sides, "-m", "uas", "--table").out
    assert rows(out, "Words")[2] == "= 3 here 2:sleep advmod 2:sleep obl"


def test_only_what_a_metric_counts_of_a_word_is_marked(run, sides):
    gold, system = sides
    right = gold.read_text()
    wrong = right.replace("here\t_\t_\t_\t_\t2\tadvmod", "here\t_\tADV\t_\t_\t1\tobl")
    assert wrong != right
    system.write_text(wrong)
    out = run("show", "s2", *sides, "-m", "uas", "--table").out
    assert rows(out, "Words")[2] == "~ 3 here -2:sleep advmod +1:Cats obl"
    # Tags have no heads.
    out = run("show", "s2", *sides, "-m", "tagging", "--table").out
    assert rows(out, "Words")[1:] == ["= 2 sleep", "~ 3 here -upos=_ +upos=ADV"]
    # Function words of gold are not counted, content words of the system are.
    gold.write_text(right.replace("advmod", "case"))
    out = run("show", "s2", *sides, "-m", "mlas", "--table").out
    assert rows(out, "Words")[2] == "~ 3 here 2:sleep case +1:Cats +obl +upos"


def test_words_say_what_else_is_wrong(run, sides):
    gold, system = sides
    lines = sentence(7, ("Dogs", 2, "nsubj"), ("bark", 0, "root"))
    gold.write_text(lines.replace("Dogs\t_\t_", "Dogs\tdog\tNOUN"))
    system.write_text(lines.replace("Dogs\t_\t_", "Dogs\tdog\tVERB"))
    out = run("show", "s7", *sides, "-m", "tagging", "--table").out
    first, second = rows(out, "Words")
    assert first == "~ 1 Dogs -upos=NOUN +upos=VERB"
    assert second == "= 2 bark"


def test_nodes_and_edges_are_there_for_who_wants_them(run, sides):
    out = run("show", "s2", *sides, "-m", "las", "--table", "-v").out
    assert out.index("\nWords\n") < out.index("\nNodes\n") < out.index("\nEdges\n")
    plain, verbose = (
        run("show", "s2", *sides, "-m", "las", "--json", *flag).json
        for flag in ((), ("-v",))
    )
    assert plain == verbose


def test_entities_are_rows_of_shared_mentions(run, tmp_path):
    gold, system = tmp_path / "gold", tmp_path / "system"
    text = (DATA / "ie" / "brat" / "acme.ann").read_text()
    for side, ann in (
        (gold, text),
        (system, text.replace("Equiv T1 T4", "Equiv T2 T4")),
    ):
        side.mkdir()
        (side / "acme.ann").write_text(ann)
        (side / "acme.txt").write_bytes((DATA / "ie/brat/acme.txt").read_bytes())
    out = run("show", "acme", gold, system, "-m", "b3", "--table").out
    assert rows(out, "Entities")[:-1] == [
        "- 1 1 Jenny Durkan",
        "~ 1 2 1 She",
        "= 2 1 2 Acme, it",
        "= 3 3 2 Globex, Globex",
    ]


def test_templates_are_slots_with_fillers(run):
    out = run("show", "TST3-MUC4-0901", *TEMPLATES, "--table").out
    found = rows(out, "Templates")
    assert found[0] == "= 1 bombing"
    assert found[3] == "= 1 bombing Target mill / mill of san roque mill"
    assert found[4] == "- 1 bombing Victim night watchman / watchman"
    assert "Nodes" not in out


@pytest.mark.parametrize(
    ("metric", "title", "first"),
    [
        ("relation", "Relations", "- 1 USED-FOR"),
        ("ner", "Nodes", '= 0 Method <11:17> "parser"'),
    ],
)
def test_relations_have_slots_and_mentions_do_not_say_that_they_are(
    run, metric, title, first
):
    names = ("abstracts.jsonl", "abstracts.predicted.jsonl")
    given = (*(DATA / "ie" / name for name in names), "-m", metric, "--table")
    out = run("show", "abs-1", *given).out
    assert rows(out, title)[0].startswith(first)
    assert "tuple_type=mention" not in out
