import pytest

KEY = """#begin document (news/1); part 000
news/1 0 0 Ada (0)
news/1 0 1 met -
news/1 0 2 old (1
news/1 0 3 Bob 1)
news/1 0 4 . -

news/1 0 0 She (0)
news/1 0 1 liked -
news/1 0 2 him (1)
#end document
"""

RESPONSE = (
    KEY.replace("old (1", "old -")
    .replace("Bob 1)", "Bob (1)")
    .replace("She (0)", "She (1)")
)


@pytest.fixture
def pair(tmp_path):
    """A system that begins a mention too late, and takes a pronoun for another's."""
    gold, system = tmp_path / "key.conll", tmp_path / "response.conll"
    gold.write_text(KEY)
    system.write_text(RESPONSE)
    return gold, system


def test_score(run, pair):
    found = run("score", *pair, "-m", "muc,b3,conll,mentions", "--json").json
    muc, b3, conll, mentions = found["results"]
    assert muc["counts"]["all"]["recall"] == 0
    assert b3["counts"]["all"]["matched"] == 0.5 + 0.5 + 0.5
    assert conll["counts"]["all"]["f1"] == pytest.approx(
        sum(conll["counts"][tuple_type]["f1"] for tuple_type in ("muc", "b3", "ceafe"))
        / 3
    )
    assert mentions["counts"]["overlap"]["matched"] == 4


def test_errors(run, pair):
    found = run("errors", *pair, "-m", "conll", "--tuple-type", "mentions").json
    assert [(row["error_type"], row["value"]) for row in found] == [
        ("missing", "old Bob"),
        ("spurious", "Bob"),
    ]
    [row] = run("errors", *pair, "-m", "conll", "--confusions").json
    assert (row["gold_value"], row["system_value"]) == ("old Bob", "Bob")
    wrong = run("errors", *pair, "-m", "conll", "--tuple-type", "b3")
    assert wrong.code == 2
    assert "mentions" in wrong.err


def test_errors_tell_of_entities_whose_mentions_are_right(run, pair):
    gold, system = pair
    system.write_text(KEY.replace("She (0)", "She (1)"))
    found = run("errors", *pair, "-m", "conll", "--table")
    assert "no errors of mentions" in found.err
    title, head, _, row, *_ = found.out.splitlines()
    assert title == "entities whose mentions are not those of one entity"
    named = dict(zip(head.split(), row.split(), strict=True))
    assert named["document"] == "news/1"
    names = ("divided", "conflated", "missing", "extra")
    assert [named[name] for name in names] == ["1", "1", "0", "0"]
    assert run("errors", *pair, "-m", "conll").json == []
    for option in (
        ["--tuple-type", "mentions"],
        ["--error-type", "missing"],
        ["--confusions"],
    ):
        alone = run("errors", *pair, "-m", "conll", "--table", *option)
        assert alone.out == ""
    both = run("errors", gold, gold, "-m", "conll", "--table")
    assert (both.out, both.err.splitlines()[0]) == ("", "no errors")
    told = run("errors", *pair, "-m", "conll", "--markdown", "--sql").out
    assert "| divided | conflated |" in told
    assert "from v_entity_errors" in told


def test_entities(run, pair, tmp_path):
    store = tmp_path / "runs.db"
    saved = run("score", *pair, "-m", "conll", "--save", store)
    assert saved.code == 0
    sql = "select error, mentions, parts from v_entity_errors order by 1, 2"
    assert run("query", store, sql).json == [
        {"error": "conflated", "mentions": 1, "parts": 2},
        {"error": "conflated", "mentions": 1, "parts": 2},
        {"error": "divided", "mentions": 1, "parts": 2},
        {"error": "divided", "mentions": 1, "parts": 2},
        {"error": "extra", "mentions": 1, "parts": 2},
        {"error": "missing", "mentions": 1, "parts": 1},
    ]


def test_show(run, pair):
    found = run("show", "news/1/0", *pair, "-m", "b3")
    assert found.code == 0
    assert "old Bob" in found.out
