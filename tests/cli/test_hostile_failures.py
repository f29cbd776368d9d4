"""What no command expects: a message, a code of its own, and a traceback that is
kept."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path

import click
import pytest

from graphscore.cli import error_handling
from graphscore.cli.main import COMMANDS, cli
from graphscore.exceptions import GraphscoreError, Problem, StoreError
from tests.cli.conftest import GOLD, ROOT, Ran


def fail_with(error: BaseException) -> Callable[..., None]:
    """A function that raises, whatever it is given."""

    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Makes ``graphscore formats`` fail."""

    def breaking(error: BaseException) -> None:
        monkeypatch.setattr("graphscore.formats.formats", fail_with(error))

    return breaking


def test_a_defect_is_said_and_its_traceback_kept(
    run: Callable[..., Ran], broken: Callable[[BaseException], None]
) -> None:
    broken(KeyError("\x1b[31m\udcff"))
    found = run("formats")
    assert (found.code, found.out, found.err.count("\n")) == (5, "", 1)
    assert "a defect of graphscore (KeyError: " in found.err
    assert "report it to the project's issue tracker" in found.err
    assert "\x1b" not in found.err
    path = Path(found.err.split(" in ")[-1].strip())
    kept = path.read_text(encoding="utf-8")
    path.unlink()
    assert "Traceback (most recent call last):" in kept
    assert "KeyError" in kept


def test_a_traceback_is_printed_where_it_is_wanted_or_cannot_be_kept(
    run: Callable[..., Ran],
    broken: Callable[[BaseException], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken(KeyError("x"))
    said = run("formats", "-v")
    assert (said.code, "the traceback above" in said.err) == (5, True)
    assert said.err.startswith("Traceback (most recent call last):")
    monkeypatch.setattr("tempfile.mkstemp", fail_with(OSError(28, "full")))
    found = run("formats")
    assert (found.code, found.err.splitlines()[-1]) == (5, said.err.splitlines()[-1])
    assert found.err.startswith("Traceback")


def interrupted_class() -> RuntimeError:
    """What Python makes of an interrupt while it makes a class."""
    error = RuntimeError("Error calling __set_name__ on 'Field' instance")
    error.__cause__ = KeyboardInterrupt()
    return error


def interrupted_cleaning() -> StoreError:
    """What is raised while a statement that was interrupted is cleaned up."""
    error = StoreError("runs.db: the database says: closed")
    error.__context__ = KeyboardInterrupt()
    return error


def caused_by_itself() -> GraphscoreError:
    """Two errors of which each is the reason of the other."""
    error, other = GraphscoreError("so it goes"), ValueError()
    error.__cause__, other.__context__ = other, error
    return error


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (caused_by_itself(), 3, "Error: so it goes\n"),
        (interrupted_class(), 130, "interrupted"),
        (interrupted_cleaning(), 130, "interrupted"),
        (MemoryError(), 3, "out of memory"),
        (RecursionError("deep"), 3, "nested too deeply"),
        (BrokenProcessPool("gone"), 3, "a worker process was killed"),
        (OSError(28, "No space left on device"), 3, "No space left"),
        (BrokenPipeError(), 141, ""),
        (KeyboardInterrupt(), 130, "interrupted"),
        (GraphscoreError("so it is"), 3, "Error: so it is\n"),
        (click.UsageError("so it is not"), 2, "Error: so it is not\n"),
        (EOFError(), 5, "a defect"),
        (AssertionError(), 5, "a defect"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), 5, "a defect"),
        (ImportError("no such thing"), 5, "a defect"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_no_failure_has_the_code_of_a_threshold(
    run: Callable[..., Ran],
    broken: Callable[[BaseException], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    broken(error)
    found = run("formats")
    assert (found.code, said in found.err) == (code, True), found.err


def test_importing_and_parsing_are_watched_too(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr("importlib.import_module", fail_with(ImportError("half of it")))
        assert run("formats").code == 5
    with monkeypatch.context() as patch:
        patch.setattr(
            "graphscore.cli.main._installed_version", fail_with(KeyError("x"))
        )
        assert run("--version").code == 5
    for error, code in ((BrokenPipeError(), 141), (OSError(5, "broken"), 3)):
        with monkeypatch.context() as patch:
            patch.setattr(click, "echo", fail_with(error))
            assert run("--version").code == code


def test_who_calls_from_python_gets_codes_and_exceptions_of_click(
    broken: Callable[[BaseException], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    broken(KeyError("x"))
    assert cli(["formats"], standalone_mode=False) == 5
    with pytest.raises(click.UsageError):
        cli(["formats", "--nonsense"], standalone_mode=False)


def test_a_defect_in_a_worker_is_one_here(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    # Workers are forks of this process, or they could not be broken like this.
    if sys.platform != "linux" or sys.version_info >= (3, 14):
        pytest.skip("needs workers that are forks")
    monkeypatch.setattr(
        "graphscore.metrics.meaning.mrp.Mrp.prepare", fail_with(KeyError("worker"))
    )
    found = run("score", GOLD, GOLD, "-m", "mrp", "--jobs", 2)
    assert found.code == 5
    [kept] = tmp_path.glob("*.txt")
    assert "prepare" in kept.read_text(encoding="utf-8")


def every_error(tuple_type: type[GraphscoreError]) -> Iterator[type[GraphscoreError]]:
    """All errors that derive from one."""
    yield tuple_type
    for each in tuple_type.__subclasses__():
        yield from every_error(each)


MADE: dict[str, tuple[object, ...]] = {
    "InputError": ([Problem("a", 1, None, "", "b", "c")], "summary"),
    "UnclaimedError": ([Problem("a", 1, None, "", "b", "c")], "summary"),
    "InvalidGraphError": ("one thing", "another"),
    "StructureError": ("Class.field", "one thing", "another"),
}

# Which errors there are does not depend on what other tests import.
for module in (
    "find.grammar",
    "formats.registry",
    "rules.engine",
    "similarity.expression",
    "structures.objects.field_types",
):
    import_module(f"graphscore.{module}")


@pytest.mark.parametrize(
    "tuple_type",
    [
        tuple_type
        for tuple_type in sorted({*every_error(GraphscoreError)}, key=str)
        # Pages of the explorer are made in its own process.
        if not tuple_type.__module__.startswith("graphscore.explorer")
    ],
)
def test_every_error_comes_back_from_a_worker(
    tuple_type: type[GraphscoreError],
) -> None:
    error = tuple_type(*MADE.get(tuple_type.__name__, ("text",)))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (tuple_type, str(error))
    assert again.__dict__ == error.__dict__


class _Deaf(io.StringIO):
    """A stream that takes nothing."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    "write", [error_handling.print_message, error_handling.print_error]
)
def test_that_nobody_hears_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, write: Callable[[str], None]
) -> None:
    monkeypatch.setattr(sys, "stderr", _Deaf())
    write("hello?")
    monkeypatch.setattr(sys, "stderr", None)
    write("hello?")


@pytest.mark.parametrize("verb", COMMANDS)
def test_no_verb_ends_with_a_traceback_without_operands(
    run: Callable[..., Ran], verb: str
) -> None:
    if verb != "demo":
        assert run(verb).code in (0, 2)


def test_the_codes_are_in_the_pages() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for code in (0, 1, 2, 3, 4, 5, 130, 141):
        assert f"\n| {code} | " in page
