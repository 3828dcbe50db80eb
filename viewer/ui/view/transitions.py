"""Leads the camera over where another axis is to stand upright, so that the picture does not jump."""

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.scenario import Scenario
from viewer.scene.camera.camera import Camera
from viewer.ui.input.gestures import EASE_SECONDS, smooth

Array = NDArray[np.float64]


def riding(scenario: Scenario) -> str:
    """What the camera rides on, in momentum space always the body; and whether it makes room for an inset."""
    view = scenario.view
    frame = view.frame if view.construction == "poinsot" else view.construction
    return f"{frame} beside an inset" if scenario.show.inset else frame


class CameraTransition:
    """Remembers the last camera; begins a way of EASE_SECONDS from there when the frame to ride in changes, or where L
    turns over at once (a load has stopped the body and spins it up the other way)."""

    def __init__(self) -> None:
        self._frame: str | None = None
        self._axis: Array = np.zeros(3)
        self._camera: Camera | None = None
        self._start: Camera | None = None
        self._began = 0.0

    def share(self, now: float) -> float:
        """How much of the way is gone at the time `now` [s]; 1: no way is left."""
        return 1.0 if self._start is None else smooth((now - self._began) / EASE_SECONDS)

    def follow(self, frame: str, momentum: Array, now: float) -> tuple[Camera, float] | None:
        """Where the camera comes from and the share of the way, for a picture in `frame`; None: it is there.

        `momentum`: L in space, (3,).
        """
        turned_over = float(momentum @ self._axis) < 0.0
        if self._frame is not None and (frame != self._frame or turned_over):
            self._start, self._began = self._camera, now
        if np.any(momentum != 0.0):
            self._axis = momentum
        self._frame = frame
        share = self.share(now)
        if self._start is None or share >= 1.0:
            self._start = None
            return None
        return self._start, share

    def arrived(self, camera: Camera) -> None:
        """The camera of the picture that was drawn."""
        self._camera = camera

    def forget(self) -> None:
        """The next picture is of another scene: no way leads there."""
        self._frame = self._start = None
        self._axis = np.zeros(3)
