"""Connections to the server: how many a client may have, and how long a request takes.

A request that never ends holds a connection.  Without limits two hundred of them, from
one client, would keep everybody else out.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from graphscore.explorer.security import is_loopback

CONNECTIONS = 200
"""Connections at the same time, of all clients."""

OF_CLIENT = 32
"""Connections of one client of another machine; a browser has six."""

HEADER_SECONDS = 10.0
"""Seconds in which the head of a request has to arrive."""

HEADER_BYTES = 64 * 1024
"""Bytes of the head of a request."""


def protocol(seconds: float = HEADER_SECONDS, of_client: int = OF_CLIENT) -> type[Any]:
    """Return the class of connections, for one server.

    Args:
        seconds: in which the head of a request has to arrive.
        of_client: connections at the same time of one client of another machine.

    Returns:
        A class that uvicorn takes as ``http``.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    clients: Counter[str] = Counter()

    class Connection(H11Protocol):  # type: ignore[misc, unused-ignore]
        """A connection that is closed where no request comes in time."""

        _host = ""
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            host = self.client[0] if self.client else ""
            if not is_loopback(host):
                self._host = host
                clients[host] += 1
                if clients[host] > of_client:
                    transport.abort()
                    return
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._wait_no_longer()
            if self._host:
                clients.subtract([self._host])
                if not clients[self._host]:
                    del clients[self._host]
                self._host = ""

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def _wait(self) -> None:
            self._wait_no_longer()
            if not self.transport.is_closing():
                self._timer = self.loop.call_later(seconds, self._judge)

        def _wait_no_longer(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _judge(self) -> None:
            """Close the connection unless a request is being answered."""
            self._timer = None
            if self.cycle is None or self.cycle.response_complete:
                self.transport.abort()

    return Connection
