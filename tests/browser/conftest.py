"""Real browsers, one process of each for all tests; each test has a page of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import BrowserPage, Chromium, Firefox


@pytest.fixture(scope="session")
def _browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Chromium | Firefox]]:
    started: dict[str, Any] = {}

    def browser(name: str) -> Any:
        if name not in started:
            started[name] = Chromium() if name == "chromium" else Firefox(tmp_path_factory.mktemp("firefox"))
        return started[name]

    yield browser
    for one in started.values():
        one.quit()


@pytest.fixture
def browser_page(_browsers: Callable[[str], Any], tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page: `browser_page("chromium" or "firefox", size=(1280, 720))`, of Chromium more: `Chromium.page`."""
    opened = []

    def page(name: str, size: tuple[int, int] = (1280, 720), **context: Any) -> BrowserPage:
        browser = _browsers(name)
        opened.append((browser, browser.page(tmp_path, size, **context)))
        return opened[-1][1]

    yield page
    for browser, one in opened:
        browser.close(one)
