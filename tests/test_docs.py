"""The pages are complete and their examples run."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from glob import glob
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.formats import Format, formats
from graphscore.metrics.registry import metrics
from tests.conftest import ROOT, metric_page
from tests.pages import BLOCK, DOCS, PAGES, README, blocks, first_example, named, typed
from tests.test_public_names import NAMES

FAMILIES = sorted(
    folder.name for folder in (DOCS / "metrics").iterdir() if folder.is_dir()
)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = "\n".join(
        block for block in blocks(page, "python") if block.lstrip().startswith(">>>")
    )
    if not found:
        pytest.skip("no Python example on this page")
    test = doctest.DocTestParser().get_doctest(found, {}, named(page), None, None)
    problems: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=problems.append)
    assert runner.failures == 0, "".join(problems)
    assert runner.tries > 0


def test_pages_have_a_first_example_unless_they_tell_of_none() -> None:
    # All of them are run from the wheel by `python -m tests.stranger`.
    without = {named(page) for page in PAGES if first_example(page) is None}
    assert {name for name in without if not name.startswith("docs/api/")} == {
        *("data/README.md", "docs/changelog.md", "docs/decisions.md"),
        *("docs/correspondence.md", "docs/performance.md", "docs/reliability.md"),
        *("docs/versions.md", "docs/metrics/empty.md", "docs/metrics/whose.md"),
    }


SHOWN = re.compile(
    r"^```bash\n(graphscore [^\n]*)\n```\n\n```text\n(.*?)^```$", re.M | re.S
)


PRINTED = {
    **{"agree": 1, "compare": 2, "publishing": 2, "references": 2, "whatif": 1},
    **{"find": 1, "coming_from": 7},
    **{f"metrics/{family}/index": 2 for family in FAMILIES},
}
"""How many commands a page shows with what they print."""


@pytest.mark.parametrize(("name", "least"), PRINTED.items())
def test_commands_print_what_the_page_shows(
    name: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphscore.cli.main import cli

    monkeypatch.chdir(ROOT)
    shown = SHOWN.findall((DOCS / f"{name}.md").read_text(encoding="utf-8"))
    assert len(shown) >= least
    for line, expected in shown:
        done = CliRunner().invoke(cli, shlex.split(line)[1:])
        assert done.exit_code == 0, (line, done.output)
        # A page may leave out tables before and after, and lines where it has dots.
        for part in re.split(r"^\.\.\.\n", expected, flags=re.M):
            assert part in done.stdout, line


def test_several_patterns_are_searched_in_a_shell(tmp_path: Path) -> None:
    text = (
        (DOCS / "find.md").read_text(encoding="utf-8").split("## Several patterns")[1]
    )
    [[loop, printed]] = re.findall(
        r"^```bash\n(cat .*?)^```\n\n```text\n(.*?)^```$", text, re.M | re.S
    )
    program = tmp_path / "graphscore"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphscore "$@"\n')
    program.chmod(0o755)
    (tmp_path / "data").symlink_to(ROOT / "data")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", loop],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == printed


def test_every_family_has_a_page_that_begins_with_a_question() -> None:
    for family in FAMILIES:
        text = (DOCS / "metrics" / family / "index.md").read_text(encoding="utf-8")
        assert re.match(r"# .+\n\n\*[A-Z][^*]+\?\* ", text), family
        listed = re.findall(r"^\w+$", text.split("```{toctree}")[1], re.M)
        pages = {page.stem for page in (DOCS / "metrics" / family).iterdir()}
        assert {*listed, "index"} == pages
        # What it shows is one of the pictures that the tool has drawn.
        assert re.search(r"!\[.+\]\(\.\./\.\./pictures/\w+\.svg\)", text), family
        chosen = text.split("## Which metric")[1].split("```")[0]
        for name in {*listed} - {"coreference", "dependency"}:
            assert f"({name}.md)" in chosen, (family, name)


class Terminal(io.StringIO):
    """A terminal that is 80 columns wide and has no colours."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Always."""
        return True


def on_a_terminal(line: str, shown: str) -> None:
    """Run a command; a line of dots in what is shown leaves something out."""
    from graphscore.cli.main import cli

    terminal = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        patch.setenv("NO_COLOR", "1")
        patch.setattr(sys, "stdout", terminal)
        program, *words = shlex.split(line)
        assert program == "graphscore"
        words = [name for word in words for name in sorted(glob(word)) or [word]]
        assert not cli.main(words, standalone_mode=False)
    out = terminal.getvalue()
    assert len(out.splitlines()) > 1
    if not shown:
        return
    pieces = re.split(r"^\.\.\.\n", shown, flags=re.M)
    # Where no dots are, nothing is left out.
    assert out.startswith(pieces[0])
    assert out.endswith(pieces[-1])
    place = 0
    for piece in pieces:
        assert piece in out[place:]
        place = out.index(piece, place) + len(piece)
    assert len(pieces) > 1 or out == shown


def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    steps = [
        each
        for block in blocks(DOCS / "tutorial.md", "console")
        for each in typed(block)
    ]
    assert len(steps) > 8
    for line, shown in steps:
        on_a_terminal(line, shown)


CONSOLE = [each for block in blocks(README, "console") for each in typed(block)]


