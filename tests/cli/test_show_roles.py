"""Semantic roles as a table of predicates by roles."""

import pytest

from tests.cli.conftest import DATA, GOLD

GOLD_ROLES = DATA / "srl" / "market.conll09"


@pytest.fixture
def roles(run, tmp_path):
    """Rows of the table, by predicate, of a changed system."""

    def table(metric, *changes):
        text = GOLD_ROLES.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        system = tmp_path / "system.conll09"
        system.write_text(text)
        out = run("show", "0", GOLD_ROLES, system, "-m", metric, "--table").out
        lines = out.split("\nRoles\n")[1].split("\n\n")[0].splitlines()
        assert lines.pop().startswith("= matched   ~ in part")
        return [line.split() for line in (lines[0], *lines[2:])]

    return table


def test_equal_roles_have_their_words_once(roles):
    assert roles("conll09") == [
        ["predicate", "A0", "A1"],
        ["=", "sell.01", '"sold"', "=Mei", "=boat"],
        ["=", "regret.01", '"regrets"', "=she", "=it"],
    ]


def test_a_role_of_another_name_is_under_both(roles):
    assert roles("conll09", ("A1", "A2")) == [
        ["predicate", "A0", "A1", "A2"],
        ["=", "sell.01", '"sold"', "=Mei", "-boat", "+boat"],
        ["=", "regret.01", '"regrets"', "=she", "-it", "+it"],
    ]


def test_senses_that_differ_are_both_there(roles):
    _, first, second = roles("primesrl", ("sell.01", "sell.02"))
    assert first[:4] == ["~", "-sell.01", "+sell.02", '"sold"']
    # Arguments under a wrong sense do not count.
    assert first[4:] == ["~Mei", "~boat"]
    assert second == ["=", "regret.01", '"regrets"', "=she", "=it"]


def test_no_table_where_there_are_no_predicates(run):
    out = run("show", "sample-02", GOLD, GOLD, "--framework", "amr", "--table").out
    assert "Roles" not in out
