"""Pages: scenes as one HTML file that plays in any browser, without a network and without anything installed."""

import base64
import hashlib
import io
import json
import zlib
from collections.abc import Generator, Sequence
from html import escape
from string import Template
from typing import TYPE_CHECKING, Any, BinaryIO

from viewer.common import __version__, language
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.resources import read_text
from viewer.export.image_renderer import Image, ImageRenderer, Shot
from viewer.export.page.figure_data import LAYOUTS, figure_data, shared_data
from viewer.export.page.lesson_data import lesson_data
from viewer.export.page.modules import joined
from viewer.export.page.motion_data import motion_data
from viewer.export.page.page_atlas import page_atlas
from viewer.export.page.shaders import drawing_data
from viewer.export.page.words import control_words, page_words
from viewer.replay.opening import recording_of
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.embedded import headed, page_line
from viewer.scenario.scenario import Scenario
from viewer.scene.words.describe import paragraphs
from viewer.scene.words.formatting import short, with_unit
from viewer.scene.words.sources import title
from viewer.session.session import Session

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

STYLES = "page.css", "controls.css"
POSTER: dict[str, Any] = {"format": "WEBP", "quality": 80}
ANAGLYPH: dict[str, Any] = {"format": "JPEG", "quality": 70, "subsampling": 0}  # WebP would mix the eyes' colours
LEFT_OUT = {  # what a page cannot show: a field, with the value that the page takes instead
    "view.construction": ("poinsot", marked("momentum space")),
    "show.inset": (False, marked("the inset")),
    "view.trail_color": ("age", marked("the colours of paths")),
    "view.stroboscope": (0, marked("the stroboscope")),
    "camera_path.kind": ("still", marked("the camera's path")),
    "show.cones": (False, marked("the cones")),
    "show.gimbals": (False, marked("the gimbals")),
    "race.show": ("off", marked("motions beside it, of a race or a recording")),
}


@frozen
class PageScene:
    """A scene of a page, which opens at `time` [s], with a picture of (width, height) pixels in place of the motion.

    `title` stands in place of the scene's own; `note` is a paragraph above its description. `recording` has the
    recordings that were opened with the scene, if any.
    """

    scenario: Scenario
    time: float = 0.0
    size: tuple[int, int] = (1280, 720)
    samples: int = 2
    title: str = ""
    note: str = ""
    recording: "Replay | None" = None


@frozen
class _Drawn:
    """A scene as the page has it: `data` is what the scripts know, `poster` its picture as a URL."""

    title: str
    paragraphs: Sequence[str]
    poster: str
    data: dict[str, Any]


def as_drawn(scenario: Scenario) -> tuple[Scenario, str]:
    """Return a scene as a page draws it, and a sentence that names what the page leaves out, empty if nothing."""
    found, things = scenario, list[str]()
    for path, (value, thing) in LEFT_OUT.items():
        if found.value(path) != value:
            found, things = found.with_value(path, value), [*things, tr(thing)]
    if len(found.bodies) > 1:
        found, things = found.of_body(0).with_value("bodies", ()), [*things, tr("all bodies but the first")]
    if found.solver.stabilisation != "off":
        things.append(tr("the arrow of the correction"))  # the motion is stabilised all the same
    mode = STEREO_MODES[found.stereo.mode]
    if mode.layout not in LAYOUTS:
        found, things = found.with_value("stereo.mode", "mono"), [*things, tr(mode.label)]
    return found, tr("The page leaves out: {things}.").format(things=", ".join(things)) if things else ""


def page_steps(
    file: BinaryIO, renderer: ImageRenderer, scenes: Sequence[PageScene], heading: str = ""
) -> Generator[int, None, None]:
    """Write a page of at least one scene; yield the number of rows of a scene's picture that are drawn so far.

    `heading` stands at its top in place of the first scene's title.
    """
    drawn = []
    for scene in scenes:
        drawn.append((yield from _drawn(renderer, scene)))
    file.write(_html(scenes, drawn, heading or drawn[0].title).encode())


