"""Which files of folders and patterns are read, and which are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphscore import score
from graphscore.evaluation.store import Store
from graphscore.exceptions import InputError, PairingError
from graphscore.formats.discovery import gather
from tests.conftest import DATA

LINE = b'{"id": "1", "framework": "eds", "nodes": [{"id": 0, "label": "x"}]}\n'


def corpus(folder: Path, **files: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(data)
    return folder


def gathered(operand: Path | str, format: str | None = None) -> tuple[list[str], str]:
    found = gather(str(operand), format)
    return [Path(path).name for path in found.paths], found.left


def test_pages_and_licences_are_left_alone(tmp_path: Path) -> None:
    corpus(tmp_path, a_mrp=LINE, LICENSE=b"Free.", README_md=b"# Data", b_mrp=LINE)
    left = "left alone: LICENSE, README.md (of no known format)"
    assert gathered(tmp_path) == (["a.mrp", "b.mrp"], f"{tmp_path}: {left}")
    assert gathered(tmp_path, "mrp") == (["a.mrp", "b.mrp"], f"{tmp_path}: {left}")
    assert gathered(tmp_path / "*")[0] == ["a.mrp", "b.mrp"]
    assert gathered(tmp_path / "*.mrp") == (["a.mrp", "b.mrp"], "")


def test_only_so_many_names_are_said(tmp_path: Path) -> None:
    corpus(tmp_path, a_mrp=LINE, **{f"page{n}": b"text" for n in range(9)})
    names = "page0, page1, page2, page3, page4 and 4 more"
    assert gathered(tmp_path)[1].endswith(f"left alone: {names} (of no known format)")


def test_what_is_named_is_read(tmp_path: Path) -> None:
    corpus(tmp_path, LICENSE=b"Free.")
    assert gathered(tmp_path / "LICENSE") == (["LICENSE"], "")
    with pytest.raises(InputError, match=r"content of no known format"):
        score(str(tmp_path / "LICENSE"), str(DATA / "gold.mrp"))


def test_nothing_but_pages_is_an_error(tmp_path: Path) -> None:
    corpus(tmp_path, a_txt=b"Free.", b_txt=b"More.")
    for operand in (tmp_path, tmp_path / "*.txt"):
        with pytest.raises(InputError, match=r"2 files of no known format .*a\.txt, "):
            gather(str(operand))


def test_a_damaged_file_among_others_of_its_kind_is_no_page(tmp_path: Path) -> None:
    corpus(
        tmp_path, a_mrp=LINE, b_mrp=b"\xff\xfe{", c_mrp=b"", notes_txt=b"", d_xml=b"?"
    )
    assert gathered(tmp_path) == (
        ["a.mrp", "b.mrp", "c.mrp"],
        f"{tmp_path}: left alone: d.xml, notes.txt (of no known format)",
    )


def test_beside_annotations_nothing_else_is_read(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        corpus(
            tmp_path / folder,
            a_ann=b"T1\tPER 0 3\tAnn\n",
            a_txt=b"Ann left.",
            b_ann=b"",
            b_txt=b"Nobody.",
            LICENSE=b"T1\tPER 0 3\tAnn\n",
            annotation_conf=b"[entities]",
        )
    corpus(tmp_path / "z", c_mrp=LINE)
    assert gathered(tmp_path) == (
        ["a.ann", "b.ann"] * 2 + ["c.mrp"],
        f"{tmp_path}: left alone: x/LICENSE, y/LICENSE (beside .ann)",
    )
    assert gathered(tmp_path / "x", "brat")[0] == ["a.ann", "b.ann"]


def test_who_scores_is_told(tmp_path: Path) -> None:
    gold = corpus(tmp_path / "gold", a_mrp=LINE, NOTES=b"text")
    system = corpus(tmp_path / "system", a_mrp=LINE)
    result = score(str(gold), str(system), "mrp")
    assert f"{gold}: left alone: NOTES (of no known format)" in result.notes
    said: list[str] = []
    with Store(str(tmp_path / "a.db"), mode="create", say=said.append) as store:
        assert len(store.ingest(str(gold), "gold")) == 1
    assert said == [f"{gold}: left alone: NOTES (of no known format)"]


def test_what_scores_nothing_is_told_what_files_were_taken_for(tmp_path: Path) -> None:

    tags = tmp_path / "tags.txt"
    tags.write_bytes((DATA / "ie" / "news.iob2").read_bytes())
    with pytest.raises(PairingError, match=r"tags\.txt: taken for iob because"):
        score(str(tags), str(tags), "las")


def test_files_of_shared_tasks_are_read_alone_as_well(tmp_path: Path) -> None:
    corpus(tmp_path, a_a1=b"", a_a2=b"", a_txt=b"Text.", a_json=LINE, LICENSE=b"Free.")
    left = f"{tmp_path}: left alone: LICENSE, a.json (beside .a1)"
    assert gathered(tmp_path) == (["a.a1"], left)
