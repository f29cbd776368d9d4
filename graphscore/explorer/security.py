"""Access control: the name of the host, the token, the origin, and answer headers.

A page of another site must not read the store through the browser of somebody who
serves it.  It could have its own name lead to this machine (DNS rebinding), so that the
host that is asked for is looked at; it could send forms, so that their origin is; and
whoever else reaches the address has to know the token.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from graphscore.exceptions import UsageError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

Refusal = tuple[int, str, list[tuple[bytes, bytes]]]
"""Status, words and further headers."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Styles and scripts are files of ours; nothing that stands in a page is either."""

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Forms say where they are from only if addresses of the same origin may be told.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
)

LOCAL = ("127.0.0.1", "localhost", "[::1]")

COOKIE = "graphscore"

LONGEST = 16_000
"""Bytes of an address behind its question mark."""


class Access(NamedTuple):
    """Address and token of a served store."""

    host: str
    port: int
    token: str | None = None

    def names(self) -> frozenset[str]:
        """Return the allowed names of the host in a request."""
        bare = f"[{self.host}]" if ":" in self.host else self.host.lower()
        result = {*LOCAL, bare}
        ported = {f"{name}:{self.port}" for name in result}
        return frozenset(ported | result if self.port == 80 else ported)

    def admits(self, asked: str) -> bool:
        """Return whether a request may use this name of the host.

        Args:
            asked: its header ``Host``.

        Example:
            >>> Access("127.0.0.1", 8765).admits("localhost:8765")
            True
            >>> Access("127.0.0.1", 8765).admits("evil.example:8765")
            False
        """
        if asked.lower() in self.names():
            return True
        # Of every address of the machine: a number is no name that leads elsewhere.
        host, _, port = asked.rpartition(":")
        if not is_everywhere(self.host) or port != str(self.port):
            return False
        try:
            ipaddress.ip_address(host.strip("[]"))
        except ValueError:
            return False
        return True

    @property
    def cookie(self) -> str:
        """The name of the cookie: servers of one host share them."""
        return f"{COOKIE}-{self.port}"

    @property
    def secret(self) -> str:
        """Value of the cookie, from which the token cannot be derived."""
        text = f"{self.port}:{self.token}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).hexdigest()


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_everywhere(host: str) -> bool:
    """Return whether a host stands for all addresses of the machine.

    >>> is_everywhere("0.0.0.0"), is_everywhere("10.0.0.7")
    (True, False)
    """
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def refuse_open(host: str, token: str | None) -> None:
    """Refuse to serve to others without a token.

    Args:
        host: where it is served.
        token: what they have to know.

    Raises:
        UsageError: if there is none, or an empty one.
    """
    if token is not None and not token.strip():
        raise UsageError("--token: found an empty token, expected a text")
    if token is None and not is_loopback(host):
        raise UsageError(
            f"--host {host} lets others read the store: expected --token as well"
        )


def same(left: str, right: str) -> bool:
    """Compare two texts in constant time."""
    return hmac.compare_digest(
        left.encode("utf-8", "replace"), right.encode("utf-8", "replace")
    )


class Guard:
    """Stands before the pages: refuses what they must not answer.

    Args:
        inner: the pages.
        access: who may ask.
    """

    def __init__(self, inner: Application, access: Access) -> None:
        self._inner = inner
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._inner(scope, receive, send)
            return

        async def sent(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in HEADERS}
                others = [
                    header
                    for header in message.get("headers", ())
                    if header[0] not in ours
                ]
                message["headers"] = [*others, *HEADERS]
            await send(message)

        refusal = self._refused(scope)
        if refusal is None:
            await self._inner(scope, receive, sent)
        else:
            await _answer(sent, scope["method"], *refusal)

    def _refused(self, scope: Scope) -> Refusal | None:
        """Status, words and headers of a refusal; ``None`` lets it pass."""
        headers = _headers(scope)
        method = scope["method"]
        hosts = headers.get("host", [])
        if len(hosts) != 1 or not self._access.admits(hosts[0]):
            return 403, "This server is not called that.", []
        if method not in ("GET", "HEAD", "POST"):
            allowed = (b"allow", b"GET, HEAD, POST")
            return 405, "Only GET, HEAD and POST.", [allowed]
        query = scope.get("query_string", b"")
        if not query.isascii():
            # What stands behind would take it for UTF-8, which it need not be.
            return 400, "An address is written in ASCII.", []
        if len(query) > LONGEST:
            return 414, f"An address has at most {LONGEST} bytes.", []
        if self._access.token is not None:
            result = self._without_token(scope, headers)
            if result is not None:
                return result
        if method == "POST" and not _is_same_origin(headers, hosts[0], scope["scheme"]):
            return 403, "Forms are taken from pages of this server alone.", []
        return None

    def _without_token(
        self, scope: Scope, headers: dict[str, list[str]]
    ) -> Refusal | None:
        """The refusal of who does not know the token; a cookie for who tells it."""
        access = self._access
        query = parse_qsl(
            scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True
        )
        tokens = [value for name, value in query if name == "token"]
        if tokens and all(same(token, access.token or "") for token in tokens):
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            # Of a path with two slashes a browser would make a host.
            path = "/" + scope.get("raw_path", b"/").decode("latin-1").lstrip("/")
            path_and_query = f"{path}?{rest}" if rest else path
            cookie = f"{access.cookie}={access.secret}; HttpOnly; SameSite=Lax; Path=/"
            return (
                303,
                "",
                [
                    (b"location", path_and_query.encode("latin-1")),
                    (b"set-cookie", cookie.encode()),
                ],
            )
        for line in headers.get("cookie", []):
            try:
                held = SimpleCookie(line).get(access.cookie)
            except CookieError:
                continue
            if held is not None and same(held.value, access.secret):
                return None
        return 401, "Open the address with ?token=TOKEN.", []


def _headers(scope: Scope) -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for name, value in scope.get("headers", ()):
        known = headers.setdefault(name.decode("latin-1").lower(), [])
        known.append(value.decode("latin-1"))
    return headers


def _is_same_origin(headers: dict[str, list[str]], host: str, scheme: str) -> bool:
    """Return whether a form is of a page of this server, as browsers report."""
    if any(site != "same-origin" for site in headers.get("sec-fetch-site", [])):
        return False
    origins = headers.get("origin", [])
    return bool(origins) and all(origin == f"{scheme}://{host}" for origin in origins)


async def _answer(
    send: Send, method: str, status: int, message: str, more: list[tuple[bytes, bytes]]
) -> None:
    body = f"{message}\n".encode() if message else b""
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *more,
    ]
    start = {"type": "http.response.start", "status": status, "headers": headers}
    await send(start)
    shown = b"" if method == "HEAD" else body
    await send({"type": "http.response.body", "body": shown})
