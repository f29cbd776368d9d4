"""Classes of pydantic, msgspec and attrs, and dataclasses, on every side."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import pytest

from graphscore import (
    InputError,
    LossWarning,
    agree,
    compare,
    score,
    whatif,
)
from graphscore.structures.objects.declarations import in_any_order


@dataclass(frozen=True)
class ReportData:
    place: str
    victims: list[str]
    sources: Annotated[list[str], in_any_order] | None = None


class ReportStruct(msgspec.Struct):
    place: str
    victims: list[str]
    sources: Annotated[list[str], in_any_order] | None = None


CLASSES: list[Any] = [ReportData, ReportStruct]
try:
    import attrs
except ImportError:
    pass
else:

    @attrs.frozen
    class ReportAttrs:
        place: str
        victims: list[str]
        sources: Annotated[list[str], in_any_order] | None = None

    CLASSES.append(ReportAttrs)
try:
    import pydantic
except ImportError:
    pass
else:

    class ReportModel(pydantic.BaseModel):
        place: str
        victims: list[str]
        sources: Annotated[list[str], in_any_order] | None = None

    class Victim(pydantic.BaseModel):
        name: str = pydantic.Field(alias="fullName")
        next: Victim | None = None

    CLASSES.append(ReportModel)

LIMA: dict[str, Any] = {"place": "Lima", "victims": ["Ada", "Bob"], "sources": ["x"]}
SYSTEM = {"place": "Lima", "victims": ["Ada"], "sources": ["x"]}


@pytest.mark.parametrize("cls", CLASSES)
def test_classes_score_objects_dicts_and_texts(cls: Any) -> None:
    gold, system = cls(**LIMA), cls(**SYSTEM)
    for other in (system, SYSTEM, json.dumps(SYSTEM)):
        for result in (
            score([gold], [other], cls),
            score([LIMA], [other], metric=cls),
            score([gold], [other], of=cls),
            score([LIMA], [other], of=cls),
        ):
            assert str(result.metric) == cls.__name__
            counts = result.counts["victims"]
            assert (counts.gold, counts.system, counts.matched) == (2, 1, 1)
    assert score([gold], [system]).counts == score([gold], [system], cls).counts


@pytest.mark.parametrize("cls", CLASSES)
def test_classes_compare_agree_and_say_what_errors_cost(cls: Any) -> None:
    gold, system = [LIMA, LIMA], [cls(**SYSTEM), cls(**LIMA)]
    compared = compare(gold, system, [LIMA, LIMA], metric=cls, samples=9)
    assert compared.systems[0].value < compared.systems[1].value == 1
    agreed = agree(gold, system, metric=cls, samples=9)
    assert agreed.pairs[0].value == pytest.approx(compared.systems[0].value)
    costs = whatif(gold, system, metric=cls)
    assert costs.value == pytest.approx(compared.systems[0].value)
    assert all(costs.value < each.value <= 1 for each in costs.classes)
    assert whatif(gold, system, metric="mrp", of=cls, framework="structure").value < 1


@pytest.mark.parametrize("cls", CLASSES)
def test_what_does_not_fit_a_class_is_named(cls: Any) -> None:
    with pytest.raises(InputError, match=r"\[0\]: found \$.place: "):
        score([{"place": 7, "victims": []}], [LIMA], cls)
    with pytest.warns(LossWarning, match=f"{cls.__name__} has no field for note"):
        score([LIMA], [LIMA | {"note": 1}], cls)


def test_models_have_aliases_and_themselves_in_their_fields() -> None:
    pytest.importorskip("pydantic", reason="pydantic is not installed")
    gold = {"fullName": "Ada", "next": {"fullName": "Bob"}}
    result = score([gold], [{"fullName": "Ada"}], Victim)
    assert (result.f1, score([gold], [gold], Victim).f1) == (0, 1)
