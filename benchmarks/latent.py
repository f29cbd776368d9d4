"""The search for maps of variables at any depth: how far it proves, how fast.

    python -m benchmarks.latent [--pairs 20] [--seed 28]

Outputs are made up, seeded; the system's is gold's with a share of the words, ends and
sentences changed, the variables renamed and everything in another order.  *documents*
are sequences of AMRs in which later sentences speak of variables of earlier ones,
*frames* sets of predicates with sets of arguments, and nothing else that would tell a
variable.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.history import begin, record, recorded
from graphscore.similarity import derive
from graphscore.structures import AMR, Prop, Var


@dataclass(frozen=True)
class Arg:
    """What fills a role."""

    role: str
    var: Var


@dataclass(frozen=True)
class Frame:
    """A predicate with its arguments."""

    name: str
    args: frozenset[Arg]


@dataclass(frozen=True)
class Frames:
    """What a text says."""

    frames: frozenset[Frame]


@dataclass(frozen=True)
class Document:
    """Sentences that share variables."""

    sentences: tuple[AMR, ...]


def document(draw: random.Random, size: int) -> list[list[Prop]]:
    """Sentences of some ten variables, a third of which are those of earlier ones.

    Args:
        draw: what is drawn from.
        size: how many sentences.
    """
    found: list[list[Prop]] = []
    known: list[Var] = []
    for number in range(size):
        here = [Var(f"s{number}.{k}") for k in range(7)]
        props = [Prop("instance", each, f"c{draw.randrange(30)}") for each in here]
        here += draw.sample(known, min(3, len(known)))
        for k in range(1, len(here)):
            rel = draw.choice(["ARG0", "ARG1", "mod", "time"])
            props.append(Prop(rel, here[draw.randrange(k)], here[k]))
        known += here[:7]
        found.append(props)
    return found


def wrong_document(draw: random.Random, gold: list[list[Prop]], share: float) -> Any:
    """What a system makes of a document.

    Args:
        draw: what is drawn from.
        gold: the document.
        share: how much of it is wrong.
    """
    every = sorted({each.subj for props in gold for each in props}, key=str)
    names = [Var(f"v{k}") for k in range(len(every))]
    draw.shuffle(names)
    renamed = dict(zip(every, names, strict=True))
    found = []
    for props in gold:
        kept = set()
        for each in props:
            obj = each.obj
            if draw.random() < share:
                if not isinstance(obj, Var):
                    obj = f"c{draw.randrange(30)}"
                elif draw.random() < 0.5:
                    obj = draw.choice(every)
                else:
                    continue
            end = renamed[obj] if isinstance(obj, Var) else obj
            kept.add(Prop(each.rel, renamed[each.subj], end))
        found.append(AMR(frozenset(kept)))
    if draw.random() < share:
        del found[draw.randrange(len(found))]
    return Document(tuple(found))


def frames(draw: random.Random, size: int) -> list[Frame]:
    """Frames of two or three arguments over as many variables.

    Args:
        draw: what is drawn from.
        size: how many frames, and variables.
    """
    every = [Var(f"x{k}") for k in range(size)]
    return [
        Frame(
            f"f{draw.randrange(size // 2 + 1)}",
            frozenset(
                Arg(role, draw.choice(every)) for role in "abc"[: draw.choice([2, 3])]
            ),
        )
        for _ in range(size)
    ]


def wrong_frames(draw: random.Random, gold: list[Frame], share: float) -> Any:
    """What a system makes of frames.

    Args:
        draw: what is drawn from.
        gold: the frames.
        share: how much of them is wrong.
    """
    every = sorted({arg.var for each in gold for arg in each.args}, key=str)
    names = [Var(f"v{k}") for k in range(len(every))]
    draw.shuffle(names)
    renamed = dict(zip(every, names, strict=True))
    found = []
    for each in gold:
        args = [
            Arg(
                arg.role,
                draw.choice(names) if draw.random() < share else renamed[arg.var],
            )
            for arg in sorted(each.args, key=str)
        ]
        name = f"f{draw.randrange(9)}" if draw.random() < share else each.name
        found.append(Frame(name, frozenset(args)))
    return Frames(frozenset(found))


def cases() -> dict[str, tuple[Any, Callable[[random.Random], tuple[Any, Any]]]]:
    """By name the class, and what makes a pair of its objects."""

    def documents(size: int, share: float) -> Callable[[random.Random], Any]:
        def make(draw: random.Random) -> Any:
            gold = document(draw, size)
            whole = Document(tuple(AMR(frozenset(props)) for props in gold))
            return whole, wrong_document(draw, gold, share)

        return make

    def sets(size: int, share: float) -> Callable[[random.Random], Any]:
        def make(draw: random.Random) -> Any:
            gold = frames(draw, size)
            return Frames(frozenset(gold)), wrong_frames(draw, gold, share)

        return make

    found: dict[str, Any] = {}
    for size in (3, 6, 12):
        for share in (0.1, 0.3):
            name = f"documents of {size} sentences, {share:.0%} wrong"
            found[name] = Document, documents(size, share)
    for size in (6, 10, 16):
        for share in (0.1, 0.3):
            found[f"{size} frames, {share:.0%} wrong"] = Frames, sets(size, share)
    return found


@recorded
def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=28)
    given = begin(parser)
    print("| what | proven | greatest gap | steps | ms a pair |\n|---|---|---|---|---|")
    for name, (cls, make) in cases().items():
        draw = random.Random(given.seed)
        formula = derive(cls).formula
        pairs = [make(draw) for _ in range(given.pairs)]
        start = time.process_time()
        reports = [formula.score(*pair) for pair in pairs]
        spent = (time.process_time() - start) / len(pairs)
        proven = sum(each.proven for each in reports)
        gap = max(each.proof.gap / max(1, each.matched) for each in reports)
        steps = sum(each.proof.steps for each in reports) // len(reports)
        record(f"{name}, a pair", spent, "s")
        record(f"{name}, proven", proven / len(reports), "share", "higher")
        print(
            f"| {name} | {proven} of {len(reports)} | {gap:.1%} | {steps:,} | "
            f"{1000 * spent:.0f} |"
        )


if __name__ == "__main__":
    main()
