"""``-o``: one name for where a page, a picture or a conversion goes."""

import pytest

from tests.cli.conftest import ALDER, GOLD, record


@pytest.mark.parametrize(
    ("args", "names"),
    [
        (("show", "sample-01", GOLD, ALDER), {"a.svg": b"<svg", "a.html": b"<!"}),
        (
            ("find", GOLD, "pattern { X -[ARG1]-> Y }", "--top", "1"),
            {"a.svg": b"<svg", "a.html": b"<!"},
        ),
        (
            ("report", GOLD, ALDER, "-m", "edm", "--worst", "1", "--samples", "10"),
            {"a.html": b"<!", "a.md": b"#"},
        ),
        (("score", GOLD, ALDER, "-m", "edm"), {"a.svg": b"<svg"}),
    ],
)
def test_the_ending_says_page_or_picture(run, tmp_path, args, names):
    for name, begin in names.items():
        assert run(*args, "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_bytes().lstrip().startswith(begin)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_another_ending_is_refused_and_names_those_there_are(run, tmp_path):
    found = run("show", "sample-01", GOLD, ALDER, "-o", tmp_path / "a.txt")
    assert found.code == 2
    assert "expected a file that ends in .svg, .html, .htm" in found.err
    assert not [*tmp_path.iterdir()]


def test_the_same_file_is_not_named_twice(run, tmp_path):
    page = tmp_path / "a.html"
    found = run("show", "sample-01", GOLD, ALDER, "-o", page, "--html", "b.html")
    assert found.code == 2
    assert "mutually exclusive" in found.err


def test_convert_prints_one_file_in_the_format_that_is_named(run):
    found = run("convert", "-", "--to", "ids", stdin=record("7") + record("8"))
    assert (found.code, found.out, found.err) == (0, "7\n8\n", "")


def test_convert_takes_out_by_option(run, tmp_path):
    out = tmp_path / "a.ids"
    assert run("convert", GOLD, ALDER, "-o", out, "-q").code == 0
    assert out.read_text().startswith("sample-01")


def test_convert_says_that_there_is_nothing_to_write_to(run):
    found = run("convert", GOLD)
    assert found.code == 2
    assert f"no OUT for {GOLD}:" in found.err
    assert "--to FORMAT" in found.err


def test_convert_says_that_there_is_nothing_to_write(run, tmp_path):
    found = run("convert", "-", "--to", "iob", "--keep-going", stdin=record("1"))
    assert (found.code, found.out) == (0, "")
    assert "nothing to write: - has no graph that iob holds" in found.err
