"""Strange values for what can be called from Python.

``python -m campaigns.calls --seed 1 --cases 1000``, or ``--seconds 60``.  A function or
method is called as it should be, but for one or two arguments.  It succeeds, raises an
error of graphscore's, or a ``TypeError`` or ``ValueError`` that graphscore raises
itself and that says what was found; what Python says from within is a finding.
"""

from __future__ import annotations

import linecache
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from campaigns.findings import Findings, asked
from graphscore import (
    Anchor,
    Edge,
    Graph,
    Node,
    Store,
    flat,
    parse,
    read_file,
    score,
    to_networkx,
    to_rustworkx,
    write_graphs,
)
from graphscore.analysis import Collection
from graphscore.rules import rules_of
from graphscore.statistics import (
    interval,
    paired_bootstrap,
)
from graphscore.validation import validate
from tests.conftest import DATA

GOLD, SYSTEM = str(DATA / "ie/wire.json"), str(DATA / "ie/wire.predicted.json")

GRAPH = Graph(
    "1",
    "dm",
    0,
    text="Dogs bark",
    tops=(1,),
    edges=(Edge(1, 0, "ARG1"),),
    nodes=(
        Node(0, "dog", anchors=(Anchor(0, 4),)),
        Node(1, "bark", anchors=(Anchor(5, 9),)),
    ),
)

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.5, float("nan"), float("inf"), 10**400, 1j, b"x"),
    *(
        "",
        "x",
        "nowhere",
        "\0",
        "\udcff",
        "mrp(",
        "x" * 5_000,
        "a,b",
        "%s",
        "(",
        "[",
        "//",
    ),
    *(
        [],
        {},
        (),
        set(),
        frozenset(),
        [None],
        [1],
        ["x"],
        {"x": 1},
        [[]],
        (1, 2),
        "mrp",
    ),
    *(
        object(),
        int,
        len,
        Exception,
        range(3),
        GRAPH,
        [GRAPH],
        [GRAPH, None],
        Path(GOLD),
    ),
)
"""What may be given instead."""

Call = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]
"""A name, what is called, and arguments that are in order."""


def opened(*given: Any, **named: Any) -> None:
    """A store that is opened and closed again."""
    Store(*given, **named).close()


def calls(store: Store) -> list[Call]:
    """Calls that are in order.

    Args:
        store: one with the collections ``gold`` and ``system``.
    """
    result = score([GRAPH], [GRAPH], "mrp")
    names = {"gold": "gold", "system": "system"}
    mrp = parse("mrp")
    return [
        ("score", score, ([GRAPH], [GRAPH], "mrp"), {"jobs": None, "options": None}),
        ("score files", score, (GOLD, SYSTEM, "ner"), {}),
        ("score many", score, ([GRAPH], [GRAPH], ["mrp", "sdp"]), {}),
        ("parse", parse, ("mrp(order=free)",), {}),
        # Who is told the format is not asked: what they raise is theirs.
        ("read_file", lambda *a: list(read_file(*a)), (GOLD, None), {}),
        ("write_graphs", lambda *a: b"".join(write_graphs(*a)), ([GRAPH], "mrp"), {}),
        ("to_networkx", to_networkx, (GRAPH,), {}),
        ("to_rustworkx", to_rustworkx, (GRAPH,), {}),
        ("validate", validate, (GRAPH, "a", 1), {}),
        ("Collection.add", Collection("dm").add, (GRAPH,), {}),
        ("rules_of", rules_of, ("default",), {}),
        ("Result.by", result.by, ("framework", "item"), {}),
        ("Result.macro_over", result.macro_over, ("item",), {}),
        ("Result.correspondence", result.correspondence, ("1", "dm"), {}),
        ("Result.errors", result.errors.frequent, (("kind",),), {"top": 3}),
        ("flat", flat, ({"a": result},), {}),
        ("interval", interval, (result, "f1"), {}),
        ("paired_bootstrap", paired_bootstrap, (result, result, "f1"), {}),
        ("Store", opened, ("sqlite://",), {"mode": "create", "say": None}),
        ("Store.ingest", store.ingest, (GOLD, "new"), {"reading": None}),
        ("Store.add", store.add, ([GRAPH], "other"), {}),
        ("Store.graphs", lambda *a: list(store.graphs(*a)), ("gold", None), {}),
        ("Store.score", store.score, ("gold", "system", [mrp], None), {}),
        ("Store.default_metrics", store.default_metrics, ("gold", "system", None), {}),
        ("Store.is_current", store.is_current, ("gold", "system", mrp, None), {}),
        ("Store.query", lambda *a: list(store.query(*a)[1]), ("select 1",), {}),
        ("Store.frame", store.frame, ("select 1", "pandas"), {}),
        ("Store.errors", store.errors, (), {**names, "top": 3, "by": ("kind",)}),
        ("Store.confusions", store.confusions, (), {**names, "top": 3}),
        ("Store.item_scores", store.item_scores, (), {**names, "order": "mean"}),
        ("Store.pair", store.pair, ("gold", "system", "1", mrp, "dm", None), {}),
        ("Store.remove", store.remove, ("nobody",), {}),
    ]


def is_ours(error: BaseException) -> bool:
    """Whether graphscore itself raised an error of a type, or of a value.

    Args:
        error: what was raised.
    """
    if not isinstance(error, TypeError | ValueError) or not str(error).strip():
        return False
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0)
    return "/graphscore/" in last.filename and line.lstrip().startswith("raise ")


def strange(call: Call, chance: Random) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of a call, one or two of them strange."""
    _, _, given, named = call
    values, names = list(given), dict(named)
    for _ in range(chance.choice((1, 1, 2))):
        place = chance.randrange(len(values) + len(names))
        value = chance.choice(VALUES)
        if place < len(values):
            values[place] = value
        else:
            names[list(names)[place - len(values)]] = value
    return values, {k: v for k, v in names.items() if v is not None}


def _cases(seed: int) -> Iterator[Random]:
    number = 0
    while True:
        yield Random(f"{seed}/{number}")
        number += 1


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
) -> Findings:
    """A campaign; see :func:`campaigns.inputs.run`."""
    findings = Findings(folder)
    end = None if seconds is None else monotonic() + seconds
    with (
        tempfile.TemporaryDirectory() as place,
        # What is written under a strange name is written there.
        chdir(place),
        Store(str(Path(place, "a.db")), mode="create") as store,
    ):
        store.add([GRAPH], "gold")
        store.add([GRAPH], "system")
        store.score("gold", "system")
        known = calls(store)
        for chance in _cases(seed):
            if findings.cases == cases or (end is not None and monotonic() > end):
                break
            call = chance.choice(known)
            values, names = strange(call, chance)
            error = findings.attempt(lambda c=call, v=values, n=names: c[1](*v, **n))  # type: ignore[misc]
            if error is not None and not is_ours(error):
                about = (
                    f"seed {seed} case {findings.cases}: {call[0]}{values!r} {names!r}"
                )
                findings.note(error, about[:400], about.encode("utf-8", "replace"))
            findings.cases += 1
    return findings


if __name__ == "__main__":
    asked(__doc__, run)
