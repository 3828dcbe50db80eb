"""The manual in a browser: its figures are there, and its three scenes play, from the disk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

MANUAL = Path(__file__).parents[2] / "assets" / "manual" / "index.html"


def test_the_figures_of_the_manual_load_and_its_scenes_play(browser_page: Callable[..., Any]) -> None:
    page = browser_page("chromium", size=(1100, 800))
    page.open(MANUAL)
    assert page.evaluate("() => [...document.images].every(image => image.naturalWidth > 500)")
    places = page.evaluate("() => [...document.querySelectorAll('iframe')].map(frame => frame.getAttribute('src'))")
    assert places == ["figures/construction.html", "figures/race.html", "figures/flip.html"]
    for number, place in enumerate(places):
        page.page.locator("iframe").nth(number).scroll_into_view_if_needed()
        (frame,) = (one for one in page.page.frames if one.url.endswith(place))
        frame.wait_for_selector("body[data-state=live]", timeout=60_000, state="attached")
        track = frame.locator("input[type=range]").first
        begun = track.input_value()
        frame.wait_for_function("before => document.querySelector('input[type=range]').value !== before", arg=begun)
    assert page.messages == []
