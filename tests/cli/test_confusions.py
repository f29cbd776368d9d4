import pytest

from tests.cli.conftest import BIRCH, GOLD, record


@pytest.fixture
def pair(tmp_path):
    """Three graphs where the system confuses a label twice and a role once."""
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    cat = [{"id": 0, "label": "bark-01"}, {"id": 1, "label": "cat"}]
    role = [{"source": 0, "target": 1, "label": "ARG1"}]
    values = {"properties": ["polarity"], "values": ["-"]}
    other = {"properties": ["polarity"], "values": ["+"]}
    nodes = [{"id": 0, "label": "bark-01"} | values, {"id": 1, "label": "dog"}]
    wrong = [{"id": 0, "label": "bark-01"} | other, {"id": 1, "label": "dog"}]
    gold.write_text(record("1") + record("2") + record("3") + record("4", nodes=nodes))
    system.write_text(
        record("1", nodes=cat)
        + record("2", nodes=cat)
        + record("3", edges=role)
        + record("4", nodes=wrong)
    )
    return gold, system


def told(found):
    names = ("tuple_type", "name", "gold_value", "system_value", "times")
    return [tuple(row[name] for name in names) for row in found]


def test_labels_edges_and_properties_most_frequent_first(run, pair):
    assert told(run("errors", *pair, "--confusions").json) == [
        ("labels", "", "dog", "cat", 2),
        ("edges", "", "ARG0", "ARG1", 1),
        ("properties", "polarity", "-", "+", 1),
    ]


def test_narrowed_and_limited(run, pair):
    found = run("errors", *pair, "--confusions", "--tuple-type", "edges").json
    assert [row[0] for row in told(found)] == ["edges"]
    assert len(run("errors", *pair, "--confusions", "--top", "1").json) == 1
    none = run("errors", *pair, "--confusions", "--framework", "dm")
    assert none.json == []
    assert "no confusions" in none.err


def test_files_and_stores_agree_and_the_sql_gives_the_rows(run, store):
    from_files = run("errors", GOLD, BIRCH, "--confusions", "--top", "50")
    arguments = ("--gold", "gold", "--system", "birch", "--confusions", "--top", "50")
    from_store = run("errors", store, *arguments, "--sql")
    assert from_store.json == from_files.json
    sql = from_store.err[from_store.err.index("select") :].strip().removesuffix(";")
    assert "from v_confusions" in sql
    assert run("query", store, sql).json == from_store.json
    times = [row["times"] for row in from_store.json]
    assert times == sorted(times, reverse=True)


def test_several_systems_have_a_column(run, pair, tmp_path):
    gold, system = pair
    other = tmp_path / "other.mrp"
    other.write_text(system.read_text())
    found = run("errors", gold, system, other, "--confusions").json
    assert [row["system"] for row in found] == ["system"] * 3 + ["other"] * 3
    assert told(found[:3]) == told(found[3:])


@pytest.mark.parametrize(
    "arguments", [("--error-type", "missing"), ("--item", "1"), ("--by", "tuple_type")]
)
def test_what_confusions_do_not_tell_is_refused(run, pair, arguments):
    found = run("errors", *pair, "--confusions", *arguments)
    assert found.code == 2
    said = f"--confusions and {arguments[0]} are mutually exclusive: drop one"
    assert said in found.err


def test_the_library_refuses_it_too():
    from graphscore.exceptions import UsageError
    from graphscore.store.read.frequent import frequent_confusions

    with pytest.raises(UsageError, match="no item"):
        frequent_confusions(lambda _: ((), ()), {"item": "1"})
