"""What ``errors`` calls things, and what it says stands in their place."""

import json
from collections import Counter
from itertools import product

import pytest

from graphscore import Options, Store, score
from graphscore.model.graph import json_type
from tests.cli.conftest import BIRCH, DATA, GOLD

AMR = """# ::id 1
(w / want-01 :ARG0 (b / boy :wiki "B") :ARG1 (g / go-01 :ARG0 b))

"""

SYSTEM_AMR = """# ::id 1
(w / want-01 :ARG0 (b / girl :wiki "G") :ARG2 (g / go-01))

"""


def parse(*words):
    """A sentence: form, part of speech, head and relation of each word."""
    lines = [
        f"{k}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_"
        for k, (form, tag, head, relation) in enumerate(words, 1)
    ]
    return "\n".join(["# sent_id = 1", *lines, "", ""])


@pytest.fixture
def parses(tmp_path):
    """A gold parse, and one in which heads, a relation and a tag are wrong."""
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(
        parse(
            ("I", "PRON", 2, "nsubj"),
            ("saw", "VERB", 0, "root"),
            ("the", "DET", 5, "det"),
            ("big", "ADJ", 5, "amod"),
            ("saw", "NOUN", 2, "obj"),
        )
    )
    system.write_text(
        parse(
            ("I", "PRON", 2, "nsubj"),
            ("saw", "VERB", 0, "root"),
            ("the", "DET", 4, "det"),
            ("big", "NOUN", 2, "obj"),
            ("saw", "NOUN", 4, "obj"),
        )
    )
    return gold, system


@pytest.fixture
def amrs(tmp_path):
    """Two AMRs that differ in a concept, an attribute and two relations."""
    gold, system = tmp_path / "gold.amr", tmp_path / "system.amr"
    gold.write_text(AMR)
    system.write_text(SYSTEM_AMR)
    return gold, system


def told(rows):
    """Tuple type, side, name, value and what stands there instead."""
    names = ("tuple_type", "error_type", "name", "value", "instead")
    return {tuple(row[name] for name in names) for row in rows}


def test_triples_have_the_names_of_the_field(run, amrs, tmp_path):
    found = run("errors", *amrs, "-m", "smatch").json
    assert told(found) == {
        ("instances", "missing", "", "boy", "girl instead (1)"),
        ("instances", "spurious", "", "girl", "boy instead (1)"),
        ("attributes", "missing", "wiki", "B", "G instead (1)"),
        ("attributes", "spurious", "wiki", "G", "B instead (1)"),
        ("relations", "missing", "", "ARG1", "ARG2 instead (1)"),
        ("relations", "spurious", "", "ARG2", "ARG1 instead (1)"),
        ("relations", "missing", "", "ARG0", "nothing there (1)"),
    }
    store = tmp_path / "runs.db"
    assert run("score", *amrs, "-m", "smatch", "--save", store).code == 0
    sides = (store, "--gold", "gold", "--system", "system", "-m", "smatch")
    assert run("errors", *sides).json == found
    for tuple_type in ("instances", "attributes", "relations"):
        own = [row for row in found if row["tuple_type"] == tuple_type]
        assert run("errors", *sides, "--tuple-type", tuple_type).json == own
        assert (
            run("errors", *amrs, "-m", "smatch", "--tuple-type", tuple_type).json == own
        )
    # What scores call the sum of them is no kind of its own, and takes them all.
    assert run("errors", *amrs, "-m", "smatch", "--tuple-type", "all").json == found
    wrong = run("errors", *amrs, "-m", "smatch", "--tuple-type", "edges")
    assert wrong.code == 2
    assert "instances, attributes, relations" in wrong.err


