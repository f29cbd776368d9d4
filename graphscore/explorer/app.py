"""The pages at their addresses: each asks the store in a thread, and is sent."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import BoundedSemaphore
from typing import Any

from graphscore.exceptions import GraphscoreError, StoreError, UsageError, visible
from graphscore.explorer.downloads import KINDS, Download, close, content
from graphscore.explorer.pages import (
    collection,
    collections,
    compare,
    errors,
    evaluation,
    graph,
    item,
    items,
    leaderboard,
    search,
    sql,
)
from graphscore.explorer.reader import NotFoundError, OutdatedError, Reader
from graphscore.explorer.rendering import Page, assets, rendered
from graphscore.explorer.security import (
    Access,
    Application,
    Guard,
    Receive,
    Scope,
    Send,
)
from graphscore.explorer.urls import Parameters
from graphscore.store.integrity import FaultError
from graphscore.store.read.limits import TooLongError

Making = Callable[[Reader, Mapping[str, str], Parameters], Page | Download]

PAGES: dict[str, Making] = {
    "/": collections.page,
    "/evaluation/{name}": evaluation.page,
    "/evaluation/{name}/value": collections.value,
    "/evaluation/{name}/errors": errors.folded,
    "/evaluation/{name}/errors/single": errors.single,
    "/evaluation/{name}/items": items.page,
    "/evaluation/{name}/item": item.page,
    "/leaderboard": leaderboard.page,
    "/across": leaderboard.across,
    "/collection": collection.page,
    "/graph": graph.page,
    "/search": search.page,
    "/compare": compare.page,
    "/compare/changes": compare.changes,
    "/compare/tests": compare.tests,
    "/sql": sql.form,
}
"""Page of each path."""

STATUS: dict[type[GraphscoreError], int] = {
    UsageError: 400,
    NotFoundError: 404,
    OutdatedError: 409,
    TooLongError: 503,
    StoreError: 503,
}
"""HTTP status of each error."""

THREADS = 8
"""Pages that ask at the same time."""

ASKED = 2
"""Statements of users that run at the same time, so that pages are answered beside."""

SENT = 3
"""Downloads at the same time."""

LARGEST = 100_000
"""Bytes of a form."""

FORM_SECONDS = 30
"""Seconds in which a form has to arrive."""

DOWNLOAD_SECONDS = 600
"""Seconds after which a download is broken off, however slowly it is taken."""


def application(
    reader: Reader, access: Access, say: Callable[[str], None]
) -> Application:
    """The whole server but its socket.

    Args:
        reader: the store.
        access: who may ask.
        say: is told of defects, for the log.

    Returns:
        An application of ASGI.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import HTMLResponse, Response
    from starlette.routing import Route

    server = _Server(reader, say)

    async def asset(request: Any) -> Any:
        static = assets().get(request.path_params["name"])
        if static is None:
            raise HTTPException(404)
        return Response(static.content, media_type=static.kind)

    async def missing(request: Any, error: Any) -> Any:
        message = "Page not found."
        if error.status_code != 404:
            message = "This method is not allowed here."
        text = server.problem(request.url.path, message)
        return HTMLResponse(text, error.status_code, getattr(error, "headers", None))

    routes = [
        Route(path, partial(server.get, making), methods=["GET"])
        for path, making in PAGES.items()
    ]
    routes += [
        Route("/sql", server.post, methods=["POST"]),
        Route("/reopen", server.reopen, methods=["POST"]),
        Route("/static/{name}", asset, methods=["GET"]),
    ]
    pages = Starlette(routes=routes, exception_handlers={HTTPException: missing})
    pages.router.redirect_slashes = False
    return Guard(pages, access)


