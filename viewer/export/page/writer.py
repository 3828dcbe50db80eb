"""Pages: scenes as one HTML file that plays in any browser, without a network and without anything installed."""

import base64
import hashlib
import json
from collections.abc import Sequence
from html import escape
from string import Template
from typing import Any

from viewer.common import __version__
from viewer.common.frozen import frozen
from viewer.common.language import chosen, tr
from viewer.common.resources import folder, read_text
from viewer.replay.opening import recording_of
from viewer.scenario.embedded import headed, page_line
from viewer.scenario.scenario import Scenario
from viewer.scene.words.describe import describe
from viewer.scene.words.sources import title
from viewer.session.session import Session

STYLES = "page.css", "controls.css"


@frozen
class PageScene:
    """A scene of a page, which opens at `time` [s]; `poster` is its picture then, a JPEG file."""

    scenario: Scenario
    time: float
    poster: bytes
    note: str = ""


def page_text(scenes: Sequence[PageScene], heading: str = "") -> str:
    """Return the HTML of a page of at least one scene; `heading` stands in place of the first scene's title."""
    style = "".join(read_text("assets", "page", name) for name in STYLES if _exists(name))
    script = read_text("assets", "page", "main.js") if _exists("main.js") else ""
    texts = [(title(scene.scenario), *_paragraphs(scene)) for scene in scenes]
    data = {"version": __version__, "scenes": [_data(*both) for both in zip(scenes, texts, strict=True)]}
    values = {
        "language": chosen() or "en",
        "script_source": _hashed(script),
        "style_source": _hashed(style),
        "version": __version__,
        "title": escape(heading or texts[0][0]),
        "held": "".join(
            page_line(headed(scene.scenario.to_text(), __version__, scene.time)) + "\n" for scene in scenes
        ),
        "style": style,
        "look": scenes[0].scenario.view.theme,
        "poster": _as_url(scenes[0].poster),
        "alt": escape(texts[0][0]),
        "without": escape(tr("This browser has no WebGL 2, so the page shows a picture in place of the motion.")),
        "unscripted": escape(tr("Scripts are off, so the page shows a picture in place of the motion.")),
        "words": "".join(map(_article, range(len(scenes)), scenes, texts)),
        "data": json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
        "script": script,
    }
    return Template(read_text("assets", "page", "page.html")).substitute(values)


def _exists(name: str) -> bool:
    return folder("assets").joinpath("page", name).is_file()


def _hashed(text: str) -> str:
    """Return the source expression that allows an inline script or style with this text in a content policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _as_url(picture: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"


def _paragraphs(scene: PageScene) -> list[str]:
    """Return the words about a scene: its note in the playlist, and the description of its motion."""
    recording = recording_of(scene.scenario, lambda line: None)
    session = Session(scene.scenario, playing=False, recording=recording)
    session.run_to(scene.time)
    return [text for text in (scene.note, describe(session)) if text]


def _article(number: int, scene: PageScene, texts: Sequence[str]) -> str:
    """Return the words of a scene as HTML; the first scene's title and picture stand above already."""
    parts = [f"<p>{escape(text)}</p>\n" for text in texts[1:]]
    if number:
        picture = f'<img class="poster" src="{_as_url(scene.poster)}" alt="{escape(texts[0])}">\n'
        parts = [f"<h2>{escape(texts[0])}</h2>\n", picture, *parts]
    return f'<article id="scene-{number}">\n{"".join(parts)}</article>\n'


def _data(scene: PageScene, texts: Sequence[str]) -> dict[str, Any]:
    """Return what the scripts know of a scene."""
    return {"title": texts[0], "describe": texts[1:], "time": scene.time}
