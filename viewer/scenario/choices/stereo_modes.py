"""Tables of the stereo modes, of coloured glasses, and of the methods by which anaglyphs mix the eyes' colours.

Panel, keys, command line, scene file and documentation read these tables. All matrices act on linear light with the
primaries of sRGB: `picture = left_matrix @ left + right_matrix @ right`.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import LUMINANCE
from viewer.common.frozen import frozen

LEFT, MIDDLE, RIGHT = -1, 0, 1  # the eyes

Layout = Literal["one", "frame-sequential", "columns", "rows", "interlaced", "anaglyph", "quad-buffer"]


@frozen
class StereoMode:
    """How the eyes' pictures share one image.

    Attributes
    ----------
    layout : Layout
        "one" shows one eye; "frame-sequential" shows both in turn; "columns" gives each eye the left or right half,
        "rows" the upper or lower half, "interlaced" single pixels; "anaglyph" mixes both pictures into one by colour;
        "quad-buffer" gives each eye a buffer of its own.
    eyes : tuple of int
        The eye that sees each part of the image, from the left or from the top.
    squeezed : bool
        Whether each eye's picture is squeezed into its half; the screen stretches it again.
    interlacing : tuple of tuples of int
        The eye of each pixel, rows from the top; the pattern repeats over the screen from its upper left pixel.
    still : str
        The mode that is used instead for saved pictures, if any.
    reason : str
        Why that mode is used instead.
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
        """How many parts the image has across and down."""
        return {"columns": (2, 1), "rows": (1, 2)}.get(self.layout, (1, 1))

    def is_parallel(self, eyes_exchanged: bool) -> bool:
        """Return whether the left eye looks at the left picture and the right eye at the right one."""
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

Matrix = NDArray[np.float64]

OPTIMIZED = (0.7, 0.3)  # of the two primaries of the other eye, the brighter one first: Peter Wimmer, 3dtv.at


@frozen
class Glasses:
    """A pair of coloured glasses.

    `left` and `right` are the primaries (0 red, 1 green, 2 blue) that the filters let through. One eye has two of them;
    `dark` is the one of these two that the other filter lets through most. `dubois` has the least-squares matrices of
    the left and the right eye as texts; their rows are R, G, B of the picture.
    """

    name: str
    label: str
    left: tuple[int, ...]
    right: tuple[int, ...]
    dark: int
    dubois: tuple[str, str]

    def mask(self, primaries: tuple[int, ...]) -> Matrix:
        """Return the matrix (3, 3) that lets through these primaries."""
        return np.diag([float(i in primaries) for i in range(3)])


# Eric Dubois, "A projection method to generate anaglyph stereo images", ICASSP 2001; green-magenta and amber-blue from
# his page of 2009, site.uottawa.ca/~edubois/anaglyph
GLASSES: dict[str, Glasses] = {
    entry.name: entry
    for entry in (
        Glasses(
            "red-cyan",
            "Red-cyan",
            (0,),
            (1, 2),
            dark=1,
            dubois=(
                " .4561     .500484   .176381   -.0400822 -.0378246 -.0157589  -.0152161 -.0205971 -.00546856",
                "-.0434706 -.0879388 -.00155529  .378476   .73364   -.0184503  -.0721527 -.112961  1.2264",
            ),
        ),
        Glasses(
            "green-magenta",
            "Green-magenta",
            (1,),
            (0, 2),
            dark=2,
            dubois=(
                "-.062 -.158 -.039   .284  .668  .143  -.015 -.027  .021",
                " .529  .705  .024  -.016 -.015 -.065   .009  .075  .937",
            ),
        ),
        Glasses(
            "amber-blue",
            "Amber-blue",
            (0, 1),
            (2,),
            dark=1,
            dubois=(
                "1.062 -.205  .299  -.026  .908  .068  -.038 -.173  .022",
                "-.016 -.123 -.017   .006  .062 -.017   .094  .185  .911",
            ),
        ),
    )
}


@frozen
class Method:
    """A method to mix the eyes' colours.

    `matrices` returns the matrices (3, 3) of the left and the right eye for a pair of glasses.
    """

    name: str
    label: str
    summary: str
    matrices: Callable[[Glasses], tuple[Matrix, Matrix]]


