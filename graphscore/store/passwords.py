"""Passwords in database URLs: what may be shown of a URL, and what may not.

A URL is what its user named a store by, so it stands in messages, hints and logs;
its password must not.  Everything that says the name of a store says
:func:`hidden` of it.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, unquote_plus

from graphscore.exceptions import UNSEEN

HIDDEN = "***"

_MARKS = frozenset("@?")
"""Characters before or behind which secrets are: without any there is none."""

_SECRET = "(?i)pass|pwd|secret|token|key"
"""Parameters whose values are not shown: ``password``, ``sslpassword``, ``passfile``,
``scram_client_key``..."""

_QUERY = re.compile(r"[\w.%+-]+=[^&]*(?:&[\w.%+-]+=[^&]*)*&?")

_USER = re.compile(r"[^:/@?]*:")

_BLANK = rf"(?:[\s{UNSEEN}\u200c\u200d]|\\(?:[a-z]|x\w\w|u\w{{4}}|U\w{{8}})){{0,20}}"
"""Pattern of blanks typed or pasted within a URL, as they are or as they are shown."""

_HEAD = (
    rf"(?<![\w+.-])[\w+.-]++{_BLANK}:{_BLANK}/{_BLANK}/{_BLANK}"
    rf"|\bpostgres(?:ql)?(?:\+\w+)?{_BLANK}(?::|//){_BLANK}/?{_BLANK}/?{_BLANK}"
)
"""Pattern of the beginning of a URL, even of one that is not well-formed."""

_URLS = rf"(?i)(?:{_HEAD})(?:[^'\"/?@:\n]*:[^@/\n]*@)?[^\s'\"]+"
"""URLs in a text; blanks and quotes belong to one as far as its password goes."""

_LONG = 4
"""Characters from which on a password is found within other words too."""


def _parts(url: str) -> tuple[str, str, str, str]:
    """Split a URL into the text before the password, password, text after, and query.

    A password with an ``@`` or ``?`` that was not escaped reaches up to the last
    ``@`` that can belong to it: better too much is hidden than too little.
    """
    match = re.search(_HEAD, url, re.IGNORECASE)
    query = ""
    if match is None:
        return url, "", "", ""
    head, rest = url[: match.end()], url[match.end() :]
    start = rest.find("?", rest.find("@") + 1)
    if start >= 0 and _QUERY.fullmatch(rest, start + 1):
        rest, query = rest[:start], rest[start + 1 :]
    user, end = _USER.match(rest), rest.rfind("@")
    if user is None or end < user.end():
        return head + rest, "", "", query
    return head + user[0], rest[user.end() : end], rest[end:], query


def is_secret(parameter: str) -> bool:
    """Return whether the value of a URL's parameter is secret.

    Args:
        parameter: its name, escaped or not.
    """
    return re.search(_SECRET, unquote_plus(parameter)) is not None


def hidden(url: str) -> str:
    """A URL without its password.

    Args:
        url: a URL, or a path, which stays as it is.

    Returns:
        The URL with ``***`` in place of whatever is secret.

    Example:
        >>> hidden("postgresql://me:x%40y@host/runs?sslpassword=z&connect_timeout=3")
        'postgresql://me:***@host/runs?sslpassword=***&connect_timeout=3'
        >>> hidden("postgresql:/ /me:secret@host/runs")
        'postgresql:/ /me:***@host/runs'
        >>> hidden("runs.db")
        'runs.db'
    """
    if _MARKS.isdisjoint(url):
        return url
    head, password, tail, query = _parts(url)
    shown = head + (HIDDEN if password else "") + tail
    if query:
        pairs = (piece.partition("=") for piece in query.split("&"))
        shown += "?" + "&".join(
            name + equals + (HIDDEN if value and is_secret(name) else value)
            for name, equals, value in pairs
        )
    return shown


def hidden_in(text: str) -> str:
    """A text without the passwords of the URLs in it.

    Args:
        text: a message.

    Example:
        >>> hidden_in("no file postgres://me:secret@host/runs")
        'no file postgres://me:***@host/runs'
    """
    if _MARKS.isdisjoint(text):
        return text
    return re.sub(_URLS, lambda match: hidden(match[0]), text)


def without_secrets(text: str, url: str) -> str:
    """A text of others about a store, without what its URL keeps secret.

    Args:
        text: what a driver says.
        url: the URL that it was given.

    Example:
        >>> without_secrets("no host named 'b@host'", "postgresql://me:a@b@host/x")
        "no host named '***@host'"
    """
    _, password, _, query = _parts(url)
    secrets = {password, *re.split("[@/?#:]", password)}
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        if is_secret(name):
            secrets |= {value, unquote_plus(value)}
    secrets |= {unquote(secret) for secret in secrets}
    for secret in sorted(secrets - {""}, key=len, reverse=True):
        pattern = re.escape(secret)
        if len(secret) < _LONG:
            pattern = rf"(?<!\w){pattern}(?!\w)"
        text = re.sub(pattern, HIDDEN, text)
    return text
