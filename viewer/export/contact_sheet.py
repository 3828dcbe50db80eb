"""A contact sheet: small pictures of every preset in every view, theme and stereo mode, to be compared at a glance.

There is a row for each preset in each view, and a column for each theme in each mode. Pictures are drawn as large as in
a window and then reduced, so that letters and lines keep their proportions. The file is written row by row.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from viewer.common import __version__
from viewer.common.errors import allowed_names, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked
from viewer.common.output_files import WholeFile, output_suffix
from viewer.common.resources import read_bytes
from viewer.export.console import Progress
from viewer.export.image_renderer import Image, ImageRenderer, Shot, box_filtered
from viewer.export.picture_files import PngWriter
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.consequences import CONSTRUCTION
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.constructions.poinsot import FRAMES
from viewer.session.session import Session

SECONDS = 5.0  # on the clock, after which a picture shows the scene
GAP = 6  # px between the pictures
SMALLEST_TILE = 32  # px
CAPTION = 18  # px: height of the line below each picture
GROUND, INK = (58, 62, 68), (235, 238, 242)

Changes = dict[str, Any]

PLAIN: Changes = {"view.construction": "poinsot", "show.inset": False}
VIEWS: dict[str, Changes] = {
    **{name: PLAIN | {"view.frame": name} for name in FRAMES},
    "momentum": PLAIN | {"view.construction": "momentum"},
    "inset": PLAIN | {"show.inset": True},
}
DEFAULT_MODES = ("mono", "anaglyph", "side-by-side")


@frozen
class ContactSheet:
    """The contents of a contact sheet; all names are keys of PRESETS, VIEWS, THEMES and STEREO_MODES.

    Each picture is drawn in the size `drawn` and then reduced to 1 / `reduced` of it. `time` is the simulated time [s]
    of all pictures; by default each preset runs for SECONDS at its own speed. `changes` are fields that are set in
    every scene. Raises InputError if a name is unknown or a picture gets too small.
    """

    presets: Sequence[str] = tuple(PRESETS)
    views: Sequence[str] = tuple(VIEWS)
    themes: Sequence[str] = tuple(THEMES)
    modes: Sequence[str] = DEFAULT_MODES
    drawn: tuple[int, int] = (960, 540)
    reduced: int = 3
    time: float | None = None
    changes: Sequence[tuple[str, Any]] = ()

    def __post_init__(self) -> None:
        known = {"presets": PRESETS, "views": VIEWS, "themes": THEMES, "modes": STEREO_MODES}
        for kind, names in known.items():
            for name in getattr(self, kind):
                if name not in names:
                    raise refusal(
                        "{kind}: {name} is unknown; {allowed}",
                        kind=kind,
                        name=shown(name),
                        allowed=allowed_names(name, names),
                    )
        most = min(self.drawn) // SMALLEST_TILE
        if not 1 <= self.reduced <= most:
            raise refusal(
                "reduced: {reduced} is outside 1 to {most}, as the size allows", reduced=self.reduced, most=most
            )

    @property
    def tile(self) -> tuple[int, int]:
        """Size of a picture on the sheet in pixels."""
        return self.drawn[0] // self.reduced, self.drawn[1] // self.reduced

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Theme and stereo mode of each column."""
        return [(theme, mode) for theme in self.themes for mode in self.modes]

    @property
    def size(self) -> tuple[int, int]:
        """Size of the whole sheet in pixels."""
        rows = len(self.presets) * len(self.views)
        width, height = self.tile
        return len(self.columns) * (width + GAP) + GAP, rows * (height + CAPTION + GAP) + GAP

    @property
    def count(self) -> int:
        """Number of pictures on the sheet."""
        return len(self.presets) * len(self.views) * len(self.columns)


def write_contact_sheet(sheet: ContactSheet, path: Path, renderer: Callable[[], ImageRenderer]) -> None:
    """Draw the sheet to a PNG file, whole or not at all."""
    output_suffix(path, marked("contact sheet"), [".png"])
    with WholeFile(path) as file:
        writer = PngWriter(file, sheet.size, 3, "", f"Poinsot {__version__}")
        writer.write(_ground(GAP, sheet))
        with Progress(sheet.count, "picture") as progress:
            for strip in _rows(sheet, renderer(), progress):
                writer.write(strip)
        writer.finish()


def _rows(sheet: ContactSheet, renderer: ImageRenderer, progress: Progress) -> Iterator[Image]:
    """Yield the sheet's rows of pictures with their captions, from the top down."""
    width, height = sheet.tile
    for preset in sheet.presets:
        session = _session(sheet, preset)
        for view in sheet.views:
            changes = VIEWS[view] | dict(sheet.changes)
            asked = Scenario.preset(preset).with_values(changes)  # undoes what the view before has switched on
            session.change({path: asked.value(path) for path in CONSTRUCTION} | changes)
            snapshot = session.snapshot()
            row = _ground(height + CAPTION + GAP, sheet)
            for column, (theme, mode) in enumerate(sheet.columns):
                name = f"{preset} · {view} · {theme} · {mode}"
                changes = {"view.theme": theme, "stereo.mode": mode} | dict(sheet.changes)
                scenario = session.scenario.with_values(changes)
                left = GAP + column * (width + GAP)
                image = renderer.render(Shot(snapshot, scenario, sheet.drawn, samples=1))
                image = image[: height * sheet.reduced, : width * sheet.reduced]
                row[:height, left : left + width] = box_filtered(image, sheet.reduced, 3)
                row[height : height + CAPTION, left : left + width] = _caption(name, width)
                progress.advance()
            yield row


def _session(sheet: ContactSheet, preset: str) -> Session:
    """Return a preset with the sheet's changes, at the time that the sheet shows."""
    session = Session(Scenario.preset(preset).with_values(dict(sheet.changes)), playing=False)
    session.run_to(SECONDS * session.scene.speed if sheet.time is None else sheet.time)
    return session


def _ground(height: int, sheet: ContactSheet) -> Image:
    return np.full((height, sheet.size[0], 3), GROUND, dtype=np.uint8)


def _caption(text: str, width: int) -> Image:
    """Return an image (CAPTION, width, 3) of as much of the text as fits."""
    from PIL import Image as pillow
    from PIL import ImageDraw

    line = pillow.new("RGB", (width, CAPTION), GROUND)
    ImageDraw.Draw(line).text((1, CAPTION - 5), text, font=_font(), fill=INK, anchor="ls")
    return np.asarray(line)


@cache
def _font() -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(io.BytesIO(read_bytes("assets", "fonts", "panel.ttf")), 12)
