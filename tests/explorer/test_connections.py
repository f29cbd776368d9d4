"""Clients that break off, stay away, say nothing or ask for a store that moved."""

from __future__ import annotations

import asyncio
import socket
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from graphscore import Store
from graphscore.explorer.downloads import Download, content
from tests.explorer.conftest import Shown, copied
from tests.explorer.test_pages import link


@pytest.fixture(scope="module")
def download(shown: Shown) -> str:
    """The address of every error of an evaluation, as CSV."""
    first = shown.get("/").text
    return f"{link(first, 'alder')}/errors/single?format=csv"


def test_a_download_that_nobody_takes_lets_others_begin(
    shown: Shown, download: str
) -> None:
    path, _, query = download.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8765")],
        "server": ("127.0.0.1", 8765),
        "client": ("127.0.0.1", 9),
        "root_path": "",
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        await asyncio.sleep(0)

    for _ in range(4):
        asyncio.run(shown.client.app(dict(scope), receive, send))
    assert shown.get(download).status_code == 200


def test_asking_for_the_head_of_a_download_takes_no_place(
    shown: Shown, download: str
) -> None:
    for _ in range(4):
        head = shown.client.head(download)
        assert head.status_code == 200
        assert head.headers["content-type"].startswith("text/csv")
        assert not head.content
    assert shown.get(download).text.count("\n") > 1


def test_downloads_that_go_wrong_let_others_begin(
    shown: Shown, download: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Download) -> Iterator[bytes]:
        yield b"a"
        raise ValueError("gone")

    with monkeypatch.context() as patched:
        patched.setattr("graphscore.explorer.app.content", broken)
        for _ in range(4):
            with pytest.raises(ValueError, match="gone"):
                shown.get(download)
    assert len(shown.said) == 4
    shown.said.clear()
    assert shown.get(download).status_code == 200


def test_csv_has_no_formulas() -> None:
    rows = [("=1+1", -2, "-LRB-"), ("a=b", None, "@x")]
    sent = b"".join(content(Download("x", "csv", ("a", "b", "c"), rows)))
    assert sent == b"a,b,c\r\n'=1+1,-2,'-LRB-\r\na=b,,'@x\r\n"


@contextmanager
def listening(seconds: float, of_client: int = 32) -> Iterator[tuple[Any, int]]:
    """A server of one page at a port, whose connections are limited."""
    import uvicorn

    from graphscore.explorer.connections import protocol

    async def page(scope: Any, receive: Any, send: Any) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": []}
        await send(start)
        await send({"type": "http.response.body", "body": b"here"})

    config = uvicorn.Config(
        page,
        port=0,
        http=protocol(seconds, of_client),
        lifespan="off",
        log_config=None,
        limit_concurrency=20,
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield server, listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)


def answer(port: int) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as found:
        return bytes(found.read())


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: a\r\n",
        b"\0\1\2garbage",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n",
    ],
    ids=["nothing", "half", "garbage", "half of a second one"],
)
def test_requests_that_do_not_end_are_ended(shown: Shown, said: bytes) -> None:
    with listening(0.5) as (_, port), ExitStack() as stack:
        held = []
        for _ in range(19):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(said)
            held.append(client)
        time.sleep(1.2)
        assert answer(port) == b"here"
        for client in held:
            client.settimeout(5)
            read = b""
            try:
                while piece := client.recv(4096):
                    read += piece
            except ConnectionResetError:
                pass
            assert read.count(b"here") == said.count(b"\r\n\r\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other addresses of the loopback")
def test_a_client_of_another_machine_has_so_many_connections(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphscore.explorer import connections

    monkeypatch.setattr(connections, "is_loopback", lambda host: host == "127.0.0.1")
    with listening(30, of_client=3) as (server, port), ExitStack() as stack:
        for _ in range(12):
            client = socket.create_connection(
                ("127.0.0.1", port), source_address=("127.0.0.9", 0)
            )
            stack.enter_context(client)
        time.sleep(0.3)
        assert len(server.server_state.connections) == 3
        assert answer(port) == b"here"


def test_a_store_that_was_replaced_is_said_and_opened_when_asked(
    stored: Path, tmp_path: Path
) -> None:
    from starlette.testclient import TestClient

    from graphscore.explorer.app import application
    from graphscore.explorer.reader import Reader
    from graphscore.explorer.security import Access

    path = copied(stored, tmp_path / "runs.db")
    other = tmp_path / "other.db"
    with Store(str(other), mode="create"):
        pass
    reader = Reader(str(path))
    pages = application(reader, Access("127.0.0.1", 8765), print)
    client = TestClient(pages, base_url="http://127.0.0.1:8765")
    try:
        assert "Open the new one" not in client.get("/").text
        copied(other, tmp_path / "new.db").replace(path)
        before = client.get("/").text
        assert "Open the new one" in before
        assert "birch" in before
        assert client.post("/reopen").status_code == 403
        origin = {"Origin": "http://127.0.0.1:8765"}
        after = client.post("/reopen", headers=origin).text
        assert "Open the new one" not in after
        assert "birch" not in after
        path.unlink()
        assert "has been deleted" in client.get("/").text
        gone = client.post("/reopen", headers=origin)
        assert gone.status_code == 503
        assert "no such store" in gone.text
        assert client.get("/").status_code == 200
    finally:
        reader.close()