def _gray(glasses: Glasses) -> tuple[Matrix, Matrix]:
    luminance = np.tile(LUMINANCE, (3, 1))
    return glasses.mask(glasses.left) @ luminance, glasses.mask(glasses.right) @ luminance


def _true(glasses: Glasses) -> tuple[Matrix, Matrix]:
    lit = np.diag([float(i != glasses.dark) for i in range(3)])
    left, right = _gray(glasses)
    return lit @ left, lit @ right


def _color(glasses: Glasses) -> tuple[Matrix, Matrix]:
    return glasses.mask(glasses.left), glasses.mask(glasses.right)


def _single_from(glasses: Glasses, weights: Callable[[tuple[int, ...]], Matrix]) -> tuple[Matrix, Matrix]:
    """Return the matrices of the method "color", with another one for the eye that has a single primary.

    That primary is computed from the eye's picture by `weights`, which takes the other two primaries.
    """
    matrices = list(_color(glasses))
    alone = 0 if len(glasses.left) == 1 else 1
    single, pair = sorted((glasses.left, glasses.right), key=len)
    matrices[alone] = np.zeros((3, 3))
    matrices[alone][single[0]] = weights(pair)
    return matrices[0], matrices[1]


def _half_color(glasses: Glasses) -> tuple[Matrix, Matrix]:
    return _single_from(glasses, lambda pair: LUMINANCE)


def _optimized(glasses: Glasses) -> tuple[Matrix, Matrix]:
    def weights(pair: tuple[int, ...]) -> Matrix:
        row = np.zeros(3)
        row[sorted(pair, key=lambda primary: -LUMINANCE[primary])] = OPTIMIZED
        return row

    return _single_from(glasses, weights)


def _dubois(glasses: Glasses) -> tuple[Matrix, Matrix]:
    left, right = (np.array(text.split(), dtype=np.float64).reshape(3, 3) for text in glasses.dubois)
    return left, right


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("dubois", "Dubois", "the closest colours that the filters can show; least ghosting", _dubois),
        Method("true", "True", "brightness in one primary per eye, the third dark: no colours, dim", _true),
        Method("gray", "Grey", "brightness in all primaries: no colours, no rivalry", _gray),
        Method("color", "Colour", "each eye keeps its primaries: colours, but rivalry with them", _color),
        Method(
            "half-color", "Half colour", "the eye with one primary sees brightness, the other one colours", _half_color
        ),
        Method(
            "optimized",
            "Optimised",
            "the eye with one primary sees the other eye's two: less rivalry, no true red",
            _optimized,
        ),
    )
}


def matrices(method: str, glasses: str, leak: tuple[float, float] = (0.0, 0.0)) -> tuple[Matrix, Matrix]:
    """Return the matrices, (3, 3) each, of the left and the right eye's linear light.

    The rows of both matrices together sum to 1, so that grey stays grey; only the method "true" leaves the third
    primary dark. `leak` is the crosstalk: the fractions of the other eye's picture that reach the left and the right
    eye through their filters. It is subtracted beforehand, so that each eye sees only its own picture, as far as the
    light does not fall below black.
    """
    left, right = METHODS[method].matrices(GLASSES[glasses])
    into_left, into_right = leak
    room = 1.0 - into_left - into_right
    return (
        ((1.0 - into_right) * left - into_right * right) / room,
        ((1.0 - into_left) * right - into_left * left) / room,
    )


def composite(method: str, glasses: str, leak: tuple[float, float] = (0.0, 0.0)) -> tuple[Matrix, Matrix, Matrix]:
    """Return the matrices, scaled, and an offset (3,), so that the light of both eyes stays between black and white.

    The offset makes up for the light that is subtracted for the leak. Without leaks it is zero, and the matrices are
    those of `matrices`. Both eyes' pictures are mapped from 0..1 to `black`..`white`, the largest range that the
    filters can show to one eye whatever the other one sees.
    """
    left, right = matrices(method, glasses, leak)
    a, b = leak
    lowest = max(a / (1.0 - b), b / (1.0 - a))  # to which black is raised; white is 1
    white = min((1.0 - a - b) / (1.0 - one - other * lowest) for one, other in ((a, b), (b, a)))
    black = lowest * white
    return (white - black) * left, (white - black) * right, black * (left + right).sum(axis=1)
