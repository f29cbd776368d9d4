"""A Chromium that is there already, steered by playwright.

``pip install -e '.[browser-test]'`` brings playwright, ``.ci/browser`` the browser;
where either is missing these tests are skipped.  Pictures of pages go to
``screenshots/``, which git ignores: look at them before a change to pages lands.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from tests.browser.reports import made
from tests.conftest import ROOT

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
"""What the browser is called, as Debian and others install it."""

WIDTHS = (1280, 400)
"""Pixels of a desk's screen, and of a telephone's."""

TIMEOUT = 10_000
"""Milliseconds that are waited for a part of a page."""

PHOTOGRAPHED = 60_000
"""Milliseconds that a picture of a page may take, which may be long."""

HIGHEST = 12_000
"""Pixels of a page that are photographed."""

SCREENSHOTS = ROOT / "screenshots"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed ([browser-test])"
    )
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"none of {', '.join(NAMES)} is installed (.ci/browser)")
    # As root, as in containers, its sandbox does not start.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=options)
        yield started
        started.close()


Opening = Callable[..., Any]


@pytest.fixture
def opened(browser: Any) -> Iterator[Opening]:
    """Opens a file or an address; what the console complains of fails the test."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def call(
        path: Path | str,
        width: int = WIDTHS[0],
        *,
        dark: bool = False,
        scripts: bool = True,
        refused: int = 0,
    ) -> Any:
        address = path if isinstance(path, str) else path.as_uri()
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
        )
        contexts.append(context)
        context.set_default_timeout(TIMEOUT)
        page = context.new_page()
        # The browser says of every answer that refuses that it does.
        told = f"responded with a status of {refused} "

        def hear(said: Any) -> None:
            if said.type in ("error", "warning") and told not in said.text:
                complaints.append(said.text)

        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        own = (
            ("file:", "data:")
            if address.startswith("file:")
            else ("data:", f"{urljoin(address, '/')}")
        )
        page.on("request", lambda sent: _note(complaints, sent.url, own))
        page.goto(address)
        return page

    yield call
    for context in contexts:
        context.close()
    assert not complaints


def _note(complaints: list[str], url: str, own: tuple[str, ...]) -> None:
    """Pages ask for nothing but themselves."""
    if not url.startswith(own):
        complaints.append(f"asked for {url}")


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The report of that name, which is made once."""
    folder = tmp_path_factory.mktemp("reports")
    return lru_cache(maxsize=None)(lambda name: made(name, folder))


Audit = Callable[[Any, str], list[str]]


@pytest.fixture(scope="session")
def audit() -> Audit:
    """What is wrong with a page, by a function of ``audits.js``."""
    script = Path(__file__).with_name("audits.js").read_text(encoding="utf-8")

    def call(page: Any, name: str) -> list[str]:
        if not page.evaluate("'audits' in window"):
            page.evaluate(script)
        found: list[str] = page.evaluate(f"audits.{name}()")
        return found

    return call


@pytest.fixture(scope="session")
def shoot() -> Callable[[Any, str], None]:
    """Keeps a picture of a page, whole but for what no browser can hold."""
    SCREENSHOTS.mkdir(exist_ok=True)

    def call(page: Any, name: str) -> None:
        width, height = page.evaluate(
            "[innerWidth, document.documentElement.scrollHeight]"
        )
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, HIGHEST)}
        path = SCREENSHOTS / f"{name}.png"
        page.screenshot(path=path, full_page=True, clip=clip, timeout=PHOTOGRAPHED)

    return call
