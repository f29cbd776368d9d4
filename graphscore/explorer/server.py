"""A server at a port of this machine, until it is told to end."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Callable
from threading import Thread, Timer
from typing import Any

from graphscore.exceptions import GraphscoreError, UsageError
from graphscore.explorer.connections import CONNECTIONS, HEADER_BYTES, protocol
from graphscore.explorer.error_index import places_of
from graphscore.explorer.reader import Reader
from graphscore.explorer.rendering import assets, refuse_missing
from graphscore.explorer.scores import lines_of, sums_of
from graphscore.explorer.security import Access, refuse_open
from graphscore.explorer.urls import Parameters
from graphscore.report.page.templating import environment
from graphscore.store.read.statements import end_process
from graphscore.store.revisions import OUTDATED

PORT = 8765

_AHEAD = 4
"""Evaluations that are summed up ahead."""

_PATIENCE = 2
"""Seconds that answers under way have when the server ends."""

_LAST = 3 * _PATIENCE
"""Seconds after which the process is ended, whatever it does."""


def serve(
    store: str,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    token: str | None = None,
    announce: Callable[[str], None],
    say: Callable[[str], None],
) -> None:
    """Serve a store until an interrupt; the store is only read.

    Args:
        store: a file or a URL.
        host: the address that is listened at.
        port: its port; 0 takes one that is free.
        token: what everybody has to know.
        announce: is told the address, once it answers.
        say: is told of defects.

    Raises:
        UsageError: if a library is missing, or others could read without a token.
        StoreError: if the store cannot be opened.
        GraphscoreError: if the address cannot be listened at.
        KeyboardInterrupt: when it was interrupted; the store has been given back.
    """
    refuse_missing()
    refuse_open(host, token)
    import uvicorn

    from graphscore.explorer.app import application

    # What goes wrong is said by the pages, without what would act on a terminal.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    reader = Reader(store)
    signals: list[int] = []
    ahead = Thread(target=work_ahead, args=(reader,), daemon=True)
    try:
        assets(), environment()
        with _listening(host, port) as listener:
            port_found: int = listener.getsockname()[1]
            access = Access(host, port_found, token)
            config = uvicorn.Config(
                application(reader, access, say),
                # Another parser that happens to be installed lets other things through.
                http=protocol(),
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="none",
                lifespan="off",
                h11_max_incomplete_event_size=HEADER_BYTES,
                limit_concurrency=CONNECTIONS,
                timeout_graceful_shutdown=_PATIENCE,
            )
            listener.listen(128)
            announce(address_of(access))
            ahead.start()
            # Typed or not, as the extra is there or not.
            server: Any = uvicorn.Server(config)
            ending = server.handle_exit

            def end(number: int, frame: Any) -> None:
                # Whoever waits for an answer is not waited for.
                reader.stop()
                signals.append(number)
                ending(signal.SIGINT, frame)
                # A view of the store may hold a page within one instruction.
                last = Timer(_LAST, end_process, (number,))
                last.daemon = True
                last.start()

            server.handle_exit = end
            server.run(sockets=[listener])
    finally:
        reader.stop()
        if ahead.is_alive():
            ahead.join(_PATIENCE)
        reader.close()
        if signal.SIGTERM in signals:
            # It ends us as it would have, now that the store is given back.
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTERM)


def work_ahead(reader: Reader) -> None:
    """Sum up the latest evaluations before anybody asks, while nothing else is done.

    Args:
        reader: the store.
    """
    from graphscore.explorer.pages import collections

    try:
        collections.page(reader, {}, Parameters({}))
        for made in reader.evaluations()[: -_AHEAD - 1 : -1]:
            if not reader.is_stopped and made.status != OUTDATED:
                sums_of(reader, made)
                lines_of(reader, made, {}, "mean")
                places_of(reader, made)
    except GraphscoreError:
        return  # Who asks for it is told.


def address_of(access: Access) -> str:
    """The address of the first page.

    >>> address_of(Access("::1", 8765))
    'http://[::1]:8765/'
    """
    host = f"[{access.host}]" if ":" in access.host else access.host
    return f"http://{host}:{access.port}/"


def _listening(host: str, port: int) -> socket.socket:
    """A socket at an address.

    Raises:
        UsageError: if there is no such host.
        GraphscoreError: if another program has the port, or it may not be had.
    """
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"--host {host}: {error}") from None
    family, kind, protocol, _, address = addresses[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise GraphscoreError(
            f"--port {port} of {host}: {reason}; expected a port that is free, as "
            "--port 0 finds one"
        ) from None
    return listener
