"""How fast UMR documents are scored, beside AnCast++ in one run, by processor time.

    pip install ancast
    python -m benchmarks.ancast gold.umr system.umr [gold.umr system.umr ...]

Without AnCast only graphscore's own rates are shown.  Its reader of alignments, which
it does not use by default, fails on several spans, and is switched off.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
from importlib import import_module
from typing import Any

from benchmarks.history import begin, rate, record, recorded
from graphscore.correspondence import Budget
from graphscore.formats import Read, read_file
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph

METRICS = ("ancast", "ancast(map=best)")


def document(path: str) -> Graph:
    """The document of a file."""
    graphs = [each.graph for each in read_file(path) if isinstance(each, Read)]
    return next(each for each in graphs if each.framework == "umrdoc")


def peer() -> Any:
    """AnCast's ``evaluate``, if it is installed."""
    try:
        ancast = import_module("ancast")
        matches = import_module("ancast.matches")
    except ImportError:
        return None
    logging.getLogger("ancast").disabled = True
    logging.disable(logging.CRITICAL)
    matches.Match.transform_alignment = staticmethod(lambda umr: None)
    return ancast.evaluate


@recorded
def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help="gold and system in turn")
    files = begin(parser).files
    pairs = list(zip(files[::2], files[1::2], strict=True))
    graphs = [(document(gold), document(system)) for gold, system in pairs]
    count = sum(min(graph.text.count("\n") + 1 for graph in both) for both in graphs)
    rates = {
        "read": rate(lambda: [(document(a), document(b)) for a, b in pairs], count)
    }
    for name in METRICS:
        metric = parse(name)

        def work(metric: Any = metric) -> None:
            for gold, system in graphs:
                sides = (metric.prepare(gold),), (metric.prepare(system),)
                metric.compare(*sides, budget=Budget(), details=False)

        rates[name] = rate(work, count)
    evaluate = peer()
    if evaluate is not None:

        def theirs() -> None:
            for gold, system in pairs:
                with contextlib.redirect_stdout(io.StringIO()):
                    evaluate(system, gold, scope="doc", data_format="umr")

        rates["AnCast++, with reading"] = rate(theirs, count)
    for name, speed in rates.items():
        record(name, speed, "sentences/s")
        print(f"{name:<26}{speed:>10,.0f} sentences a second")


if __name__ == "__main__":
    main()