@pytest.mark.parametrize(("line", "shown"), CONSOLE, ids=[line for line, _ in CONSOLE])
def test_what_the_readme_shows_is_what_a_terminal_shows(
    line: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    on_a_terminal(line, shown)


def test_what_the_readme_says_to_type_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = README.read_text(encoding="utf-8")
    lines = re.findall(r"^\|.*\| `graphscore ([^`]*)` \|$", text, re.M)
    assert len(lines) == 14
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    for line in lines:
        ran = CliRunner().invoke(cli, shlex.split(line))
        assert ran.exit_code == 0, (line, ran.output)


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").split()) < 900


def test_every_metric_has_a_page_with_its_parameters() -> None:
    for name, metric in metrics().items():
        text = metric_page(name)
        assert re.search(r"^#+ Differences from", text, re.MULTILINE), name
        for parameter in metric.parameters():
            assert f"`{parameter}" in text, (name, parameter)
        for tuple_type in metric.tuple_types:
            assert f"`{tuple_type}`" in text or f"| {tuple_type} " in text, (
                name,
                tuple_type,
            )


SECTIONS = {
    heading: page.name
    for page in (DOCS / "formats").glob("*.md")
    for heading in re.findall(r"^## (\S+)$", page.read_text(encoding="utf-8"), re.M)
}
"""The pages with a section about a format, by its name."""


def test_sections_are_about_formats() -> None:
    assert {*SECTIONS} <= {*formats()}


def format_row(form: Format) -> str:
    """Lay out a format as a row of the table, linked where it has a section."""
    name = form.name
    if name in SECTIONS:
        name = f"[{name}](formats/{SECTIONS[name]}#{name})"
    can = ["read"] * (form.read is not None) + ["write"] * bool(
        form.write or form.files
    )
    suffixes = " ".join(f"`{suffix}`" for suffix in form.suffixes)
    frameworks = " ".join(form.frameworks) or "any"
    return f"| {name} | {form.title} | {', '.join(can)} | {suffixes} | {frameworks} |"


def test_the_table_of_formats_is_that_of_the_code() -> None:
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert rows == [format_row(form) for form in formats().values()]


def below(name: str) -> Iterator[str]:
    """A page and all that its tables of contents lead to."""
    yield name
    page = DOCS / f"{name}.md"
    for tree in re.findall(
        r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S
    ):
        for entry in re.findall(r"^[\w./]+$", tree, re.M):
            yield from below(str((page.parent / entry).relative_to(DOCS)))


def test_every_page_is_reached_from_the_index_once() -> None:
    pages = sorted(
        page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")
    )
    assert sorted(below("index")) == pages


def test_every_package_with_public_names_has_a_page() -> None:
    pages = {page.stem for page in (DOCS / "api").glob("graphscore*.md")}
    assert pages == {*NAMES, "graphscore.correspondence"}
    for package in pages:
        text = (DOCS / "api" / f"{package}.md").read_text(encoding="utf-8")
        if "automodule" not in text:
            listed = {
                name.rpartition(".")[2] for name in re.findall(r":: (\S+)$", text, re.M)
            }
            missing = {*import_module(package).__all__} - listed
            assert missing <= {"Budget"}
            assert package != "graphscore" or not missing


LINKED = [*PAGES, *sorted(ROOT.glob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)|<(https?:[^>\s]+)>")
FENCED = re.compile(r"^(`{3,}).*?^\1$", re.M | re.S)


def links(page: Path) -> list[str]:
    """Where a page leads, but for what its examples say."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    return [name or bare for name, bare in LINK.findall(text)]


def anchors(page: Path) -> set[str]:
    """What headings are called in addresses, by GitHub and on the site."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    times: Counter[str] = Counter()
    found = set()
    for heading in re.findall(r"^#+ +(.+?) *$", text, re.M):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        found.add(f"{name}-{times[name]}" if times[name] else name)
        times[name] += 1
    return found


def test_links_between_pages_lead_somewhere() -> None:
    followed = 0
    for page in LINKED:
        for target in links(page):
            path, _, anchor = target.partition("#")
            if ":" in path:
                continue
            there = page.parent / path if path else page
            assert there.exists(), (named(page), target)
            if anchor:
                assert anchor in anchors(there), (named(page), target)
                followed += 1
    assert followed > 300


def test_links_to_other_sites_have_the_form_of_one() -> None:
    # Whether they are still there is looked up by hand: docs/developing.md.
    outside = {
        (named(page), target)
        for page in LINKED
        for target in links(page)
        if ":" in target.partition("#")[0]
    }
    assert len(outside) > 20
    for page, target in outside:
        address = urlsplit(target)
        assert address.scheme == "https", (page, target)
        host = address.hostname or ""
        assert re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", host), (page, target)
        assert not re.search(r"(^|\.)example(\.|$)|\.(invalid|test)$", host), page
        assert address.port is None, (page, target)
        assert "@" not in address.netloc, (page, target)


def test_paths_of_modules_lead_somewhere() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for path in re.findall(r"`((?:graphscore|tests|migrations)/[\w/.]*)`", text):
            there = ROOT / path.replace("FAMILY", "entities")
            # A file that is still to be written has a folder.
            there = there.parent if "NAME" in path else there
            assert there.exists(), (named(page), path)


def test_the_first_screen_has_exactly_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = text.split("\n## ")[0]
    found = [match[2] for match in BLOCK.finditer(shown) if match[1] == "bash"]
    assert len(found) == 2
    assert all(len(block.strip().splitlines()) == 1 for block in found)
    assert "graphscore demo" in found[0]
    assert "pytest" in found[1]


def test_the_changelog_says_which_scores_changed() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "### Scores changed" in text
