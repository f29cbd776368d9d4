"""Nobody writes through the pages, nobody else reads them, and labels do nothing."""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
import threading
import time
import warnings
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, unquote, urlencode

import pytest

from campaigns.long_strings import DEAF
from graphscore.exceptions import GraphscoreError, StoreError, UsageError
from graphscore.explorer.app import PAGES, application
from graphscore.explorer.reader import BOX, Reader, name_of
from graphscore.explorer.security import Access, refuse_open
from graphscore.metrics.revisions import stored_revision
from graphscore.store.read.limits import Limits, TooLongError
from graphscore.store.read.statements import Workers
from tests.explorer.conftest import HOSTILE, Shown, copied
from tests.strategies import LABELS

OURS = {"Origin": "http://127.0.0.1:8765"}


def digest(path: Path) -> str:
    """Of the file, and of what stands beside it."""
    found = hashlib.sha256()
    for each in sorted(path.parent.glob(f"{path.name}*")):
        content = each.read_bytes() if each.suffix != ".db-shm" else b""
        found.update(content)
    return found.hexdigest()


def asked(shown: Shown, sql: str, **headers: str) -> Any:
    return shown.client.post("/sql", data={"sql": sql}, headers=OURS | headers)


class Parts(HTMLParser):
    """Elements and attributes that act."""

    def __init__(self) -> None:
        super().__init__()
        self.acting: list[str] = []

    def handle_starttag(
        self, tag: str, attributes: list[tuple[str, str | None]]
    ) -> None:
        known = dict(attributes)
        if tag in ("img", "iframe", "object", "embed", "base", "style"):
            self.acting.append(tag)
        if tag == "script" and not str(known.get("src")).startswith("/static/"):
            self.acting.append(tag)
        for name, value in known.items():
            if name.startswith("on") or name == "style":
                self.acting.append(name)
            local = ("/", "#", "data:,")
            if name in ("href", "src", "action", "hx-get") and not str(
                value
            ).startswith(local):
                self.acting.append(f"{name}={value}")
            if name in ("href", "src", "action", "hx-get") and str(value)[:2] == "//":
                self.acting.append(f"{name}={value}")


def inert(text: str) -> None:
    parts = Parts()
    parts.feed(text)
    assert not parts.acting
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e]", text)
    assert "49{%" not in text


def test_hostile_labels_do_nothing(shown: Shown) -> None:
    """Every page of what is hostile, by its links."""
    todo, seen = ["/", "/search?q=alert", "/search?q=alert&in=labels"], set()
    for each in shown.reader.evaluations():
        if each.gold == HOSTILE[0]:
            todo.append(f"/evaluation/{name_of(each)}")
            todo.append(f"/evaluation/{name_of(each)}/items")
            todo.append(f"/evaluation/{name_of(each)}/errors")
    while todo and len(seen) < 120:
        address = todo.pop()
        found = shown.get(address)
        assert found.status_code == 200, address
        if "text/html" not in found.headers["content-type"]:
            continue
        inert(found.text)
        for href in re.findall(r'(?:href|hx-get)="(/[^"]*)"', found.text):
            target = html.unescape(href)
            if not {target, "parquet"} & {*seen, *target.split("=")[-1:]}:
                seen.add(target)
                todo.append(target)
    assert len(seen) >= 120


NAMES = (
    *("framework", "language", "layer", "document", "item", "tuple_type", "error_type"),
    *("label", "value", "name", "null", "exact", "page", "order", "by", "format"),
    *("find", "id", "in", "q", "baseline", "system", "collection", "sql", "token"),
    *("instead", "fold", "", "__proto__"),
)
"""What addresses may say."""

ENCODED = (
    *("%", "%2", "%zz", "%00", "%ff", "%c0%af", "%ed%a0%80", "%u0041", "%252e%252e"),
    *("%0d%0aSet-Cookie:%20x=1", "%1b%5b31m", "%e2%80%ae", "+", "&&=", ";", "\xff"),
    "%F0%9F%98%80" * 300,
    "%25" * 2_000,
    "&".join(f"k{number}=1" for number in range(1_200)),
)
"""What no program writes that encodes what it sends."""

SENT = (
    *((b"range", each) for each in (b"bytes=0-9", b"bytes=-1", b"bytes=5-2,x")),
    *((b"cookie", each) for each in (b"graphscore-8765=x", b"=;;,", b'a=\x80"')),
    *((b"accept", b"\xff\xfe"), (b"accept-encoding", b"gzip;q=nan")),
    *((b"if-none-match", b"*"), (b"if-modified-since", b"never")),
    *((b"hx-request", b"true"), (b"x-http-method-override", b"DELETE")),
    *((b"content-type", b"multipart/form-data"), (b"content-length", b"-1")),
    *((b"origin", b"http://127.0.0.1:8765"), (b"host", b"127.0.0.1:8765")),
)
"""Headers that requests have besides."""

