"""Native files against their MRP twins: the same annotation, to the count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.formats import (
    ReaderOptions,
    ReadGraph,
    Rejected,
    read_file,
    write_graphs,
)
from graphscore.formats.raw_text import read_texts
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph

TWINS = {
    "dm.sdp": "gold/dm.mrp",
    "psd.sdp": "gold/psd.mrp",
    "amr.amr": "gold/amr.mrp",
    "eds.eds": "gold/eds.mrp",
    "eds.pet.eds": "system/eds.pet.mrp",
}


@pytest.fixture(scope="module")
def folder(conformance: Path) -> Path:
    return conformance / "mrp"


def reading(folder: Path) -> ReaderOptions:
    return ReaderOptions(texts=read_texts(str(folder / "native" / "wsj.txt")))


def score(folder: Path, native: str, metric: str = "mrp") -> Result:
    [result] = score_files(
        str(folder / TWINS[native]),
        str(folder / "native" / native),
        [parse(metric)],
        Options(ids="wsj", reading=reading(folder), per_item=True),
    )
    assert not result.rejected
    assert result.unproven == 0
    return result


def expected(folder: Path, native: str) -> dict[str, Any]:
    found = json.loads((folder / "expected" / "native.json").read_text())
    answer: dict[str, Any] = found[native]
    return answer


def graphs(path: Path, given: ReaderOptions | None = None) -> list[Graph]:
    records = list(read_file(str(path), given))
    assert not [each for each in records if isinstance(each, Rejected)]
    return [each.graph for each in records if isinstance(each, ReadGraph)]


@pytest.mark.parametrize("native", ["dm.sdp", "psd.sdp", "amr.amr"])
def test_counts_of_the_twin_are_found(folder: Path, native: str) -> None:
    # AMR twins were made by the reference, which drops :wiki.
    metric = "mrp(preset=mtool)" if native == "amr.amr" else "mrp"
    result = score(folder, native, metric)
    assert result.missing_system == 0
    for tuple_type, (gold, system, matched) in expected(folder, native)["mrp"].items():
        count = result.counts[tuple_type]
        assert [count.gold, count.system] == [gold, system], tuple_type
        # Two anchors of DM differ for the reference; ours are all found.
        assert count.matched == (gold if native == "dm.sdp" else matched), tuple_type


def test_every_anchor_of_dm_is_found(folder: Path) -> None:
    count = score(folder, "dm.sdp").counts["anchors"]
    assert [count.gold, count.system, count.matched] == [1549, 1549, 1549]
    assert expected(folder, "dm.sdp")["mrp"]["anchors"] == [1549, 1549, 1547]


@pytest.mark.parametrize("native", ["eds.eds", "eds.pet.eds"])
def test_eds_agrees_but_for_properties_the_twin_lacks(
    folder: Path, native: str
) -> None:
    result = score(folder, native)
    assert result.missing_system == 0
    for tuple_type in ("tops", "labels", "anchors", "edges"):
        count = result.counts[tuple_type]
        assert count.gold == count.system == count.matched, tuple_type
    properties = result.counts["properties"]
    assert properties.matched == properties.gold
    assert (properties.system > properties.gold) == (native == "eds.pet.eds")


def test_native_ids_stay_and_pair_with_those_of_the_twin(folder: Path) -> None:
    ids = {each.id for each in graphs(folder / "native" / "amr.amr")}
    assert len(ids) == 100
    assert {"nw.wsj_0001.1", "nw.wsj_0003.8"} <= ids


@pytest.mark.parametrize("native", TWINS)
def test_files_are_written_back_without_loss(
    folder: Path, native: str, tmp_path: Path
) -> None:
    path = folder / "native" / native
    read = graphs(path)
    again = tmp_path / path.name
    again.write_bytes(b"".join(write_graphs(read, path.suffix[1:])))
    assert graphs(again) == read


@pytest.mark.parametrize("native", ["dm.sdp", "psd.sdp", "eds.eds"])
def test_twins_can_be_written_in_native_notation(
    folder: Path, native: str, tmp_path: Path
) -> None:
    twin = graphs(folder / TWINS[native])
    again = tmp_path / native
    again.write_bytes(b"".join(write_graphs(twin, Path(native).suffix[1:])))
    options = Options(reading=reading(folder))
    [result] = score_files(
        str(folder / TWINS[native]), str(again), [parse("mrp")], options
    )
    assert result.f1 == 1.0
    assert result.missing_system == 0


def test_amr_twins_can_be_written_in_penman(folder: Path, tmp_path: Path) -> None:
    twin = graphs(folder / "gold" / "amr.mrp")
    again = tmp_path / "again.amr"
    again.write_bytes(b"".join(write_graphs(twin, "amr")))
    gold = str(folder / "gold" / "amr.mrp")
    # The twin has turned consist-of round, as only that preset does.
    [result] = score_files(gold, str(again), [parse("mrp(preset=mtool)")])
    assert (result.f1, result.missing_system) == (1.0, 0)


@pytest.mark.parametrize("native", TWINS)
def test_formats_are_told_apart(folder: Path, native: str, tmp_path: Path) -> None:
    from graphscore.formats import format_of

    unnamed = tmp_path / "data"
    unnamed.write_bytes((folder / "native" / native).read_bytes())
    assert format_of(str(unnamed), ReaderOptions()).name == Path(native).suffix[1:]
