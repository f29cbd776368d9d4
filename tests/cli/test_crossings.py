"""``graphscore score --sweep``: exactly where two systems change places."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from graphscore import score
from graphscore.formats.entities.quaero_write import write
from tests.metrics.entities.trees import Tree, comp, ent, graph

ALPHA = ("-m", "eter", "--sweep", "alpha=0:1:0.5")


def disturbed(tree: Tree, chance: random.Random, often: float) -> Tree:
    """A tree with other types and labels here and there."""
    types = tree.types
    if chance.random() < often:
        types = ("org.adm",) if tree.entity else ("qualifier",)
    below = (disturbed(x, chance, often) for x in tree.children)
    kept = tuple(each for each in below if chance.random() > often)
    return Tree(types, tree.span, kept, tree.entity)


GOLD = [
    ent("func.ind", 0, 6, comp("kind", 0, 1), ent("loc.adm.nat", 3, 4)),
    ent("pers.ind", 8, 10, comp("name.first", 8, 9), comp("name.last", 9, 10)),
    ent("time.date.abs", 12, 16, comp("day", 12, 13), comp("month", 14, 15)),
]
RIGHT_TYPES = [ent(x.types[0], *x.span, comp("unit", *x.span)) for x in GOLD]
RIGHT_PARTS = [ent("prod.art", *x.span, *x.children) for x in GOLD]


@pytest.fixture
def files(tmp_path):
    """Gold, and systems that are good at different things."""
    made = {"gold": GOLD, "types": RIGHT_TYPES, "parts": RIGHT_PARTS}
    for seed in (1, 2):
        chance = random.Random(seed)
        made[f"random{seed}"] = [disturbed(x, chance, 0.4) for x in GOLD]
    found = {}
    for name, trees in made.items():
        path = tmp_path / f"{name}.ne"
        path.write_bytes(b"".join(write([graph(trees)])))
        found[name] = str(path)
    return found


def parts(found):
    [standing] = found["crossings"]
    return standing["parts"]


@pytest.mark.parametrize("metric", ["eter", "eter(alignment=fixed)"])
def test_who_is_better_where_is_exact(run, files, metric):
    operands = (files["gold"], files["types"], files["parts"])
    found = run("score", *operands, *ALPHA[2:], "-m", metric).json["sweep"]
    first, second = parts(found)
    assert (first["from"], second["to"]) == (0, 1)
    assert (first["better"], second["better"]) == (files["types"], files["parts"])
    # At that value, which is none of the sweep, both have the same rate.
    at = first["to"]
    assert at == second["from"] not in (0, 0.5, 1)
    spelled = metric.replace("eter", f"eter(alpha={at})").replace(")(", ",")
    one, two = run("score", *operands, "-m", spelled).json["results"]
    assert one["figures"]["eter"] == pytest.approx(two["figures"]["eter"], abs=1e-12)


def test_a_line_is_its_two_ends(run, files):
    operands = (files["gold"], files["types"], files["parts"])
    rates = {}
    for name, system in zip("tp", operands[1:], strict=True):
        found = run("score", operands[0], system, "-m", "eter(alignment=fixed)").json
        figures = found["figures"]
        rates[name] = figures["eter.types"], figures["eter.decomposition"]
    (a, b), (c, d) = rates["t"], rates["p"]
    found = run("score", *operands, "-m", "eter(alignment=fixed)", *ALPHA[2:]).json
    assert parts(found["sweep"])[0]["to"] == pytest.approx(
        (a - c) / ((a - c) - (b - d))
    )


def test_a_fine_sweep_finds_the_same(run, files):
    operands = (files["gold"], files["random1"], files["random2"])
    coarse = run("score", *operands, "-m", "eter", "--sweep", "alpha=0,1").json
    fine = run("score", *operands, "-m", "eter", "--sweep", "alpha=0:1:0.05").json
    found, again = parts(coarse["sweep"]), parts(fine["sweep"])
    assert [x["better"] for x in found] == [x["better"] for x in again]
    for one, two in zip(found, again, strict=True):
        assert one["to"] == pytest.approx(two["to"], abs=1e-9)
    scores = fine["sweep"]["systems"]
    for place, value in enumerate(fine["sweep"]["values"]):
        one, two = (scores[system][place] for system in operands[1:])
        [part] = [
            x for x in found if x["from"] <= value < x["to"] or value == x["to"] == 1
        ]
        if abs(one - two) > 1e-9:
            assert part["better"] == operands[1 if one < two else 2]


def test_tables_say_it_in_a_row_each(run, files):
    operands = (files["gold"], files["types"], files["parts"])
    out = run("score", *operands, *ALPHA, "--table").out
    _, _, told = out.partition("eter: where eter is better")
    head, _, *rows = told.strip().splitlines()
    assert head.split() == ["better", "than", "alpha"]
    assert rows[0].split()[:3] == [files["types"], files["parts"], "<"]
    assert rows[1].split()[:3] == [files["parts"], files["types"], ">"]
    copy = files["types"].replace("types.ne", "copy.ne")
    Path(copy).write_bytes(Path(files["types"]).read_bytes())
    same = run("score", operands[0], operands[1], copy, *ALPHA, "--table").out
    assert same.rstrip().endswith("types.ne, " + copy + ": equal        0 to 1")


def test_costs_of_ser_cross_too(run, files):
    operands = (files["gold"], files["types"], files["parts"])
    found = run(
        "score", *operands, "-m", "ser(substitution=additive)",
        "--sweep", "type=0,2",
    ).json["sweep"]  # fmt: skip
    for one, two in zip(parts(found), parts(found)[1:], strict=False):
        spelled = f"ser(substitution=additive,type={one['to']})"
        rates = [
            each["figures"]["ser"]
            for each in run("score", *operands, "-m", spelled).json["results"]
        ]
        assert rates[0] == pytest.approx(rates[1], abs=1e-12)
        assert one["better"] != two["better"]
    # The greater of two costs is no sum: nothing is said.
    plain = run("score", *operands, "-m", "ser", "--sweep", "type=0,1").json["sweep"]
    assert "crossings" not in plain


def test_nothing_is_said_of_what_is_not_known(run, files):
    operands = (files["gold"], files["types"], files["parts"])
    for more in (("--figure", "eter.types"), ("--figure", "entities.loc.eter")):
        found = run("score", *operands, *ALPHA, *more)
        assert found.code == 0
        assert "crossings" not in found.json["sweep"]
    alone = run("score", *operands[:2], *ALPHA).json["sweep"]
    assert "crossings" not in alone
    single = run("score", *operands, "-m", "eter", "--sweep", "alpha=0.5").json["sweep"]
    assert "crossings" not in single


def test_a_slope_is_that_of_the_curve_nearby() -> None:
    chance = random.Random(3)
    gold = [graph(GOLD)]
    system = [graph([disturbed(tree, chance, 0.3) for tree in GOLD])]
    for metric, parameter, at in (
        ("eter(alignment=fixed,alpha={})", "alpha", 0.4),
        ("eter(alpha={})", "alpha", 0.41),
        ("ser(insertion={})", "insertion", 0.9),
        ("ser(substitution=additive,boundary={})", "boundary", 0.3),
        ("ser(substitution=additive,subtype={})", "subtype", 0.3),
    ):
        here = score(gold, system, metric.format(at))
        there = score(gold, system, metric.format(at + 1e-4))
        slope = here.metric.slope(parameter, "", here.figures.numbers)
        assert slope == pytest.approx((there.value - here.value) / 1e-4, abs=1e-6)