METHODS = (*["GET"] * 12, *["POST"] * 3, *("HEAD", "PUT", "DELETE", "OPTIONS", "G\xff"))


def test_a_thousand_hostile_requests_change_nothing(shown: Shown) -> None:
    chance = Random(1)
    made = [name_of(each) for each in shown.reader.evaluations()]
    values = [
        *HOSTILE,
        *(label or "" for label in LABELS),
        *("0", "-1", "1e9", "99999999999999999999", "\0", "1;", "٣", "yes", "json"),
        *("eds", "edges", "missing", "sample-03", "csv", "best", "document", *made),
    ]
    asks = []
    for _ in range(1_000):
        page = chance.choice([*PAGES, "/static/{name}", "/{name}", "/evaluation//x"])
        name = chance.choice([*made, *made, *made, *values])
        # One name several times, too.
        query = [
            f"{chance.choice(NAMES)}={chance.choice(ENCODED)}"
            if chance.random() < 0.2
            else urlencode(
                {chance.choice(NAMES): chance.choice(values)}, errors="replace"
            )
            for _ in range(chance.randrange(4))
        ]
        path = page.replace("{name}", quote(name[:200], safe="%"))
        headers = [chance.choice(SENT) for _ in range(chance.choice((0, 0, 0, 1, 2)))]
        asks.append((chance.choice(METHODS), path, "&".join(query), headers))
    before = digest(shown.path)
    found = asyncio.run(answers(shown, asks))
    for ask, (status, headers, text) in zip(asks, found, strict=True):
        assert status < 500, ask
        assert b"set-cookie" not in headers
        assert headers[b"content-security-policy"]
        if b"text/html" in headers[b"content-type"]:
            inert(text)
    assert {200, 400, 403, 404, 405} <= {status for status, *_ in found}
    assert digest(shown.path) == before
    assert not shown.said


Ask = tuple[str, str, str, list[tuple[bytes, bytes]]]


async def answers(
    shown: Shown, asks: list[Ask]
) -> list[tuple[int, dict[bytes, bytes], str]]:
    """What is answered to requests one after the other, in one loop.

    They are handed over as a server does, so that nothing puts them right before.

    Args:
        shown: the pages.
        asks: method, path, what stands behind it, headers.

    Returns:
        Status, headers and text of each.
    """
    found = []
    for method, path, query, headers in asks:
        told: list[Any] = []
        waiting = [{"type": "http.request", "body": b"sql=select+1&" + query.encode()}]

        async def receive(waiting: list[Any] = waiting) -> Any:
            if waiting:
                return waiting.pop()
            await asyncio.sleep(3_600)

        async def send(message: Any, told: list[Any] = told) -> None:
            told.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode("latin-1", "replace"),
            "query_string": query.encode("latin-1", "replace"),
            "headers": [(b"host", b"127.0.0.1:8765"), *headers],
        }
        await shown.client.app(scope, receive, send)
        body = b"".join(each.get("body", b"") for each in told[1:])
        text = body.decode("utf-8", "replace")
        found.append((told[0]["status"], dict(told[0]["headers"]), text))
    return found


WRITING = (
    "delete from pair",
    "insert into symbol values (1, 'a', 'b')",
    "attach 'FILE' as other",
    "vacuum into 'FILE'",
    "pragma journal_mode = delete",
    "pragma query_only = off",
    "pragma writable_schema = on",
    "create temp table x as select 1",
    "drop view v_items",
    "select load_extension('FILE')",
    "select writefile('FILE', 'x')",
    "select readfile('/etc/passwd')",
    "select edit('x')",
    "select 1; delete from pair",
    "begin immediate",
    "reindex",
    "with x as (select 1) delete from pair",
)


@pytest.mark.parametrize("sql", WRITING)
def test_the_box_refuses_what_does_more_than_read(
    shown: Shown, tmp_path: Path, sql: str
) -> None:
    before = digest(shown.path)
    target = tmp_path / "made.db"
    found = asked(shown, sql.replace("FILE", str(target)))
    assert found.status_code == 400
    assert 'role="alert"' in found.text
    assert digest(shown.path) == before
    assert not [*tmp_path.iterdir()]
    assert asked(shown, "select count(*) from v_items").status_code == 200


