"""A page as a document: its policy holds, it asks for nothing, and without scripts or on paper it shows its picture."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from viewer.export.offscreen import render_image
from viewer.export.page.pages import write_page
from viewer.export.page.writer import PageScene
from viewer.scenario.scenario import Scenario

HOSTILE = "</script><img src=x onerror=\"document.title='gone'\"> & 'T'"
SIZE = (960, 540)
KEPT = Path(__file__).parents[1] / "data" / "page-0.1.html"
LIVE_AT = """async () => {
    while (document.body.dataset.state !== "live") await new Promise((done) => setTimeout(done, 5));
    return performance.now();
}"""
SCENES = [
    PageScene(Scenario.preset("t-handle").with_value("title", HOSTILE), 0.5, SIZE),
    PageScene(Scenario.preset("disc"), 0.5, SIZE),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "a.html"
    write_page(path, SCENES)
    return path


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_page_keeps_its_policy_and_a_title_is_text(
    browser_page: Callable[..., Any], written: Path, name: str
) -> None:
    page = browser_page(name)
    asked: list[str] = []
    if name == "chromium":
        page.page.on("request", lambda request: asked.append(request.url))
    page.open(written)
    assert page.messages == []
    assert page.evaluate("document.title") == page.evaluate("document.querySelector('h1').textContent") == HOSTILE
    assert page.evaluate("document.querySelectorAll('img:not(#poster, .poster)').length") == 0
    assert [url for url in asked if not url.startswith(("data:", written.as_uri()))] == []
    refused = """async () => {
        const script = document.createElement("script");
        script.textContent = "window.broken = 1";
        const violated = new Promise((tell) => document.addEventListener("securitypolicyviolation", tell));
        document.body.append(script);
        return [(await violated).effectiveDirective, window.broken ?? null];
    }"""
    assert page.evaluate(refused) == ["script-src-elem", None]


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_the_first_picture_comes_soon(browser_page: Callable[..., Any], written: Path, name: str) -> None:
    page, times = browser_page(name), []
    for _ in range(3):  # the machine may be busy with other things once
        page.open(written)
        times.append(page.evaluate(LIVE_AT))
    assert min(times) < 2000.0  # measured, on two busy cores: 561 and 109


def shown(picture: bytes) -> Any:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(float)


def test_without_scripts_a_page_shows_pictures_and_words(browser_page: Callable[..., Any], written: Path) -> None:
    page = browser_page("chromium", (SIZE[0], 2 * SIZE[1]), java_script_enabled=False).page
    page.goto(written.as_uri())
    scene = SCENES[0]
    truth = render_image(scene.scenario, scene.time, SIZE)
    image = shown(page.locator("#poster").screenshot())
    assert np.abs(image - truth).mean() < 1.5  # measured: 0.0
    words = page.inner_text("body")
    assert "Scripts are off: the page shows a picture in place of the motion." in words
    assert words.count("Principal moments of inertia") == 2
    assert page.locator(".poster").is_visible()
    assert not page.locator("#unstarted").is_visible()  # another sentence says it


@pytest.mark.parametrize("policy", ["default-src 'self'", "script-src 'self'"])
def test_under_a_foreign_policy_a_page_says_why_nothing_moves(
    browser_page: Callable[..., Any], written: Path, policy: str
) -> None:
    page = _served(browser_page("chromium", SIZE).page, written, policy)
    page.locator("#unstarted").wait_for(state="visible")
    assert "a content policy blocks this page's script" in page.inner_text("#unstarted")
    assert page.evaluate("document.body.dataset.state") == "poster"
    assert not page.locator(".bar").is_visible()  # which does nothing, even if styles are blocked, too


def test_a_page_plays_where_trusted_types_are_demanded(browser_page: Callable[..., Any], written: Path) -> None:
    page = browser_page("chromium", SIZE)
    _served(page.page, written, "require-trusted-types-for 'script'").evaluate(LIVE_AT)
    assert page.messages == []


def _served(page: Any, written: Path, policy: str) -> Any:
    """Open the page from a server with a content policy."""
    given = {"Content-Security-Policy": policy, "Content-Type": "text/html"}
    page.route("http://served.test/", lambda route: route.fulfill(body=written.read_text(), headers=given))
    page.goto("http://served.test/")
    return page


@pytest.mark.parametrize("live", [False, True])
def test_printed_a_page_shows_every_picture_on_white(
    browser_page: Callable[..., Any], written: Path, live: bool
) -> None:
    page = browser_page("chromium", SIZE, java_script_enabled=live).page
    page.goto(written.as_uri())
    if live:
        page.evaluate(LIVE_AT)
        assert page.locator("#unstarted").count() == 0
    page.emulate_media(media="print")
    seen = "[...document.querySelectorAll('img')].map((image) => image.checkVisibility() && image.clientWidth > 600)"
    assert page.evaluate(seen) == [True, True]
    assert (
        page.evaluate(
            "[...document.querySelectorAll('button, .bar, .over, canvas, p')]"
            ".filter((one) => one.checkVisibility() && !one.closest('#words, noscript')).length"
        )
        == 0
    )
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    whole = shown(page.screenshot(full_page=True))
    assert np.median(whole[:, :4]) == 255.0


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_page_of_an_earlier_version_plays_and_opens(browser_page: Callable[..., Any], name: str) -> None:
    scene = Scenario.load(KEPT)
    assert (scene.title, scene.body.height) == ("Dzhanibekov effect", 0.15)
    page = browser_page(name)
    page.open(KEPT)
    page.evaluate(LIVE_AT)
    assert page.evaluate("document.title") == "Two bodies"
    assert page.messages == []
