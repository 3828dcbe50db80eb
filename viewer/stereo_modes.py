"""The stereo modes: one entry each. Panel, keys, command line, scene file and documentation read this table."""

from dataclasses import dataclass
from typing import Literal

Layout = Literal["full", "columns"]


@dataclass(frozen=True)
class StereoMode:
    """How the two eyes' pictures share one image.

    `layout`: "full" gives each eye all pixels, "columns" the left and the right half of the image.
    `eyes`: the eyes in drawing order, from the left; (0,) is one eye in the middle, -1 the left, +1 the right.
    `squeezed`: each eye's picture is squeezed to its part of the image, to be stretched again by the screen.
    `composite`: name of the compositor that combines full-size eyes, or None where nothing is to combine.
    """

    name: str
    label: str
    summary: str
    layout: Layout = "full"
    eyes: tuple[int, ...] = (-1, 1)
    squeezed: bool = False
    composite: str | None = None


STEREO_MODES: dict[str, StereoMode] = {
    mode.name: mode
    for mode in (
        StereoMode("mono", "Mono", "one eye in the middle", eyes=(0,)),
        StereoMode("anaglyph", "Anaglyph", "red-cyan glasses, Dubois in linear light", composite="anaglyph"),
        StereoMode("side-by-side", "Side by side", "left eye left, for parallel viewing", layout="columns"),
        StereoMode(
            "side-by-side-half",
            "Side by side, half",
            "each eye at half width, for a 3D screen that stretches it",
            layout="columns",
            squeezed=True,
        ),
        StereoMode(
            "cross-eyed", "Cross-eyed", "right eye left, for crossed viewing", layout="columns", eyes=(1, -1)
        ),
    )
}
