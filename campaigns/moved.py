"""Files that are replaced while they are ingested, and clients of pages that go away.

``python -m campaigns.moved --seed 1 --count 100``, or ``--seconds 10``.  A file has
versions, one of which takes the place of another at any moment while the file is
ingested: the store has one version, digest and graphs, and in the end the one that is
there.  Clients ask for pages and downloads of a store and break off at any moment:
others are answered afterwards.  Without the libraries of the explorer only files are
tried.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

from campaigns.findings import Findings, UnclearError, asked, shared_memory
from graphscore.evaluation.incoming import file_digest
from graphscore.evaluation.store import Store
from graphscore.exceptions import InputError
from graphscore.formats import ReaderOptions, format_of, write_graphs
from tests.store.conftest import bark

VERSIONS = 3
"""Versions of a file."""

DOWNLOADS = 3
"""As many as the explorer sends at the same time."""


def write_versions(folder: Path, chance: Random) -> list[Path]:
    """Write versions of a file, each with a label and a number of graphs of its own."""
    paths = []
    for number in range(VERSIONS):
        size = chance.randrange(1, 900)
        graphs = [bark(str(n), f"v{number}") for n in range(size)]
        path = folder / f"{number}.mrp"
        path.write_bytes(b"".join(write_graphs(graphs, "mrp")))
        paths.append(path)
    return paths


def replaced(chance: Random, folder: Path) -> None:
    """Ingest a file that is replaced meanwhile.

    Raises:
        UnclearError: the store has something that no version is.
    """
    versions = write_versions(folder, chance)
    file = folder / "system.mrp"
    contents = [path.read_bytes() for path in versions]
    reading = ReaderOptions()
    expected = {}
    for path, content in zip(versions, contents, strict=True):
        digest = file_digest(str(path), format_of(str(path), reading), reading)
        expected[digest] = content.count(b"\n"), f"v{path.stem}"
    file.write_bytes(chance.choice(contents))
    done = Event()
    pauses = [chance.uniform(0, 0.02) for _ in range(1_000)]
    order = [chance.choice(contents) for _ in pauses]
    in_place = chance.random() < 0.3

    def replace() -> None:
        for pause, content in zip(pauses, order, strict=True):
            sleep(pause)
            if done.is_set():
                return
            new = file if in_place else folder / "new.part"
            new.write_bytes(content)
            if not in_place:
                new.replace(file)

    other = Thread(target=replace)
    other.start()
    try:
        with Store(str(folder / "runs.db"), mode="create") as store:
            for _ in range(3):
                try:
                    store.ingest(str(file), "system", replace=True)
                except InputError:
                    # Written to in place while it was read.
                    if not in_place:
                        raise UnclearError("a whole file was refused") from None
                _look(store, expected)
            done.set()
            other.join()
            [report] = store.ingest(str(file), "system", replace=True)
            known = file_digest(str(file), format_of(str(file), reading), reading)
            _look(store, expected, known)
            if report.graphs and report.unchanged:
                raise UnclearError(f"unchanged, and {report.graphs} graphs went in")
    finally:
        done.set()
        other.join()


def _look(
    store: Store, expected: dict[bytes, tuple[int, str]], last: bytes = b""
) -> None:
    """Compare the digest that a store has of a file with the graphs that it has."""
    with store._database.reading() as connection:
        rows = connection.exec_driver_sql("select digest, graphs from ingest").all()
        labels = connection.exec_driver_sql(
            "select value, count(distinct item) from v_tuples "
            "where kind = 'labels' and value like 'v%' group by 1"
        ).all()
    if not rows and not last:
        return
    if len(rows) != 1 or (last and rows[0][0] != last):
        raise UnclearError(f"other files than there are: {rows}")
    digest, graphs = rows[0]
    if digest not in expected:
        raise UnclearError("a digest of no version")
    size, label = expected[digest]
    if (graphs, *map(tuple, labels)) != (size, (label, size)):
        raise UnclearError(f"digest of {label}, but graphs of {labels}")


class Client:
    """A client of the pages that goes away when it likes.

    Args:
        pages: an application of ASGI.
    """

    def __init__(self, pages: Any) -> None:
        self._pages = pages

    def ask(self, path: str, method: str = "GET", pieces: int | None = None) -> int:
        """Ask for a page.

        Args:
            path: with what stands behind its question mark.
            method: of the request.
            pieces: of the answer after which the client is gone; all if none.

        Returns:
            The status; 0 if the client was gone before.
        """
        return asyncio.run(self._ask(path, method, pieces))

    async def _ask(self, path: str, method: str, pieces: int | None) -> int:
        plain, _, query = path.partition("?")
        status, sent = 0, 0
        gone = asyncio.Event()
        if pieces == 0:
            gone.set()

        async def receive() -> dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            elif not message.get("more_body"):
                gone.set()
            sent += 1
            if sent == pieces:
                gone.set()
            await asyncio.sleep(0)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": plain,
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "headers": [(b"host", b"127.0.0.1:8765")],
            "server": ("127.0.0.1", 8765),
            "client": ("127.0.0.1", 9),
            "root_path": "",
        }
        await self._pages(scope, receive, send)
        return status


def gone_clients(folder: Path) -> Iterator[Callable[[Random], None]]:
    """Serve a store to clients that break off.

    Args:
        folder: where the store is made.

    Yields:
        A function that has some clients break off, then looks whether another one is
        answered.
    """
    from graphscore.explorer.app import application
    from graphscore.explorer.reader import Reader, name_of
    from graphscore.explorer.security import Access

    path = str(folder / "served.db")
    with Store(path, mode="create") as store:
        for name, label in (("gold", "a"), ("system", "b")):
            store.add([bark(str(n), label) for n in range(1_500)], name)
        store.score("gold", "system", "mrp")
    reader = Reader(path)
    own = f"/evaluation/{name_of(reader.evaluations()[0])}"
    said: list[str] = []
    client = Client(application(reader, Access("127.0.0.1", 8765), said.append))
    addresses = [
        *(f"{own}/errors/single?format={way}" for way in ("csv", "json")),
        *(f"{own}/items?format=csv", "/", own, "/static/page.css", "/none"),
    ]

    def ask(chance: Random) -> None:
        for _ in range(chance.randrange(1, 2 * DOWNLOADS)):
            method = chance.choice(("GET", "GET", "HEAD"))
            client.ask(chance.choice(addresses), method, chance.randrange(5))
        for address in addresses[:2]:
            status = client.ask(address)
            if status != 200:
                raise UnclearError(f"others are not answered: {status} of {address}")
        if said:
            raise UnclearError(f"a defect: {said.pop()[-400:]}")

    try:
        yield ask
    finally:
        reader.close()


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
) -> Findings:
    """A campaign; see :func:`campaigns.fuzz.run`.

    Args:
        seed: all that is made up follows from it; when a file is replaced does not.
        cases: how many.
        seconds: how long.
        folder: where findings are written.

    Returns:
        What was found.
    """
    found = Findings(folder, limit=60.0)
    end = None if seconds is None else monotonic() + seconds
    has_pages = all(find_spec(name) for name in ("starlette", "jinja2", "uvicorn"))
    with tempfile.TemporaryDirectory(dir=shared_memory()) as held:
        clients = gone_clients(Path(held)) if has_pages else iter(())
        ask = next(clients, None)
        while cases is None or found.cases < cases:
            if end is not None and monotonic() > end:
                break
            chance = Random(f"{seed}/{found.cases}")
            place = Path(held) / str(found.cases)
            place.mkdir()

            def once(c: Random = chance, p: Path = place) -> None:
                if ask is not None and c.random() < 0.5:
                    ask(c)
                else:
                    replaced(c, p)

            error = found.attempt(once)
            if error is not None:
                found.note(error, f"seed {seed} case {found.cases}", b"")
            found.cases += 1
        next(clients, None)
    return found


if __name__ == "__main__":
    asked(__doc__, run)
