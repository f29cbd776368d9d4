"""The explorer on a large store: how soon each page answers.

    python -m benchmarks.explorer [--items 20000] [--times 20] [--store FILE]

The store has two systems whose 20,000 items leave a million errors each; made by the
ordinary writers, from graphs that are made up from one seed.  With ``--store`` it is
kept there, and used again.  Pages are asked for through the whole application, without
a network, each time for another item, label or part of a list: the time is that until
the first byte.
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

from benchmarks.history import begin, record, recorded
from graphscore import Graph, Options, Store
from graphscore.explorer.app import application
from graphscore.explorer.reading import Reader, name_of
from graphscore.explorer.security import Access, Application
from graphscore.explorer.serving import work_ahead
from graphscore.model.graph import Anchor, Edge, Node

METRIC = "edm"

WANTED = 100
"""Milliseconds within which every page shall answer."""

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
            record(f"score {name}", spent, "s")


def pages(own: str, other: str, chance: Random, count: int) -> dict[str, str]:
    """What is asked for, by what it is called: each time another item, label, page.

    Args:
        own: the evaluation that is looked at.
        other: that of the other system.
        chance: says which.
        count: of items.
    """
    made, both = f"/evaluation/{own}", f"baseline={own}&system={other}"
    item = f"item-{chance.randrange(count):05}"
    document = f"document=document-{chance.randrange(DOCUMENTS):03}"
    word = f"w{chance.randrange(LABELS)}"
    group = "framework=eds&kind=names&side=missing&name=&exact=yes&value="
    language = "eng" if int(item[5:]) % 3 else "ces"
    graph = f"collection=gold&framework=eds&language={language}&item={item}"
    return {
        "collections and evaluations": "/",
        "figures": made,
        "figures of a language": f"{made}?language={language}",
        "figures of a document": f"{made}?{document}",
        "figures by document": f"{made}?by=document&page={chance.randrange(1, 5)}",
        "errors, folded": f"{made}/errors?page={chance.randrange(1, 200)}",
        "errors of a kind": f"{made}/errors?kind=names&page={chance.randrange(1, 99)}",
        "errors of a language": f"{made}/errors?language={language}",
        "errors of a document": f"{made}/errors?{document}",
        "errors of a label": f"{made}/errors?label=_{word}_n",
        "errors one by one": f"{made}/errors/single?page={chance.randrange(1, 2000)}",
        "errors that say the same": f"{made}/errors/single?{group}_{word}_n",
        "errors of an item": f"{made}/errors/single?item={item}",
        "items, worst first": f"{made}/items?page={chance.randrange(1, count // 50)}",
        "items of a document": f"{made}/items?order=errors&{document}",
        "item": f"{made}/item?id={item}",
        "search, texts": f"/search?q={word}+w",
        "search, labels": f"/search?in=labels&q=_{word}_n",
        "search, ids": f"/search?in=items&q={item[-3:]}",
        "two systems": f"/compare?{both}&page={chance.randrange(1, count // 50)}",
        "two systems, a document": f"/compare?{both}&{document}",
        "two systems, an item": f"/compare?{both}&item={item}",
        "fixed and broken": f"/compare/changes?{both}",
        "collection": f"/collection?name=gold&page={chance.randrange(1, count // 50)}",
        "collection, ids": f"/collection?name=gold&find={item[-3:]}",
        "graph": f"/graph?{graph}",
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
        times: how often each is asked for after the first time.
    """
    asked = application(reader, Access("127.0.0.1", 8765), print)
    start = time.perf_counter()
    work_ahead(reader)
    ahead = time.perf_counter() - start
    print(f"ahead, when the server starts: {ahead:.1f} s")
    record("ahead, when the server starts", ahead, "s")
    one, two = (name_of(each) for each in reader.evaluations())
    chance = Random(1)
    [[count]] = reader.ask(
        "select count(*) from v_graphs where collection = 'gold'"
    ).rows
    asks = [pages(one, two, chance, count) for _ in range(times + 1)]
    print(f"{'page':32}{'first time':>12}{'median':>10}{'slowest':>10}")
    slow = []
    for name in asks[0]:
        spent = []
        for each in asks:
            seconds, status = await first_byte(asked, each[name])
            assert status == 200, each[name]
            spent.append(seconds * 1000)
        first, *others = spent
        median = statistics.median(others)
        print(f"{name:32}{first:9.0f} ms{median:7.1f} ms{max(others):7.1f} ms")
        record(f"{name}, first time", first, "ms")
        record(f"{name}, median", median, "ms")
        if median > WANTED and name != BY_ITSELF:
            slow.append(name)
    print(f"slower than {WANTED} ms: {', '.join(slow) or 'none'}")


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--store", type=Path)
    chosen = begin(parser)
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