def test_errors_of_triples_add_up_to_the_scores(run):
    scores = run("score", GOLD, BIRCH, "-m", "smatch").json["scores"]
    by = ("--by", "tuple_type,error_type", "--top", "99")
    rows = run("errors", GOLD, BIRCH, "-m", "smatch", *by).json
    for row in rows:
        side = "gold" if row["error_type"] == "missing" else "system"
        tuple_type = row["tuple_type"]
        left = scores[f"{tuple_type}.{side}"] - scores[f"{tuple_type}.matched"]
        assert row["errors"] == left
    assert len(rows) == 6


def test_a_wrong_head_is_shown(run, parses):
    found = told(run("errors", *parses, "-m", "las").json)
    assert found == {
        ("all", "missing", "head", "det", "big, not saw (1)"),
        ("all", "spurious", "head", "det", "saw, not big (1)"),
        ("all", "missing", "head", "obj", "big, not saw (1)"),
        ("all", "spurious", "head", "obj", "saw, not big (1)"),
        (
            *("all", "missing", "head+deprel", "amod"),
            "obj instead (1), head saw (word 2), not saw (word 5)",
        ),
        (
            *("all", "spurious", "head+deprel", "obj"),
            "amod instead (1), head saw (word 5), not saw (word 2)",
        ),
    }
    by = ("--by", "framework,tuple_type,error_type,label,name,value,compared")
    rows = run("errors", *parses, "-m", "las", *by, "--error-type", "missing").json
    cells = ("label", "name", "value", "compared", "instead")
    assert {tuple(row[cell] for cell in cells) for row in rows} == {
        ("the", "head", "det", "saw", "big (1)"),
        ("saw", "head", "obj", "saw", "big (1)"),
        (
            *("big", "head+deprel", "amod", "saw (word 5)"),
            "obj instead (1), head saw (word 2)",
        ),
    }


