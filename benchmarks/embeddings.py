"""Vectors of words in files: how fast they are opened and compared, how much is held.

    python -m benchmarks.embeddings [--words 50000] [--length 300]

Vectors are made up, seeded, once as text and once as an array of numpy.  *open* goes
through the file (of an array: through its vocabulary), *digest* is what a revision
takes, *cold* looks words up that were not asked for before, *cosines* compares words
that were.  *held* is memory of the process itself (Linux: ``RssAnon``), without
pages of the file that the system may drop.
"""

from __future__ import annotations

import argparse
import random
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.history import begin, record, recorded
from graphscore.similarity import Embeddings

ASKED = 2_000
"""Words that are looked up."""


def held() -> int:
    """KiB of memory of the process; 0 where the system does not say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    lines = status.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


def written(
    folder: Path, words: list[str], length: int
) -> dict[str, tuple[str, str | None]]:
    """The same vectors as text and as an array, in single precision."""
    rows = np.random.default_rng(7).normal(size=(len(words), length))
    rows = rows.astype(np.float32)
    text, array, names = folder / "v.txt", folder / "v.npy", folder / "words.txt"
    with text.open("w") as file:
        for word, row in zip(words, rows, strict=True):
            file.write(f"{word} {' '.join(f'{each:.5f}' for each in row)}\n")
    np.save(array, rows)
    names.write_text("\n".join(words))
    return {"text": (str(text), None), "array": (str(array), str(names))}


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--length", type=int, default=300)
    arguments = begin(parser)
    words = [f"word{k}" for k in range(arguments.words)]
    asked = random.Random(7).sample(words, min(ASKED, len(words)))
    with TemporaryDirectory() as folder:
        files = written(Path(folder), words, arguments.length)
        for kind, names in files.items():
            size = sum(Path(name).stat().st_size for name in names if name)
            alike = Embeddings(*names)
            before, start = held(), time.process_time()
            alike.opened()
            opened = time.process_time() - start
            start = time.process_time()
            alike.digest()
            digest = time.process_time() - start
            index = held() - before
            start = time.process_time()
            for each in asked:
                alike.knows(each)
            cold = time.process_time() - start
            start = time.process_time()
            for one, two in product(asked[:300], asked[300:600]):
                alike(one, two)
            cosines = time.process_time() - start
            print(
                f"{kind}: {size / 2**20:.0f} MiB, open {opened:.2f} s, digest "
                f"{digest:.2f} s, held {index / 1024:.1f} MiB, "
                f"{len(asked) / cold:,.0f} words/s cold, "
                f"{90_000 / cosines:,.0f} pairs/s"
            )
            record(f"{kind}, words opened", len(words) / opened, "words/s")
            record(f"{kind}, digest", size / 2**20 / digest, "MiB/s")
            record(f"{kind}, held after opening", index / 1024, "MiB")
            record(f"{kind}, words looked up cold", len(asked) / cold, "words/s")
            record(f"{kind}, cosines", 90_000 / cosines, "pairs/s")


if __name__ == "__main__":
    main()