def test_the_box_answers_with_a_table(shown: Shown) -> None:
    found = asked(shown, "select '<b>' as a, 2 as b, null as c, x'00ff' as d")
    assert found.status_code == 200
    assert "&lt;b&gt;" in found.text
    assert "00ff" in found.text
    assert "v_correspondences" in found.text
    more = asked(shown, "with recursive t(n) as (select 1 union all select n + 1 "
                        "from t where n < 5000) select n from t")  # fmt: skip
    assert f"Only the first {BOX.rows:,} rows" in more.text
    # A file would not say so.
    cut = shown.client.post(
        "/sql",
        data={"sql": "select label from v_errors", "format": "csv"},
        headers=OURS,
    )
    assert cut.status_code == 400
    assert "more than 1,000 rows" in cut.text
    sent = shown.client.post(
        "/sql", data={"sql": "select 1 as a", "format": "json"}, headers=OURS
    )
    assert sent.json() == [{"a": 1}]
    assert "did you mean 'v_items'" in html.unescape(
        asked(shown, "select * from v_item").text
    )


def test_an_address_fills_the_box_and_runs_nothing(shown: Shown) -> None:
    found = shown.get("/sql", sql="select 98765432 * 3 as answer")
    assert "select 98765432 * 3 as answer" in found.text
    assert "296296296" not in found.text


ENDLESS = (
    "with recursive t(n) as (select 1 union all select n + 1 from t) "
    "select count(*) from t",
    "select count(*) from v_errors a, v_errors b, v_errors c",
)


@pytest.mark.parametrize("sql", ENDLESS)
def test_questions_end_when_their_time_is_over(shown: Shown, sql: str) -> None:
    start = time.monotonic()
    with pytest.raises(TooLongError, match="which is the limit"):
        shown.reader.ask(sql, Limits(0.1, 10, BOX.cell))
    assert time.monotonic() - start < 5
    # The connection goes on to serve.
    assert shown.reader.ask("select 1").rows == [(1,)]