def test_heads_of_one_form_are_told_apart(run, tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    words = [("that", 2), ("that", 0), ("is", 1)]
    other = [("that", 2), ("that", 0), ("is", 2)]
    for path, heads in ((gold, words), (system, other)):
        each = [(form, "X", head, "root" if not head else "x") for form, head in heads]
        path.write_text(parse(*each))
    for metric, value in (("las", "x"), ("uas", "that")):
        assert told(run("errors", *(gold, system), "-m", metric).json) == {
            ("all", "missing", "head", value, "that (word 2), not that (word 1) (1)"),
            ("all", "spurious", "head", value, "that (word 1), not that (word 2) (1)"),
        }


@pytest.mark.parametrize("metric", ["las", "uas", "clas", "mlas", "blex"])
def test_nothing_is_mistaken_for_itself(run, parses, metric):
    classes = run("whatif", *parses, "-m", metric).json["classes"]
    both = [each["label"].split(" → ") for each in classes if "→" in each["label"]]
    assert both
    assert all(one != two for one, two in both)
    rows = run("errors", *parses, "-m", metric, "--confusions").json
    assert rows
    assert all(row["gold_value"] != row["system_value"] for row in rows)
    if metric == "las":
        assert ["obj", "(other head)"] in both
        assert "(other head)" in {row["system_value"] for row in rows}


@pytest.mark.parametrize("metric", ["mrp", "smatch", "las"])
def test_what_has_nothing_instead_is_counted(run, metric, parses):
    """Against each pair of errors that could stand in each other's place."""
    files = parses if metric == "las" else (GOLD, BIRCH)
    kept = Options(per_item=True, details=True)
    result = score(*map(str, files), metric, options=kept)
    errors, nothing = Counter(), Counter()
    for item in result.items:
        pairs = product(item.errors, repeat=2)
        paired = {
            id(one)
            for one, two in pairs
            if {one.error_type, two.error_type} == {"missing", "spurious"}
            and (one.tuple_type, one.name) == (two.tuple_type, two.name)
            and (one.gold, one.system) == (two.gold, two.system)
            and None not in (one.gold, one.system)
        }
        for error in item.errors:
            value = None if error.value is None else json_type(error.value)[1]
            key = item.framework, error.tuple_type, error.error_type, error.name, value
            errors[key] += 1
            nothing[key] += id(error) not in paired
    written = "framework,tuple_type,error_type,name,value"
    rows = run("errors", *files, "-m", metric, "--by", written, "--top", "5000").json
    assert len(rows) == len(errors)
    for row in rows:
        key = tuple(
            row[c] for c in ("framework", "tuple_type", "error_type", "name", "value")
        )
        assert row["errors"] == errors[key]
        said = f"nothing there ({nothing[key]})"
        assert (
            row["instead"].endswith(said)
            if nothing[key]
            else ("nothing there" not in row["instead"])
        )


def test_one_item_says_what_stands_there_too(run):
    by = ("--by", "item,framework,tuple_type,error_type,name,value", "--top", "5000")
    every = run("errors", GOLD, BIRCH, *by, "--framework", "dm").json
    item = every[0]["item"]
    own = [row for row in every if row["item"] == item]
    given = ("--item", item, "--framework", "dm")
    assert run("errors", GOLD, BIRCH, *by, *given).json == own
    assert {row["instead"] for row in own} - {None}


@pytest.fixture
def roles(tmp_path):
    """Semantic roles, and the same with an A1 and a sense wrong."""
    gold, system = DATA / "srl" / "market.conll09", tmp_path / "system.conll09"
    text = gold.read_text()
    system.write_text(text.replace("A1", "AM-TMP").replace("A0", "A2"))
    return gold, system


@pytest.mark.parametrize("metric", ["primesrl", "conll05", "conll09"])
def test_confusions_of_roles_are_roles(run, roles, metric, tmp_path):
    text = roles[0].read_text()
    cells = [cell for line in text.splitlines() for cell in line.split()]
    found = run("errors", *roles, "-m", metric, "--confusions").json
    pairs = Counter()
    for row in found:
        pairs[row["gold_value"], row["system_value"]] += row["times"]
    assert pairs == {
        ("A0", "A2"): cells.count("A0"),
        ("A1", "AM-TMP"): cells.count("A1"),
    }
    named = ("label", "sense", "") if metric == "primesrl" else ("",)
    assert {row["name"] for row in found} <= set(named)
    kept = Options(per_item=True, details=True)
    by_hand = score(*map(str, roles), metric, options=kept)
    assert [row._asdict() for row in by_hand.confusions] == found
    url = str(tmp_path / "runs.db")
    assert run("score", *roles, "-m", metric, "--save", url).code == 0
    with Store(url) as opened:
        columns, rows, _ = opened.confusions(metric=metric)
        assert [dict(zip(columns, row, strict=True)) for row in rows] == found
        tuple_type = found[0]["tuple_type"]
        only = opened.confusions(metric=metric, tuple_type=tuple_type).rows
        assert only == [row for row in rows if row[1] == tuple_type]


def test_errors_of_roles_say_the_role_instead(run, roles):
    rows = run("errors", *roles, "-m", "primesrl", "--tuple-type", "core").json
    said = {row["error_type"]: row["instead"].rpartition(" ")[0] for row in rows}
    assert said["missing"] in ("A2, not A0", "AM-TMP, not A1", "nothing there")
    labels = ("--by", "framework,tuple_type,error_type,label,name,value", "--top", "99")
    rows = run(
        "errors", *roles, "-m", "conll09", *labels, "--error-type", "missing"
    ).json
    assert {(row["label"], row["instead"]) for row in rows} == {
        ("A0", "A2, not A0 (1)"),
        ("A1", "AM-TMP, not A1 (1)"),
    }


CEAF = "f1(match(nodes('entity'), f1(match(targets('mention'), exact(anchors)))))"


@pytest.fixture
def chains(tmp_path):
    """Two documents of two entities, of which one has a mention in the other."""

    def document(*entities):
        clusters = [[[start, start] for start in each] for each in entities]
        said = {
            "doc_key": "a",
            "sentences": [["Ada", "met", "Bob", ".", "She", "liked", "him", "."]],
            "clusters": clusters,
        }
        return json.dumps(said) + "\n"

    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text(document([0, 4], [2, 6]))
    system.write_text(document([0, 4, 6], [2]))
    return gold, system


def test_errors_of_a_formula_say_their_level(run, chains):
    rows = run("errors", *chains, "-m", CEAF).json
    found = {
        (row["error_type"], row["level"], row["part"], row["instead"]) for row in rows
    }
    assert found == {
        ("partial", 0, "entities", None),
        ("missing", 1, "mentions", "(elsewhere) (1)"),
        ("spurious", 1, "mentions", "(elsewhere) (1)"),
    }
    columns = list(rows[0])
    assert columns[:5] == ["framework", "tuple_type", "level", "part", "error_type"]
    table = run("errors", *chains, "-m", CEAF, "--table", "--width", "80")
    assert "mentions" in table.out
    # What was asked for is what there is, and flat formulas have no levels.
    plain = run("errors", *chains, "-m", CEAF, "--by", "tuple_type,error_type").json
    assert set(plain[0]) == {"tuple_type", "error_type", "errors"}
    one = "f1(match(nodes('mention'), exact(anchors)))"
    assert "level" not in run("errors", *chains, "-m", one, "--table").out


def test_a_value_that_is_empty_is_said_to_be(run, tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text("1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    system.write_text("1\ta\ta\tX\t_\tNumber=Sing\t0\troot\t_\t_\n\n")
    rows = run("errors", gold, system, "-m", "tagging", "--tuple-type", "ufeats").json
    said = {(row["error_type"], row["value"], row["instead"]) for row in rows}
    assert said == {
        ("missing", "", "Number=Sing instead (1)"),
        ("spurious", "Number=Sing", "(empty) instead (1)"),
    }


def test_without_errors_there_is_no_table(run):
    found = run("errors", GOLD, GOLD, "--table")
    assert (found.code, found.out) == (0, "")
    assert "no errors" in found.err
    assert run("errors", GOLD, GOLD, "--json").json == []
    assert run("errors", GOLD, GOLD, "--csv").out.startswith(
        "framework,tuple_type,error_type"
    )


def test_several_metrics_have_a_table_each(run):
    files = DATA / "ie" / "wire.json", DATA / "ie" / "wire.predicted.json"
    out = run("errors", *files, "--table", "--width", "80").out
    blocks = [block.splitlines() for block in out.split("\n\n")]
    assert [block[0] for block in blocks] == ["trigger", "argument"]
    rows = run("errors", *files).json
    for title, head, _, *lines in blocks:
        assert "metric" not in head.split()
        lines = [
            line for line in lines if not line.startswith(("framework:", "empty:"))
        ]
        assert len(lines) == sum(row["metric"] == title for row in rows)
    assert max(map(len, out.splitlines())) <= 80


def test_heads_that_most_have_are_told(run, tmp_path):
    """Two of three objects that are taken for modifiers have the same heads."""
    both = {
        "gold.conllu": [("saw", 0, "root"), *3 * [("it", 1, "obj")], ("b", 1, "x")],
        "system.conllu": [
            *(("saw", 0, "root"), ("it", 5, "amod"), ("it", 5, "amod")),
            *(("it", 2, "amod"), ("b", 1, "x")),
        ],
    }
    for name, words in both.items():
        rows = [(form, "X", head, relation) for form, head, relation in words]
        (tmp_path / name).write_text(parse(*rows))
    files = [tmp_path / name for name in both]
    run("score", *files, "-m", "las", "--save", tmp_path / "runs.db")
    store = (tmp_path / "runs.db", "--gold", "gold", "--system", "system")
    for sides in (files, store):
        assert told(run("errors", *sides, "-m", "las").json) == {
            (
                "all",
                "missing",
                "head+deprel",
                "obj",
                "amod instead (3), head b, not saw (2)",
            ),
            (
                "all",
                "spurious",
                "head+deprel",
                "amod",
                "obj instead (3), head saw, not b (2)",
            ),
        }
