"""The stereo modes: one entry each. Panel, keys, command line, scene file and documentation read this table."""

from typing import Literal

from viewer.common.frozen import frozen

LEFT, MIDDLE, RIGHT = -1, 0, 1  # the eyes

Layout = Literal["one", "frame-sequential", "columns", "rows", "interlaced", "anaglyph", "quad-buffer"]


@frozen
class StereoMode:
    """How the eyes' pictures share one image.

    `layout`: "one" shows one eye, "frame-sequential" both in turn; "columns" gives the eyes the left and the right
    half, "rows" the upper and the lower one, "interlaced" single pixels; "anaglyph" makes one colour of both,
    "quad-buffer" gives each eye a buffer of its own. `eyes`: in that order, from the left or the top.
    `squeezed`: each eye's picture is squeezed to its half, to be stretched again by the screen.
    `interlacing`: which eye has which pixel of the screen, rows from the top; repeated over the screen, from its upper
    left pixel on.
    `still`: the mode that a saved picture has instead, and `reason`: why.
    """

    name: str
    label: str
    summary: str
    layout: Layout
    eyes: tuple[int, ...] = (LEFT, RIGHT)
    squeezed: bool = False
    interlacing: tuple[tuple[int, ...], ...] = ()
    still: str = ""
    reason: str = ""

    @property
    def halves(self) -> tuple[int, int]:
        """Into how many parts the image is cut across and down."""
        return {"columns": (2, 1), "rows": (1, 2)}.get(self.layout, (1, 1))

    def is_parallel(self, eyes_exchanged: bool) -> bool:
        """Return whether the left eye looks at a left picture and the right one at a right picture, with nothing
        between."""
        first = RIGHT if eyes_exchanged else LEFT
        return self.layout == "columns" and not self.squeezed and self.eyes[0] == first


STEREO_MODES: dict[str, StereoMode] = {
    mode.name: mode
    for mode in (
        StereoMode("mono", "Mono", "one eye in the middle", "one", (MIDDLE,)),
        StereoMode("anaglyph", "Anaglyph", "one image for coloured glasses", "anaglyph"),
        StereoMode("side-by-side", "Side by side", "left eye left, for parallel viewing", "columns"),
        StereoMode(
            "side-by-side-half",
            "Side by side, half",
            "each eye at half width, for a 3D screen that stretches it",
            "columns",
            squeezed=True,
        ),
        StereoMode("cross-eyed", "Cross-eyed", "right eye left, for crossed viewing", "columns", (RIGHT, LEFT)),
        StereoMode("top-bottom", "Top and bottom", "left eye on top", "rows"),
        StereoMode(
            "top-bottom-half",
            "Top and bottom, half",
            "each eye at half height, for a 3D screen that stretches it",
            "rows",
            squeezed=True,
        ),
        StereoMode(
            "row-interlaced",
            "Row-interlaced",
            "every other row of the screen, the top one for the left eye: passive 3D screens",
            "interlaced",
            interlacing=((LEFT,), (RIGHT,)),
        ),
        StereoMode(
            "column-interlaced",
            "Column-interlaced",
            "every other column of the screen, the leftmost one for the left eye: screens with a parallax barrier",
            "interlaced",
            interlacing=((LEFT, RIGHT),),
        ),
        StereoMode(
            "checkerboard",
            "Checkerboard",
            "every other pixel of the screen, the upper left one for the left eye: DLP televisions",
            "interlaced",
            interlacing=((LEFT, RIGHT), (RIGHT, LEFT)),
        ),
        StereoMode(
            "quad-buffer",
            "Quad buffer",
            "a buffer for each eye, for shutter glasses; mono where the driver has none",
            "quad-buffer",
            still="mono",
            reason="only a window has a buffer for each eye",
        ),
        StereoMode("left", "Left eye", "the left eye alone", "one", (LEFT,)),
        StereoMode("right", "Right eye", "the right eye alone", "one", (RIGHT,)),
        StereoMode(
            "wiggle",
            "Wiggle",
            "the eyes alternate five times a second: depth without glasses",
            "frame-sequential",
            still="left",
            reason="a single picture cannot alternate",
        ),
    )
}
WIGGLES = 5.0  # eyes a second
