"""SMATCH on the 500 AMR parses of the conformance data, beside its peers.

    python -m benchmarks.smatch [--data FOLDER] [--seconds 2] [--peers 500]

First pairs a second from prepared graphs on one core, by preset; every
pair must be proven.  Then, where they are installed (extra
``[bench]``), the peers on the same pairs, with the reading of the text taken out of
the time where their interface allows: smatch.py climbs hills, smatch++ climbs or
solves an integer program, metametric solves an integer program over smatch.py's
triples.  Beside each stands what graphscore matches under the same conventions.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.corpus import MRP, graphs
from benchmarks.history import begin, record, recorded
from graphscore.correspondence import Budget
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome

PRESETS = ("smatch", "smatchpp", "mtool", "none")


class Peer(NamedTuple):
    """Another scorer: its name, the preset to compare with, and how it scores."""

    name: str
    preset: str
    score: Callable[[int], tuple[float, float, float]]
    """Gold, system and matched of the pair of that number."""


def texts(path: Path) -> list[str]:
    """The AMRs of a file as text, without comments."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    bare = (
        "\n".join(line for line in block.splitlines() if not line.startswith("#"))
        for block in blocks
    )
    return [text for text in bare if text.strip()]


def installed(name: str) -> str | None:
    """The installed version of a package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def smatch_peer(gold: list[str], system: list[str]) -> Peer:
    import smatch

    lines = [[" ".join(text.split()) for text in side] for side in (gold, system)]

    def score(number: int) -> tuple[float, float, float]:
        # The first argument is the test side, the second gold.
        matched, tested, golden = smatch.get_amr_match(
            lines[1][number], lines[0][number]
        )
        smatch.match_triple_dict.clear()
        return golden, tested, matched

    return Peer(f"smatch {installed('smatch')}", "smatch", score)


def smatchpp_peers(gold: list[str], system: list[str]) -> list[Peer]:
    from smatchpp import Smatchpp, solvers
    from smatchpp.formalism.amr import tools

    logging.disable(logging.WARNING)

    def peer(name: str, solver: Any) -> Peer:
        measure = Smatchpp(
            alignmentsolver=solver, graph_standardizer=tools.AMRStandardizer()
        )

        def score(number: int) -> tuple[float, float, float]:
            found, _, _ = measure.process_pair(gold[number], system[number])
            matched, _, golden, tested = found["main"].tolist()
            return golden, tested, matched

        return Peer(f"smatchpp {installed('smatchpp')} {name}", "smatchpp", score)

    return [peer("ILP", solvers.ILP()), peer("climbing", solvers.HillClimber())]


def metametric_peer(gold: list[str], system: list[str]) -> Peer:
    import amr
    from metametric.core.metric import Variable
    from metametric.metrics.semantic_parsing import s_match
    from metametric.structures.amr import AMR, Prop

    def read(text: str) -> Any:
        parsed = amr.AMR.parse_AMR_line(" ".join(text.split()))
        instances, attributes, relations = parsed.get_triples()
        props = [
            Prop(Variable(name), role, value.lower().rstrip("_"))
            for role, name, value in (*instances, *attributes)
        ]
        props += [
            Prop(Variable(source), role.lower(), Variable(target))
            for role, source, target in relations
        ]
        return AMR(props)

    sides = [[read(text) for text in side] for side in (gold, system)]

    def score(number: int) -> tuple[float, float, float]:
        one, two = sides[0][number], sides[1][number]
        f1 = s_match.score(one, two)
        sizes = len(one.props), len(two.props)
        return *sizes, f1 * sum(sizes) / 2

    return Peer(f"metametric {installed('metametric')}", "smatch", score)


def measure(prepared: list[tuple[Any, Any]], metric: Any, seconds: float) -> float:
    """Pairs a second, one pass after another."""
    budget, done, spent = Budget(), 0, 0.0
    while spent < seconds:
        start = time.perf_counter()
        for gold, system in prepared:
            metric.compare((gold,), (system,), budget=budget, details=False)
        spent += time.perf_counter() - start
        done += len(prepared)
    return done / spent


def outcomes(prepared: list[tuple[Any, Any]], metric: Any) -> list[Outcome]:
    return [
        metric.compare((gold,), (system,), budget=Budget(), details=False)
        for gold, system in prepared
    ]


def own(gold: list[Graph], system: list[Graph], seconds: float) -> dict[str, list[int]]:
    """Print graphscore's speed by preset; matched triples of every pair."""
    print(
        f"{'preset':10}{'gold':>7}{'system':>8}{'matched':>9}{'proven':>9}"
        f"{'prepare/s':>11}{'plain/s':>9}"
    )
    matched = {}
    for preset in PRESETS:
        metric = parse(f"smatch(preset={preset})")
        start = time.perf_counter()
        prepared = [
            (metric.prepare(one), metric.prepare(two))
            for one, two in zip(gold, system, strict=True)
        ]
        laid_out = 2 * len(prepared) / (time.perf_counter() - start)
        found = outcomes(prepared, metric)
        total = [
            sum(each.masses.get(("all", "", side), 0) for each in found)
            for side in ("gold", "system", "matched")
        ]
        proven = sum(each.proven for each in found)
        plain = measure(prepared, metric, seconds)
        record(f"{preset}, prepare", laid_out, "graphs/s")
        record(f"{preset}, plain", plain, "pairs/s")
        matched[preset] = [int(each.score) for each in found]
        print(
            f"{preset:10}{total[0]:7}{total[1]:8}{total[2]:9}"
            f"{proven:5}/{len(found)}{laid_out:11,.0f}{plain:9,.0f}"
        )
    return matched