class _Server:
    """Server that turns requests into answers.

    Args:
        reader: the store.
        say: is told of defects.
    """

    def __init__(self, reader: Reader, say: Callable[[str], None]) -> None:
        from anyio import CapacityLimiter

        self._reader = reader
        self._say = say
        self._pages, self._box = CapacityLimiter(THREADS), CapacityLimiter(ASKED)
        self._downloads = BoundedSemaphore(SENT)

    async def get(self, making: Making, request: Any) -> Any:
        """Answer what is only read."""
        parameters = Parameters(dict(request.query_params))
        return await self._answer(making, request, parameters, self._pages)

    async def post(self, request: Any) -> Any:
        """Answer a statement."""
        from anyio import move_on_after

        form: dict[str, str] | None = None
        with move_on_after(FORM_SECONDS) as waiting:
            form = await _form(request)
        if waiting.cancelled_caught:
            message = f"the form took longer than {FORM_SECONDS} seconds"
            return self._page(_problem(408, message), request)
        if form is None:
            return self._page(
                _problem(413, f"expected {LARGEST} bytes at most"), request
            )
        return await self._answer(sql.answer, request, Parameters(form), self._box)

    async def reopen(self, request: Any) -> Any:
        """Open the store that has the name of the served one by now."""
        from anyio import to_thread
        from starlette.responses import RedirectResponse

        try:
            await to_thread.run_sync(self._reader.reopen, limiter=self._pages)
        except GraphscoreError as error:
            return self._page(_problem(503, str(error)), request)
        return RedirectResponse("/", 303)

    async def _answer(
        self, making: Making, request: Any, parameters: Parameters, limiter: Any
    ) -> Any:
        from anyio import to_thread

        work = partial(self._made, making, request, parameters)
        return await to_thread.run_sync(work, limiter=limiter)

    def _made(self, making: Making, request: Any, parameters: Parameters) -> Any:
        """The answer; what goes wrong is a page that says so."""
        try:
            result = making(self._reader, request.path_params, parameters)
            if isinstance(result, Download):
                return self._file(result, request.method)
            return self._page(result, request)
        except FaultError as fault:
            text = f"{self._reader.name}: {fault}"
            return self._page(_problem(503, text), request)
        except GraphscoreError as error:
            kinds = [kind for kind in STATUS if isinstance(error, kind)]
            status = STATUS[kinds[0]] if kinds else 400
            return self._page(_problem(status, str(error)), request)
        except Exception:
            self._say(visible(traceback.format_exc()))
            text = "A defect of graphscore: the log has the traceback."
            return self._page(_problem(500, text), request)

    def _page(self, page: Page, request: Any) -> Any:
        from starlette.responses import HTMLResponse

        alone = request.headers.get("hx-request") == "true"
        text = self._text(page, request.url.path, alone)
        return HTMLResponse(text.encode("utf-8", "backslashreplace"), page.status)

    def _text(self, page: Page, path: str, alone: bool = False) -> str:
        reader = self._reader
        return rendered(
            page, store=reader.name, path=path, alone=alone, moved=reader.moved()
        )

    def problem(self, path: str, message: str) -> str:
        """A page that says what is wrong."""
        return self._text(_problem(404, message), path)

    def _file(self, download: Download, method: str) -> Any:
        from starlette.responses import Response, StreamingResponse

        media_type = KINDS[download.format]
        disposition = f'attachment; filename="{download.file}"'
        headers = {"content-disposition": disposition}
        if method == "HEAD":
            close(download)
            return Response(media_type=media_type, headers=headers)
        if not self._downloads.acquire(blocking=False):
            close(download)
            raise TooLongError(f"{SENT} downloads are under way; try again")
        try:
            pieces = self._logged(content(download))
            response = StreamingResponse(pieces, headers=headers, media_type=media_type)
        except BaseException:
            self._end(download)
            raise
        return _Sending(response, partial(self._end, download))

    def _end(self, download: Download) -> None:
        """Give the store back, then let another download begin."""
        try:
            close(download)
        finally:
            self._downloads.release()

    def _logged(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Pieces of a file.

        What goes wrong breaks the answer off, so that nobody takes it for whole.
        """
        try:
            yield from pieces
        except GraphscoreError as error:
            self._say(visible(f"Error: {error}"))
            raise
        except Exception:
            self._say(visible(traceback.format_exc()))
            raise


class _Sending:
    """An answer that ends what it holds, also if nobody takes any of it.

    Args:
        response: an application of ASGI.
        end: is called once, after the answer or instead of it.
    """

    def __init__(self, response: Application, end: Callable[[], None]) -> None:
        self._response = response
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from anyio import move_on_after

        try:
            with move_on_after(DOWNLOAD_SECONDS):
                await self._response(scope, receive, send)
        finally:
            self._end()


def _problem(status: int, message: str) -> Page:
    return Page("problem", "Cannot show this page", {"problem": message}, status)


async def _form(request: Any) -> dict[str, str] | None:
    """The fields of a form; ``None`` if it is too large."""
    from urllib.parse import parse_qsl

    read = bytearray()
    async for piece in request.stream():
        read += piece
        if len(read) > LARGEST:
            return None
    text = read.decode("utf-8", "replace")
    return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=None))
