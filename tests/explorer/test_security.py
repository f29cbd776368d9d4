"""Nobody writes through the pages, nobody else reads them, and labels do nothing."""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
import sqlite3
import threading
import time
import warnings
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from campaigns.graphs import LABELS
from graphscore.errors import UsageError
from graphscore.explorer.app import PAGES, application
from graphscore.explorer.limits import BOX
from graphscore.explorer.reading import Reader, name_of
from graphscore.explorer.security import Access, refuse_open
from graphscore.store.reading.limits import Limits, TooLongError
from tests.explorer.conftest import HOSTILE, Shown

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


def test_a_thousand_hostile_requests_change_nothing(shown: Shown) -> None:
    chance = Random(1)
    made = [name_of(each) for each in shown.reader.evaluations()]
    values = [
        *HOSTILE,
        *(label or "" for label in LABELS),
        *("0", "-1", "1e9", "99999999999999999999", "\0", "1;", "٣", "yes", "json"),
        *("eds", "edges", "missing", "sample-03", "csv", "best", "document", *made),
    ]
    names = [
        *("framework", "language", "layer", "document", "item", "kind", "side"),
        *("label", "value", "name", "null", "exact", "page", "order", "by", "format"),
        *("find", "id", "in", "q", "baseline", "system", "collection", "sql", "token"),
    ]
    addresses = []
    for _ in range(1_000):
        page = chance.choice([*PAGES, "/static/{name}", "/{name}", "/evaluation//x"])
        name = chance.choice([*made, *made, *made, *values])
        query = {
            chance.choice(names): chance.choice(values)
            for _ in range(chance.randrange(4))
        }
        path = page.replace("{name}", quote(name[:200], safe="%"))
        addresses.append(f"{path}?{urlencode(query, errors='replace')}")
    before = digest(shown.path)
    found = asyncio.run(answers(shown, addresses))
    for address, answer in zip(addresses, found, strict=True):
        assert answer.status_code < 500, address
        if "text/html" in answer.headers["content-type"]:
            inert(answer.text)
    assert {200, 400, 404} <= {each.status_code for each in found}
    assert digest(shown.path) == before
    assert not shown.said


async def answers(shown: Shown, addresses: list[str]) -> list[Any]:
    """What is answered to requests one after the other, in one loop."""
    import httpx

    transport = httpx.ASGITransport(shown.client.app)
    base = "http://127.0.0.1:8765"
    async with httpx.AsyncClient(transport=transport, base_url=base) as client:
        return [await client.get(address) for address in addresses]


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
    path = tmp_path / "copy.db"
    with sqlite3.connect(stored) as one, sqlite3.connect(path) as two:
        one.backup(two)
    reader = Reader(str(path))
    try:
        first = reader.told("select count(*) from v_items")
        from graphscore import Store

        with Store(str(path), mode="write") as store:
            store.remove("birch")
        assert reader.told("select count(*) from v_items").rows != first.rows
    finally:
        reader.close()
