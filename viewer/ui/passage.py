"""Leads the camera over where another axis is to stand upright, so that the picture does not jump."""

from viewer.scene.camera import Camera
from viewer.sections import View
from viewer.ui.gestures import EASE_SECONDS, smooth


def riding(view: View) -> str:
    """What the camera rides on: momentum space is always shown from the body."""
    return view.frame if view.construction == "poinsot" else view.construction


class Passage:
    """Remembers the last camera; begins a way of EASE_SECONDS from there when the frame to ride in changes."""

    def __init__(self) -> None:
        self._frame: str | None = None
        self._camera: Camera | None = None
        self._start: Camera | None = None
        self._began = 0.0

    def share(self, now: float) -> float:
        """How much of the way is gone at the time `now` [s]; 1: no way is left."""
        return 1.0 if self._start is None else smooth((now - self._began) / EASE_SECONDS)

    def follow(self, frame: str, now: float) -> tuple[Camera, float] | None:
        """Where the camera comes from and the share of the way, for a picture in `frame`; None: it is there."""
        if self._frame is not None and frame != self._frame:
            self._start, self._began = self._camera, now
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
