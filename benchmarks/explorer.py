"""The explorer on a large store: how soon each page answers.

    python -m benchmarks.explorer [--items 20000] [--times 20] [--store FILE]

The store has two systems whose 20,000 items leave a million errors each; made by the
ordinary writers, from graphs that are made up from one seed.  With ``--store`` it is
kept there, and used again.  Pages are asked for through the whole application, without
a network: the time is that until the first byte, the first time (nothing is kept yet)
and the median of the others.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from random import Random
from typing import Any

from graphscore import Graph, Options, Store
from graphscore.explorer.app import application
from graphscore.explorer.reading import Reader, name_of
from graphscore.explorer.security import Access, Application
from graphscore.explorer.serving import work_ahead
from graphscore.model.graph import Anchor, Edge, Node

METRIC = "edm"

WANTED = 0.1
"""Seconds within which every page shall answer."""

WORDS = 17
"""Of each text; each has a node."""

DOCUMENTS = 200

LABELS = 3000
"""Different ones of nodes."""


def made_up(count: int, seed: int, wrong: float) -> Iterator[Graph]:
    """Graphs over the same texts, in which labels are wrong at random.

    Args:
        count: how many.
        seed: of what is wrong.
        wrong: which part of the nodes and edges is.
    """
    chance = Random(seed)
    for number in range(count):
        # What is right depends on the number alone.
        right = Random(number)
        words = [f"w{right.randrange(LABELS)}" for _ in range(WORDS)]
        text, nodes, edges = "", [], []
        for place, word in enumerate(words):
            start = len(text) + bool(text)
            text += " " * bool(text) + word
            label = f"_{word}_{right.choice('nva')}"
            if chance.random() < wrong:
                label = f"_w{min(chance.randrange(LABELS), chance.randrange(LABELS))}_n"
            anchor = (Anchor(start, len(text)),)
            nodes.append(Node(place, label, anchors=anchor))
            if place:
                head, name = right.randrange(place), f"ARG{right.randrange(1, 4)}"
                if chance.random() < wrong:
                    head, name = chance.randrange(place), "BV"
                edges.append(Edge(head, place, name))
        yield Graph(
            f"item-{number:05}",
            "eds",
            1,
            language="eng" if number % 3 else "ces",
            document=f"document-{number % DOCUMENTS:03}",
            text=text,
            nodes=tuple(nodes),
            edges=tuple(edges),
            tops=(0,),
        )


def build(path: str, count: int) -> None:
    """Write the store.

    Args:
        path: the file.
        count: of items.
    """
    with Store(path, mode="create") as store:
        store.add(list(made_up(count, 1, 0.0)), "gold")
        for number, name in enumerate(("alder", "birch"), 2):
            store.add(list(made_up(count, number, 0.9)), name)
            start = time.perf_counter()
            store.score("gold", name, METRIC, Options())
            spent = time.perf_counter() - start
            [[errors]] = store.query(
                f"select sum(errors) from v_error_counts where system = '{name}'"
            )[1]
            print(f"{name}: {errors:,} errors in {count:,} items, {spent:.0f} s")


def pages(made: str, other: str) -> dict[str, str]:
    """What is asked for, by what it is called.

    Args:
        made: the address of an evaluation.
        other: what the other one is called.
    """
    own = made.rpartition("/")[2]
    both = f"baseline={own}&system={other}"
    return {
        "collections and evaluations": "/",
        "figures": made,
        "figures of a slice": f"{made}?language=ces",
        "figures by document": f"{made}?by=document",
        "errors, folded": f"{made}/errors",
        "errors of a kind": f"{made}/errors?kind=names&side=missing",
        "errors of a language": f"{made}/errors?language=ces",
        "errors of a document": f"{made}/errors?document=document-007",
        "errors of a label": f"{made}/errors?label=_w17_n",
        "errors one by one": f"{made}/errors/single",
        "errors, page 100 of them": f"{made}/errors/single?page=100",
        "items": f"{made}/items",
        "items, page 200": f"{made}/items?page=200",
        "item": f"{made}/item?id=item-01234",
        "search, texts": "/search?q=w123+w2",
        "search, labels": "/search?in=labels&q=_w1239_n",
        "search, ids": "/search?in=items&q=0777",
        "two systems": f"/compare?{both}",
        "two systems, an item": f"/compare?{both}&item=item-01234",
        "fixed and broken": f"/compare/changes?{both}",
        "graph": "/graph?collection=gold&framework=eds&language=eng&item=item-01234",
        "SQL": "/sql",
    }


BY_ITSELF = "fixed and broken"
"""Is asked for behind its page."""


async def first_byte(pages: Application, address: str) -> tuple[float, int]:
    """Seconds until the first byte of an answer, and its status.

    Args:
        pages: the application.
        address: what is asked for.
    """
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8765")],
    }
    start, found = time.perf_counter(), list[float]()
    status = 0

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif message.get("body"):
            found.append(time.perf_counter() - start)

    await pages(scope, receive, send)
    return found[0], status


async def measure(reader: Reader, times: int) -> None:
    """Ask for each page and print how long it took.

    Args:
        reader: the store.
        times: how often each is asked for again.
    """
    asked = application(reader, Access("127.0.0.1", 8765), print)
    start = time.perf_counter()
    work_ahead(reader)
    print(f"ahead, when the server starts: {time.perf_counter() - start:.1f} s")
    one, two = (name_of(each) for each in reader.evaluations())
    print(f"{'page':32}{'first time':>12}{'median':>10}{'slowest':>10}")
    slow = []
    for name, address in pages(f"/evaluation/{one}", two).items():
        first, status = await first_byte(asked, address)
        again = [(await first_byte(asked, address))[0] for _ in range(times)]
        assert status == 200, address
        median = statistics.median(again)
        cells = f"{first * 1000:9.0f} ms{median * 1000:7.1f} ms{max(again) * 1000:7.1f}"
        print(f"{name:32}{cells} ms")
        if median > WANTED and name != BY_ITSELF:
            slow.append(name)
    print(f"slower than {WANTED * 1000:.0f} ms: {', '.join(slow) or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--store", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.store or Path(folder) / "runs.db"
        if not path.exists():
            build(str(path), chosen.items)
        reader = Reader(str(path))
        try:
            asyncio.run(measure(reader, chosen.times))
        finally:
            reader.close()


if __name__ == "__main__":
    main()
