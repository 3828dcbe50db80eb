"""The pages of the manual, and the sections of the panel that they explain.

`assets/manual/NAME.md` is the text of a page; `assets/manual/index.html` has all pages, and is shown in the browser.
"""

import os
import threading
from pathlib import Path

from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.resources import folder
from viewer.workspace.messages import Messages


@frozen
class Page:
    """A page of the manual. `sections` are the panel's sections that it explains, each with the heading on the page."""

    name: str
    title: str
    summary: str
    sections: tuple[tuple[str, str], ...] = ()


IN_TERMINAL = ("www-browser", "links", "elinks", "lynx", "w3m")  # browsers that would take the terminal

PAGES = (
    Page(
        "window",
        "The window",
        "looking around, the panel, time, plots, momentum space, tours",
        (("View", "looking-around"),),
    ),
    Page("keys", "Keys and mouse", "all of them"),
    Page(
        "scenes",
        "Scenes and fields",
        "scene files, presets, every field with its range and default",
        (
            ("Scene", "presets"),
            ("Body", "body-and-start"),
            ("Start", "body-and-start"),
            ("Loads", "loads"),
            ("Show", "view-and-playback"),
        ),
    ),
    Page("tops", "Tops", "gyroscope, precession, nutation: pivot, gravity, scenes, formulas, gimbals, cones"),
    Page("stereo", "Stereo", "modes, glasses, comfort, the chart", (("Stereo", ""),)),
    Page(
        "integrators",
        "Integrators and stabilisation",
        "what each keeps and what it gets wrong; the race",
        (("Solver", ""), ("Race", "a-race")),
    ),
    Page("recordings", "Recordings of other programs", "phones, engines, simulators, spacecraft"),
    Page(
        "pictures",
        "Pictures, pages and films",
        "formats, pages that play in a browser, camera paths",
        (("Camera path", "camera-path"),),
    ),
    Page("data", "Data", "the motion as a table"),
    Page("python", "In Python", "the closed form, simulations, pictures in notebooks"),
    Page("lecture", "Lectures", "lecture mode, the spotlight, a presenter's remote, playlists"),
    Page("sources", "Sources", "each figure and number of the five sources, and how to see it"),
    Page("troubleshooting", "When something is wrong", "messages, the log, drivers, ghosts"),
)


def anchor_of(section: str | None) -> str:
    """Return the anchor in the manual that explains a section of the panel; "", the beginning, if there is none."""
    for page in PAGES:
        for name, heading in page.sections:
            if name == section:
                return f"{page.name}-{heading}" if heading else page.name
    return ""


def show(messages: Messages, anchor: str = "") -> None:
    """Open the manual in the browser, at `anchor`. Raises InputError if there is no browser."""
    import webbrowser  # here: 4 ms of every start

    path = folder("assets") / "manual" / "index.html"
    if not isinstance(path, Path):
        raise InputError(tr("manual: a browser cannot read {path}; install the program unpacked").format(path=path))
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        browser = None
    if browser is None or os.path.basename(getattr(browser, "name", "")) in IN_TERMINAL:
        raise InputError(tr("manual: no browser was found to show {path}").format(path=path))
    address = path.as_uri() + (f"#{anchor}" if anchor else "")
    threading.Thread(target=browser.open, args=(address,), daemon=True).start()  # it may take seconds
    messages.notice(tr("The manual opens in the browser: {path}").format(path=path))
