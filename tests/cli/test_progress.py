"""The progress bar of a command."""

from __future__ import annotations

from graphscore.cli.progress import Steps


def test_one_bar_knows_its_end_after_the_first_step():
    seen = []
    steps = Steps(lambda done, total: seen.append((done, total)), 3)
    for _ in range(3):
        step = steps.begin()
        assert step is not None
        for _ in range(2):
            step.count("mrp", None)
            step.count("smatch", None)
    assert seen == [(1, None), (2, None), (3, 6), (4, 6), (5, 6), (6, 6)]


def test_steps_that_know_their_size_do_so_at_once():
    seen = []
    steps = Steps(lambda done, total: seen.append((done, total)), 2)
    for size in (4, 2):
        step = steps.begin()
        for done in range(1, size + 1):
            step(done, size)
    assert seen[0] == (1, 8)
    assert seen[-1] == (6, 6)


def test_nothing_is_counted_where_there_is_no_bar():
    assert Steps(None, 2).begin() is None