def beside(peer: Peer, count: int, matched: dict[str, list[int]]) -> None:
    """Print a peer's speed and score on the first *count* pairs."""
    start = time.perf_counter()
    found = [peer.score(number) for number in range(count)]
    speed = count / (time.perf_counter() - start)
    record(peer.name, speed, "pairs/s")
    gold, system, theirs = (sum(each[place] for each in found) for place in range(3))
    ours = matched[peer.preset][:count]
    lower = sum(round(each[2]) < mine for each, mine in zip(found, ours, strict=True))
    print(
        f"{peer.name:24}{count:6}{speed:9,.0f}{gold:8,.0f}{system:8,.0f}"
        f"{theirs:10,.0f}{2 * theirs / (gold + system):8.4f}{sum(ours):10,}{lower:8}"
    )


def peers(gold: list[str], system: list[str]) -> list[Peer]:
    """Those that are installed."""
    found: list[Peer] = []
    if installed("smatch"):
        found.append(smatch_peer(gold, system))
    if installed("smatchpp"):
        found += smatchpp_peers(gold, system)
    if installed("metametric") and installed("smatch"):
        found.append(metametric_peer(gold, system))
    return found


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--peers", type=int, default=500, help="pairs of each peer")
    chosen = begin(parser)
    paths = [chosen.data / "amr" / f"coli500.{side}.amr" for side in ("gold", "system")]
    if not all(path.exists() for path in paths):
        parser.error(f"{chosen.data} does not hold amr/coli500.gold.amr and its system")
    gold, system = map(graphs, paths)
    matched = own(gold, system, chosen.seconds)
    found = peers(*map(texts, paths))
    if not found:
        print("\nno peer is installed (extra [bench])")
        return
    print(
        f"\n{'peer':24}{'pairs':>6}{'pairs/s':>9}{'gold':>8}{'system':>8}"
        f"{'matched':>10}{'F1':>8}{'ours':>10}{'lower':>8}"
    )
    for peer in found:
        beside(peer, min(chosen.peers, len(gold)), matched)


if __name__ == "__main__":
    main()
