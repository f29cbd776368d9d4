"""Of very many equal problems the first are kept, and all are counted."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest

from graphscore import score
from graphscore.duplicates import KEPT
from graphscore.evaluation.rows.checking import Checked
from graphscore.evaluation.store import Store
from graphscore.exceptions import InputError, Problem, Problems, listed
from graphscore.formats import ReaderOptions
from graphscore.formats.base import Rejected
from graphscore.formats.registry import format_named

MANY = KEPT + 1_000


def problems(number: int) -> list[Problem]:
    return [Problem("a", line, None, "", "one", "two") for line in range(1, number + 1)]


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("headers") / "a.amr"
    path.write_bytes(b"# ::id 1\n" * MANY)
    return str(path)


def test_what_is_wrong_with_a_file_is_counted_while_it_is_read(headers: str) -> None:
    found = Checked(headers)
    found.read(headers, ReaderOptions(), {})
    # The first one also says why the file was taken for AMR.
    assert len([*found.problems]) == len([*found.findings]) == KEPT + 1
    assert len(found.problems) == found.count("error") == found.rejected == MANY
    assert found.codes == {"unreadable": MANY}
    assert [*found.rows()] == [(headers, "amr", "amr", 0, MANY, MANY, 0)]
    said = found.to_dict(False)["findings"]
    assert [each.get("count", 1) for each in said] == [1, 1, 1, MANY - 3]
    every = Checked(headers, every=True)
    every.read(headers, ReaderOptions(), {})
    assert len(every.to_dict(True)["findings"]) == MANY


def test_nothing_of_them_is_lost_when_they_are_an_error(
    headers: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as scored:
        score(headers, headers, "smatch")
    with Store(str(tmp_path / "a.db"), mode="create") as store:
        with pytest.raises(InputError) as ingested:
            store.ingest(headers, "gold")
        [report] = store.ingest(headers, "gold", keep_going=True)
    assert report.rejected == MANY
    for error in (scored.value, ingested.value):
        assert len(error.problems) == KEPT + 1
        for same in (error, pickle.loads(pickle.dumps(error))):
            assert str(same).endswith(f" (and {MANY - 4:,} more like it)")


def test_a_header_that_is_repeated_is_read_as_any_other() -> None:
    read = format_named("amr").read
    assert read is not None
    tail = b"# ::snt a\n(b / c)\n"
    found = [*read(io.BytesIO(b"# ::id 1\n" * 3 + tail), "a")]
    apart = [*read(io.BytesIO(b"# ::id 1\n# ::id 1 \n# ::id 1\n" + tail), "a")]
    assert found[0] == apart[0]
    assert found[1:] == [apart[1]._replace(raw=b"# ::id 1\n"), apart[2]]  # type: ignore[call-arg]
    assert isinstance(found[1], Rejected)
    assert (found[1].line, found[1].item) == (2, "1")


def test_folds_are_put_together_and_in_order() -> None:
    found = Problems(problems(MANY))
    found.extend(Problems(problems(MANY)))
    found.add(Problem("b", 1, None, "", "one", "two"))
    assert len(found) == 2 * MANY + 1
    assert sum(count for _, count in found.weighted()) == 2 * MANY + 1
    found.sort(lambda problem: -(problem.line or 0))
    assert [problem.line for problem in found][:2] == [KEPT, KEPT - 1]
    assert sum(count for _, count in found.weighted()) == 2 * MANY + 1
    lines = [*listed(found)]
    assert lines[2].endswith(f"(and {2 * MANY - 3:,} more like it)")
    # What has been said of them is folded again.
    assert [*listed(lines)] == lines