def _drawn(renderer: ImageRenderer, scene: PageScene) -> Generator[int, None, _Drawn]:
    scenario, left_out = as_drawn(scene.scenario)
    session = _session(scenario, scene)
    shot = Shot(session.snapshot(), scenario, scene.size, scene.samples, fitted=True)
    mixed = STEREO_MODES[scenario.stereo.mode].layout == "anaglyph"
    poster = _as_url((yield from renderer.steps(shot)), ANAGLYPH if mixed else POSTER)
    name = scene.title or title(scene.scenario)
    motion, sampled = motion_data(scenario, scene.time), ""
    stepped = motion["kind"] == "samples"
    words = paragraphs(session, scene.scenario, stepped)
    if stepped:
        sampled = tr("The page has the motion in samples up to {until}, which err by at most {error} rad.").format(
            until=with_unit(motion["until"], "s"), error=short(motion["error"], 1)
        )
    told = [text for text in (scene.note, *words, sampled, left_out) if text]
    lesson = lesson_data(scenario)
    if session.document.ratios is not None:  # of a recording that does not tell the mass
        lesson["readouts"] = [each for each in lesson["readouts"] if each["name"] not in ("energy", "momentum")]
    data = {
        "title": name,
        "describe": told,
        "time": scene.time,
        "motion": motion,
        "figure": figure_data(scenario),
        "lesson": lesson,
    }
    return _Drawn(name, told, poster, data)


def _session(scenario: Scenario, scene: PageScene) -> Session:
    recording = scene.recording or recording_of(scenario, lambda line: None)
    session = Session(scenario, playing=False, recording=recording)
    session.run_to(scene.time)
    return session


def _html(scenes: Sequence[PageScene], drawn: Sequence[_Drawn], heading: str) -> str:
    style = "".join(read_text("assets", "page", name) for name in STYLES)
    script = joined(["main"])
    data = {
        "words": page_words(),
        "shared": shared_data(),
        "drawing": drawing_data(),
        "atlas": page_atlas(),
        "scenes": [each.data for each in drawn],
    }
    held = (headed(scene.scenario.to_text(), __version__, scene.time) for scene in scenes)
    values = {
        "language": language.code(),
        "version": __version__,
        "title": escape(heading),
        "held": "\n".join(map(page_line, held)),
        "script_source": _hashed(script),
        "style_source": _hashed(style),
        "style": style,
        "theme": scenes[0].scenario.view.theme,
        "poster": drawn[0].poster,
        "alt": escape(drawn[0].title),
        "without": escape(tr("This browser has no WebGL 2: the page shows a picture in place of the motion.")),
        "unscripted": escape(tr("Scripts are off: the page shows a picture in place of the motion.")),
        "unstarted": escape(
            tr("The motion has not started, probably because a content policy blocks this page's script.")
        ),
        "changed": escape(tr("The words below describe the scene as it was written, without what was changed here.")),
        "words": "\n".join(map(_article, range(len(drawn)), drawn)),
        "data": _in_base64(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)),
        "script": script,
        **control_words(),
    }
    return Template(read_text("assets", "page", "page.html")).substitute(values)


def _hashed(text: str) -> str:
    """Return the source expression that allows an inline script or style with this text in a content policy."""
    return f"'sha256-{_in_base64(hashlib.sha256(text.encode()).digest())}'"


def _in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _as_url(image: Image, options: dict[str, Any]) -> str:
    from PIL import Image as pillow

    data = io.BytesIO()
    pillow.fromarray(image).save(data, **options)
    return f"data:image/{options['format'].lower()};base64,{_in_base64(data.getvalue())}"


def _article(number: int, drawn: _Drawn) -> str:
    """Return the words of a scene as HTML; the picture of the first scene stands above already."""
    parts = [f"<p>{escape(text)}</p>" for text in drawn.paragraphs]
    if number:
        parts.insert(0, f'<img class="poster" src="{drawn.poster}" alt="{escape(drawn.title)}">')
    return "\n".join([f'<article id="scene-{number}">', f"<h2>{escape(drawn.title)}</h2>", *parts, "</article>"])
