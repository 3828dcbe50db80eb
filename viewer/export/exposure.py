"""What a camera's open shutter sees: the mean of pictures, in linear light."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import linear_from_srgb, srgb_from_linear
from viewer.common.errors import refusal
from viewer.scene.camera.camera import Camera
from viewer.scene.description import Frame, Label
from viewer.session.snapshot import Snapshot

# moments while the shutter is open: in a picture of a film at least, in a picture by itself at least, and at most
SUBFRAMES, STILL_SUBFRAMES, MOST_SUBFRAMES = 16, 64, 256
FIGURE, STEP = 0.4, 3.0  # of a picture's height, what turns reaches out so far; px that this moves between two moments
BRIGHTEST = 1 << 19  # linear light of white; sRGB 1 of 255 has 159, and 256 pictures have a sum of 27 bits


@cache
def _linear() -> NDArray[np.uint32]:
    """Linear light by sRGB value."""
    return np.rint(BRIGHTEST * linear_from_srgb(np.arange(256) / 255)).astype(np.uint32)


@cache
def _srgb() -> NDArray[np.uint8]:
    """sRGB by linear light; made when first needed: that takes 15 ms, and 17 MB for the moment."""
    return np.rint(255 * srgb_from_linear(np.arange(BRIGHTEST + 1) / BRIGHTEST)).astype(np.uint8)


def check_subframes(subframes: int) -> None:
    """Raise InputError if a picture cannot be the mean of so many moments."""
    if not 1 <= subframes <= MOST_SUBFRAMES:
        raise refusal("subframes: {subframes} is outside 1 to {most}", subframes=subframes, most=MOST_SUBFRAMES)


def subframes_for(snapshot: Snapshot, open_for: float, height: int, least: int) -> int:
    """Return how many moments, at least `least`, show no bands in a picture `height` pixels high.

    The bodies of `snapshot` turn on as they do then for `open_for` seconds of the motion.
    """
    turning = [one.reading.omega_world for one in (snapshot, *snapshot.bodies)]
    fastest = max(math.sqrt(float(omega @ omega)) for omega in turning)
    wanted = fastest * open_for * FIGURE * height / STEP
    return min(max(math.ceil(min(wanted, MOST_SUBFRAMES)), least), MOST_SUBFRAMES)


def open_moments(open_for: float, subframes: int) -> list[float]:
    """Return the middles of equal parts of the time for which the shutter is open, in the unit of `open_for`."""
    return [(k + 0.5) / subframes * open_for for k in range(subframes)]


def with_names_of(frame: Frame, other: Frame) -> Frame:
    """Return `frame` with the labels where another moment's picture has them, so that they stay sharp in a mean."""
    layers = tuple(
        replace(layer, scene=replace(layer.scene, labels=_as_seen(named.scene.labels, named.camera, layer.camera)))
        for layer, named in zip(frame.layers, other.layers, strict=True)
    )
    return replace(frame, layers=layers)


def _as_seen(labels: tuple[Label, ...], by: Camera, camera: Camera) -> tuple[Label, ...]:
    """Return labels that `camera` sees where the camera `by` sees these."""
    if camera is by or not labels:
        return labels
    before, now = (np.stack([c.right, c.up, c.backward]) for c in (by, camera))
    anchors = (np.array([label.anchor for label in labels]) - by.position) @ before.T @ now + camera.position
    return tuple(replace(label, anchor=anchor) for label, anchor in zip(labels, anchors, strict=True))


class Exposure:
    """Adds up pictures of one size, (H, W, 3) uint8, sRGB."""

    def __init__(self) -> None:
        self._light: NDArray[np.uint32] | None = None
        self._count = 0

    def add(self, image: NDArray[np.uint8]) -> None:
        """Add the next picture; each counts as much."""
        if self._light is None:
            self._light = np.zeros(image.shape, dtype=np.uint32)
        self._light += _linear()[image]
        self._count += 1

    def mean(self) -> NDArray[np.uint8]:
        """Return the mean of their light, as sRGB."""
        assert self._light is not None  # one was added
        return np.asarray(_srgb()[(self._light + self._count // 2) // self._count])