def test_the_box_says_that_it_took_too_long(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphscore.explorer.pages.sql.BOX", Limits(0.05, 10, 1_000))
    found = asked(shown, ENDLESS[0])
    assert found.status_code == 400
    assert "stopped after 0.05 seconds" in found.text
    long = asked(shown, "select hex(zeroblob(900))")
    assert "too big" in long.text
    assert threading.active_count() < 40


def test_an_instruction_that_takes_longer_is_ended(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphscore.explorer.pages.sql.BOX", BOX._replace(seconds=0.1))
    asked(shown, "select 1")
    start = time.monotonic()
    found = asked(shown, DEAF)
    assert found.status_code == 400
    assert "stopped after 0.1 seconds" in found.text
    assert time.monotonic() - start < 5
    monkeypatch.undo()
    assert asked(shown, "select 1").status_code == 200


def test_answers_are_bounded_as_a_whole(shown: Shown) -> None:
    many = "with recursive n (k) as (select 1 union all select k + 1 from n) "
    found = asked(shown, f"{many} select k, hex(zeroblob(200000)) as x from n")
    assert found.status_code == 200
    assert (
        "Only the first 12 rows are shown; the limit is 5,000,000 bytes" in found.text
    )
    file = {"sql": f"{many} select hex(zeroblob(200000)) from n", "format": "csv"}
    cut = shown.client.post("/sql", data=file, headers=OURS)
    assert cut.status_code == 400
    assert "more than 5,000,000 bytes, the limit of this page" in cut.text
    for columns, said in (
        (["hex(zeroblob(240000))"] * 12, "the first row is longer than 5,000,000"),
        (["hex(zeroblob(240000))"] * 700, "more than 256,000,000 bytes of memory"),
        (["zeroblob(500001)"], "a value has 500,000 bytes at most"),
    ):
        refused = asked(shown, f"select {', '.join(columns)}")
        assert refused.status_code == 400
        assert said in refused.text


def test_a_worker_that_ends_by_itself_is_said_and_replaced(
    shown: Shown, stored: Path
) -> None:
    workers = Workers(str(stored), stored_revision)
    try:
        assert workers.ask("select 1 as a", BOX) == (("a",), [(1,)], "")
        [worker] = workers._all
        worker._process.kill()
        worker._process.wait()
        with pytest.raises(GraphscoreError, match=r"has ended \(exit code -9\)"):
            workers.ask("select 1", BOX)
        assert workers.ask("select 2", BOX).rows == [(2,)]
        workers.stop()
        with pytest.raises(TooLongError, match="the server ends"):
            workers.ask("select 1", BOX)
    finally:
        workers.close()
    assert not workers._all
    gone = Workers(str(stored.with_name("gone.db")), stored_revision)
    with pytest.raises(StoreError, match="no such store"):
        gone.ask("select 1", BOX)
    gone.close()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8765"},
        {"Origin": "http://127.0.0.1:9999"},
        OURS | {"Sec-Fetch-Site": "cross-site"},
        OURS | {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_statements_come_from_pages_of_the_server_alone(
    shown: Shown, headers: dict[str, str]
) -> None:
    found = shown.client.post("/sql", data={"sql": "select 1"}, headers=headers)
    assert found.status_code == 403
    own = OURS | {"Sec-Fetch-Site": "same-origin"}
    assert asked(shown, "select 1", **own).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1:80", "127.0.0.1", ""]
)
def test_the_server_knows_its_name(shown: Shown, host: str) -> None:
    assert shown.client.get("/", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:8765", "[::1]:8765", "LOCALHOST:8765"])
def test_this_machine_has_three_names(shown: Shown, host: str) -> None:
    assert shown.client.get("/search", headers={"Host": host}).status_code == 200


def test_every_answer_forbids_what_pages_do_not_need(shown: Shown) -> None:
    policies = set()
    for address in ("/", "/nothing", "/static/page.js", "/evaluation/1?page=x", "/sql"):
        headers = shown.get(address).headers
        policies.add(headers["content-security-policy"])
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
    [policy] = policies
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self'" in policy
    refused = shown.client.get("/", headers={"Host": "evil.example"})
    assert refused.headers["content-security-policy"] == policy


@pytest.mark.parametrize(
    "path",
    [
        *("/static/", "/static", "/static/app.py", "/static/notes"),
        *("/static/%2e%2e/app.py", "/static/%2fetc%2fpasswd", "/etc/passwd", "/docs"),
        *("/static/..%2f..%2freading.py", "/openapi.json"),
    ],
)
def test_nothing_but_pages_and_their_files_is_sent(shown: Shown, path: str) -> None:
    assert shown.client.get(path).status_code == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_nothing_but_reading_is_done(shown: Shown, method: str) -> None:
    assert shown.client.request(method, "/").status_code == 405
    assert shown.client.post("/", headers=OURS).status_code == 405


def test_too_much_is_refused(shown: Shown) -> None:
    assert shown.client.get("/search?q=" + "a" * 20_000).status_code == 414
    assert shown.get("/search", q="a" * 5_000).status_code == 400
    long = asked(shown, "select 1 --" + "a" * 30_000)
    assert long.status_code == 400
    assert asked(shown, "a" * 200_000).status_code == 413


@pytest.fixture
def locked(shown: Shown) -> Any:
    """The same store, behind a token."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from starlette.testclient import TestClient

    pages = application(shown.reader, Access("0.0.0.0", 8765, "a ü&b"), print)
    return TestClient(pages, base_url="http://10.0.0.7:8765", follow_redirects=False)


def test_a_token_is_asked_for_once(locked: Any) -> None:
    assert locked.get("/").status_code == 401
    assert locked.get("/", params={"token": "a"}).status_code == 401
    assert locked.get("/", params={"token": ""}).status_code == 401
    sent = locked.get("/search", params={"q": "b&c", "token": "a ü&b"})
    assert sent.status_code == 303
    assert sent.headers["location"] == "/search?q=b%26c"
    cookie = sent.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "token" not in cookie
    assert locked.get(sent.headers["location"]).status_code == 200
    wrong = {"Cookie": "graphscore-8765=" + "0" * 64}
    locked.cookies.clear()
    assert locked.get("/", headers=wrong).status_code == 401


def test_a_redirect_leads_nowhere_else(locked: Any) -> None:
    sent = locked.get("http://10.0.0.7:8765//evil.example/", params={"token": "a ü&b"})
    assert sent.status_code == 303
    assert sent.headers["location"] == "/evil.example/"


def test_of_every_address_names_are_refused(locked: Any) -> None:
    known = {"token": "a ü&b"}
    assert locked.get("/", params=known, headers={"Host": "evil.example:8765"}
                      ).status_code == 403  # fmt: skip
    assert locked.get("/", params=known, headers={"Host": "[fe80::1]:8765"}
                      ).status_code == 303  # fmt: skip


def test_others_need_a_token() -> None:
    refuse_open("127.0.0.1", None)
    refuse_open("::1", None)
    refuse_open("0.0.0.0", "x")
    for host, token in (("0.0.0.0", None), ("10.0.0.7", None), ("127.0.0.1", " ")):
        with pytest.raises(UsageError, match="--token"):
            refuse_open(host, token)


def test_pages_notice_that_the_store_has_changed(stored: Path, tmp_path: Path) -> None:
    path = copied(stored, tmp_path / "copy.db")
    reader = Reader(str(path))
    try:
        first = reader.told("select count(*) from v_items")
        from graphscore import Store

        with Store(str(path), mode="write") as store:
            store.remove("birch")
        assert reader.told("select count(*) from v_items").rows != first.rows
    finally:
        reader.close()
