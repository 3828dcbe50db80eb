"""Colours in sRGB (IEC 61966-2-1), in its linear light, and in OKLab, where equal distances look equal to the eye."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Color = tuple[float, float, float]  # sRGB, 0..1

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of red, green, blue in linear light (ITU-R BT.709)

# Bjoern Ottosson, "A perceptual color space for image processing", 2020: linear sRGB -> cone responses, their cube
# roots -> lightness and two opponent colours
CONES_FROM_LINEAR = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
OKLAB_FROM_ROOTS = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
LINEAR_FROM_CONES = np.linalg.inv(CONES_FROM_LINEAR)
ROOTS_FROM_OKLAB = np.linalg.inv(OKLAB_FROM_ROOTS)


def hex_color(code: str) -> Color:
    """Return the colour of a `#RRGGBB` code."""
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def linear_from_srgb(encoded: Array) -> Array:
    """Return the linear light, 0..1, of sRGB values, 0..1."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def srgb_from_linear(linear: Array) -> Array:
    """Return the sRGB values, 0..1, of linear light, clamped to 0..1."""
    light = np.clip(linear, 0.0, 1.0)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def oklab_from_srgb(colors: Array) -> Array:
    """Return sRGB colours (..., 3) as OKLab colours (..., 3): lightness 0..1, and the components a and b."""
    return np.asarray(np.cbrt(linear_from_srgb(colors) @ CONES_FROM_LINEAR.T) @ OKLAB_FROM_ROOTS.T)


def linear_from_oklab(lab: Array) -> Array:
    """Return the linear light (..., 3) of OKLab colours (..., 3); it is outside 0..1 if sRGB has no such colour."""
    return np.asarray((lab @ ROOTS_FROM_OKLAB.T) ** 3 @ LINEAR_FROM_CONES.T)


def mixed(color: Color, other: Color, fraction: float) -> Color:
    """Return `color` with this fraction of `other` mixed in. The sRGB values are mixed, not the linear light."""
    red, green, blue = ((1.0 - fraction) * a + fraction * b for a, b in zip(color, other, strict=True))
    return red, green, blue
